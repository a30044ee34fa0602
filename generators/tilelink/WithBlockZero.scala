// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

import freechips.rocketchip.diplomacy.LazyModule
import freechips.rocketchip.prci.{AsynchronousCrossing, ClockCrossingType, ClockGroup, RationalCrossing, SynchronousCrossing}
import freechips.rocketchip.subsystem.{BaseSubsystem, TLManagerViewpointLocated}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLBusWrapperTopology, TLFragmenter, TLWidthWidget}
import freechips.rocketchip.util.Location
import org.chipsalliance.cde.config.{Config, Field, Parameters}
import org.chipsalliance.diplomacy.ValName
import testchipip.soc.{SubsystemInjector, SubsystemInjectorKey}

case object BlockZeroKey extends Field[Option[BlockZeroParams]](None)

/** Puts a tile into a subsystem, without an edit of the subsystem. */
case object BlockZeroInjector extends SubsystemInjector((p, subsystem) => p(BlockZeroKey).foreach { params =>
  implicit val q: Parameters = p
  val dmaBus       = subsystem.locateTLBusWrapper(params.dmaWhere)
  val registersBus = subsystem.locateTLBusWrapper(params.registersWhere)
  val crossings    = new Crossings(params, subsystem)

  val blockzero = LazyModule(new BlockZero(params)).suggestName("blockzero")
  if (params.clockMHz.isEmpty) blockzero.clockNode := dmaBus.fixedClockNode
  else blockzero.clockNode := ClockGroup()(p, ValName("blockzero_clock")) := subsystem.allClockGroupsNode

  dmaBus.coupleFrom("blockzero") { _ := blockzero.dma(crossings.dma) }
  registersBus.coupleTo("blockzero") {
    (blockzero.registers(crossings.registers)
      := TLFragmenter(RegisterMap.beatBytes, registersBus.blockBytes, nameSuffix = Some("BlockZero"))
      := TLWidthWidget(registersBus.beatBytes)
      := _)
  }
  // The crossing's far half is in the interrupt bus, with its clock.
  subsystem.ibus { subsystem.ibus.fromSync := blockzero.interrupts(crossings.interrupts) }
})

/** The clock crossings between a tile and its subsystem: as the parameters say, if that fits, or as the clocks need. */
private class Crossings(params: BlockZeroParams, subsystem: BaseSubsystem) {

  /** What the subsystem's buses say of each other's clocks by the crossings between them. */
  private val links: Seq[(Location[TLBusWrapper], Location[TLBusWrapper], ClockRelation.Value)] =
    subsystem.topology.collect { case t: TLBusWrapperTopology => t.connections }.flatten.map {
      case (one, other, connection) => (one, other, loosest(connection.xType))
    }

  val dma:        ClockCrossingType = choose("dmaCrossing", params.dmaCrossing, params.dmaWhere)
  val registers:  ClockCrossingType = choose("registersCrossing", params.registersCrossing, params.registersWhere)
  val interrupts: ClockCrossingType = choose("interrupts", None, subsystem.p(TLManagerViewpointLocated(subsystem.location)))

  private def choose(name: String, wanted: Option[ClockCrossingType], bus: Location[TLBusWrapper]): ClockCrossingType = {
    // Nothing says how the tile's own clock relates to others. Who asks for a rational crossing says that the edges coincide.
    val relation =
      if (params.clockMHz.nonEmpty) ClockRelation.Rational else ClockRelation.between(links, params.dmaWhere, bus)
    val crossing = wanted.getOrElse(if (relation == ClockRelation.Same) SynchronousCrossing() else AsynchronousCrossing())
    val clock    = params.clockMHz.fold(s"the clock of ${params.dmaWhere.name}")(f => s"a clock of its own, of $f MHz")
    require(
      relation <= loosest(crossing),
      s"BlockZeroParams: $name = $crossing does not fit. The tile has $clock; to it the clock of ${bus.name} is $relation. " +
        s"Leave $name out, or write $name = Some(AsynchronousCrossing())"
    )
    crossing
  }

  /** The loosest relation of two clocks that a crossing is right for. */
  private def loosest(crossing: ClockCrossingType): ClockRelation.Value = crossing match {
    case _: AsynchronousCrossing => ClockRelation.Unrelated
    case _: RationalCrossing     => ClockRelation.Rational
    case _                       => ClockRelation.Same
  }
}

/** Adds a BlockZero tile to a Chipyard configuration.
  *
  * {{{
  * class MyConfig extends Config(
  *   new WithBlockZero(BlockZeroParams(engine = EngineParams(inflight = 32), dmaWhere = SBUS)) ++
  *   new chipyard.RocketConfig)
  * }}}
  */
class WithBlockZero(params: BlockZeroParams) extends Config((site, here, up) => {
  case BlockZeroKey         => Some(params)
  case SubsystemInjectorKey => up(SubsystemInjectorKey) + BlockZeroInjector
}) {

  /** Everything by default; so that it can be named on a command line. */
  def this() = this(BlockZeroParams())
}

/** Changes how many blocks the engine writes at once, 1 to 64. */
class WithBlocksInFlight(count: Int) extends Config((site, here, up) => {
  case BlockZeroKey => up(BlockZeroKey).map(params => params.copy(engine = params.engine.copy(inflight = count)))
})
