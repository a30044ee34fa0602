// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** Chooses whose block goes next: the lowest channel that has one and whose rate allows it. */
class Scheduler(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val in    = Vec(p.channels, Flipped(Decoupled(new ChannelBlock(p))))
    val rate  = Input(Vec(p.channels, UInt(16.W))) // least cycles from a block to the channel's next
    val out   = Decoupled(new ScheduledBlock(p))
    val stall = Output(Vec(p.channels, Bool())) // the channel's block is next and is not taken
  })

  // Cycles until the channel may issue again.
  private val holdOff  = RegInit(VecInit(Seq.fill(p.channels)(0.U(16.W))))
  private val eligible = VecInit(io.in.zip(holdOff).map { case (in, w) => in.valid && w === 0.U })
  private val chosen   = VecInit(PriorityEncoderOH(eligible))

  io.out.valid := eligible.asUInt.orR
  private val bits = Mux1H(chosen, io.in.map(_.bits))
  io.out.bits.block   := bits.block
  io.out.bits.fill    := bits.fill
  io.out.bits.job     := bits.job
  io.out.bits.channel := OHToUInt(chosen)

  for (c <- 0 until p.channels) {
    io.in(c).ready := chosen(c) && io.out.ready
    io.stall(c)    := chosen(c) && !io.out.ready
    when(io.in(c).fire) {
      holdOff(c) := Mux(io.rate(c) === 0.U, 0.U, io.rate(c) - 1.U)
    }.elsewhen(holdOff(c) =/= 0.U) {
      holdOff(c) := holdOff(c) - 1.U
    }
    cover(io.in(c).valid && holdOff(c) =/= 0.U, s"SCHEDULER_RATE_STALL_$c: the rate limit holds a block back")
    cover(eligible(c) && !chosen(c), s"SCHEDULER_PRIORITY_STALL_$c: a more urgent channel goes first")
  }
}
