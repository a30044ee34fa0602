// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import blockzero.PackedPorts
import chisel3._
import chisel3.simulator.PeekPokeAPI._

/** Runs random traffic through a module, watched by monitors. */
class Axi4Bench(dut: PackedPorts[_], agents: Seq[Axi4Agent], monitors: Seq[Axi4Monitor]) {

  /** One clock cycle; returns the values of the module's ports in it, by name. */
  def cycle(): String => BigInt = {
    val inputs = dut.in.pack(agents.flatMap(_.drive()): _*)
    dut.io.in.poke(inputs.U)
    val outputs = dut.io.out.peekValue().asBigInt
    def value(name: String) = if (dut.in.places.contains(name)) dut.in.field(inputs, name) else dut.out.field(outputs, name)
    monitors.foreach(_.cycle(value))
    agents.foreach(_.see(value))
    dut.clock.step()
    value
  }
}
