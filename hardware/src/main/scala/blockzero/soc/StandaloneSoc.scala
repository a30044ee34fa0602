// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.{BlockZeroTile, TileParams}
import blockzero.axi4._
import chisel3._
import chisel3.util._

/** Rocket + BlockZero: all that is RTL of the stand-alone SoC.
  *
  * What is left to the simulator are two AXI4 ports (`mem`, `mmio`) and the UART's interrupt. Both ports pass through
  * queues, so the simulator's inputs reach registers only: evaluating it costs the least, and a port adds one cycle
  * each way, which the DRAM model's latencies include.
  */
class StandaloneSoc(config: SocConfig) extends Module {
  val memParams = RocketPorts.mem(config.memDataBits)

  val mem     = IO(new Axi4(memParams))
  val mmio    = IO(new Axi4(RocketPorts.mmio))
  val uartIrq = IO(Input(Bool()))

  private val rocket = Module(new ExampleRocketSystem(config.harts, config.memDataBits))
  private val tile   = Module(new BlockZeroTile(TileParams(config.engine, registers = RocketPorts.mmio, dma = RocketPorts.front)))
  private val split  = Module(new MmioSplit(RocketPorts.mmio, MemoryMap.engine))

  rocket.io.clock := clock
  rocket.io.reset := reset.asBool
  rocket.io.resetctrl.hartIsInReset.foreach(_ := reset.asBool)

  // No debugger.
  rocket.io.debug.clock               := false.B.asClock
  rocket.io.debug.reset               := true.B
  rocket.io.debug.clockeddmi.dmiClock := false.B.asClock
  rocket.io.debug.clockeddmi.dmiReset := true.B
  rocket.io.debug.clockeddmi.dmi.req.valid  := false.B
  rocket.io.debug.clockeddmi.dmi.req.bits   := 0.U.asTypeOf(rocket.io.debug.clockeddmi.dmi.req.bits)
  rocket.io.debug.clockeddmi.dmi.resp.ready := false.B
  rocket.io.debug.dmactiveAck         := rocket.io.debug.dmactive

  mem :<>= throughQueues(rocket.io.mem_axi4_0)
  split.io.in :<>= rocket.io.mmio_axi4_0
  tile.regs :<>= split.io.inside
  mmio :<>= throughQueues(split.io.outside)

  private val front = rocket.io.l2_frontend_bus_axi4_0
  front.aw :<>= tile.dma.aw
  front.w :<>= tile.dma.w
  tile.dma.b :<>= front.b
  front.ar.valid := false.B
  front.ar.bits  := 0.U.asTypeOf(front.ar.bits)
  front.r.ready  := false.B

  private val sources = Wire(Vec(RocketPorts.interrupts, Bool()))
  sources.foreach(_ := false.B)
  for ((irq, c) <- tile.irq.zipWithIndex) sources(MemoryMap.engineIrq + c - 1) := irq
  sources(MemoryMap.uartIrq - 1) := uartIrq
  rocket.io.interrupts := sources.asUInt
  require(MemoryMap.engineIrq + config.engine.channels <= MemoryMap.uartIrq, "more channels than PLIC sources")

  private def throughQueues(port: Axi4): Axi4 = {
    val out = Wire(new Axi4(port.p))
    out.aw :<>= Queue.irrevocable(port.aw, 2)
    out.w :<>= Queue.irrevocable(port.w, 2)
    out.ar :<>= Queue.irrevocable(port.ar, 2)
    port.b :<>= Queue.irrevocable(out.b, 2)
    port.r :<>= Queue.irrevocable(out.r, 2)
    out
  }
}
