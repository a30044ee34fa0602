// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}

/** Errors of the bus, aborts, and the failures that TEST injects. */
class EngineFailureSpec extends EngineScenarios {
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
}
