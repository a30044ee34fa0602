// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

/** One behaviour of the contract after another, on the default engine. One simulation, reset between scenarios. */
class EngineDirectedSpec extends AnyFunSpec with ChiselSim {
  private val ram   = BigInt("80000000", 16)
  private val limit = BigInt("ffffffff", 16)

  private val OK = 0

  it("follows the contract") {
    simulate(new EngineHarness(EngineParams())) { dut =>
      val d = new EngineDriver(dut)

      def scenario(name: String)(body: => Unit): Unit = {
        d.reset()
        info(name)
        withClue(s"$name: ")(body)
        d.idle()
      }

      def open(): Unit = d.window(0, ram, limit)

      def code(channel: Int = 0): BigInt = d.read(channel, R.Error, "CODE")

      def expectError(name: String, where: BigInt, nth: Int = 1, channel: Int = 0): Unit = {
        d.idle()
        assert(code(channel) == R.errorCode(name), name)
        assert(d.read(channel, R.Error, "COUNT") == nth)
        assert(d.read(channel, R.ErrorAddr) == where)
        assert(d.read(channel, R.Status, "ERROR") == 1)
      }

      scenario("identity") {
        assert(d.read(R.Id.offset) == R.magic)
        assert(d.read(R.Version.offset) == 0x100)
        assert(d.read(R.Params.offset) == BigInt("20041e0610061002", 16))
        assert(d.read(R.Features.offset) == 1)
        assert(d.read(0x7f8) == 0 && d.read(0x3000) == 0 && d.read(0xf000) == 0)
        d.write(R.Id.offset, 0)
        assert(d.read(R.Id.offset) == R.magic)
      }

      scenario("reset closes the windows") {
        d.submit(0, ram, 6)
        expectError("WINDOW", ram | 6)
        assert(d.read(0, R.Completion) == (BigInt(1) << 32 | 1))
        assert(d.issued.isEmpty)
      }

      scenario("rejections, each with its code") {
        open()
        // (word, code); the window is [ram, 2^32)
        val cases = Seq(
          (ram | 5) -> "BAD_SIZE",
          (ram | 0) -> "BAD_SIZE",
          (ram | 31) -> "BAD_SIZE",
          (ram | 63) -> "BAD_SIZE",
          (ram | 0x40 | 7) -> "MISALIGNED",
          (ram | (1 << 29) | 30) -> "MISALIGNED",
          (ram - 0x40 | 6) -> "WINDOW",
          (ram - (1 << 30) | 30) -> "WINDOW",
          (BigInt(1) << 32 | 6) -> "WINDOW",
          ((BigInt(1) << 32) + ram | 6) -> "WINDOW",
          ((BigInt(1) << 63) + ram | 6) -> "WINDOW",
          ((BigInt(1) << 64) - 64 | 6) -> "WINDOW",
          ((BigInt(1) << 64) - (1 << 30) | 30) -> "WINDOW",
          BigInt(30) -> "WINDOW"
        )
        for (((word, name), i) <- cases.zipWithIndex) withClue(word.toString(16) + " ") {
          d.write(1, R.Error, 0)
          d.write(1, R.Submit, word)
          expectError(name, word, nth = i + 1, channel = 1)
        }
        assert(d.issued.isEmpty)
        assert(d.read(1, R.JobsRejected) == cases.size)
        assert(d.read(1, R.Completion, "FAILED") == (1 << cases.size) - 1)
      }

      scenario("window edges") {
        val base = ram + 0x1000
        d.window(2, base, base + 0xfff)
        assert(d.read(R.WindowBase.offsetOf(2)) == base)
        assert(d.read(R.WindowLimit.offsetOf(2)) == base + 0xfff)
        d.write(R.WindowBase.offsetOf(3), (BigInt(1) << 64) - 1)
        assert(d.read(R.WindowBase.offsetOf(3)) == (BigInt(1) << 64) - 64)
        assert(d.read(R.WindowLimit.offsetOf(3)) == 63)
        d.submit(0, base, 12)
        d.submit(0, base, 6)
        d.submit(0, base + 0xfc0, 6)
        d.submit(0, base - 0x40, 6)
        d.submit(0, base + 0x1000, 6)
        d.submit(0, base - 0x1000, 13)
        d.submit(0, base - 0x1000, 14)
        d.submit(0, base + 0x800, 11)
        d.idle()
        assert(d.read(0, R.Completion) == (BigInt(30) << 32 | 8), "outcomes 0 0 0 1 1 1 1 0")
        assert(d.issued.forall(b => b.address >= base && b.address < base + 0x1000))
        assert(d.issued.size == 64 + 1 + 1 + 32)
        // Two windows side by side are not one.
        d.window(1, base + 0x1000, base + 0x1fff)
        d.submit(0, base - 0x1000, 14)
        d.submit(0, base + 0x1000, 12)
        d.idle()
        assert(d.read(0, R.Completion, "FAILED") % 4 == 2)
        // Disabled, and base above limit.
        d.write(R.WindowCtrl.offsetOf(2), 0)
        d.submit(0, base, 6)
        d.window(2, base + 0x1000, base - 1)
        d.submit(0, base, 6)
        d.idle()
        assert(d.read(0, R.Completion, "FAILED") % 4 == 3)
      }

      scenario("a window beyond the bus's addresses does not wrap around") {
        d.window(0, 0, (BigInt(1) << 64) - 1)
        for (base <- Seq(BigInt(1) << 32, ram + (BigInt(1) << 32), BigInt(1) << 63)) d.submit(0, base, 12)
        d.idle()
        assert(d.issued.isEmpty && d.read(0, R.JobsRejected) == 3)
        d.submit(0, limit - 0xfff, 12)
        d.idle()
        assert(d.issued.size == 64 && d.read(0, R.JobsOk) == 1)
      }

      scenario("a window closed under a job stops it at the next block") {
        open()
        d.submit(0, ram, 12)
        d.steps(10)
        d.write(R.WindowCtrl.offsetOf(0), 0)
        val before = d.issued.size
        d.idle()
        assert(before > 0 && before < 64 && d.issued.size == before)
        expectError("WINDOW", ram | 12)
        assert(d.read(0, R.JobsRejected) == 1 && d.read(0, R.Blocks) == before)
      }

      scenario("a window opened elsewhere does not disturb a job") {
        open()
        d.submit(0, ram, 12)
        d.steps(10)
        d.window(1, 0x1000, 0x1fff)
        d.write(R.WindowCtrl.offsetOf(0), 1)
        d.idle()
        assert(d.read(0, R.JobsOk) == 1 && d.issued.size == 64)
      }

      scenario("lock") {
        open()
        d.write(R.WindowLock.offset, 0)
        assert(d.read(R.WindowLock.offset) == 0)
        d.write(R.WindowLock.offset, 1)
        assert(d.read(R.WindowLock.offset) == 1)
        d.write(R.WindowLock.offset, 0)
        assert(d.read(R.WindowLock.offset) == 1)
        for (i <- 0 until 4) d.window(i, 0, (BigInt(1) << 64) - 1, enable = i != 0)
        for (i <- 1 until 4) {
          assert(d.read(R.WindowBase.offsetOf(i)) == 0)
          assert(d.read(R.WindowLimit.offsetOf(i)) == 0x3f)
          assert(d.read(R.WindowCtrl.offsetOf(i)) == 0)
        }
        assert(d.read(R.WindowBase.offsetOf(0)) == ram && d.read(R.WindowCtrl.offsetOf(0)) == 1)
        d.submit(0, 0x1000, 12)
        expectError("WINDOW", 0x1000 | 12)
      }

      scenario("a partial write has no effect") {
        open()
        for (mask <- Seq(0x00, 0x0f, 0xf0, 0x7f, 0xfe)) {
          d.write(d.at(0, R.Submit), ram | 6, mask)
          d.write(d.at(0, R.Fill), 0xff, mask)
          d.write(R.WindowCtrl.offsetOf(0), 0, mask)
        }
        d.idle()
        assert(d.issued.isEmpty && d.read(0, R.Completion) == 0 && d.read(0, R.Fill) == 0)
        assert(d.read(R.WindowCtrl.offsetOf(0)) == 1 && d.read(0, R.JobsDropped) == 0)
      }

      scenario("every size to 2^16, address by address") {
        open()
        for (n <- 6 to 16) {
          d.issued.clear()
          d.submit(0, ram + (BigInt(1) << n), n)
          d.idle()
          assert(d.issued.map(_.address) == (0 until 1 << (n - 6)).map(i => ram + (BigInt(1) << n) + 64 * i))
        }
        assert(d.read(0, R.JobsOk) == 11)
      }

      scenario("every size to 2^26, first and last and all between by the sink") {
        open()
        d.sink = true
        for (n <- 6 to 26) {
          d.clearSink()
          val base = limit + 1 - (BigInt(1) << n)
          d.submit(0, base, n)
          d.run((1 << (n - 6)) + 8)
          assert(d.sinkCount == 1 << (n - 6) && !d.sinkGap)
          assert(d.sinkFirst == base && d.sinkLast == limit - 63)
        }
        assert(d.read(0, R.JobsOk) == 21 && d.read(0, R.Status) == 0)
      }

      scenario("2^27 to 2^30: the start by the sink, then an abort") {
        open()
        d.sink = true
        for (n <- 27 to 30) {
          d.clearSink()
          d.submit(1, ram + (BigInt(1) << 30), n)
          d.run(1000)
          assert(d.sinkCount >= 1000 && !d.sinkGap && d.sinkFirst == ram + (BigInt(1) << 30))
          d.write(1, R.Control, 1)
          d.idle()
        }
        assert(d.read(1, R.JobsAborted) == 4)
      }

      scenario("fill belongs to the submission") {
        open()
        d.write(0, R.Fill, 0x5a)
        d.submit(0, ram, 7)
        d.write(0, R.Fill, 0x1ff)
        assert(d.read(0, R.Fill) == 0xff)
        d.submit(0, ram + 128, 6)
        d.write(0, R.Fill, 0)
        d.submit(1, ram + 4096, 6)
        d.submit(0, ram + 256, 6)
        d.idle()
        assert(d.issued.map(b => (b.address - ram).toInt -> b.fill).sorted ==
          Seq(0 -> 0x5a, 64 -> 0x5a, 128 -> 0xff, 256 -> 0, 4096 -> 0))
      }

      scenario("a full queue drops and remembers") {
        open()
        d.write(R.Test.offset, 1)
        for (i <- 0 until 16) d.submit(0, ram + 64 * i, 6)
        assert(d.read(0, R.Status) == (16 << 8 | 1))
        assert(d.read(R.Busy.offset) == 1)
        for (i <- 16 until 19) d.submit(0, ram + 64 * i, 6)
        assert(d.read(0, R.Status) == (16 << 8 | 5))
        assert(d.read(0, R.JobsDropped) == 3 && d.read(1, R.JobsDropped) == 0)
        d.write(0, R.Error, 0)
        assert(d.read(0, R.Status, "OVERFLOW") == 0)
        assert(d.issued.isEmpty)
        d.write(R.Test.offset, 0)
        d.idle()
        assert(d.read(0, R.Completion) == 16 && d.issued.size == 16)
      }

      scenario("bus errors: the lowest bad address, whatever the order of answers") {
        open()
        val bad = Map(ram + 5 * 64 -> Answer(30, R.errorCode("DECERR")), ram + 7 * 64 -> Answer(5, R.errorCode("SLVERR")))
        d.answer = b => bad.getOrElse(b.address, Answer(12, OK))
        d.submit(0, ram, 12)
        d.submit(0, ram + 4096, 12)
        d.idle()
        expectError("DECERR", ram + 5 * 64)
        assert(d.read(0, R.Completion) == (BigInt(2) << 32 | 2))
        assert(d.read(0, R.JobsBusError) == 1 && d.read(0, R.JobsOk) == 1)
        assert(d.issued.count(_.address >= ram + 4096) == 64)
        assert(d.issued.count(_.address < ram + 4096) < 64, "a failed job stops")
        assert(d.read(0, R.Blocks) == d.issued.size - 2)
        // The first error stays until it is cleared.
        d.submit(0, ram - 64, 6)
        d.idle()
        assert(code() == R.errorCode("DECERR"))
        d.write(0, R.Error, 0)
        assert(d.read(0, R.Error) == 0 && d.read(0, R.ErrorAddr) == 0 && d.read(0, R.Status, "ERROR") == 0)
        d.submit(0, ram - 128, 6)
        expectError("WINDOW", ram - 128 | 6, nth = 4)
      }

      scenario("bus errors: a later answer of a higher address changes nothing") {
        open()
        val bad = Map(ram + 5 * 64 -> Answer(5, R.errorCode("SLVERR")), ram + 7 * 64 -> Answer(30, R.errorCode("DECERR")))
        d.answer = b => bad.getOrElse(b.address, Answer(12, OK))
        d.submit(0, ram, 12)
        expectError("SLVERR", ram + 5 * 64)
        assert(d.issued.exists(_.address == ram + 7 * 64))
      }

      scenario("abort drains") {
        open()
        d.answer = _ => Answer(40, OK)
        for (i <- 0 until 5) d.submit(0, ram + 4096 * i, 12)
        d.submit(1, ram + (1 << 20), 10)
        d.steps(30)
        val before = d.issued.size
        d.write(0, R.Control, 1)
        assert(d.read(0, R.Control) == 1)
        assert(d.read(0, R.Status, "ABORTING") == 1 && d.read(0, R.Status, "BUSY") == 1)
        d.submit(0, ram, 6)
        assert(d.read(0, R.Status, "OVERFLOW") == 1 && d.read(0, R.JobsDropped) == 1)
        while (d.read(0, R.Control) == 1) {}
        assert(d.issued.drop(before).forall(_.address >= ram + (1 << 20)), "no block of the channel after ABORT")
        assert(d.read(0, R.Status, "BUSY") == 0)
        d.idle()
        assert(d.read(0, R.JobsAborted) == 5 && d.read(0, R.Completion) == (BigInt(31) << 32 | 5))
        assert(d.read(1, R.Completion) == 1 && d.read(1, R.JobsOk) == 1)
        assert(code() == R.errorCode("ABORTED") && d.read(0, R.ErrorAddr) == (ram | 12))
        assert(d.issued.count(_.address < ram + (1 << 20)) == d.read(0, R.Blocks).toInt)
        d.answer = _ => Answer(1, OK)
        d.submit(0, ram, 6)
        d.idle()
        assert(d.read(0, R.Completion) == (BigInt(62) << 32 | 6))
        // On an idle channel it is over at once.
        d.write(0, R.Control, 1)
        d.steps(1)
        assert(d.read(0, R.Control) == 0)
      }

      scenario("a job whose blocks are all issued completes through an abort") {
        open()
        d.answer = _ => Answer(30, OK)
        d.submit(0, ram, 8)
        d.submit(0, ram + (1 << 20), 20)
        d.steps(10)
        d.write(0, R.Control, 1)
        d.idle()
        assert(d.read(0, R.JobsOk) == 1 && d.read(0, R.JobsAborted) == 1)
        assert(d.read(0, R.Completion) == (BigInt(1) << 32 | 2))
      }

      scenario("TEST.FAIL writes nothing") {
        open()
        d.write(R.Test.offset, 2)
        d.submit(0, ram + 4096, 12)
        expectError("SLVERR", ram + 4096)
        assert(d.issued.isEmpty && d.read(0, R.JobsBusError) == 1 && d.read(0, R.Blocks) == 0)
      }

      scenario("TEST.REFUSE rejects what is submitted while set") {
        open()
        d.submit(0, ram, 8)
        d.write(R.Test.offset, 16)
        d.submit(0, ram, 12)
        d.submit(0, ram, 5)
        d.write(R.Test.offset, 0)
        d.submit(0, ram, 6)
        d.idle()
        expectError("REFUSED", ram | 12, nth = 2)
        assert(d.read(0, R.JobsRejected) == 2 && d.read(0, R.Completion) == (BigInt(6) << 32 | 4))
      }

      scenario("TEST.HANG holds, also through an abort") {
        open()
        d.write(R.Test.offset, 1)
        d.submit(1, ram, 12)
        d.submit(0, ram, 12)
        d.steps(50)
        assert(d.issued.isEmpty && d.read(R.Busy.offset) == 3)
        d.write(0, R.Control, 1)
        d.steps(5)
        assert(d.read(R.Busy.offset) == 2)
        d.write(R.Test.offset, 0)
        d.idle()
        assert(d.issued.size == 64)
      }

      scenario("TEST.NO_IRQ and TEST.SPURIOUS") {
        d.write(R.Test.offset, 8)
        d.tick()
        assert(d.irq == 3 && d.read(R.IrqStatus.offset) == 3)
        assert(d.read(0, R.Status, "IRQ") == 0)
        d.write(R.Test.offset, 4)
        d.write(0, R.IrqConfig, 1)
        d.submit(0, 0, 6)
        d.idle()
        assert(d.read(0, R.Status, "IRQ") == 1 && d.irq == 0)
        d.write(R.Test.offset, 0x1f)
        assert(d.read(R.Test.offset) == 0x1f && d.irq == 0)
        d.write(R.Test.offset, 0)
        d.tick()
        assert(d.irq == 1)
      }

      scenario("interrupt threshold and acknowledgement") {
        open()
        d.write(1, R.IrqConfig, BigInt(3) << 8 | 1)
        for (i <- 1 to 2) d.submit(1, ram, 6)
        d.idle()
        d.steps(300)
        assert(d.irq == 0)
        d.submit(1, ram, 6)
        d.idle()
        d.tick()
        assert(d.irq == 2 && d.read(R.IrqStatus.offset) == 2 && d.read(1, R.Status, "IRQ") == 1)
        d.write(1, R.IrqAck, 1)
        d.steps(2)
        assert(d.irq == 0 && d.read(1, R.IrqAck) == 1)
        d.submit(1, ram, 6)
        d.idle()
        d.tick()
        assert(d.irq == 2)
        d.write(1, R.IrqAck, 4)
        d.steps(2)
        assert(d.irq == 0)
        // Threshold 0 acts as 1; not enabled, nothing.
        d.write(1, R.IrqConfig, 1)
        d.submit(1, ram, 6)
        d.idle()
        d.tick()
        assert(d.irq == 2)
        d.write(1, R.IrqConfig, 0)
        d.steps(2)
        assert(d.irq == 0)
      }

      scenario("interrupt timeout") {
        open()
        d.write(0, R.IrqConfig, BigInt(100) << 32 | BigInt(1000) << 8 | 1)
        d.submit(0, ram, 6)
        while (d.count(0) == 0) {}
        val seen = d.cycle - 1 // count() saw it in the cycle before this
        while (d.irq == 0) d.tick()
        assert(d.cycle - 1 - seen >= 100 && d.cycle - 1 - seen <= 102)
        d.write(0, R.IrqAck, 1)
        d.steps(300)
        assert(d.irq == 0)
      }

      scenario("rate limit") {
        open()
        for (rate <- Seq(0, 1, 2, 7, 40)) {
          d.issued.clear()
          d.write(1, R.Rate, rate)
          d.submit(1, ram, 8)
          d.submit(1, ram + 4096, 8)
          d.idle()
          val gaps = d.issued.map(_.cycle).sliding(2).map(w => w(1) - w(0)).toSeq
          assert(gaps == Seq.fill(7)(math.max(rate, 1)), s"rate $rate")
        }
        // A limited channel leaves the port to others.
        d.issued.clear()
        d.submit(1, ram, 12)
        d.submit(0, ram + (1 << 20), 12)
        d.idle()
        val urgent = d.issued.filter(_.address >= ram + (1 << 20)).map(_.cycle)
        assert(urgent.last - urgent.head == 63)
      }

      scenario("an urgent job overtakes at the next block") {
        open()
        d.submit(1, ram, 14)
        d.steps(20)
        val at = d.cycle
        d.submit(0, ram + (1 << 20), 8)
        d.idle()
        val urgent = d.issued.filter(_.address >= ram + (1 << 20))
        assert(urgent.map(_.cycle) == (at + 2 until at + 6))
        // A block offered and not taken gives way too.
        d.issued.clear()
        d.ready = () => false
        d.submit(1, ram, 8)
        d.steps(5)
        d.submit(0, ram + (1 << 20), 6)
        d.steps(5)
        d.ready = () => true
        d.idle()
        assert(d.issued.head.address == ram + (1 << 20))
      }

      scenario("latency from SUBMIT and no idle cycle between jobs, even of one block and across channels") {
        open()
        val at = d.cycle
        d.submit(0, ram, 6)
        d.idle()
        assert(d.issued.head.cycle - at == 2)
        d.issued.clear()
        d.write(R.Test.offset, 1)
        for (i <- 0 until 12) d.submit(i % 2, ram + (BigInt(i) << 12), 6 + i % 3)
        d.steps(3)
        d.write(R.Test.offset, 0)
        d.idle()
        val cycles = d.issued.map(_.cycle)
        assert(cycles.last - cycles.head == cycles.size - 1)
      }

      scenario("stall, busy and block counters") {
        open()
        d.ready = () => d.cycle % 4 == 0
        d.answer = _ => Answer(3, OK)
        d.refused = 0
        val stalled = Seq(0, 1).map(d.read(_, R.StallCycles))
        d.submit(1, ram, 9)
        while (d.issued.size < 8) d.tick()
        val refused = d.refused
        d.idle()
        assert(d.read(1, R.StallCycles) - stalled(1) == refused && refused > 10)
        assert(d.read(0, R.StallCycles) == stalled(0))
        assert(d.read(1, R.Blocks) == 8 && d.read(0, R.Blocks) == 0)
        // One block: busy from the cycle after SUBMIT (queued, active and issued, answered, finishing).
        d.ready = () => true
        d.answer = _ => Answer(1, OK)
        val busy = d.read(0, R.BusyCycles)
        d.submit(0, ram, 6)
        var seen = 0
        for (_ <- 0 until 20) seen += d.read(R.Busy.offset).toInt
        assert(d.read(0, R.BusyCycles) - busy == seen && seen == 4)
      }

      scenario("slots alternate parity, all are used, and a full set stalls") {
        open()
        d.answer = _ => Answer(200, OK)
        d.submit(0, ram, 12)
        d.steps(100)
        assert(d.inFlight == 16)
        assert(d.issued.map(_.slot).toSet == (0 until 16).toSet)
        assert(d.issued.map(_.slot % 2) == Seq.tabulate(16)(_ % 2))
        assert(d.read(0, R.StallCycles) > 50)
      }

      scenario("completions come in order though answers do not") {
        open()
        d.answer = b => Answer(if (b.address < ram + 4096) 60 else 2, OK)
        d.submit(0, ram, 6)
        d.submit(0, ram + 4096, 6)
        d.submit(0, ram - 64, 6)
        d.steps(40)
        assert(d.count(0) == 0 && d.read(0, R.Status, "QUEUED") == 3)
        d.idle()
        assert(d.read(0, R.Completion) == (BigInt(1) << 32 | 3))
      }
    }
  }
}
