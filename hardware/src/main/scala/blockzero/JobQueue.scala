// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** A job as submitted. */
class Submission extends Bundle {
  val word   = UInt(64.W) // SUBMIT
  val fill   = UInt(8.W)
  val refuse = Bool() // TEST.REFUSE at that time
}

/** A job as finished. */
class Outcome extends Bundle {
  val code  = UInt(Code.width.W)
  val where = UInt(64.W) // the first bad block's address, or SUBMIT
}

/** A channel's jobs, in a ring of places: each is submitted, becomes active, is closed when it will issue no more
  * blocks, and finishes when its blocks are answered. Jobs finish in order; answers come in any order.
  *
  * The guard looks at the job that is active in the next cycle and at the windows in force in the next cycle, so that
  * the registered verdict always fits both. A window changed under an active job thus stops it at its next block.
  */
class JobQueue(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val submit   = Flipped(Valid(new Submission)) // only when held < queueDepth
    val abort    = Input(Bool())
    val hang     = Input(Bool())
    val fail     = Input(Bool())
    val windows  = Input(Vec(p.windows, new Window)) // in force in the next cycle
    val blocks   = Decoupled(new ChannelBlock(p))
    val answer   = Flipped(Valid(new ChannelAnswer(p)))
    val finished = Valid(new Outcome)
    val held     = Output(UInt(log2Ceil(p.queueDepth + 1).W)) // jobs submitted and not finished
  })

  private class Place extends Bundle {
    val job    = new Submission
    val closed = Bool() // issues no more blocks
    val flying = UInt(log2Ceil(p.inflight + 1).W) // blocks issued and not answered
    val code   = UInt(Code.width.W) // why it fails, so far
    val where  = UInt(64.W) // what ERROR_ADDR is to show if it fails
  }

  private val places = Reg(Vec(p.queueDepth, new Place))
  private val tail   = RegInit(0.U(p.jobBits.W)) // the next submission's place
  private val next   = RegInit(0.U(p.jobBits.W)) // the next job to become active
  private val head   = RegInit(0.U(p.jobBits.W)) // the oldest job not finished
  private val held   = RegInit(0.U(io.held.getWidth.W))
  private val queued = RegInit(0.U(io.held.getWidth.W)) // submitted and not yet active
  io.held := held

  // The active job: the one that issues blocks.
  private val active  = RegInit(false.B)
  private val place   = Reg(UInt(p.jobBits.W))
  private val job     = Reg(new Submission)
  private val block   = Reg(UInt(p.blockBits.W)) // the next to issue
  private val verdict = Reg(UInt(Code.width.W)) // NONE: every block of it is inside the windows in force
  private val stopped = Reg(Bool()) // one of its blocks failed

  private val mask = JobWord.indexMask(JobWord.log2(job.word))
  private val last = (block | ~mask.pad(p.blockBits)).andR

  private val runs  = active && verdict === Code.None && !stopped && !io.abort && !io.hang
  private val fails = runs && io.fail
  io.blocks.valid      := runs && !io.fail
  io.blocks.bits.block := block
  io.blocks.bits.fill  := job.fill
  io.blocks.bits.job   := place

  private val issue  = io.blocks.fire
  private val closes = active && (stopped || io.abort || verdict =/= Code.None || fails || (issue && last))
  private val loads  = queued =/= 0.U && (!active || closes)

  private val nextJob = Mux(loads, places(next).job, job)
  private val guard   = Module(new Guard(p))
  guard.io.word    := nextJob.word
  guard.io.windows := io.windows
  verdict          := Mux(nextJob.refuse, Code.Refused, guard.io.code)
  job              := nextJob

  when(issue)(block := block + 1.U)
  when(closes)(active := false.B)
  when(loads) {
    active  := true.B
    place   := next
    block   := JobWord.block(nextJob.word)(p.blockBits - 1, 0)
    stopped := false.B
    next    := next + 1.U
  }

  when(io.submit.valid) {
    places(tail).job    := io.submit.bits
    places(tail).closed := false.B
    places(tail).flying := 0.U
    places(tail).code   := Code.None
    places(tail).where  := io.submit.bits.word
    tail                := tail + 1.U
  }

  when(closes) {
    places(place).closed := true.B
    when(places(place).code === Code.None) {
      when(io.abort) {
        places(place).code := Code.Aborted
      }.elsewhen(verdict =/= Code.None) {
        places(place).code := verdict
      }.elsewhen(fails) {
        places(place).code  := Code.SlvErr
        places(place).where := block ## 0.U(EngineParams.blockLog2.W)
      }
    }
  }

  for ((entry, i) <- places.zipWithIndex) {
    val up   = issue && place === i.U
    val down = io.answer.valid && io.answer.bits.job === i.U
    when(up =/= down)(entry.flying := Mux(up, entry.flying + 1.U, entry.flying - 1.U))
    assert(!down || entry.flying =/= 0.U, "an answer for a job with nothing in flight")
  }

  // Of several bad blocks the lowest address counts, whatever the order of their answers. After the closing above: an
  // answer of the same cycle is the earlier cause.
  private val answered = places(io.answer.bits.job)
  private val address  = io.answer.bits.block ## 0.U(EngineParams.blockLog2.W)
  when(io.answer.valid && io.answer.bits.code =/= Code.None) {
    when(answered.code === Code.None || (Code.isBus(answered.code) && address < answered.where)) {
      answered.code  := io.answer.bits.code
      answered.where := address
    }
    when(active && place === io.answer.bits.job && !loads)(stopped := true.B)
  }

  private val oldest   = places(head)
  private val finishes = held =/= 0.U && oldest.closed && oldest.flying === 0.U
  io.finished.valid      := finishes
  io.finished.bits.code  := oldest.code
  io.finished.bits.where := oldest.where
  when(finishes)(head := head + 1.U)

  held   := held + io.submit.valid - finishes
  queued := queued + io.submit.valid - loads

  assert(held <= p.queueDepth.U && queued <= held, "more jobs queued than held")
  assert(!io.submit.valid || held =/= p.queueDepth.U, "a job submitted to a full queue")
  cover(io.hang && active, "JOBQUEUE_HANG_STALL: TEST.HANG holds a job")
  cover(held =/= 0.U && oldest.closed && !finishes, "JOBQUEUE_DRAIN_STALL: the oldest job waits for answers")
}
