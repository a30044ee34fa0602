// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R, Page}
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

  private val counters   = Module(new Counters(p))

  private val write = io.registers.write
  private val read  = io.registers.read
  private val pages = globalPage.io.page +: channels.map(_.io.page)
  for ((page, i) <- pages.zipWithIndex) {
    page.write.valid       := write.valid && write.bits.mask.andR && pageOf(write.bits.address) === i.U
    page.write.bits.offset := offsetOf(write.bits.address)
    page.write.bits.data   := write.bits.data
    page.read.valid        := read.valid && pageOf(read.bits) === i.U
    page.read.bits         := offsetOf(read.bits)
  }

  // The counters of all channels are in one memory.
  private val firstCounter = R.counters.head.offset
  private val counterBits  = log2Ceil(R.counters.size)
  counters.io.read.valid := read.valid && pageOf(read.bits) =/= 0.U && pageOf(read.bits) <= p.channels.U &&
    offsetOf(read.bits) >> (counterBits + 3) === (firstCounter >> (counterBits + 3)).U
  private val readChannel = (pageOf(read.bits) - 1.U)(p.channelBits - 1, 0)
  counters.io.read.bits := (if (p.channels == 1) 0.U else readChannel) ## read.bits(counterBits + 2, 3)
  // A cycle late, which nobody can see: what tells of an event is read before its counter.
  counters.io.events := RegNext(VecInit(channels.map(_.io.events)), 0.U.asTypeOf(counters.io.events))

  io.registers.readData := pages.map(_.readData).reduce(_ | _) |
    Mux(RegNext(counters.io.read.valid, false.B), counters.io.value, 0.U)

  private val check = Module(new SubmitCheck(p))
  private val job   = Wire(new Submission)
  check.io.word   := write.bits.data
  check.io.refuse := globalPage.io.test.refuse
  job.word        := write.bits.data
  job.last        := check.io.last
  job.code        := check.io.code
  job.fill        := 0.U

  for ((channel, c) <- channels.zipWithIndex) {
    channel.io.test         := globalPage.io.test
    channel.io.job          := job
    channel.io.window       := globalPage.io.window
    channel.io.changes      := globalPage.io.changes
    scheduler.io.in(c)      <> channel.io.blocks
    scheduler.io.rate(c)    := channel.io.rate
    channel.io.stall        := scheduler.io.stall(c)
    channel.io.answer.valid := tracker.io.answer.valid && tracker.io.channel === c.U
    channel.io.answer.bits  := tracker.io.answer.bits
    io.irq(c)               := !globalPage.io.test.noIrq && (globalPage.io.test.spurious || channel.io.irq)
  }
  globalPage.io.irq    := io.irq
  globalPage.io.busy   := channels.map(_.io.busy)
  globalPage.io.missed := channels.map(_.io.missed).reduce(_ || _)

  tracker.io.in       <> scheduler.io.out
  io.block            <> tracker.io.out
  tracker.io.response := io.response

  // Independent of the guard: whatever the reason a block is offered, it is inside a window in force.
  assert(
    !io.block.valid || globalPage.io.inForce
      .map(w => w.enable && io.block.bits.block >= w.base && io.block.bits.block <= w.limit)
      .reduce(_ || _),
    "a block outside the windows"
  )
  private val readBefore = RegNext(read.valid, false.B)
  assert(!(read.valid && readBefore), "registers are read too often")

  private def pageOf(address:   UInt): UInt = address >> log2Ceil(Page.bytes)
  private def offsetOf(address: UInt): UInt = address(log2Ceil(Page.bytes) - 1, 0)
}
