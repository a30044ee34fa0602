// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.tilelink.{BlockZeroParams, WithBlockZero}
import chisel3.RawModule
import freechips.rocketchip.diplomacy.LazyModule
import freechips.rocketchip.interrupts.{IntSinkNode, IntSinkPortSimple}
import freechips.rocketchip.prci.{AsynchronousCrossing, ClockCrossingType, RationalCrossing, SynchronousCrossing}
import freechips.rocketchip.subsystem._
import freechips.rocketchip.system.BaseConfig
import freechips.rocketchip.util.Symmetric
import org.chipsalliance.cde.config.{Config, Parameters}
import scala.util.{Failure, Success, Try}
import testchipip.soc.CanHaveSubsystemInjectors

/** Elaborates a tile with every combination of clocks and crossings, on rocket-chip's own buses and clocks.
  *
  * What does not fit must be refused, the rest elaborate, and interrupts cross once: through a synchroniser unless the
  * tile's clock is the interrupt bus's. Prints TAP. It is in the jar that Chipyard builds:
  * {{{
  * java -cp .classpath_cache/chipyard.jar blockzero.ElaborateCrossings
  * }}}
  */
object ElaborateCrossings extends App {

  /** Buses, memory and a tile, without a core. */
  private class Subsystem(implicit p: Parameters)
      extends BaseSubsystem
      with CanHaveMasterAXI4MemPort
      with CanHaveSubsystemInjectors {
    private val interrupts = IntSinkNode(IntSinkPortSimple())
    interrupts :=* ibus.toPLIC
    override lazy val module = new BaseSubsystemModuleImp(this) {}
  }

  private val synchronous: ClockCrossingType = SynchronousCrossing()
  private val rational: ClockCrossingType = RationalCrossing(Symmetric)
  private val asynchronous: ClockCrossingType = AsynchronousCrossing()
  private val kinds = Seq(synchronous, rational, asynchronous)

  /** The tile writes through the front bus; its registers are on the peripheral bus.
    *
    * @param between  the crossings from the front bus to the system bus, and from there to the peripheral bus
    * @param clockMHz of the tile's own clock
    */
  private case class Clocks(name: String, between: ClockCrossingType, clockMHz: Option[Double] = None) {

    /** How loosely the tile's clock relates to that of its own bus, and to others, as an index of `kinds`. */
    val near: Int = if (clockMHz.isEmpty) 0 else 1
    val far:  Int = if (clockMHz.isEmpty) kinds.indexOf(between) else near
  }

  private val clocks = Seq(
    Clocks("one clock", synchronous),
    Clocks("rational clocks", rational),
    Clocks("asynchronous clocks", asynchronous),
    Clocks("a clock of its own", synchronous, clockMHz = Some(50))
  )

  private def elaborate(clocks: Clocks, dma: Option[ClockCrossingType], registers: Option[ClockCrossingType]): Try[String] = Try {
    implicit val p: Parameters = new Config(
      new WithBlockZero(BlockZeroParams(clockMHz = clocks.clockMHz, dmaCrossing = dma, registersCrossing = registers)) ++
      new Config((site, here, up) => {
        case FbusToSbusXTypeKey => clocks.between
        case CbusToPbusXTypeKey => clocks.between
      }) ++
      new WithCoherentBusTopology ++
      new BaseConfig)
    // rocket-chip prints device tree and address map.
    Console.withOut(java.io.OutputStream.nullOutputStream) {
      _root_.circt.stage.ChiselStage.emitCHIRRTL(LazyModule(new Subsystem).module: RawModule)
    }
  }

  private def name(crossing: Option[ClockCrossingType]): String = crossing.fold("chosen")(_.toString.takeWhile(_ != '('))

  private case class Case(clocks: Clocks, dma: Option[ClockCrossingType], registers: Option[ClockCrossingType]) {
    val fits: Boolean = dma.forall(kinds.indexOf(_) >= clocks.near) && registers.forall(kinds.indexOf(_) >= clocks.far)

    private val synchroniser = if (clocks.far == 0) "IntSyncSyncCrossingSink" else "IntSyncAsyncCrossingSink"

    /** Whether it elaborates, or is refused, as it should. */
    def good: Boolean = elaborate(clocks, dma, registers) match {
      case Success(circuit) =>
        fits && circuit.contains(s"module $synchroniser") && "inst \\w+ of IntSyncCrossingSource".r.findAllIn(circuit).size == 1
      case Failure(error) =>
        if (fits) error.printStackTrace()
        !fits && error.getMessage.contains("does not fit")
    }

    override def toString: String =
      s"${clocks.name}, DMA ${name(dma)}, registers ${name(registers)}: ${if (fits) "elaborates" else "is refused"}"
  }

  private val both = for (dma <- kinds; registers <- kinds) yield (Some(dma), Some(registers))
  private val cases = for (clocks <- this.clocks; (dma, registers) <- (None, None) +: both) yield Case(clocks, dma, registers)

  // Those that are refused come last: diplomacy does not leave the scopes in which an exception ends its work.
  private val (fitting, refused) = cases.partition(_.fits)
  private val results = (fitting ++ refused).zipWithIndex.map { case (c, i) =>
    val good = c.good
    println(s"${if (good) "" else "not "}ok ${i + 1} - $c")
    good
  }
  println(s"1..${results.size}")
  sys.exit(if (results.forall(identity)) 0 else 1)
}
