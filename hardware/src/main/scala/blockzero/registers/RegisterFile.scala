// SPDX-License-Identifier: BSD-3-Clause
package blockzero.registers

import chisel3._
import chisel3.util._
import scala.collection.mutable

/** One page of registers, seen by the hardware that has them. */
class PagePort extends Bundle {
  val write = Flipped(Valid(new Bundle {
    val offset = UInt(log2Ceil(Page.bytes).W)
    val data   = UInt(64.W)
  }))
  val read     = Flipped(Valid(UInt(log2Ceil(Page.bytes).W))) // an offset
  val readData = Output(UInt(64.W)) // in the cycle after `read`; 0 in others
}

/** Binds a page's description to hardware: `reads` and `writes` for each register, then `finish`.
  *
  * @param elsewhere registers of the page that other hardware reads
  */
class RegisterFile(page: Page, port: PagePort, elsewhere: Seq[Register] = Nil) {
  private val values = mutable.LinkedHashMap[Seq[Int], UInt]() // by the offsets at which it is read

  // Registers are 8 bytes: the bits below do not select.
  private def word(offset: UInt): UInt = offset >> 3

  private def check(register: Register): Unit =
    require(page.registers.contains(register), s"${register.name} is not on the ${page.name} page")

  private def isAt(offset: UInt, offsets: Seq[Int]): Bool = offsets.map(at => word(offset) === (at / 8).U).reduce(_ || _)

  /** Whether this register, or one of its first `copies`, is written in this cycle. */
  def writes(register: Register, copies: Int = 1): Bool = {
    check(register)
    require(register.access.writable, s"${register.name} is ${register.access.label}")
    port.write.valid && isAt(port.write.bits.offset, register.offsets.take(copies))
  }

  /** Which copy of a register that repeats is written, or is to give its value. Only means something where one is. */
  def copyWritten(register: Register, copies: Int): UInt = copyAt(register, copies, port.write.bits.offset)
  def copyRead(register: Register, copies: Int): UInt =
    RegEnable(copyAt(register, copies, port.read.bits), port.read.valid)
  private def copyAt(register: Register, copies: Int, offset: UInt): UInt = {
    val stride = register.repeat.get.stride
    require(isPow2(stride), s"copies of ${register.name} are $stride bytes apart, not a power of two")
    ((offset >> log2Ceil(stride)) - (register.offset / stride).U)(log2Up(copies) - 1, 0)
  }

  /** Whether one of these registers, or of their first `copies`, is to give its value in this cycle. */
  def isRead(registers: Seq[Register], copies: Int): Bool = wasAsked(registers.flatMap(_.offsets.take(copies)))
  private def wasAsked(offsets: Seq[Int]): Bool = RegNext(port.read.valid && isAt(port.read.bits, offsets), false.B)

  /** The value written to a field. Only means something where `writes` holds. */
  def written(register: Register, field: String): UInt = {
    val f = register(field)
    port.write.bits.data(f.msb, f.lsb)
  }

  /** Gives the fields of a register, or of its first `copies`, their values; fields not named read their reset value. */
  def reads(register: Register, copies: Int = 1)(fields: (String, Data)*): Unit = {
    check(register)
    require(register.access.readable, s"${register.name} is ${register.access.label}")
    val named = fields.toMap
    for (name <- named.keys) register(name)
    val parts = register.fields.map { f =>
      val value = named.get(f.name).map(_.asUInt).getOrElse {
        f.reset.getOrElse(throw new IllegalArgumentException(s"${register.name}.${f.name} has no value")).U(f.width.W)
      }
      val width = named.get(f.name).map(_.getWidth).getOrElse(f.width)
      // A value narrower than its field (fewer channels than bits, for example) reads 0 above.
      require(width <= f.width, s"${register.name}.${f.name}: $width bits do not fit in ${f.width}")
      0.U((64 - f.lsb - width).W) ## value ## 0.U(f.lsb.W)
    }
    val offsets = register.offsets.take(copies)
    require(!values.contains(offsets), s"${register.name} is read twice")
    values(offsets) = parts.reduce(_ | _)
  }

  /** Connects the reads. Every readable register must have a value by now. */
  def finish(): Unit = {
    for (r <- page.registers if r.access.readable && !elsewhere.contains(r))
      require(values.keys.exists(_.contains(r.offset)), s"${r.name} has no hardware")
    port.readData := values.map { case (offsets, value) => Mux(wasAsked(offsets), value, 0.U) }.reduce(_ | _)
  }
}
