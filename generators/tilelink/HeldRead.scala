// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

import blockzero.RegisterPort
import chisel3._
import chisel3.util.RegEnable

/** The data of a register read, from the cycle in which the engine gives them until the next read.
  *
  * The engine gives them in the cycle after the read alone. A TileLink bus may take them in any later one.
  */
object HeldRead {
  def apply(registers: RegisterPort): UInt = {
    val fresh = RegNext(registers.read.valid, false.B)
    Mux(fresh, registers.readData, RegEnable(registers.readData, fresh))
  }
}
