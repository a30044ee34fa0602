// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}

/** Interrupts, and when. */
class EngineInterruptSpec extends EngineScenarios {
  scenario("interrupt threshold and acknowledgement") {
    open()
    d.write(1, R.IrqConfig, BigInt(3) << 8 | 1)
    for (i <- 1 to 2) d.submit(1, ram, 6)
    d.idle()
    d.steps(300)
    assert(d.irq == 0)
    d.submit(1, ram, 6)
    d.idle()
    d.steps(2)
    assert(d.irq == 2 && d.read(R.IrqStatus.offset) == 2 && d.read(1, R.Status, "IRQ") == 1)
    d.write(1, R.IrqAck, 1)
    d.steps(2)
    assert(d.irq == 0 && d.read(1, R.IrqAck) == 1)
    d.submit(1, ram, 6)
    d.idle()
    d.steps(2)
    assert(d.irq == 2)
    d.write(1, R.IrqAck, 4)
    d.steps(2)
    assert(d.irq == 0)
    // Threshold 0 acts as 1; not enabled, nothing.
    d.write(1, R.IrqConfig, 1)
    d.submit(1, ram, 6)
    d.idle()
    d.steps(2)
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
}
