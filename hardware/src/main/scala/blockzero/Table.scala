// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._

/** A memory that is read in the cycle of the index: LUT RAM on an FPGA. Reset does not touch it.
  *
  * @param depth entries, at least 1
  * @param entry what each holds
  */
class Table[T <: Data](depth: Int, entry: T) {
  // An entry is one word, so that it becomes one memory; a memory of a single word has no address.
  private val words = Mem(math.max(2, depth), UInt(entry.getWidth.W))

  def apply(index: UInt): T = words.read(index).asTypeOf(entry)

  def write(index: UInt, value: T): Unit = words.write(index, value.asUInt)
}
