// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}

/** What happens in which cycle: priority, rate, latency, slots, and the counters of it. */
class EngineTimingSpec extends EngineScenarios {
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

  scenario("latency from SUBMIT and no idle cycle between jobs, even of two blocks and across channels") {
    open()
    val at = d.cycle
    d.submit(0, ram, 6)
    d.idle()
    assert(d.issued.head.cycle - at == 2)
    d.issued.clear()
    d.write(R.Test.offset, 1)
    for (i <- 0 until 12) d.submit(i % 2, ram + (BigInt(i) << 12), 7 + i % 3)
    d.steps(3)
    d.write(R.Test.offset, 0)
    d.idle()
    val cycles = d.issued.map(_.cycle)
    assert(cycles.last - cycles.head == cycles.size - 1)
  }

  scenario("latency from SUBMIT, in whichever window and whichever was used before") {
    val bases = Seq.tabulate(4)(i => ram + (i << 20))
    for ((base, i) <- bases.zipWithIndex) d.window(i, base, base + 0xfffff)
    for (i <- Seq(0, 3, 2, 1, 3, 1, 0, 2)) {
      d.issued.clear()
      val at = d.cycle
      d.submit(0, bases(i), 6)
      d.idle()
      assert(d.issued.head.cycle - at <= 5, s"window $i")
    }
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
    // One block: busy from the cycle after SUBMIT (let through, issued, answered, answer counted, finishing).
    d.ready = () => true
    d.answer = _ => Answer(1, OK)
    val busy = d.read(0, R.BusyCycles)
    d.submit(0, ram, 6)
    d.steps(20)
    assert(d.read(0, R.BusyCycles) - busy == 5)
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
}
