// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import org.scalatest.funspec.AnyFunSpec
import scala.util.Random

/** Random loads on engines of ordinary and extreme parameters. SEED in the environment repeats a run. */
class EngineRandomSpec extends AnyFunSpec with CoveredSim {
  private val seed: Long = sys.env.get("SEED").map(_.toLong).getOrElse(System.nanoTime() & 0xffffffffL)

  private val engines = Seq(
    EngineParams() -> 30,
    EngineParams(channels = 1, queueDepth = 2, inflight = 1, windows = 1, testHooks = false) -> 10,
    EngineParams(channels = 4, queueDepth = 32, inflight = 64, addrBits = 40, windows = 16) -> 15,
    EngineParams(channels = 3, queueDepth = 4, inflight = 5, addrBits = 64) -> 10
  )

  for ((params, scenarios) <- engines) it(s"$params, $scenarios scenarios, SEED=$seed") {
    simulate(new EngineHarness(params)) { dut =>
      val driver = new EngineDriver(dut)
      for (i <- 0 until scenarios) {
        driver.reset()
        withClue(s"SEED=$seed scenario $i: ")(new RandomScenario(driver, new Random(seed * 1000 + i)).run(600))
      }
      info(s"${driver.cycle} cycles")
    }
  }
}
