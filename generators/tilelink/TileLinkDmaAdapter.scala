// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

import blockzero.{BlockResponse, BlockWrite, Code, EngineParams}
import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink.{TLBundle, TLEdgeOut}

/** Blocks as TileLink writes: one PutFullData of 64 bytes a block, source = slot.
  *
  * TileLink has no answer for an address that nobody has, so nobody may ask: a block that no manager takes whole is not
  * sent, and answered DECERR here. A denied block is SLVERR.
  *
  * @param engine the engine it serves
  * @param edge   the client's edge; 1 to 64 bytes a beat
  */
class TileLinkDmaAdapter(engine: EngineParams, edge: TLEdgeOut) extends Module {
  private val beatBytes = edge.manager.beatBytes
  require(beatBytes <= (1 << EngineParams.blockLog2), s"a block has 64 bytes, a beat must not have $beatBytes")
  require(
    edge.bundle.addressBits >= engine.addrBits,
    s"the engine has ${engine.addrBits} address bits, the bus ${edge.bundle.addressBits}"
  )

  val io = IO(new Bundle {
    val block    = Flipped(Decoupled(new BlockWrite(engine)))
    val response = Valid(new BlockResponse(engine))
    val tl       = new TLBundle(edge.bundle)
  })

  private val size    = EngineParams.blockLog2.U
  private val allowed = edge.manager.supportsPutFullSafe(io.block.bits.address, size)

  // What waits here can no longer be overtaken: a beat that was offered must stay. A block goes out in the cycle it comes,
  // unless the bus may answer in that same cycle.
  private val sent = Module(new Queue(new BlockWrite(engine), 1, pipe = true, flow = edge.manager.minLatency > 0))
  // What is refused is answered a cycle later, or more: the bus's answers go first.
  private val refused = Module(new Queue(UInt(engine.slotBits.W), 1))
  sent.io.enq.valid    := io.block.valid && allowed
  sent.io.enq.bits     := io.block.bits
  refused.io.enq.valid := io.block.valid && !allowed
  refused.io.enq.bits  := io.block.bits.slot
  io.block.ready       := Mux(allowed, sent.io.enq.ready, refused.io.enq.ready)

  private val block = sent.io.deq.bits
  io.tl.a.valid     := sent.io.deq.valid
  io.tl.a.bits      := edge.Put(block.slot, block.address, size, Fill(beatBytes, block.fill))._2
  sent.io.deq.ready := io.tl.a.ready && edge.last(io.tl.a)

  io.tl.d.ready          := true.B
  refused.io.deq.ready   := !io.tl.d.valid
  io.response.valid      := io.tl.d.valid || refused.io.deq.valid
  io.response.bits.slot  := Mux(io.tl.d.valid, io.tl.d.bits.source, refused.io.deq.bits)
  io.response.bits.code  := Mux(!io.tl.d.valid, Code.DecErr, Mux(io.tl.d.bits.denied, Code.SlvErr, Code.None))

  io.tl.b.ready := true.B
  io.tl.c.valid := false.B
  io.tl.c.bits  := DontCare
  io.tl.e.valid := false.B
  io.tl.e.bits  := DontCare

  cover(io.tl.a.valid && !io.tl.a.ready, "TLDMA_A_STALL: the bus does not take a beat")
}
