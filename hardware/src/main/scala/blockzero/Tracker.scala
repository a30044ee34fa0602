// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** Gives every block in flight a slot, and finds the job a response belongs to, in the cycle after the response.
  *
  * Slots alternate between even and odd while both have a free one: some ports (Rocket's front port) keep only the
  * lowest id bit and let one request for each value go at a time, so equal bits in a row would wait for each other.
  */
class Tracker(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val in       = Flipped(Decoupled(new ScheduledBlock(p)))
    val out      = Decoupled(new BlockWrite(p))
    val response = Flipped(Valid(new BlockResponse(p)))
    val answer   = Valid(new ChannelAnswer(p))
    val channel  = Output(UInt(p.channelBits.W)) // that the answer is for
  })

  private class Owner extends Bundle {
    val block   = UInt(p.blockBits.W)
    val job     = UInt(p.jobBits.W)
    val channel = UInt(p.channelBits.W)
  }

  // One bit a slot: waits for its response.
  private val busy  = RegInit(0.U(p.inflight.W))
  // Where each busy slot's answer goes.
  private val owners = new Table(p.inflight, new Owner)
  // Lowest bit of the last slot used.
  private val lastOdd = RegInit(true.B)

  private val odd       = BigInt("AAAAAAAAAAAAAAAA", 16).U(64.W)(p.inflight - 1, 0)
  private val free      = ~busy
  private val preferred = free & Mux(lastOdd, ~odd, odd)
  private val slotOH    = PriorityEncoderOH(Mux(preferred.orR, preferred, free))
  private val available = free.orR

  io.out.valid      := io.in.valid && available
  io.out.bits.block := io.in.bits.block
  io.out.bits.fill  := io.in.bits.fill
  io.out.bits.slot  := OHToUInt(slotOH)
  io.in.ready       := io.out.ready && available

  private val set   = Mux(io.out.fire, slotOH, 0.U)
  private val clear = Mux(io.response.valid, UIntToOH(io.response.bits.slot, p.inflight), 0.U)
  busy := (busy | set) & ~clear

  private val owner = Wire(new Owner)
  owner.block   := io.in.bits.block
  owner.job     := io.in.bits.job
  owner.channel := io.in.bits.channel
  when(io.out.fire) {
    lastOdd := io.out.bits.slot(0)
    owners.write(io.out.bits.slot, owner)
  }

  // A slot that is given anew in the cycle after its response has its old owner until the end of that cycle.
  private val response = RegEnable(io.response.bits, io.response.valid)
  private val answered = owners(response.slot)
  io.answer.valid      := RegNext(io.response.valid, false.B)
  io.answer.bits.block := answered.block
  io.answer.bits.job   := answered.job
  io.answer.bits.code  := response.code
  io.channel           := answered.channel

  assert((set & busy) === 0.U, "a slot was given twice")
  assert((clear & ~busy) === 0.U, "a response for a slot that is not in flight")
  assert(!io.response.valid || io.response.bits.slot < p.inflight.U, "a response for a slot that does not exist")
  Point(io.in.valid && !available, "TRACKER_SLOT_STALL", "every slot is in flight")
  Point(io.out.valid && !io.out.ready, "TRACKER_BUS_STALL", "the bus takes no block")
}
