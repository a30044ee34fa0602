// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R, PagePort, RegisterFile}
import chisel3._
import chisel3.util._

/** A channel: its page of registers around its queue of jobs. */
class Channel(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val page    = new PagePort
    val test    = Input(new TestHooks)
    val job     = Input(new Submission) // what SUBMIT would submit in this cycle, but for FILL
    val window  = Flipped(Valid(new ReachableWindow(p))) // the one the guard looks at, if it may
    val changes = Input(Bool()) // windows change after this cycle
    val missed  = Output(Bool()) // the guard wants another window
    val blocks  = Decoupled(new ChannelBlock(p))
    val answer  = Flipped(Valid(new ChannelAnswer(p)))
    val stall   = Input(Bool()) // the offered block is next and is not taken
    val rate    = Output(UInt(16.W))
    val busy    = Output(Bool())
    val irq     = Output(Bool())
    val events  = Output(Vec(R.counters.size, Bool())) // that the counters count
  })

  private val file = new RegisterFile(R.channel, io.page, R.counters)
  private val jobs = Module(new JobQueue(p))

  // ABORT lasts until nothing is left.
  private val aborting = RegInit(false.B)
  private val busy     = jobs.io.held =/= 0.U || aborting
  when(file.writes(R.Control) && file.written(R.Control, "ABORT").asBool) {
    aborting := true.B
  }.elsewhen(jobs.io.held === 0.U) {
    aborting := false.B
  }
  file.reads(R.Control)("ABORT" -> aborting)

  private val fill = storage(R.Fill, "BYTE")
  file.reads(R.Fill)("BYTE" -> fill)
  private val rate = storage(R.Rate, "CYCLES")
  file.reads(R.Rate)("CYCLES" -> rate)

  private val submit  = file.writes(R.Submit)
  private val accepts = !aborting && jobs.io.held =/= p.queueDepth.U
  private val dropped = submit && !accepts
  jobs.io.submit.valid     := submit && accepts
  jobs.io.submit.bits      := io.job
  jobs.io.submit.bits.fill := fill

  jobs.io.abort   := aborting
  jobs.io.hang    := io.test.hang
  jobs.io.fail    := io.test.fail
  jobs.io.window  := io.window
  jobs.io.changes := io.changes
  io.missed       := jobs.io.missed
  io.blocks       <> jobs.io.blocks
  jobs.io.answer  := io.answer
  io.rate         := rate
  io.busy         := busy

  private val finished = jobs.io.finished.valid
  private val code     = jobs.io.finished.bits.code
  private val failed   = code =/= Code.None

  private val count   = RegInit(0.U(32.W))
  private val history = RegInit(0.U(32.W)) // bit i: the i-th latest job failed
  when(finished) {
    count   := count + 1.U
    history := history(30, 0) ## failed
  }
  file.reads(R.Completion)("COUNT" -> count, "FAILED" -> history)

  // The first error since software cleared it.
  private val clear     = file.writes(R.Error)
  private val errorCode = RegInit(Code.None)
  private val errorNth  = RegInit(0.U(32.W))
  private val errorAddr = RegInit(0.U(64.W))
  private val overflow  = RegInit(false.B)
  when(clear) {
    errorCode := Code.None
    errorNth  := 0.U
    errorAddr := 0.U
    overflow  := false.B
  }
  when(finished && failed && (clear || errorCode === Code.None)) {
    errorCode := code
    errorNth  := count + 1.U
    errorAddr := jobs.io.finished.bits.where
  }
  when(dropped)(overflow := true.B)
  file.reads(R.Error)("CODE" -> errorCode, "COUNT" -> errorNth)
  file.reads(R.ErrorAddr)("ADDR" -> errorAddr)

  private val interrupt = Module(new Interrupt)
  interrupt.io.count     := count
  interrupt.io.ack       := storage(R.IrqAck, "COUNT")
  interrupt.io.written   := file.writes(R.IrqAck) || file.writes(R.IrqConfig)
  interrupt.io.enable    := storage(R.IrqConfig, "ENABLE")
  interrupt.io.threshold := storage(R.IrqConfig, "THRESHOLD")
  interrupt.io.timeout   := storage(R.IrqConfig, "TIMEOUT")
  file.reads(R.IrqAck)("COUNT" -> interrupt.io.ack)
  file.reads(R.IrqConfig)(
    "ENABLE"    -> interrupt.io.enable,
    "THRESHOLD" -> interrupt.io.threshold,
    "TIMEOUT"   -> interrupt.io.timeout
  )
  io.irq := interrupt.io.pending

  file.reads(R.Status)(
    "BUSY"     -> busy,
    "ABORTING" -> aborting,
    "OVERFLOW" -> overflow,
    "ERROR"    -> (errorCode =/= Code.None),
    "IRQ"      -> interrupt.io.pending,
    "QUEUED"   -> jobs.io.held
  )

  private val rejected = Seq(Code.BadSize, Code.Misaligned, Code.Window, Code.Refused).map(_ === code).reduce(_ || _)
  private val events = Map(
    R.BusyCycles   -> busy,
    R.Blocks       -> (io.answer.valid && io.answer.bits.code === Code.None),
    R.StallCycles  -> io.stall,
    R.JobsOk       -> (finished && !failed),
    R.JobsRejected -> (finished && rejected),
    R.JobsBusError -> (finished && Code.isBus(code)),
    R.JobsAborted  -> (finished && code === Code.Aborted),
    R.JobsDropped  -> dropped
  )
  io.events := VecInit(R.counters.map(events))

  file.finish()

  private val outcomes = Seq(R.JobsOk, R.JobsRejected, R.JobsBusError, R.JobsAborted).map(events)
  assert(PopCount(outcomes) === finished.asUInt, "a job has not exactly one outcome")
  Point(dropped && aborting, "CHANNEL_ABORT_DROP", "a SUBMIT during ABORT")
  Point(dropped && !aborting, "CHANNEL_FULL_DROP", "a SUBMIT to a full queue")

  /** A field that holds what software wrote. */
  private def storage(register: blockzero.registers.Register, field: String): UInt =
    RegEnable(file.written(register, field), 0.U(register(field).width.W), file.writes(register))
}
