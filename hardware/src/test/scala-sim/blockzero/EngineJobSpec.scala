// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}

/** Jobs of every size are done, in order. */
class EngineJobSpec extends EngineScenarios {
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
