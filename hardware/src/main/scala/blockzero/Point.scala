// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.experimental.SourceInfo

/** A cover point with a name that the Verilog keeps, by which `make test` counts it. */
object Point {
  def apply(reached: Bool, name: String, meaning: String)(implicit source: SourceInfo): Unit =
    cover(reached, meaning).suggestName(name)
}
