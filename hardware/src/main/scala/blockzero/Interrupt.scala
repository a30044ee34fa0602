// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}
import chisel3._

/** A channel's interrupt condition, from its completion count. A level, registered: one cycle behind. */
class Interrupt extends Module {
  val io = IO(new Bundle {
    val count     = Input(UInt(32.W)) // completions
    val ack       = Input(UInt(32.W)) // of these seen by software
    val written   = Input(Bool()) // IRQ_ACK or IRQ_CONFIG changes after this cycle
    val enable    = Input(Bool())
    val threshold = Input(UInt(R.IrqConfig("THRESHOLD").width.W)) // completions
    val timeout   = Input(UInt(R.IrqConfig("TIMEOUT").width.W)) // cycles; 0: none
    val pending   = Output(Bool())
  })

  private val unacked = io.count - io.ack
  private val waiting = unacked =/= 0.U

  // Cycles since the oldest unacknowledged completion, up to TIMEOUT. A partial acknowledgement starts it anew: the next
  // oldest is not older than that by more than software took. It stands still where it does not matter, so that a
  // simulator can see that nothing happens.
  private val age    = RegInit(0.U(32.W))
  private val counts = io.enable && io.timeout =/= 0.U
  private val late   = counts && age === io.timeout
  when(!waiting || io.written) {
    age := 0.U
  }.elsewhen(counts && !late) {
    age := age + 1.U
  }

  private val enough = !(unacked < io.threshold)
  io.pending := RegNext(io.enable && waiting && (enough || late), false.B)

  assert(age <= io.timeout, "the age of a completion passed TIMEOUT")
}
