// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.axi4.Axi4Params
import blockzero.registers.{BlockZeroRegisters => R}
import org.scalatest.funspec.AnyFunSpec
import scala.util.Random

/** The tile through its AXI4 ports: bytes in memory, the bus's rules, latency and throughput. */
class BlockZeroTileSpec extends AnyFunSpec with CoveredSim {
  private val seed: Long = sys.env.get("SEED").map(_.toLong).getOrElse(System.nanoTime() & 0xffffffffL)

  for (dataBits <- Seq(64, 128)) it(s"$dataBits data bits, SEED=$seed") {
    val params = TileParams(dma = Axi4Params(addrBits = 32, dataBits = dataBits, idBits = 8))
    simulate(new TileHarness(params)) { dut =>
      val random = new Random(seed)
      val d      = new TileDriver(dut, random)

      def idle(): Unit = while (d.read(R.Busy.offset) != 0) {}

      d.write(R.WindowBase.offsetOf(0), d.base)
      d.write(R.WindowLimit.offsetOf(0), d.base + d.ram.length - 1)
      d.write(R.WindowCtrl.offsetOf(0), 1)
      d.write(R.WindowLock.offset, 1)
      assert(d.read(R.Id.offset) == R.magic)

      info("bursts on the register port are answered SLVERR and do nothing")
      val submit = d.at(0, R.Submit)
      for (length <- Seq(2, 8)) {
        assert(d.burst(submit, Seq.fill(length)(d.base | 6)) == 2)
        assert(d.readBurst(R.Id.offset, length) == Seq.fill(length)((BigInt(0), 2)))
      }
      assert(d.burst(submit, Seq(d.base | 6), strobes = 0x0f) == 0, "a partial write is OKAY")
      for (lead <- Seq(-3, -1, 1, 3)) assert(d.burst(d.at(0, R.Fill), Seq(lead + 4), lead = lead) == 0)
      idle()
      assert(d.awCycles.isEmpty && d.read(0, R.Completion) == 0 && d.read(0, R.Fill) == 7)

      info("latency from the register write to AW")
      d.write(0, R.Fill, 0xa5)
      val at = d.cycle
      d.write(0, R.Submit, d.base | 12)
      idle()
      info(s"${d.awCycles.head - at} cycles")
      assert(d.awCycles.head - at <= 4)
      assert(d.ram.take(4096).forall(_ == 0xa5.toByte) && d.ram.drop(4096).forall(_ == 0))

      info("a beat every cycle, also across jobs")
      d.wCycles.clear()
      d.ids.clear()
      d.write(0, R.Fill, 0)
      for (i <- 0 until 4) d.write(i % 2, R.Submit, d.base + (i << 12) | 12)
      idle()
      assert(d.wCycles.size == 4 * 4096 / (dataBits / 8))
      assert(d.wCycles.last - d.wCycles.head == d.wCycles.size - 1)
      assert(d.ids.sliding(2).forall(pair => pair(0) % 2 != pair(1) % 2), "successive ids differ in bit 0")
      assert(d.ram.forall(_ == 0))

      info("the bus's errors")
      d.resp = a => if (a == d.base + 0x1080) 3 else if (a == d.base + 0x2040) 2 else 0
      val failures = Seq((0x1000, "DECERR", 0x1080), (0x2000, "SLVERR", 0x2040))
      for ((offset, name, bad) <- failures) {
        d.write(0, R.Error, 0)
        d.write(0, R.Submit, d.base + offset | 9)
        idle()
        assert((d.read(0, R.Error) & 15) == R.errorCode(name) && d.read(0, R.ErrorAddr) == d.base + bad)
      }
      assert(d.read(0, R.JobsBusError) == 2)

      info("interrupt")
      d.write(1, R.IrqConfig, 1)
      d.steps(2)
      assert(d.irq == 2)
      d.write(1, R.IrqAck, d.read(1, R.Completion) & 0xffffffffL)
      d.steps(2)
      assert(d.irq == 0)

      info("random jobs, back-pressure and order of answers")
      for (backlog <- Seq(0.0, 0.2, 0.7)) {
        d.backlog = backlog
        for (i <- d.ram.indices) d.ram(i) = 0x11
        val expected = d.ram.map(b => Seq(b)) // what each byte may be
        val regions  = random.shuffle((0 until 256).toList).take(12).map { page =>
          val n = 6 + random.nextInt(7)
          (page * 4096 + random.nextInt(4096) >> n << n, n)
        }
        val (first, log2) = regions.head // a block of it fails
        val failing       = d.base + first + 64 * random.nextInt(1 << log2 - 6)
        d.resp = a => if (a == failing) 2 else 0
        d.write(0, R.Error, 0)
        for (((start, n), i) <- regions.zipWithIndex) {
          val fill = random.nextInt(256)
          d.write(i % 2, R.Fill, fill)
          d.write(i % 2, R.Submit, d.base + start | n)
          for (b <- start until start + (1 << n)) expected(b) = fill.toByte +: (if (start == first) expected(b) else Seq())
        }
        idle()
        assert((d.read(0, R.Error) & 15) == R.errorCode("SLVERR") && d.read(0, R.ErrorAddr) == failing)
        for ((allowed, b) <- expected.zipWithIndex)
          assert(allowed.contains(d.ram(b)), s"byte 0x${b.toHexString}, back-pressure $backlog")
      }
    }
  }
}
