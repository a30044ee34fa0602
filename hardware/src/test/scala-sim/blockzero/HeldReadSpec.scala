// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.tilelink.HeldRead
import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import chisel3.util.Valid
import org.scalatest.funspec.AnyFunSpec

/** A register port that gives what the test says. */
class HeldReadBench extends Module {
  val read  = IO(Flipped(Valid(UInt(RegisterPort.addressBits.W))))
  val value = IO(Input(UInt(64.W)))
  val held  = IO(Output(UInt(64.W)))

  private val port = Wire(new RegisterPort)
  port.read     := read
  port.write    := DontCare
  port.readData := value
  held := HeldRead(port)
}

class HeldReadSpec extends AnyFunSpec with ChiselSim {
  it("gives the data in the cycle after the read, and until the next one") {
    simulate(new HeldReadBench) { dut =>
      def cycle(read: Boolean, value: Int, held: Option[Int]): Unit = {
        dut.read.valid.poke(read)
        dut.read.bits.poke(0)
        dut.value.poke(value)
        held.foreach(dut.held.expect(_))
        dut.clock.step()
      }
      cycle(read = true, value = 7, held = None)
      cycle(read = false, value = 1, held = Some(1))
      cycle(read = false, value = 0, held = Some(1))
      cycle(read = true, value = 3, held = Some(1))
      cycle(read = false, value = 2, held = Some(2))
      cycle(read = true, value = 0, held = Some(2))
      cycle(read = false, value = 5, held = Some(5))
    }
  }
}
