// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

import blockzero.{Engine, EngineParams}
import blockzero.registers.BlockZeroRegisters
import chisel3._
import freechips.rocketchip.diplomacy.{AddressSet, IdRange}
import freechips.rocketchip.interrupts.{IntClockDomainCrossing, IntSourceNode, IntSourcePortSimple}
import freechips.rocketchip.prci.{ClockCrossingType, ClockParameters, ClockSinkDomain, ClockSinkParameters}
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.subsystem.{FBUS, PBUS, TLBusWrapperLocation}
import freechips.rocketchip.tilelink._
import org.chipsalliance.cde.config.Parameters

/** How a tile joins an SoC.
  *
  * A crossing that is not given is chosen: a synchronous one where both sides have one clock, else an asynchronous one.
  * One that is given must fit the clocks. Interrupts always cross as the clocks need.
  *
  * @param engine            the engine; its addrBits are those of the bus, whatever is said here
  * @param address           of the registers, a multiple of 64 KiB
  * @param dmaWhere          bus that blocks are written through. It must be coherent
  * @param registersWhere    bus that software reaches the registers by
  * @param clockMHz          frequency of a clock of the tile's own, the clock group "blockzero_clock", for example 250.0.
  *                          None: the tile has the clock of dmaWhere
  * @param dmaCrossing       from the tile's clock to that of dmaWhere
  * @param registersCrossing from the clock of registersWhere to the tile's
  */
case class BlockZeroParams(
  engine:            EngineParams = EngineParams(),
  address:           BigInt = 0x10100000,
  dmaWhere:          TLBusWrapperLocation = FBUS,
  registersWhere:    TLBusWrapperLocation = PBUS,
  clockMHz:          Option[Double] = None,
  dmaCrossing:       Option[ClockCrossingType] = None,
  registersCrossing: Option[ClockCrossingType] = None
) {
  require(address % BlockZeroParams.apertureBytes == 0, f"address must be a multiple of 64 KiB, not 0x$address%x")
  require(clockMHz.forall(_ > 0), s"clockMHz must be more than 0, not ${clockMHz.get}")
}
object BlockZeroParams {
  val apertureBytes: Int = 1 << 16
}

/** The engine as it joins a TileLink SoC: a client that writes blocks, registers, and an interrupt for each channel. */
class BlockZero(params: BlockZeroParams)(implicit p: Parameters)
    extends ClockSinkDomain(ClockSinkParameters(name = Some("blockzero"), take = params.clockMHz.map(ClockParameters(_))))(p) {

  private val device = new SimpleDevice("blockzero", Seq(s"blockzero,engine-${BlockZeroRegisters.versionMajor}.${BlockZeroRegisters.versionMinor}"))

  private val dmaNode = TLClientNode(Seq(TLMasterPortParameters.v1(Seq(
    TLMasterParameters.v1("blockzero", sourceId = IdRange(0, params.engine.inflight))
  ))))
  private val registerNode = TLRegisterNode(
    Seq(AddressSet(params.address, BlockZeroParams.apertureBytes - 1)),
    device,
    beatBytes = RegisterMap.beatBytes,
    concurrency = RegisterMap.concurrency
  )
  private val interruptNode = IntSourceNode(IntSourcePortSimple(num = params.engine.channels, resources = device.int))

  val dma        = this.crossOut(dmaNode)
  val registers  = this.crossIn(registerNode)
  val interrupts = this.crossOut(interruptNode)

  override lazy val module = new BlockZeroImpl
  class BlockZeroImpl extends Impl {
    withClockAndReset(clock, reset) {
      val (tl, edge)    = dmaNode.out.head
      val (irq, _)      = interruptNode.out.head
      val engineParams  = params.engine.copy(addrBits = edge.bundle.addressBits)
      val engine        = Module(new Engine(engineParams))
      val writer        = Module(new TileLinkDmaAdapter(engineParams, edge))

      writer.io.block    <> engine.io.block
      engine.io.response := writer.io.response
      tl                 <> writer.io.tl
      irq                := engine.io.irq
      registerNode.regmap(RegisterMap(engineParams, engine.io.registers): _*)
    }
  }
}
