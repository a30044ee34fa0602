// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.BlockZeroRegisters
import chisel3._
import chisel3.util._

/** Error codes as hardware values. */
object Code {
  private def apply(name: String): UInt = BlockZeroRegisters.errorCode(name).U(width.W)

  val width: Int = 4

  def None:       UInt = apply("NONE")
  def BadSize:    UInt = apply("BAD_SIZE")
  def Misaligned: UInt = apply("MISALIGNED")
  def Window:     UInt = apply("WINDOW")
  def SlvErr:     UInt = apply("SLVERR")
  def DecErr:     UInt = apply("DECERR")
  def Aborted:    UInt = apply("ABORTED")
  def Refused:    UInt = apply("REFUSED")

  def isBus(code: UInt): Bool = code === SlvErr || code === DecErr
}

/** A store to a register. It counts only with a full mask. */
class RegisterWrite extends Bundle {
  val address = UInt(RegisterPort.addressBits.W)
  val data    = UInt(64.W)
  val mask    = UInt(8.W) // byte lanes
}

/** The engine's registers as a bus adapter sees them. Nothing stalls, reads have no side effects. */
class RegisterPort extends Bundle {
  val write    = Valid(new RegisterWrite)
  val read     = Valid(UInt(RegisterPort.addressBits.W)) // an address, at most every second cycle
  val readData = Input(UInt(64.W)) // in the cycle after `read`
}
object RegisterPort {

  /** The aperture is 64 KiB in every build. */
  val addressBits: Int = 16
}

/** One block to write. The engine may offer another block while `ready` is low: a more urgent one has come. */
class BlockWrite(p: EngineParams) extends Bundle {
  val block = UInt(p.blockBits.W) // address / 64
  val fill  = UInt(8.W)
  val slot  = UInt(p.slotBits.W)

  def address: UInt = block ## 0.U(EngineParams.blockLog2.W)
}

/** The answer to a block. In any order; the engine takes one every cycle. */
class BlockResponse(p: EngineParams) extends Bundle {
  val slot = UInt(p.slotBits.W)
  val code = UInt(Code.width.W) // NONE, SLVERR or DECERR
}

/** A block on its way from a channel: `job` is the place in that channel's queue that its answer goes back to. */
class ChannelBlock(p: EngineParams) extends Bundle {
  val block = UInt(p.blockBits.W)
  val fill  = UInt(8.W)
  val job   = UInt(p.jobBits.W)
}

/** A block the scheduler chose. */
class ScheduledBlock(p: EngineParams) extends ChannelBlock(p) {
  val channel = UInt(p.channelBits.W)
}

/** An answer on its way back to a channel. */
class ChannelAnswer(p: EngineParams) extends Bundle {
  val block = UInt(p.blockBits.W)
  val job   = UInt(p.jobBits.W)
  val code  = UInt(Code.width.W)
}

/** Fault injection: the TEST register. */
class TestHooks extends Bundle {
  val hang     = Bool()
  val fail     = Bool()
  val noIrq    = Bool()
  val spurious = Bool()
  val refuse   = Bool()
}
