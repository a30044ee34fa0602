// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.axi4.{Axi4DmaAdapter, Axi4RegisterAdapter}
import blockzero.soc.{MemoryMap, MmioSplit, RelaxedFifo, RocketPorts}
import java.nio.file.{Files, Path, Paths}

/** Writes what stands between harts, engine and memory, each part alone, with assertions, in the SystemVerilog that Yosys
  * reads: `Axi4DmaAdapter.sv`, `Axi4RegisterAdapter.sv`, `MmioSplit.sv`, `RelaxedFifo.sv`.
  *
  * Usage: `EmitParts <directory>`
  */
object EmitParts {
  private val parts = Seq(
    () => new Axi4DmaAdapter(EngineParams(), RocketPorts.front),
    () => new Axi4RegisterAdapter(RocketPorts.mmio),
    () => new MmioSplit(RocketPorts.mmio, MemoryMap.engine),
    () => new RelaxedFifo
  )

  def main(args: Array[String]): Unit = {
    val directory: Path = Paths.get(args(0))
    Files.createDirectories(directory)
    for (part <- parts) {
      val text = _root_.circt.stage.ChiselStage.emitSystemVerilog(part(), firtoolOpts = EmitTile.forProofs)
      val name = "module (\\w+)\\(".r.findAllMatchIn(text).toSeq.last.group(1)
      Files.writeString(directory.resolve(s"$name.sv"), text)
    }
  }
}
