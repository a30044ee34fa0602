// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** A channel's jobs until they are closed. Each is submitted, becomes active, is let through by the guard, and is closed
  * when it will issue no more blocks; the ledger knows when its blocks are answered.
  *
  * The guard compares one job with one window a cycle. While the active job issues its blocks, the guard looks at the next
  * one. When a window changes, nothing is known any more: the active job stops before its next block, and goes on when the
  * guard has let it through once more.
  */
class JobQueue(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val submit   = Flipped(Valid(new Submission)) // only when held < queueDepth
    val abort    = Input(Bool())
    val hang     = Input(Bool())
    val fail     = Input(Bool())
    val window   = Flipped(Valid(new ReachableWindow(p))) // the one the guard looks at, if it may
    val changes  = Input(Bool()) // windows change after this cycle
    val missed   = Output(Bool()) // the guard wants another window
    val blocks   = Decoupled(new ChannelBlock(p))
    val answer   = Flipped(Valid(new ChannelAnswer(p)))
    val finished = Valid(new Outcome)
    val held     = Output(UInt(log2Ceil(p.queueDepth + 1).W)) // jobs submitted and not finished
  })

  private val jobs   = new Table(p.queueDepth, new Submission)
  private val tail   = RegInit(0.U(p.jobBits.W)) // the next submission's place
  private val look   = RegInit(0.U(p.jobBits.W)) // the job that the guard looks at
  private val held   = RegInit(0.U(io.held.getWidth.W))
  private val queued = RegInit(0.U(io.held.getWidth.W)) // submitted and not yet active
  io.held := held

  // The active job: the one that issues blocks.
  private val active  = RegInit(false.B)
  private val place   = Reg(UInt(p.jobBits.W))
  private val block   = Reg(UInt(p.blockBits.W)) // the next to issue
  private val last    = Reg(UInt(EngineParams.maxIndexBits.W)) // the low bits of its last
  private val fill    = Reg(UInt(8.W))
  private val pending = RegInit(false.B) // it is the job that the guard looks at
  private val code    = Reg(UInt(Code.width.W)) // NONE, and not pending or passed: all of it is inside a window in force
  private val stopped = Reg(Bool()) // one of its blocks failed
  private val sent    = Reg(UInt(p.sentBits.W)) // blocks issued from its place, mod 2^sentBits

  // The guard's work on jobs(look): the active job if it is pending, else the next one.
  private val job     = jobs(look)
  private val left    = RegInit(p.windows.U(log2Ceil(p.windows + 1).W)) // windows that it has not been compared with
  private val passed  = RegInit(false.B) // it is inside one
  private val changed = RegNext(io.changes, false.B) // look may not be what it should: nothing is judged
  private val guard   = Module(new Guard(p))
  guard.io.first  := JobWord.block(job.word)(p.blockBits - 1, 0)
  guard.io.last   := job.last
  guard.io.window := io.window.bits

  private val compares = io.window.valid && (pending || queued =/= 0.U) && !passed && left =/= 0.U
  private val refused  = job.code =/= Code.None || left === 0.U
  private val judged   = refused || passed
  private val verdict  = Mux(job.code =/= Code.None, job.code, Mux(left === 0.U, Code.Window, Code.None))
  io.missed := compares && !guard.io.inside

  // A bad answer for any job of the channel. It takes the ledger's write port, for which others wait.
  private val bad     = io.answer.valid && io.answer.bits.code =/= Code.None
  private val badHere = bad && active && io.answer.bits.job === place

  private val runs  = active && (passed || !pending) && code === Code.None && !stopped && !io.abort && !io.hang
  private val fails = runs && io.fail && !bad
  io.blocks.valid      := runs && !io.fail
  io.blocks.bits.block := block
  io.blocks.bits.fill  := fill
  io.blocks.bits.job   := place

  // `issue` comes late in the cycle: what follows from it is kept apart from what is so anyway.
  private val issue        = io.blocks.fire
  private val index        = block(EngineParams.maxIndexBits - 1, 0)
  private val atLast       = active && index === last
  private val closesAnyway = active && (stopped || io.abort || code =/= Code.None || fails)
  private val closes       = closesAnyway || (atLast && issue)
  private val mayLoad      = queued =/= 0.U && !pending && !fails && !bad
  private val loads        = (mayLoad && (!active || closesAnyway)) || (mayLoad && atLast && issue)
  private val decides      = pending && judged && !changed

  // A job's blocks differ in their lowest bits alone.
  when(issue) {
    block := block(p.blockBits - 1, EngineParams.maxIndexBits) ## (index + 1.U)(EngineParams.maxIndexBits - 1, 0)
    sent  := sent + 1.U
  }
  when(badHere)(stopped := true.B)
  when(decides)(pending := false.B)
  when(pending && !changed)(code := verdict)
  when(closes) {
    active  := false.B
    pending := false.B
  }
  private val ledger = Module(new Ledger(p))
  when(loads) {
    active  := true.B
    place   := look
    block   := JobWord.block(job.word)(p.blockBits - 1, 0)
    last    := job.last
    fill    := job.fill
    pending := !judged
    code    := verdict
    stopped := false.B
    sent    := ledger.io.answered
  }

  // The guard goes on with the next job when this one is judged and active, or closed.
  private val advances =
    (mayLoad && judged && (!active || closesAnyway)) || (pending && (decides || closesAnyway)) ||
      (((mayLoad && judged) || pending) && atLast && issue)
  when(pending && closes) {
    look := place + 1.U
  }.elsewhen(changed && pending) {
    look := place
  }.elsewhen(advances) {
    look := look + 1.U
  }
  when(advances || io.changes || changed) {
    left   := p.windows.U
    passed := false.B
  }.elsewhen(compares) {
    when(guard.io.inside)(passed := true.B).otherwise(left := left - 1.U)
  }
  when(io.changes)(pending := loads || (active && !closes))

  when(io.submit.valid) {
    jobs.write(tail, io.submit.bits)
    tail := tail + 1.U
  }
  held   := held + io.submit.valid - io.finished.valid
  queued := queued + io.submit.valid - loads

  ledger.io.submit.valid      := io.submit.valid
  ledger.io.submit.bits.job   := tail
  ledger.io.submit.bits.word  := io.submit.bits.word
  ledger.io.open.valid        := loads
  ledger.io.open.bits         := look
  ledger.io.close.valid       := closes
  ledger.io.close.bits.job    := place
  ledger.io.close.bits.sent   := sent + issue
  // A bad answer, also one of this cycle, is the earlier cause.
  ledger.io.close.bits.code   := Mux(stopped || badHere, Code.None, Mux(io.abort, Code.Aborted, code))
  ledger.io.fault.valid       := bad || fails
  ledger.io.fault.bits.job    := Mux(bad, io.answer.bits.job, place)
  ledger.io.fault.bits.block  := Mux(bad, io.answer.bits.block, block)
  ledger.io.fault.bits.decErr := bad && io.answer.bits.code === Code.DecErr
  ledger.io.answer.valid      := io.answer.valid
  ledger.io.answer.bits       := io.answer.bits.job
  io.finished                 := ledger.io.finished

  // Independent of the ledger: the blocks of each place that are not answered.
  private val flying = RegInit(VecInit(Seq.fill(p.queueDepth)(0.U(p.sentBits.W))))
  for ((count, i) <- flying.zipWithIndex)
    count := count + (issue && place === i.U) - (io.answer.valid && io.answer.bits.job === i.U)
  assert(!io.answer.valid || flying(io.answer.bits.job) =/= 0.U, "an answer for a job with nothing in flight")

  assert(held <= p.queueDepth.U && queued <= held, "more jobs queued than held")
  assert(!io.submit.valid || held =/= p.queueDepth.U, "a job submitted to a full queue")
  assert(!(passed && left === 0.U), "a job inside a window is refused")
  assert(!pending || active, "the guard looks at no job")
  assert(!pending || changed || look === place, "the guard looks at another job than the active one")
  assert(!active || pending || look === place + 1.U, "the guard does not look at the next job")
  Point(io.hang && active, "JOBQUEUE_HANG_STALL", "TEST.HANG holds a job")
  Point(active && pending, "JOBQUEUE_GUARD_STALL", "the active job waits for the guard")
}
