// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

class BlockZeroTileSpec extends AnyFunSpec with ChiselSim {
  describe("BlockZeroTile") {
    it("elaborates and resets") {
      simulate(new BlockZeroTile())(_.clock.step(10))
    }
  }
}
