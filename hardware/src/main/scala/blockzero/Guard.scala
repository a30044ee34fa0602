// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** A region the engine may write. Both ends are block numbers over all 64 address bits: nothing is truncated, so a
  * window never comes to lie elsewhere than where software put it.
  */
class Window extends Bundle {
  val base   = UInt(Window.bits.W)
  val limit  = UInt(Window.bits.W) // inclusive
  val enable = Bool()
}
object Window {
  val bits: Int = 64 - EngineParams.blockLog2
}

/** What the guards see of a window: the block numbers that the engine can reach. */
class ReachableWindow(p: EngineParams) extends Bundle {
  val base       = UInt(p.blockBits.W)
  val limit      = UInt(p.blockBits.W)
  val limitAbove = Bool() // the window ends above all that can be reached
  val enable     = Bool() // and it begins below that
}
object ReachableWindow {
  def apply(p: EngineParams, window: Window): ReachableWindow = {
    val result = Wire(new ReachableWindow(p))
    result.base       := window.base(p.blockBits - 1, 0)
    result.limit      := window.limit(p.blockBits - 1, 0)
    result.limitAbove := isAbove(p, window.limit)
    result.enable     := window.enable && !isAbove(p, window.base)
    result
  }

  def isAbove(p: EngineParams, block: UInt): Bool = if (p.addrBits == 64) false.B else (block >> p.blockBits) =/= 0.U
}

/** What SUBMIT's 64 bits say. */
object JobWord {
  def log2(word:  UInt): UInt = word(EngineParams.blockLog2 - 1, 0)
  def block(word: UInt): UInt = word(63, EngineParams.blockLog2)

  /** Ones for the block number bits that vary within a job of 2^log2 bytes. */
  def indexMask(log2: UInt): UInt =
    VecInit(Seq.tabulate(EngineParams.maxIndexBits)(i => log2 > (EngineParams.blockLog2 + i).U)).asUInt
}

/** A job as it waits: what SUBMIT said, and what can be told of it without the windows. */
class Submission extends Bundle {
  val word = UInt(64.W) // SUBMIT
  val last = UInt(EngineParams.maxIndexBits.W) // the low bits of its last block
  val fill = UInt(8.W)
  val code = UInt(Code.width.W) // NONE: the windows decide
}

/** Checks what needs no window. Combinational; one for all channels, as one is written at a time.
  *
  * A job's last block is its first with ones in the bits that vary, because only aligned jobs pass: no addition, and
  * nothing that could wrap around.
  */
class SubmitCheck(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val word   = Input(UInt(64.W)) // as written to SUBMIT
    val refuse = Input(Bool()) // TEST.REFUSE
    val last   = Output(UInt(EngineParams.maxIndexBits.W))
    val code   = Output(UInt(Code.width.W)) // NONE, BAD_SIZE, MISALIGNED, WINDOW or REFUSED
  })

  private val log2  = JobWord.log2(io.word)
  private val first = JobWord.block(io.word)
  private val mask  = JobWord.indexMask(log2)

  io.last := first(EngineParams.maxIndexBits - 1, 0) | mask
  io.code := MuxCase(
    Code.None,
    Seq(
      io.refuse                                                                        -> Code.Refused,
      (log2 < EngineParams.minJobLog2.U || log2 > EngineParams.maxJobLog2.U) -> Code.BadSize,
      ((first & mask) =/= 0.U)                                                         -> Code.Misaligned,
      ReachableWindow.isAbove(p, first)                                                -> Code.Window
    )
  )
}

/** Whether a job that passed SubmitCheck lies inside a window. Combinational. */
class Guard(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val first  = Input(UInt(p.blockBits.W))
    val last   = Input(UInt(EngineParams.maxIndexBits.W)) // the low bits of its last block
    val window = Input(new ReachableWindow(p))
    val inside = Output(Bool())
  })

  private val last = io.first(p.blockBits - 1, EngineParams.maxIndexBits) ## io.last

  // In terms of `<`, which is one carry chain; `<=` would be another comparison beside it.
  private val begins = !(io.first < io.window.base)
  private val ends   = io.window.limitAbove || !(io.window.limit < last)
  io.inside := io.window.enable && begins && ends
}
