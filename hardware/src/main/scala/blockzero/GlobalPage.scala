// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R, PagePort, Register, RegisterFile}
import chisel3._
import chisel3.util._

/** The global page: identity, windows with their lock, test hooks. */
class GlobalPage(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val page = new PagePort
    val irq  = Input(Vec(p.channels, Bool()))
    val busy = Input(Vec(p.channels, Bool()))
    val test = Output(new TestHooks)

    val window  = Valid(new ReachableWindow(p)) // the one that guards may look at
    val missed  = Input(Bool()) // a guard looked, and its job is not inside
    val changes = Output(Bool()) // windows change after this cycle
    val inForce = Output(Vec(p.windows, new Window)) // for assertions alone
  })

  private val file = new RegisterFile(R.global, io.page)

  file.reads(R.Id)()
  file.reads(R.Version)()
  file.reads(R.Params)(
    "CHANNELS"    -> p.channels.U,
    "QUEUE_DEPTH" -> p.queueDepth.U,
    "BLOCK_LOG2"  -> EngineParams.blockLog2.U,
    "INFLIGHT"    -> p.inflight.U,
    "MIN_LOG2"    -> EngineParams.minJobLog2.U,
    "MAX_LOG2"    -> EngineParams.maxJobLog2.U,
    "WINDOWS"     -> p.windows.U,
    "ADDR_BITS"   -> p.addrBits.U
  )
  file.reads(R.Features)("TEST" -> p.testHooks.B)
  file.reads(R.IrqStatus)("CHANNELS" -> io.irq)
  file.reads(R.Busy)("CHANNELS" -> io.busy)

  private val locked = RegInit(false.B)
  when(file.writes(R.WindowLock) && file.written(R.WindowLock, "LOCK").asBool)(locked := true.B)
  file.reads(R.WindowLock)("LOCK" -> locked)

  private val table = Module(new WindowTable(p))
  private def change[T <: Data](port: Valid[WindowWrite[T]], register: Register, value: UInt): Bool = {
    port.valid       := !locked && file.writes(register, p.windows)
    port.bits.window := file.copyWritten(register, p.windows)
    port.bits.to     := value.asTypeOf(port.bits.to)
    port.valid
  }
  io.changes := Seq(
    change(table.io.base, R.WindowBase, file.written(R.WindowBase, "BASE")),
    change(table.io.limit, R.WindowLimit, file.written(R.WindowLimit, "LIMIT")),
    change(table.io.enable, R.WindowCtrl, file.written(R.WindowCtrl, "ENABLE"))
  ).reduce(_ || _)
  table.io.read.valid := file.isRead(Seq(R.WindowBase, R.WindowLimit, R.WindowCtrl), p.windows)
  table.io.read.bits  := file.copyRead(R.WindowBase, p.windows)
  file.reads(R.WindowBase, p.windows)("BASE" -> table.io.row.base)
  file.reads(R.WindowLimit, p.windows)("LIMIT" -> table.io.row.limit)
  file.reads(R.WindowCtrl, p.windows)("ENABLE" -> table.io.row.enable)
  table.io.missed := io.missed
  io.window       := table.io.shown
  io.inForce      := table.io.inForce

  if (p.testHooks) {
    val test = RegInit(0.U.asTypeOf(new TestHooks))
    val bits = Seq(
      "HANG"     -> test.hang,
      "FAIL"     -> test.fail,
      "NO_IRQ"   -> test.noIrq,
      "SPURIOUS" -> test.spurious,
      "REFUSE"   -> test.refuse
    )
    when(file.writes(R.Test)) {
      for ((name, bit) <- bits) bit := file.written(R.Test, name)
    }
    file.reads(R.Test)(bits: _*)
    io.test := test
  } else {
    file.reads(R.Test)()
    io.test := 0.U.asTypeOf(new TestHooks)
  }

  file.finish()

  assert(
    !RegNext(locked, false.B) || io.inForce.asUInt === RegNext(io.inForce.asUInt),
    "a window changed though locked"
  )
}
