// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}
import org.scalatest.funspec.AnyFunSpec

import scala.collection.mutable.ArrayBuffer

/** One behaviour of the contract after another, on the default engine. One simulation, reset between scenarios. */
abstract class EngineScenarios extends AnyFunSpec with CoveredSim {
  protected val ram   = BigInt("80000000", 16)
  protected val limit = BigInt("ffffffff", 16)

  protected val OK = 0

  private val scenarios = ArrayBuffer[(String, () => Unit)]()
  private var driver: EngineDriver = _

  /** The engine of the running scenario. */
  protected def d: EngineDriver = driver

  protected def scenario(name: String)(body: => Unit): Unit = scenarios += name -> (() => body)

  protected def open(): Unit = d.window(0, ram, limit)

  protected def code(channel: Int = 0): BigInt = d.read(channel, R.Error, "CODE")

  protected def expectError(name: String, where: BigInt, nth: Int = 1, channel: Int = 0): Unit = {
    d.idle()
    assert(code(channel) == R.errorCode(name), name)
    assert(d.read(channel, R.Error, "COUNT") == nth)
    assert(d.read(channel, R.ErrorAddr) == where)
    assert(d.read(channel, R.Status, "ERROR") == 1)
  }

  it("follows the contract") {
    simulate(new EngineHarness(EngineParams())) { dut =>
      driver = new EngineDriver(dut)
      for ((name, body) <- scenarios) {
        d.reset()
        info(name)
        withClue(s"$name: ")(body())
        d.idle()
      }
    }
  }
}
