// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._

/** The tile with its ports packed into one input and one output (see EngineHarness). */
class TileHarness(val p: TileParams) extends Module {
  val io = IO(new Bundle {
    val in  = Input(UInt(TileHarness.in(p).getWidth.W))
    val out = Output(UInt(TileHarness.out(p).getWidth.W))
  })

  private val in   = io.in.asTypeOf(TileHarness.in(p))
  private val out  = Wire(TileHarness.out(p))
  private val tile = Module(new BlockZeroTile(p))
  io.out := out.asUInt

  for ((port, valid, id, address, len) <- Seq(
      (tile.regs.aw, in.awValid, in.awId, in.awAddr, in.awLen),
      (tile.regs.ar, in.arValid, in.arId, in.arAddr, in.arLen)
    )) {
    port.valid      := valid
    port.bits       := 0.U.asTypeOf(port.bits)
    port.bits.id    := id
    port.bits.addr  := address
    port.bits.len   := len
    port.bits.size  := 3.U
    port.bits.burst := axi4.Axi4Burst.Incr
  }
  tile.regs.w.valid     := in.wValid
  tile.regs.w.bits.data := in.wData
  tile.regs.w.bits.strb := in.wStrb
  tile.regs.w.bits.last := in.wLast
  tile.regs.b.ready     := in.bReady
  tile.regs.r.ready     := in.rReady
  out.awReady           := tile.regs.aw.ready
  out.wReady            := tile.regs.w.ready
  out.bValid            := tile.regs.b.valid
  out.bId               := tile.regs.b.bits.id
  out.bResp             := tile.regs.b.bits.resp
  out.arReady           := tile.regs.ar.ready
  out.rValid            := tile.regs.r.valid
  out.rId               := tile.regs.r.bits.id
  out.rData             := tile.regs.r.bits.data
  out.rResp             := tile.regs.r.bits.resp
  out.rLast             := tile.regs.r.bits.last

  tile.dma.aw.ready    := in.dmaAwReady
  tile.dma.w.ready     := in.dmaWReady
  tile.dma.b.valid     := in.dmaBValid
  tile.dma.b.bits.id   := in.dmaBId
  tile.dma.b.bits.resp := in.dmaBResp
  out.dmaAwValid       := tile.dma.aw.valid
  out.dmaAwId          := tile.dma.aw.bits.id
  out.dmaAwAddr        := tile.dma.aw.bits.addr
  out.dmaAwLen         := tile.dma.aw.bits.len
  out.dmaAwSize        := tile.dma.aw.bits.size
  out.dmaAwBurst       := tile.dma.aw.bits.burst
  out.dmaWValid        := tile.dma.w.valid
  out.dmaWData         := tile.dma.w.bits.data
  out.dmaWStrb         := tile.dma.w.bits.strb
  out.dmaWLast         := tile.dma.w.bits.last
  out.dmaBReady        := tile.dma.b.ready
  out.irq              := tile.irq.asUInt
}

object TileHarness {
  class In(p: TileParams) extends Bundle {
    val awValid    = Bool()
    val awId       = UInt(p.registers.idBits.W)
    val awAddr     = UInt(p.registers.addrBits.W)
    val awLen      = UInt(8.W)
    val wValid     = Bool()
    val wData      = UInt(64.W)
    val wStrb      = UInt(8.W)
    val wLast      = Bool()
    val bReady     = Bool()
    val arValid    = Bool()
    val arId       = UInt(p.registers.idBits.W)
    val arAddr     = UInt(p.registers.addrBits.W)
    val arLen      = UInt(8.W)
    val rReady     = Bool()
    val dmaAwReady = Bool()
    val dmaWReady  = Bool()
    val dmaBValid  = Bool()
    val dmaBId     = UInt(p.dma.idBits.W)
    val dmaBResp   = UInt(2.W)
  }

  class Out(p: TileParams) extends Bundle {
    val awReady    = Bool()
    val wReady     = Bool()
    val bValid     = Bool()
    val bId        = UInt(p.registers.idBits.W)
    val bResp      = UInt(2.W)
    val arReady    = Bool()
    val rValid     = Bool()
    val rId        = UInt(p.registers.idBits.W)
    val rData      = UInt(64.W)
    val rResp      = UInt(2.W)
    val rLast      = Bool()
    val dmaAwValid = Bool()
    val dmaAwId    = UInt(p.dma.idBits.W)
    val dmaAwAddr  = UInt(p.dma.addrBits.W)
    val dmaAwLen   = UInt(8.W)
    val dmaAwSize  = UInt(3.W)
    val dmaAwBurst = UInt(2.W)
    val dmaWValid  = Bool()
    val dmaWData   = UInt(p.dma.dataBits.W)
    val dmaWStrb   = UInt(p.dma.dataBytes.W)
    val dmaWLast   = Bool()
    val dmaBReady  = Bool()
    val irq        = UInt(p.engine.channels.W)
  }

  def in(p:  TileParams): In  = new In(p)
  def out(p: TileParams): Out = new Out(p)
}
