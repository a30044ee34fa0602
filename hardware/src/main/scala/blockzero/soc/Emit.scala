// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.EngineParams
import java.nio.file.{Files, Path, Paths}

/** Writes one stand-alone SoC: `StandaloneSoc.sv`, and `soc.json` with all that firmware, device tree and simulator
  * must know of it.
  *
  * Usage: `Emit <directory> <rocket configuration> <ordered|relaxed> <channels> <queue depth> <blocks in flight> <windows>`
  */
object Emit {
  def main(args: Array[String]): Unit = args match {
    case Array(directory, rocket, frontPort, engine @ _*) if engine.size == 4 =>
      try {
        val Seq(channels, queueDepth, inflight, windows) = engine.map(_.toInt)
        val params = EngineParams(channels, queueDepth, inflight, addrBits = 32, windows)
        emit(Paths.get(directory), SocConfig(rocket, FrontPort(frontPort), params))
      } catch {
        case e: IllegalArgumentException => fail(e.getMessage)
      }
    case _ => fail("usage: Emit <directory> <rocket configuration> <ordered|relaxed> <channels> <queue depth> <blocks in flight> <windows>")
  }

  private def fail(message: String): Nothing = {
    Console.err.println(s"error: $message")
    sys.exit(1)
  }

  private def emit(directory: Path, config: SocConfig): Unit = {
    Files.createDirectories(directory)
    val firtool = Array("-disable-all-randomization", "-strip-debug-info", "-default-layer-specialization=enable")
    def verilog(name: String, module: => chisel3.RawModule): Unit =
      Files.writeString(
        directory.resolve(name),
        _root_.circt.stage.ChiselStage.emitSystemVerilog(module, firtoolOpts = firtool)
      )
    verilog("StandaloneSoc.sv", new StandaloneSoc(config))
    if (config.frontPort == FrontPort.Relaxed) verilog("RelaxedFifo.sv", new RelaxedFifo)
    Files.writeString(directory.resolve("soc.json"), json(config))
  }

  private def json(config: SocConfig): String = {
    def obj(fields: (String, String)*) = fields.map { case (k, v) => s""""$k": $v""" }.mkString("{", ", ", "}")
    def str(s: String)                 = s""""$s""""
    val e                              = config.engine
    obj(
      "rocket" -> str(config.rocket),
      "harts" -> config.harts.toString,
      "isa" -> str(config.isa),
      "mem_data_bits" -> config.memDataBits.toString,
      "front_port" -> str(config.frontPort.name),
      "cycles_per_tick" -> MemoryMap.cyclesPerTick.toString,
      "regions" -> obj(MemoryMap.regions.map(r => r.name -> obj("base" -> r.base.toString, "size" -> r.size.toString)): _*),
      "uart_irq" -> MemoryMap.uartIrq.toString,
      "engine" -> obj(
        "irq" -> MemoryMap.engineIrq.toString,
        "channels" -> e.channels.toString,
        "queue_depth" -> e.queueDepth.toString,
        "in_flight" -> e.inflight.toString,
        "windows" -> e.windows.toString
      )
    ) + "\n"
  }
}
