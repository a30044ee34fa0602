// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

import freechips.rocketchip.diplomacy.LazyModule
import freechips.rocketchip.prci.{AsynchronousCrossing, ClockGroup, RationalCrossing, SynchronousCrossing}
import freechips.rocketchip.subsystem.BaseSubsystem
import freechips.rocketchip.tilelink.TLFragmenter
import org.chipsalliance.cde.config.{Config, Field, Parameters}
import org.chipsalliance.diplomacy.ValName
import testchipip.soc.{SubsystemInjector, SubsystemInjectorKey}

case object BlockZeroKey extends Field[Option[BlockZeroParams]](None)

/** Puts a tile into a subsystem, without an edit of the subsystem. */
case object BlockZeroInjector extends SubsystemInjector((p, subsystem) => p(BlockZeroKey).foreach { params =>
  implicit val q: Parameters = p
  val dmaBus       = subsystem.locateTLBusWrapper(params.dmaWhere)
  val registersBus = subsystem.locateTLBusWrapper(params.registersWhere)

  val blockzero = LazyModule(new BlockZero(params, registersBus.beatBytes)).suggestName("blockzero")
  params.dmaCrossing match {
    case _: SynchronousCrossing => blockzero.clockNode := dmaBus.fixedClockNode
    case _ => blockzero.clockNode := ClockGroup()(p, ValName("blockzero_clock")) := subsystem.allClockGroupsNode
  }

  dmaBus.coupleFrom("blockzero") { _ := blockzero.dma(params.dmaCrossing) }
  registersBus.coupleTo("blockzero") {
    blockzero.registers(params.registersCrossing) := TLFragmenter(registersBus, Some("BlockZero")) := _
  }
  (params.registersCrossing match {
    case _: AsynchronousCrossing => subsystem.ibus.fromAsync
    case _: RationalCrossing     => subsystem.ibus.fromRational
    case _                       => subsystem.ibus.fromSync
  }) := blockzero.interrupts(params.registersCrossing)
})

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
