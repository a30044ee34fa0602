// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R, PagePort, RegisterFile}
import chisel3._

/** The global page: identity, windows with their lock, test hooks. */
class GlobalPage(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val page = new PagePort
    val irq  = Input(Vec(p.channels, Bool()))
    val busy = Input(Vec(p.channels, Bool()))
    val test = Output(new TestHooks)

    /** The windows in force, and those in force in the next cycle: a verdict registered from `next` is never stale. */
    val windows = Output(Vec(p.windows, new Window))
    val next    = Output(Vec(p.windows, new Window))
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

  private val windows = RegInit(0.U.asTypeOf(Vec(p.windows, new Window)))
  io.windows := windows
  io.next    := windows
  windows    := io.next
  for ((next, i) <- io.next.zipWithIndex) {
    when(!locked) {
      when(file.writes(R.WindowBase, i))(next.base := file.written(R.WindowBase, "BASE"))
      when(file.writes(R.WindowLimit, i))(next.limit := file.written(R.WindowLimit, "LIMIT"))
      when(file.writes(R.WindowCtrl, i))(next.enable := file.written(R.WindowCtrl, "ENABLE"))
    }
    file.reads(R.WindowBase, i)("BASE" -> windows(i).base)
    file.reads(R.WindowLimit, i)("LIMIT" -> windows(i).limit)
    file.reads(R.WindowCtrl, i)("ENABLE" -> windows(i).enable)
  }

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

  assert(!RegNext(locked, false.B) || windows.asUInt === RegNext(windows.asUInt), "a window changed though locked")
}
