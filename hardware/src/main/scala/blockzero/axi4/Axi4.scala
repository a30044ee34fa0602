// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import chisel3._
import chisel3.util._

/** Widths of one AXI4 interface (ARM IHI 0022E).
  *
  * @param addrBits address width in bits, for example 32
  * @param dataBits data width in bits, a power of two from 8 to 1024, for example 64
  * @param idBits   transaction ID width in bits, for example 8
  */
case class Axi4Params(addrBits: Int, dataBits: Int, idBits: Int) {
  require(addrBits >= 1 && addrBits <= 64, s"addrBits must be 1 to 64, not $addrBits")
  require(isPow2(dataBits) && dataBits >= 8 && dataBits <= 1024, s"dataBits must be a power of two from 8 to 1024, not $dataBits")
  require(idBits >= 1, s"idBits must be at least 1, not $idBits")

  val dataBytes: Int = dataBits / 8
}

/** Response codes (A3.4.4). */
object Axi4Resp {
  val Okay   = 0.U(2.W)
  val SlvErr = 2.U(2.W)
  val DecErr = 3.U(2.W)
}

/** Burst types (A3.4.1). */
object Axi4Burst {
  val Incr = 1.U(2.W)
}

/** AW and AR channels. */
class Axi4Addr(val p: Axi4Params) extends Bundle {
  val id    = UInt(p.idBits.W)
  val addr  = UInt(p.addrBits.W)
  val len   = UInt(8.W)
  val size  = UInt(3.W)
  val burst = UInt(2.W)
  val lock  = Bool()
  val cache = UInt(4.W)
  val prot  = UInt(3.W)
  val qos   = UInt(4.W)
}

/** W channel. */
class Axi4WriteData(val p: Axi4Params) extends Bundle {
  val data = UInt(p.dataBits.W)
  val strb = UInt(p.dataBytes.W)
  val last = Bool()
}

/** B channel. */
class Axi4WriteResp(val p: Axi4Params) extends Bundle {
  val id   = UInt(p.idBits.W)
  val resp = UInt(2.W)
}

/** R channel. */
class Axi4ReadData(val p: Axi4Params) extends Bundle {
  val id   = UInt(p.idBits.W)
  val data = UInt(p.dataBits.W)
  val resp = UInt(2.W)
  val last = Bool()
}

/** A manager's write channels: what a write-only DMA needs. */
class Axi4Write(val p: Axi4Params) extends Bundle {
  val aw = Irrevocable(new Axi4Addr(p))
  val w  = Irrevocable(new Axi4WriteData(p))
  val b  = Flipped(Irrevocable(new Axi4WriteResp(p)))
}

/** All five channels, seen from the manager. The field names and shapes flatten to rocket-chip's port names. */
class Axi4(p: Axi4Params) extends Axi4Write(p) {
  val ar = Irrevocable(new Axi4Addr(p))
  val r  = Flipped(Irrevocable(new Axi4ReadData(p)))
}
