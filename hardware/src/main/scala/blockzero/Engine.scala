// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{Page, PagePort}
import chisel3._
import chisel3.util._

/** The engine without a bus: registers in, blocks out, interrupts. */
class Engine(val p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val registers = Flipped(new RegisterPort)
    val block     = Decoupled(new BlockWrite(p))
    val response  = Flipped(Valid(new BlockResponse(p)))
    val irq       = Output(Vec(p.channels, Bool()))
  })

  private val globalPage = Module(new GlobalPage(p))
  private val channels   = Seq.fill(p.channels)(Module(new Channel(p)))
  private val scheduler  = Module(new Scheduler(p))
  private val tracker    = Module(new Tracker(p))

  private val pages = globalPage.io.page +: channels.map(_.io.page)
  for ((page, i) <- pages.zipWithIndex) {
    val write = io.registers.write
    page.write.valid       := write.valid && write.bits.mask.andR && pageOf(write.bits.address) === i.U
    page.write.bits.offset := offsetOf(write.bits.address)
    page.write.bits.data   := write.bits.data
    page.readOffset        := offsetOf(io.registers.readAddress)
  }
  io.registers.readData := pages.zipWithIndex.map { case (page, i) =>
    Mux(pageOf(io.registers.readAddress) === i.U, page.readData, 0.U)
  }.reduce(_ | _)

  for ((channel, c) <- channels.zipWithIndex) {
    channel.io.test         := globalPage.io.test
    channel.io.windows      := globalPage.io.next
    scheduler.io.in(c)      <> channel.io.blocks
    scheduler.io.rate(c)    := channel.io.rate
    channel.io.stall        := scheduler.io.stall(c)
    channel.io.answer.valid := tracker.io.answer.valid && tracker.io.channel === c.U
    channel.io.answer.bits  := tracker.io.answer.bits
    io.irq(c)               := !globalPage.io.test.noIrq && (globalPage.io.test.spurious || channel.io.irq)
  }
  globalPage.io.irq  := io.irq
  globalPage.io.busy := channels.map(_.io.busy)

  tracker.io.in       <> scheduler.io.out
  io.block            <> tracker.io.out
  tracker.io.response := io.response

  // Independent of the guard: whatever the reason a block is offered, it is inside a window in force.
  assert(
    !io.block.valid || globalPage.io.windows
      .map(w => w.enable && io.block.bits.block >= w.base && io.block.bits.block <= w.limit)
      .reduce(_ || _),
    "a block outside the windows"
  )

  private def pageOf(address:   UInt): UInt = address >> log2Ceil(Page.bytes)
  private def offsetOf(address: UInt): UInt = address(log2Ceil(Page.bytes) - 1, 0)
}
