// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.EngineParams

/** How Rocket's front port treats the engine's writes. */
sealed abstract class FrontPort(val name: String)

object FrontPort {

  /** Rocket as published: one request of each remaining AXI ID travels at a time, so two blocks are in flight. */
  case object Ordered extends FrontPort("ordered")

  /** [[RelaxedFifo]] in place of the port's TLFIFOFixer: eight blocks are in flight. */
  case object Relaxed extends FrontPort("relaxed")

  def apply(name: String): FrontPort = Seq(Ordered, Relaxed)
    .find(_.name == name)
    .getOrElse(throw new IllegalArgumentException(s"front port must be 'ordered' or 'relaxed', not '$name'"))
}

/** One stand-alone SoC.
  *
  * @param rocket      name of a configuration in PyPI's pythondata-cpu-rocket, for example "LitexFullConfig"
  * @param harts       number of Rocket cores in it
  * @param memDataBits width of its memory port in bits, 64 or 128
  * @param isa         the ISA string Rocket implements, for the device tree
  * @param frontPort   treatment of the engine's writes
  * @param engine      the engine's parameters
  */
case class SocConfig(
    rocket: String,
    harts: Int,
    memDataBits: Int,
    isa: String,
    frontPort: FrontPort,
    engine: EngineParams
)

object SocConfig {
  private case class Rocket(harts: Int, memDataBits: Int, isa: String)

  /** The configurations that this SoC supports; the package has more. */
  private val rockets = Map(
    "LitexFullConfig" -> Rocket(harts = 1, memDataBits = 64, isa = "rv64imafdc"),
    "LitexFull4DConfig" -> Rocket(harts = 4, memDataBits = 128, isa = "rv64imafdc")
  )

  def apply(rocket: String, frontPort: FrontPort, engine: EngineParams): SocConfig = {
    val r = rockets.getOrElse(
      rocket,
      throw new IllegalArgumentException(s"no Rocket configuration '$rocket'; there is ${rockets.keys.toSeq.sorted.mkString(", ")}")
    )
    SocConfig(rocket, r.harts, r.memDataBits, r.isa, frontPort, engine)
  }
}

/** Physical addresses and interrupt sources. Rocket fixes RAM, PLIC, CLINT and the MMIO range; the rest is ours. */
object MemoryMap {
  case class Region(name: String, base: BigInt, size: BigInt)

  val clint    = Region("clint", 0x02000000L, 0x10000L)
  val plic     = Region("plic", 0x0c000000L, 0x4000000L)
  val bootRom  = Region("bootrom", 0x10000000L, 0x10000L)
  val uart     = Region("uart", 0x11000000L, 0x1000L)
  val finisher = Region("finisher", 0x12000000L, 0x1000L)
  val engine   = Region("engine", 0x13000000L, 0x10000L)
  val ram      = Region("ram", 0x80000000L, 0x80000000L)

  val regions: Seq[Region] = Seq(clint, plic, bootRom, uart, finisher, engine, ram)

  /** PLIC source of the engine's channel 0; the other channels follow. */
  val engineIrq = 1

  /** PLIC source of the UART. Rocket's PLIC here has sources 1 to 8. */
  val uartIrq = 8

  /** CLINT ticks once in so many clock cycles: Rocket's RTC divider. */
  val cyclesPerTick = 100
}
