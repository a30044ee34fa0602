// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}

/** Nothing outside a window is written, whatever is asked for. */
class EngineWindowSpec extends EngineScenarios {
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
}
