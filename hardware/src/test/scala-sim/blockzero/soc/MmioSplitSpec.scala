// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.CoveredSim
import blockzero.PackedPorts
import blockzero.axi4._
import org.scalatest.funspec.AnyFunSpec
import scala.util.Random

/** Transactions of many ids under way at once, as four harts send them: each write's data goes with its address, each answer to who asked.
  * SEED in the environment repeats a run.
  */
class MmioSplitSpec extends AnyFunSpec with CoveredSim {
  private val seed: Long = sys.env.get("SEED").map(_.toLong).getOrElse(System.nanoTime() & 0xffffffffL)

  it(s"keeps AXI4's rules under random traffic, SEED=$seed") {
    val p = RocketPorts.mmio
    simulate(new PackedPorts(new MmioSplit(p, MemoryMap.engine))(m => Seq("in" -> m.io.in, "inside" -> m.io.inside, "outside" -> m.io.outside))) {
      dut =>
        val random       = new Random(seed)
        val traffic      = new Axi4Traffic(p, random)
        val manager      = new Axi4Manager("in", random)
        val subordinates = Seq("outside", "inside").map(new Axi4Subordinate(_, random))
        val monitors     = Seq("in", "inside", "outside").map(new Axi4Monitor(_))
        val bench        = new Axi4Bench(dut, manager +: subordinates, monitors)

        def start(): Unit = {
          val inside = random.nextBoolean()
          val region = if (inside) MemoryMap.engine else MemoryMap.uart
          val at     = region.base + random.nextInt(region.size.toInt)
          val to     = subordinates(if (inside) 1 else 0)
          if (random.nextInt(3) > 0) {
            val t = traffic.write(at)
            to.writes += t
            manager.write(t)
          } else {
            val t = traffic.read(at)
            to.reads += t
            manager.read(t)
          }
        }

        var sent = 0
        for (backlog <- Seq(0.0, 0.3, 0.8); other <- Seq(0.0, 0.3, 0.8)) {
          manager.backlog = backlog
          subordinates.foreach(_.backlog = other)
          for (_ <- 0 until 500) {
            if (manager.underWay < 8) {
              start()
              sent += 1
            }
            bench.cycle()
          }
          for (_ <- 0 until 3000 if manager.underWay > 0) bench.cycle()
          assert(manager.underWay == 0, s"transactions are lost with back-pressure $backlog and $other")
        }
        assert(manager.answered == sent && monitors.forall(_.idle))
        info(s"$sent transactions")
    }
  }
}
