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
  val readOffset = Input(UInt(log2Ceil(Page.bytes).W))
  val readData   = Output(UInt(64.W)) // in the cycle of readOffset
}

/** Binds a page's description to hardware: `reads` and `writes` for each register, then `finish`. */
class RegisterFile(page: Page, port: PagePort) {
  private val values = mutable.LinkedHashMap[Int, UInt]()

  // Registers are 8 bytes: the bits below do not select.
  private def word(offset: UInt): UInt = offset >> 3

  private def check(register: Register): Unit =
    require(page.registers.contains(register), s"${register.name} is not on the ${page.name} page")

  /** Whether this register's copy is written in this cycle. */
  def writes(register: Register, copy: Int = 0): Bool = {
    check(register)
    require(register.access.writable, s"${register.name} is ${register.access.label}")
    port.write.valid && word(port.write.bits.offset) === (register.offsetOf(copy) / 8).U
  }

  /** The value written to a field. Only means something where `writes` holds. */
  def written(register: Register, field: String): UInt = {
    val f = register(field)
    port.write.bits.data(f.msb, f.lsb)
  }

  /** Gives the fields of a register's copy their values; fields not named read their reset value. */
  def reads(register: Register, copy: Int = 0)(fields: (String, Data)*): Unit = {
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
    val offset = register.offsetOf(copy)
    require(!values.contains(offset), s"${register.name} is read twice")
    values(offset) = parts.reduce(_ | _)
  }

  /** Connects the reads. Every readable register must have a value by now. */
  def finish(): Unit = {
    for (r <- page.registers if r.access.readable)
      require(values.contains(r.offset), s"${r.name} has no hardware")
    port.readData := values.map { case (offset, value) =>
      Mux(word(port.readOffset) === (offset / 8).U, value, 0.U)
    }.reduce(_ | _)
  }
}
