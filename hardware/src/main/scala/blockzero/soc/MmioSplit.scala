// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.Point
import blockzero.axi4._
import chisel3._
import chisel3.util._

/** Routes one AXI4 manager to two subordinates by address: `inside` a naturally aligned region, or `outside` it.
  *
  * The manager may have any number of transactions under way, of any IDs, and send data before its address. One write and
  * one read at a time go on; the others wait at the port. So no order between the two subordinates needs to be kept, and
  * the subordinates, which serve one at a time themselves, lose nothing.
  */
class MmioSplit(p: Axi4Params, region: MemoryMap.Region) extends Module {
  require(isPow2(region.size) && region.base % region.size == 0, s"$region is not naturally aligned")

  val io = IO(new Bundle {
    val in      = Flipped(new Axi4(p))
    val inside  = new Axi4(p)
    val outside = new Axi4(p)
  })

  private val out = Seq(io.outside, io.inside)

  private def isInside(address: UInt) = {
    val low = log2Ceil(region.size)
    (address >> low) === (region.base >> low).U
  }

  /** Opens a route with an address and closes it with the last beat of the response; returns (open, to the inside).
    * The address is kept here, because a subordinate may wait for the data before it takes the address.
    */
  private def route(in: IrrevocableIO[Axi4Addr], outs: Seq[IrrevocableIO[Axi4Addr]], done: Bool) = {
    val open    = RegInit(false.B)
    val sent    = Reg(Bool())
    val address = Reg(chiselTypeOf(in.bits))
    val to      = isInside(address.addr)
    in.ready := !open
    when(in.fire) {
      open    := true.B
      sent    := false.B
      address := in.bits
    }.elsewhen(done) { open := false.B }
    for ((o, i) <- outs.zipWithIndex) {
      o.valid := open && !sent && to === i.B
      o.bits  := address
      when(o.fire) { sent := true.B }
    }
    (open, to)
  }

  private val (writing, writeTo) = route(io.in.aw, out.map(_.aw), io.in.b.fire)
  private val (reading, readTo)  = route(io.in.ar, out.map(_.ar), io.in.r.fire && io.in.r.bits.last)

  // The route's own data has passed; the beats behind it are of the next write.
  private val dataSent = Reg(Bool())
  when(io.in.aw.fire) { dataSent := false.B }.elsewhen(io.in.w.fire && io.in.w.bits.last) { dataSent := true.B }
  private val sending = writing && !dataSent

  for ((o, i) <- out.zipWithIndex) {
    o.w.valid := io.in.w.valid && sending && writeTo === i.B
    o.w.bits  := io.in.w.bits
    o.b.ready := io.in.b.ready && writing && writeTo === i.B
    o.r.ready := io.in.r.ready && reading && readTo === i.B
  }
  io.in.w.ready := sending && Mux(writeTo, io.inside.w.ready, io.outside.w.ready)
  io.in.b.valid := writing && Mux(writeTo, io.inside.b.valid, io.outside.b.valid)
  io.in.b.bits  := Mux(writeTo, io.inside.b.bits, io.outside.b.bits)
  io.in.r.valid := reading && Mux(readTo, io.inside.r.valid, io.outside.r.valid)
  io.in.r.bits  := Mux(readTo, io.inside.r.bits, io.outside.r.bits)

  assert(!(io.in.b.fire && sending), "a write was answered before its data was sent")
  Point(writing && io.in.aw.valid, "MMIO_AW_STALL", "a write waits for the one before it")
  Point(reading && io.in.ar.valid, "MMIO_AR_STALL", "a read waits for the one before it")
}
