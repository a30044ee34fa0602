// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}
import chisel3._
import chisel3.util._

/** The 64-bit counters of all channels, in a memory.
  *
  * Events are first counted in a few bits each. One counter a cycle is brought up to date: in turn, or the one that is
  * read. The few bits are enough for the time between two turns if at most every second cycle reads.
  */
class Counters(p: EngineParams) extends Module {
  private val number = p.channels * R.counters.size

  val io = IO(new Bundle {
    val events = Input(Vec(p.channels, Vec(R.counters.size, Bool()))) // in the order of the registers
    val read   = Flipped(Valid(UInt(log2Ceil(number).W))) // channel by channel
    val value  = Output(UInt(64.W)) // in the cycle after `read`, of all events before it
  })

  private val sums   = new Table(number, UInt(64.W))
  private val recent = RegInit(VecInit(Seq.fill(number)(0.U(log2Ceil(2 * number + 1).W))))

  private val turn  = RegInit(0.U(log2Ceil(number).W))
  private val index = Mux(io.read.valid, io.read.bits, turn)
  // Without recent events it stands still: an idle engine's state does not change.
  private val waiting = recent.map(_ =/= 0.U).reduce(_ || _)
  when(!io.read.valid && waiting)(turn := Mux(turn === (number - 1).U, 0.U, turn + 1.U))

  // Reset cannot clear the memory: counters that were never brought up to date since are 0.
  private val known = RegInit(VecInit(Seq.fill(number)(false.B)))
  private val isKnown = Mux(io.read.valid, known(io.read.bits), known(turn)) // `read.valid` comes late
  known(index) := true.B

  private val updated = RegNext(index)
  private val old     = Reg(UInt(64.W))
  private val more    = RegNext(recent(index))
  private val sum     = old + more
  private val going   = RegNext(true.B, false.B) // not in the first cycle
  old := Mux(index === updated && going, sum, Mux(isKnown, sums(index), 0.U))
  when(going)(sums.write(updated, sum))
  io.value := sum

  private val events = VecInit(io.events.flatten)
  for (((count, event), i) <- recent.zip(events).zipWithIndex) {
    count := Mux(index === i.U, 0.U, count) + event
    assert(!(count.andR && event && index =/= i.U), "a counter waited too long for its turn")
  }

  // The same, counted in the plain way.
  private val plain = RegInit(VecInit(Seq.fill(number)(0.U(64.W))))
  for ((count, event) <- plain.zip(events)) count := count + event
  assert(!going || sum === RegNext(plain(index)), "a counter lost an event")
}
