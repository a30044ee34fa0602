// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R}
import chisel3._
import org.scalatest.funspec.AnyFunSpec
import scala.util.Random

/** What is checked when a job is submitted, and a guard for each window. */
class GuardOfAll(p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val word    = Input(UInt(64.W))
    val windows = Input(Vec(p.windows, new Window))
    val code    = Output(UInt(Code.width.W))
  })

  private val check = Module(new SubmitCheck(p))
  check.io.word   := io.word
  check.io.refuse := false.B
  private val inside = io.windows.map { window =>
    val guard = Module(new Guard(p))
    guard.io.first  := JobWord.block(io.word)
    guard.io.last   := check.io.last
    guard.io.window := ReachableWindow(p, window)
    guard.io.inside
  }
  io.code := Mux(check.io.code === Code.None && !inside.reduce(_ || _), Code.Window, check.io.code)
}

/** The guard against unbounded integers, with values drawn about every edge there is. */
class GuardSpec extends AnyFunSpec with CoveredSim {
  private val seed: Long = sys.env.get("SEED").map(_.toLong).getOrElse(System.nanoTime() & 0xffffffffL)
  private val top       = BigInt(1) << 64

  it(s"lets nothing out of the windows, SEED=$seed") {
    val p = EngineParams(addrBits = 40, windows = 2)
    simulate(new GuardOfAll(p)) { dut =>
      val random = new Random(seed)
      var passed = 0

      // An address, often a few blocks from a power of two, from an address used before, or from either end.
      var recent = BigInt(0)
      def address(): BigInt = {
        val around = random.nextInt(4) match {
          case 0 => BigInt(1) << random.nextInt(65)
          case 1 => recent
          case 2 => BigInt(64, random)
          case 3 => (BigInt(1) << 40) - (BigInt(random.nextInt(4)) << random.nextInt(31))
        }
        recent = (around + 64 * (random.nextInt(5) - 2)) & (top - 64)
        recent
      }

      for (_ <- 0 until 4000) {
        val windows = Seq.fill(p.windows)((address(), address() | 63, random.nextInt(4) != 0))
        for (((lo, hi, on), w) <- windows.zip(dut.io.windows)) {
          w.base.poke((lo >> 6).U)
          w.limit.poke((hi >> 6).U)
          w.enable.poke(on.B)
        }
        val n    = random.nextInt(10) match { case 0 => random.nextInt(64); case _ => 6 + random.nextInt(25) }
        val any  = if (random.nextBoolean()) windows(random.nextInt(2))._1 else address()
        val base = if (random.nextInt(5) == 0) any else any >> n << n
        val last = base + (BigInt(1) << n) - 1
        val expected =
          if (n < 6 || n > 30) "BAD_SIZE"
          else if (base % (BigInt(1) << n) != 0) "MISALIGNED"
          else if (last < (BigInt(1) << p.addrBits) && windows.exists { case (lo, hi, on) => on && base >= lo && last <= hi })
            "NONE"
          else "WINDOW"
        dut.io.word.poke((base & (top - 64) | n).U)
        val found = dut.io.code.peekValue().asBigInt
        if (expected == "NONE") passed += 1
        assert(found == R.errorCode(expected), s"0x${base.toString(16)} 2^$n in $windows")
      }
      assert(passed > 100, "too few jobs were inside to mean anything")
    }
  }
}
