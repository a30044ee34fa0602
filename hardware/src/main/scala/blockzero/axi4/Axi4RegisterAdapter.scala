// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import blockzero.RegisterPort
import chisel3._
import chisel3.util._

/** An AXI4 subordinate for the engine's registers: single-beat accesses, one read and one write at a time. A burst
  * is answered SLVERR and has no effect.
  *
  * @param bus the port; 64 data bits, at least 16 address bits, of which the upper ones do not count
  */
class Axi4RegisterAdapter(bus: Axi4Params) extends Module {
  require(bus.dataBits == 64, s"the registers have 64 bits, dataBits must not be ${bus.dataBits}")
  require(
    bus.addrBits >= RegisterPort.addressBits,
    s"the registers need ${RegisterPort.addressBits} address bits, not ${bus.addrBits}"
  )

  val io = IO(new Bundle {
    val axi       = Flipped(new Axi4(bus))
    val registers = new RegisterPort
  })

  // A write: AW goes with the first beat; a burst's other beats are swallowed before B.
  private val bValid    = RegInit(false.B)
  private val bBits     = Reg(new Axi4WriteResp(bus))
  private val swallow   = RegInit(false.B)
  private val bFree     = !bValid || io.axi.b.ready
  private val single    = io.axi.aw.bits.len === 0.U
  private val writeFire = io.axi.aw.valid && io.axi.w.valid && bFree && !swallow
  io.axi.aw.ready := io.axi.w.valid && bFree && !swallow
  io.axi.w.ready  := swallow || (io.axi.aw.valid && bFree)
  io.axi.b.valid  := bValid
  io.axi.b.bits   := bBits

  when(io.axi.b.ready)(bValid := false.B)
  when(writeFire) {
    bValid     := single
    swallow    := !single
    bBits.id   := io.axi.aw.bits.id
    bBits.resp := Mux(single, Axi4Resp.Okay, Axi4Resp.SlvErr)
  }
  when(swallow && io.axi.w.valid && io.axi.w.bits.last) {
    bValid  := true.B
    swallow := false.B
  }

  io.registers.write.valid        := writeFire && single
  io.registers.write.bits.address := io.axi.aw.bits.addr(RegisterPort.addressBits - 1, 0)
  io.registers.write.bits.data    := io.axi.w.bits.data
  io.registers.write.bits.mask    := io.axi.w.bits.strb

  // A read: the registers answer in the cycle after AR, and R is registered; a burst gets its beats.
  private val asked  = RegNext(io.axi.ar.fire, false.B)
  private val rValid = RegInit(false.B)
  private val rBits  = Reg(new Axi4ReadData(bus))
  private val left   = Reg(UInt(8.W)) // beats to come after this one
  io.axi.ar.ready    := !asked && !rValid
  io.axi.r.valid     := rValid
  io.axi.r.bits      := rBits
  io.axi.r.bits.last := left === 0.U
  io.registers.read.valid := io.axi.ar.fire
  io.registers.read.bits  := io.axi.ar.bits.addr(RegisterPort.addressBits - 1, 0)

  when(io.axi.r.fire) {
    left := left - 1.U
    when(left === 0.U)(rValid := false.B)
  }
  when(asked) {
    rValid     := true.B
    rBits.data := Mux(rBits.resp === Axi4Resp.Okay, io.registers.readData, 0.U)
  }
  when(io.axi.ar.fire) {
    left       := io.axi.ar.bits.len
    rBits.id   := io.axi.ar.bits.id
    rBits.resp := Mux(io.axi.ar.bits.len === 0.U, Axi4Resp.Okay, Axi4Resp.SlvErr)
  }
}
