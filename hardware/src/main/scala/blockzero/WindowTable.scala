// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** A value for one window. */
class WindowWrite[T <: Data](p: EngineParams, value: T) extends Bundle {
  val window = UInt(log2Up(p.windows).W)
  val to     = value.cloneType
}

/** The windows, in a memory, and one of them on show for all guards at once.
  *
  * It shows the same window until a guard misses with it, then the next: a job inside the window of the job before is let
  * through in a cycle, and any job has seen every window after as many cycles as there are windows. When a window has
  * changed, none is shown for a cycle, and then the same one once more.
  */
class WindowTable(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val base   = Flipped(Valid(new WindowWrite(p, UInt(Window.bits.W))))
    val limit  = Flipped(Valid(new WindowWrite(p, UInt(Window.bits.W))))
    val enable = Flipped(Valid(new WindowWrite(p, Bool())))

    val read   = Flipped(Valid(UInt(log2Up(p.windows).W))) // by software
    val row    = Output(new Window) // the window in `read`
    val shown  = Valid(new ReachableWindow(p)) // the window on show
    val missed = Input(Bool()) // a guard looked, and its job is not inside

    /** All windows, for assertions alone. */
    val inForce = Output(Vec(p.windows, new Window))
  })

  private class End extends Bundle {
    val block = UInt(Window.bits.W)
    val above = Bool()
  }
  private def end(block: UInt): End = {
    val result = Wire(new End)
    result.block := block
    result.above := ReachableWindow.isAbove(p, block)
    result
  }

  // Reset cannot clear the memories: ends that were not written since are 0.
  private val bases    = new Table(p.windows, new End)
  private val limits   = new Table(p.windows, new End)
  private val hasBase  = RegInit(VecInit(Seq.fill(p.windows)(false.B)))
  private val hasLimit = RegInit(VecInit(Seq.fill(p.windows)(false.B)))
  private val enabled  = RegInit(VecInit(Seq.fill(p.windows)(false.B)))
  when(io.base.valid) {
    bases.write(io.base.bits.window, end(io.base.bits.to))
    hasBase(io.base.bits.window) := true.B
  }
  when(io.limit.valid) {
    limits.write(io.limit.bits.window, end(io.limit.bits.to))
    hasLimit(io.limit.bits.window) := true.B
  }
  when(io.enable.valid)(enabled(io.enable.bits.window) := io.enable.bits.to)

  private val turn  = RegInit(0.U(log2Up(p.windows).W)) // the window on show, or to be shown
  private val valid = RegInit(false.B) // it is on show
  private val after = Mux(turn === (p.windows - 1).U, 0.U, turn + 1.U)
  private val index = Mux(io.read.valid, io.read.bits, Mux(valid, after, turn))
  private def known(table: Table[End], has: Vec[Bool]) = Mux(has(index), table(index).asUInt, 0.U).asTypeOf(new End)
  private val base  = known(bases, hasBase)
  private val limit = known(limits, hasLimit)
  io.row.base   := base.block
  io.row.limit  := limit.block
  io.row.enable := enabled(index)

  private val shown   = Reg(new ReachableWindow(p))
  private val changes = io.base.valid || io.limit.valid || io.enable.valid
  when(io.missed)(turn := after)
  when((io.missed || !valid) && !io.read.valid) {
    shown.base       := base.block(p.blockBits - 1, 0)
    shown.enable     := enabled(index) && !base.above
    shown.limit      := limit.block(p.blockBits - 1, 0)
    shown.limitAbove := limit.above
  }
  valid          := !changes && !(io.read.valid && (io.missed || !valid))
  io.shown.valid := valid
  io.shown.bits  := shown

  private val inForce = RegInit(0.U.asTypeOf(Vec(p.windows, new Window)))
  when(io.base.valid)(inForce(io.base.bits.window).base := io.base.bits.to)
  when(io.limit.valid)(inForce(io.limit.bits.window).limit := io.limit.bits.to)
  when(io.enable.valid)(inForce(io.enable.bits.window).enable := io.enable.bits.to)
  io.inForce := inForce
  assert(io.row.asUInt === inForce(index).asUInt, "a window is not read as it was written")
  assert(
    !valid || ReachableWindow(p, inForce(turn)).asUInt === shown.asUInt,
    "the window on show is not in force"
  )
  assert(!io.missed || valid, "a guard looked at no window")
}
