// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}
import org.scalatest.funspec.AnyFunSpec

import java.nio.file.{Files, Paths}
import scala.collection.mutable.ArrayBuffer

/** The timing diagram of docs/registers.md is what the engine does. DIAGRAM=write in the environment writes it anew. */
class JobDiagramSpec extends AnyFunSpec with CoveredSim {
  private val path = Paths.get("docs", "job-timing.json")

  /** A signal of WaveJSON: a bit for each cycle. */
  private def bit(name: String, values: Seq[Boolean]): String =
    s"""    {"name": "$name", "wave": "${changes(values.map(if (_) "1" else "0"))}"}"""

  /** A signal with a text in the cycles that have one. */
  private def bus(name: String, values: Seq[Option[String]]): String = {
    val wave = changes(values.map(_.fold("x")(text => s"=$text"))).replaceAll("=[^=.x]*", "=")
    val data = values.zip(None +: values).collect { case (Some(now), before) if !before.contains(now) => s""""$now"""" }
    s"""    {"name": "$name", "wave": "$wave", "data": [${data.mkString(", ")}]}"""
  }

  /** A dot where nothing changes. */
  private def changes(values: Seq[String]): String =
    values.zip("" +: values).map { case (now, before) => if (now == before) "." else now }.mkString

  it("is in docs") {
    simulate(new EngineHarness(EngineParams())) { dut =>
      val d   = new EngineDriver(dut)
      val ram = BigInt("80000000", 16)
      d.reset()
      d.window(0, ram, BigInt("ffffffff", 16))
      d.write(0, R.IrqConfig, 1)
      d.steps(4)

      val seen = ArrayBuffer[Seen]()
      d.seen   = Some(seen)
      d.answer = _ => Answer(5, 0)
      val begun = d.cycle
      d.ready = () => d.cycle != begun + 4 // the bus is busy in one cycle
      d.steps(1)
      d.submit(0, ram, 8)
      while (d.irq == 0) d.steps(1)
      d.steps(1)
      d.write(0, R.IrqAck, 1)
      d.steps(2)
      d.seen = None

      val names = Map(d.at(0, R.Submit) -> "SUBMIT", d.at(0, R.IrqAck) -> "IRQ_ACK")
      def block(address: BigInt): String = s"${(address - ram) >> 6}"
      val text = Seq(
        """    {"name": "clock", "wave": "p""" + "." * (seen.size - 1) + """"}""",
        bus("store", seen.map(_.write.map(names)).toSeq),
        bus("block offered", seen.map(_.offered.map(block)).toSeq),
        bit("bus ready", seen.map(_.ready).toSeq),
        bus("block answered", seen.map(_.answer.map(block)).toSeq),
        bit("interrupt", seen.map(_.irq == 1).toSeq)
      ).mkString("{\n  \"signal\": [\n", ",\n", "\n  ]\n}\n")
      if (sys.env.get("DIAGRAM").contains("write")) Files.writeString(path, text)
      assert(Files.readString(path) == text, s"$path is stale: make registers")
    }
  }
}
