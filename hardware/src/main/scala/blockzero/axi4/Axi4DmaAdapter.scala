// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import blockzero.{BlockResponse, BlockWrite, Code, EngineParams, Point}
import chisel3._
import chisel3.util._

/** Blocks as AXI4 writes: one INCR burst of 64 bytes a block, id = slot.
  *
  * @param engine the engine it serves
  * @param bus    the port; 8 to 512 data bits
  */
class Axi4DmaAdapter(engine: EngineParams, bus: Axi4Params) extends Module {
  private val blockBytes = 1 << EngineParams.blockLog2
  require(bus.dataBytes <= blockBytes, s"a block has ${8 * blockBytes} bits, dataBits must not be ${bus.dataBits}")
  require(bus.idBits >= engine.slotBits, s"${engine.inflight} slots need ${engine.slotBits} id bits, not ${bus.idBits}")
  require(bus.addrBits >= engine.addrBits, s"the engine has ${engine.addrBits} address bits, the port ${bus.addrBits}")

  val io = IO(new Bundle {
    val block    = Flipped(Decoupled(new BlockWrite(engine)))
    val response = Valid(new BlockResponse(engine))
    val axi      = new Axi4Write(bus)
  })

  private val beats = blockBytes / bus.dataBytes

  // A single place for AW: what waits in it can no longer be overtaken. Two for W, so that the address of the next
  // burst goes out while the data of this one does.
  private val aw = Module(new Queue(new BlockWrite(engine), 1, pipe = true))
  private val w  = Module(new Queue(UInt(8.W), 2))
  aw.io.enq.valid  := io.block.valid && w.io.enq.ready
  aw.io.enq.bits   := io.block.bits
  w.io.enq.valid   := io.block.valid && aw.io.enq.ready
  w.io.enq.bits    := io.block.bits.fill
  io.block.ready   := aw.io.enq.ready && w.io.enq.ready

  io.axi.aw.valid      := aw.io.deq.valid
  aw.io.deq.ready      := io.axi.aw.ready
  io.axi.aw.bits.id    := aw.io.deq.bits.slot
  io.axi.aw.bits.addr  := aw.io.deq.bits.address
  io.axi.aw.bits.len   := (beats - 1).U
  io.axi.aw.bits.size  := log2Ceil(bus.dataBytes).U
  io.axi.aw.bits.burst := Axi4Burst.Incr
  io.axi.aw.bits.lock  := false.B
  io.axi.aw.bits.cache := "b1111".U // write-back, allocate: the line may stay in a cache
  io.axi.aw.bits.prot  := "b001".U // privileged, secure, data
  io.axi.aw.bits.qos   := 0.U

  private val beat      = RegInit(0.U(math.max(1, log2Ceil(beats)).W))
  private val lastBeat  = beat === (beats - 1).U
  when(io.axi.w.fire)(beat := Mux(lastBeat, 0.U, beat + 1.U))
  io.axi.w.valid     := w.io.deq.valid
  io.axi.w.bits.data := Fill(bus.dataBytes, w.io.deq.bits)
  io.axi.w.bits.strb := Fill(bus.dataBytes, 1.U(1.W))
  io.axi.w.bits.last := lastBeat
  w.io.deq.ready     := io.axi.w.ready && lastBeat

  io.axi.b.ready           := true.B
  io.response.valid        := io.axi.b.valid
  io.response.bits.slot    := io.axi.b.bits.id(engine.slotBits - 1, 0)
  // EXOKAY answers nothing that was asked: an error.
  io.response.bits.code := MuxLookup(io.axi.b.bits.resp, Code.SlvErr)(
    Seq(Axi4Resp.Okay -> Code.None, Axi4Resp.DecErr -> Code.DecErr)
  )

  assert(!io.axi.b.valid || io.axi.b.bits.id < engine.inflight.U, "a response with an id that was not used")
  Point(io.block.valid && !aw.io.enq.ready, "AXI4DMA_AW_STALL", "the address of the last block still waits")
  Point(io.block.valid && !w.io.enq.ready, "AXI4DMA_W_STALL", "the data of the last blocks still waits")
}
