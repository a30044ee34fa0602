// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import blockzero.CoveredSim
import blockzero.{PackedPorts, RegisterPort, RegisterWrite}
import chisel3._
import chisel3.util.Valid
import org.scalatest.funspec.AnyFunSpec
import scala.collection.mutable
import scala.util.Random

/** The adapter, with registers that hold their address and a constant. */
class AdapterToConstants(p: Axi4Params) extends Module {
  val axi   = IO(Flipped(new Axi4(p)))
  val write = IO(Valid(new RegisterWrite))

  private val adapter = Module(new Axi4RegisterAdapter(p))
  adapter.io.axi :<>= axi
  write                         := adapter.io.registers.write
  // Valid in the cycle after the read alone.
  adapter.io.registers.readData := Mux(
    RegNext(adapter.io.registers.read.valid, false.B),
    AdapterToConstants.constant.U(64.W) ^ RegNext(adapter.io.registers.read.bits),
    0.U
  )
}
object AdapterToConstants {
  val constant = BigInt("0123456789ab0000", 16)
}

/** Transactions of many ids under way at once: every single-beat write reaches the registers once, with its own data, in order; bursts do
  * nothing. SEED in the environment repeats a run.
  */
class Axi4RegisterAdapterSpec extends AnyFunSpec with CoveredSim {
  private val seed: Long = sys.env.get("SEED").map(_.toLong).getOrElse(System.nanoTime() & 0xffffffffL)

  it(s"keeps AXI4's rules under random traffic, SEED=$seed") {
    val p = Axi4Params(addrBits = 31, dataBits = 64, idBits = 4)
    simulate(new PackedPorts(new AdapterToConstants(p))(m => Seq("axi" -> m.axi, "write" -> m.write))) { dut =>
      val random   = new Random(seed)
      val traffic  = new Axi4Traffic(p, random)
      val manager  = new Axi4Manager("axi", random)
      val monitor  = new Axi4Monitor("axi")
      val bench    = new Axi4Bench(dut, Seq(manager), Seq(monitor))
      val base     = BigInt(0x13000000)
      val expected = mutable.Queue[(BigInt, BigInt, BigInt)]() // (address, data, mask) that the registers must see

      def cycle(): Unit = {
        val value = bench.cycle()
        if (value("write_valid") == 1) {
          val got = (value("write_bits_address"), value("write_bits_data"), value("write_bits_mask"))
          assert(expected.nonEmpty && got == expected.dequeue(), "the registers see another write than was sent")
        }
      }

      def start(): Unit = {
        val at = base + random.nextInt(1 << RegisterPort.addressBits)
        val t  = if (random.nextInt(3) > 0) traffic.write(at) else traffic.read(at)
        val (offset, single) = (t.address("addr") & 0xffff, t.beats == 1)
        t.resp = Some(if (single) 0 else 2)
        if (t.data.nonEmpty) {
          if (single) expected += ((offset, t.data.head, t.strobes.head))
          manager.write(t)
        } else {
          t.data = if (single) Seq(AdapterToConstants.constant ^ offset) else Seq.fill(t.beats)(0)
          manager.read(t)
        }
      }

      var sent = 0
      for (backlog <- Seq(0.0, 0.3, 0.8)) {
        manager.backlog = backlog
        for (_ <- 0 until 700) {
          if (manager.underWay < 8) {
            start()
            sent += 1
          }
          cycle()
        }
        for (_ <- 0 until 3000 if manager.underWay > 0) cycle()
        assert(manager.underWay == 0, s"transactions are lost with back-pressure $backlog")
      }
      assert(manager.answered == sent && expected.isEmpty && monitor.idle)
      info(s"$sent transactions")
    }
  }
}
