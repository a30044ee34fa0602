// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** A job as finished. */
class Outcome extends Bundle {
  val code  = UInt(Code.width.W)
  val where = UInt(64.W) // the first bad block's address, or SUBMIT
}

/** What a job leaves behind when it is closed. */
class Closing(p: EngineParams) extends Bundle {
  val job  = UInt(p.jobBits.W)
  val sent = UInt(p.sentBits.W) // blocks issued from its place so far
  val code = UInt(Code.width.W) // why it fails; NONE: its answers tell
}

/** A block that failed. */
class Fault(p: EngineParams) extends Bundle {
  val job    = UInt(p.jobBits.W)
  val block  = UInt(p.blockBits.W)
  val decErr = Bool() // else SLVERR
}

/** A channel's account of its jobs from open to finished: they are closed in order, answers come in any order, and jobs
  * finish in order.
  *
  * Everything is kept by the job's place in the ring, in memories. The numbers of blocks sent and answered go on from job
  * to job, so that nothing needs to be cleared: a closed job has all its answers when the two are equal.
  */
class Ledger(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val submit = Flipped(Valid(new Bundle {
      val job  = UInt(p.jobBits.W)
      val word = UInt(64.W)
    }))
    val open     = Flipped(Valid(UInt(p.jobBits.W))) // this place's job may issue blocks from the next cycle on
    val answered = Output(UInt(p.sentBits.W)) // blocks answered to the place in `open` so far
    val close    = Flipped(Valid(new Closing(p)))
    val fault    = Flipped(Valid(new Fault(p))) // not in the cycle of an `open`
    val answer   = Flipped(Valid(UInt(p.jobBits.W))) // a block of this place is answered
    val finished = Valid(new Outcome)
  })

  private class FirstFault extends Bundle {
    val there = Bool()
    val fault = new Fault(p)
  }

  private val words    = new Table(p.queueDepth, UInt(64.W))
  private val answers  = new Table(p.queueDepth, UInt(p.sentBits.W))
  private val closings = new Table(p.queueDepth, new Closing(p))
  private val faults   = new Table(p.queueDepth, new FirstFault)

  when(io.submit.valid)(words.write(io.submit.bits.job, io.submit.bits.word))
  io.answered := answers(io.open.bits)
  when(io.answer.valid)(answers.write(io.answer.bits, answers(io.answer.bits) + 1.U))
  when(io.close.valid)(closings.write(io.close.bits.job, io.close.bits))

  // Of several bad blocks the lowest address counts, whatever the order of their answers.
  private val known = faults(io.fault.bits.job)
  private val fault = Wire(new FirstFault)
  fault.there := io.fault.valid
  fault.fault := io.fault.bits
  when(io.open.valid || (io.fault.valid && !(known.there && known.fault.block < io.fault.bits.block))) {
    faults.write(Mux(io.fault.valid, io.fault.bits.job, io.open.bits), fault)
  }

  private val head    = RegInit(0.U(p.jobBits.W)) // the oldest job not finished
  private val closed  = RegInit(0.U(log2Ceil(p.queueDepth + 1).W)) // jobs closed and not finished
  private val closing = closings(head)
  private val bad     = faults(head)
  private val drained = closing.sent === answers(head)
  io.finished.valid := closed =/= 0.U && drained
  private val byBus = closing.code === Code.None && bad.there
  io.finished.bits.code  := Mux(byBus, Mux(bad.fault.decErr, Code.DecErr, Code.SlvErr), closing.code)
  io.finished.bits.where := Mux(byBus, bad.fault.block ## 0.U(EngineParams.blockLog2.W), words(head))
  when(io.finished.valid)(head := head + 1.U)
  closed := closed + io.close.valid - io.finished.valid

  assert(!(io.open.valid && io.fault.valid), "a fault in the cycle of an open")
  assert(!io.close.valid || closed =/= p.queueDepth.U, "more jobs closed than there are places")
  Point(closed =/= 0.U && !drained, "LEDGER_DRAIN_STALL", "the oldest job waits for answers")
}
