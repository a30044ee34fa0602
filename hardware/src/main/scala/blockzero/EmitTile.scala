// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.axi4.Axi4Params
import java.nio.file.{Files, Path, Paths}

/** Writes a tile alone, in the SystemVerilog that Yosys reads: `Tile.sv`, without assertions, or with them for proofs.
  *
  * Usage: `EmitTile <directory> <area|proof> <channels> <queue depth> <in flight> <windows> <address bits> <test: 0|1>`
  */
object EmitTile {
  private val readable = Array(
    "-strip-debug-info",
    "-disable-all-randomization",
    "--lowering-options=disallowLocalVariables,disallowPackedArrays,noAlwaysComb,disallowMuxInlining"
  )

  private val forArea = readable :+ "-default-layer-specialization=disable"

  /** firtool's options for what is proven. */
  val forProofs: Array[String] =
    readable ++ Array("-default-layer-specialization=enable", "-verification-flavor=immediate", "-preserve-values=named")

  def main(args: Array[String]): Unit = {
    val Array(directory, purpose, numbers @ _*) = args
    val Seq(channels, queueDepth, inflight, windows, addrBits, test) = numbers.map(_.toInt)
    val engine = EngineParams(channels, queueDepth, inflight, addrBits, windows, testHooks = test == 1)
    val tile   = TileParams(engine, dma = Axi4Params(addrBits, dataBits = 64, idBits = 8))
    val path: Path = Paths.get(directory)
    Files.createDirectories(path)
    Files.writeString(
      path.resolve("Tile.sv"),
      _root_.circt.stage.ChiselStage.emitSystemVerilog(new BlockZeroTile(tile), firtoolOpts = Map("area" -> forArea, "proof" -> forProofs)(purpose))
    )
  }
}
