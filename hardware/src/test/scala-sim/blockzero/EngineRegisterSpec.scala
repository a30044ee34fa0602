// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}

/** Who the engine is, and what of its registers can be written when. */
class EngineRegisterSpec extends EngineScenarios {
  scenario("identity") {
    assert(d.read(R.Id.offset) == R.magic)
    assert(d.read(R.Version.offset) == 0x100)
    assert(d.read(R.Params.offset) == BigInt("20041e0610061002", 16))
    assert(d.read(R.Features.offset) == 1)
    assert(d.read(0x7f8) == 0 && d.read(0x3000) == 0 && d.read(0xf000) == 0)
    d.write(R.Id.offset, 0)
    assert(d.read(R.Id.offset) == R.magic)
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
}
