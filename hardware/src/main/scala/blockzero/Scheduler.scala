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

  // Cycles until the channel may issue again, and whether there are any.
  private val holdOff  = RegInit(VecInit(Seq.fill(p.channels)(0.U(16.W))))
  private val waits    = RegInit(VecInit(Seq.fill(p.channels)(false.B)))
  private val eligible = VecInit(io.in.zip(waits).map { case (in, w) => in.valid && !w })
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
    val limited = io.rate(c) > 1.U
    when(io.in(c).fire) {
      holdOff(c) := io.rate(c) - 1.U
      waits(c)   := limited
    }.elsewhen(waits(c)) {
      holdOff(c) := holdOff(c) - 1.U
      waits(c)   := holdOff(c) =/= 1.U
    }
    Point(io.in(c).valid && waits(c), s"SCHEDULER_RATE_STALL_$c", "the rate limit holds a block back")
    if (c > 0) Point(eligible(c) && !chosen(c), s"SCHEDULER_PRIORITY_STALL_$c", "a lower channel goes first")
  }
}
