// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.axi4._
import chisel3._

/** What a tile is built with.
  *
  * @param engine    the engine
  * @param registers the port that software reaches the registers by; the default fits Rocket's MMIO port
  * @param dma       the port the blocks leave by; the default fits Rocket's coherent front port
  */
case class TileParams(
  engine:    EngineParams = EngineParams(),
  registers: Axi4Params = Axi4Params(addrBits = 31, dataBits = 64, idBits = 4),
  dma:       Axi4Params = Axi4Params(addrBits = 32, dataBits = 64, idBits = 8)
)

/** The engine as it joins an AXI4 SoC. */
class BlockZeroTile(p: TileParams = TileParams()) extends Module {
  val regs = IO(Flipped(new Axi4(p.registers)))
  val dma  = IO(new Axi4Write(p.dma))
  val irq  = IO(Output(Vec(p.engine.channels, Bool()))) // levels

  private val engine    = Module(new Engine(p.engine))
  private val registers = Module(new Axi4RegisterAdapter(p.registers))
  private val writer    = Module(new Axi4DmaAdapter(p.engine, p.dma))

  registers.io.axi    <> regs
  engine.io.registers <> registers.io.registers
  writer.io.block     <> engine.io.block
  engine.io.response  := writer.io.response
  dma                 <> writer.io.axi
  irq                 := engine.io.irq
}
