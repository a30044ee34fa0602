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

/** What SUBMIT's 64 bits say. */
object JobWord {
  def log2(word:  UInt): UInt = word(EngineParams.blockLog2 - 1, 0)
  def block(word: UInt): UInt = word(63, EngineParams.blockLog2)

  /** Ones for the block number bits that vary within a job of 2^log2 bytes. */
  def indexMask(log2: UInt): UInt =
    VecInit(Seq.tabulate(EngineParams.maxIndexBits)(i => log2 > (EngineParams.blockLog2 + i).U)).asUInt
}

/** Checks a job. Combinational: the verdict is for the windows given in the same cycle.
  *
  * A job's last block is its first with ones in the bits that vary, because only aligned jobs pass: no addition, and
  * nothing that could wrap around.
  */
class Guard(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val word    = Input(UInt(64.W)) // as written to SUBMIT
    val windows = Input(Vec(p.windows, new Window))
    val code    = Output(UInt(Code.width.W)) // NONE, BAD_SIZE, MISALIGNED or WINDOW
  })

  private val log2  = JobWord.log2(io.word)
  private val first = JobWord.block(io.word)
  private val mask  = JobWord.indexMask(log2)
  private val last  = first | mask

  private val badSize    = log2 < EngineParams.minJobLog2.U || log2 > EngineParams.maxJobLog2.U
  private val misaligned = (first & mask) =/= 0.U
  private val reachable  = if (p.addrBits == 64) true.B else (first >> p.blockBits) === 0.U
  private val inside     = io.windows.map(w => w.enable && first >= w.base && last <= w.limit).reduce(_ || _)

  io.code := MuxCase(
    Code.None,
    Seq(
      badSize                 -> Code.BadSize,
      misaligned              -> Code.Misaligned,
      !(inside && reachable) -> Code.Window
    )
  )
}
