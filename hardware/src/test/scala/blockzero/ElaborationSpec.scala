// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.axi4.Axi4Params
import org.scalatest.funspec.AnyFunSpec

/** Every extreme of the parameters becomes Verilog, on each Chisel. */
class ElaborationSpec extends AnyFunSpec {
  private def verilog(p: TileParams): String = _root_.circt.stage.ChiselStage.emitSystemVerilog(new BlockZeroTile(p))

  it("elaborates by default") {
    assert(verilog(TileParams()).contains("module BlockZeroTile"))
  }

  it("elaborates at the extremes") {
    val smallest = EngineParams(channels = 1, queueDepth = 2, inflight = 1, windows = 1, testHooks = false)
    val largest  = EngineParams(channels = 15, queueDepth = 4, inflight = 64, addrBits = 64, windows = 16)
    verilog(TileParams(smallest, dma = Axi4Params(32, 8, 1)))
    verilog(TileParams(largest, dma = Axi4Params(64, 512, 6)))
    verilog(TileParams(EngineParams(channels = 1, queueDepth = 128)))
  }

  it("refuses what it cannot build, saying why") {
    val wrong = Seq[(String, () => Any)](
      "channels must be 1 to 15, not 0"                                 -> (() => EngineParams(channels = 0)),
      "channels must be 1 to 15, not 16"                                -> (() => EngineParams(channels = 16)),
      "queueDepth must be a power of two from 2 to 128, not 3"          -> (() => EngineParams(queueDepth = 3)),
      "inflight must be 1 to 64, not 65"                                -> (() => EngineParams(inflight = 65)),
      "addrBits must be 32 to 64, not 31"                               -> (() => EngineParams(addrBits = 31)),
      "windows must be 1 to 16, not 17"                                 -> (() => EngineParams(windows = 17))
    )
    for ((message, make) <- wrong)
      assert(intercept[IllegalArgumentException](make()).getMessage.endsWith(message))
  }
}
