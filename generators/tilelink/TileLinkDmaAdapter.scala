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

  // What waits here can no longer be overtaken: a beat that was offered must stay.
  private val held    = Module(new Queue(new BlockWrite(engine), 1, pipe = true))
  private val block   = held.io.deq.bits
  private val size    = EngineParams.blockLog2.U
  private val allowed = edge.manager.supportsPutFullSafe(block.address, size)
  held.io.enq <> io.block

  io.tl.a.valid := held.io.deq.valid && allowed
  io.tl.a.bits  := edge.Put(block.slot, block.address, size, Fill(beatBytes, block.fill))._2
  io.tl.d.ready := true.B

  // The bus answers first; a block that was not sent has time.
  private val refused = held.io.deq.valid && !allowed && !io.tl.d.valid
  held.io.deq.ready := Mux(allowed, edge.last(io.tl.a) && io.tl.a.ready, refused)

  io.response.valid     := io.tl.d.valid || refused
  io.response.bits.slot := Mux(io.tl.d.valid, io.tl.d.bits.source, block.slot)
  io.response.bits.code := Mux(!io.tl.d.valid, Code.DecErr, Mux(io.tl.d.bits.denied, Code.SlvErr, Code.None))

  io.tl.b.ready := true.B
  io.tl.c.valid := false.B
  io.tl.c.bits  := DontCare
  io.tl.e.valid := false.B
  io.tl.e.bits  := DontCare

  cover(io.tl.a.valid && !io.tl.a.ready, "TLDMA_A_STALL: the bus does not take a beat")
}
