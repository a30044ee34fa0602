// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.axi4._
import chisel3._
import scala.annotation.nowarn

object RocketPorts {
  def mem(dataBits: Int): Axi4Params = Axi4Params(addrBits = 32, dataBits = dataBits, idBits = 4)
  val mmio: Axi4Params  = Axi4Params(addrBits = 31, dataBits = 64, idBits = 4)
  val front: Axi4Params = Axi4Params(addrBits = 32, dataBits = 64, idBits = 8)
  val interrupts        = 8
}

/** Debug Module Interface of Rocket, over its own clock; unused here. */
class RocketDmi extends Bundle {
  class Request extends Bundle {
    val addr = UInt(7.W)
    val data = UInt(32.W)
    val op   = UInt(2.W)
  }
  class Response extends Bundle {
    val data = UInt(32.W)
    val resp = UInt(2.W)
  }
  class Dmi extends Bundle {
    val req  = Flipped(chisel3.util.Decoupled(new Request))
    val resp = chisel3.util.Decoupled(new Response)
  }
  val dmi      = new Dmi
  val dmiClock = Input(Clock())
  val dmiReset = Input(Bool())
}

/** ExampleRocketSystem, the top of PyPI's pythondata-cpu-rocket: published Verilog, port names as it has them.
  *
  * @param harts       cores in the chosen configuration
  * @param memDataBits width of its memory port in bits
  */
@nowarn("cat=deprecation") // BlackBox: the name Chisel 6 and 7 both have
class ExampleRocketSystem(harts: Int, memDataBits: Int) extends BlackBox {
  class HartsInReset extends Bundle {
    val hartIsInReset = Input(Vec(harts, Bool()))
  }
  class Debug extends Bundle {
    val clock        = Input(Clock())
    val reset        = Input(Bool())
    val clockeddmi   = new RocketDmi
    val ndreset      = Output(Bool())
    val dmactive     = Output(Bool())
    val dmactiveAck  = Input(Bool())
  }
  val io = IO(new Bundle {
    val clock                  = Input(Clock())
    val reset                  = Input(Bool())
    val mem_axi4_0             = new Axi4(RocketPorts.mem(memDataBits))
    val mmio_axi4_0            = new Axi4(RocketPorts.mmio)
    val l2_frontend_bus_axi4_0 = Flipped(new Axi4(RocketPorts.front))
    val resetctrl              = new HartsInReset
    val debug                  = new Debug
    val interrupts             = Input(UInt(RocketPorts.interrupts.W))
  })
}
