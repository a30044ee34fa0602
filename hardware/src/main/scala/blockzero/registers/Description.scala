// SPDX-License-Identifier: BSD-3-Clause
package blockzero.registers

/** How software may use a register. */
sealed abstract class Access(val label: String, val readable: Boolean, val writable: Boolean)
object Access {
  case object ReadOnly extends Access("RO", readable = true, writable = false)
  case object WriteOnly extends Access("WO", readable = false, writable = true)
  case object ReadWrite extends Access("RW", readable = true, writable = true)

  /** Writing 1 sets a bit; writing 0 leaves it. */
  case object WriteOneToSet extends Access("RW1S", readable = true, writable = true)

  /** Any write clears. */
  case object WriteToClear extends Access("RWC", readable = true, writable = true)
}

/** Bits of a register.
  *
  * @param name  upper case, for example "QUEUED"
  * @param lsb   lowest bit, 0 to 63
  * @param width in bits
  * @param doc   one sentence for the C header and the documentation
  * @param reset value after reset; None when the hardware's parameters give it
  */
case class Field(name: String, lsb: Int, width: Int, doc: String, reset: Option[BigInt] = Some(0)) {
  require(lsb >= 0 && width >= 1 && lsb + width <= 64, s"field $name [${lsb + width - 1}:$lsb] leaves 64 bits")

  val msb:  Int    = lsb + width - 1
  val mask: BigInt = ((BigInt(1) << width) - 1) << lsb
}

/** Copies of a register at equal distances.
  *
  * @param stride bytes from one copy to the next
  * @param max    most copies a build may have
  */
case class Repeat(stride: Int, max: Int)

/** One 64-bit register.
  *
  * @param name   upper case, for example "STATUS"
  * @param offset bytes from the start of its page (of its first copy, if it repeats)
  * @param doc    what it does; sentences
  */
case class Register(
  name:   String,
  offset: Int,
  access: Access,
  doc:    String,
  fields: Seq[Field],
  repeat: Option[Repeat] = None
) {
  require(offset % 8 == 0, f"$name at 0x$offset%x: a register is 8-byte aligned")
  for (Seq(a, b) <- fields.sortBy(_.lsb).sliding(2)) require(a.msb < b.lsb, s"$name: ${a.name} overlaps ${b.name}")

  /** Byte offset of copy i in its page. */
  def offsetOf(i: Int): Int = repeat match {
    case Some(r) => require(i < r.max, s"$name has at most ${r.max} copies, not ${i + 1}"); offset + i * r.stride
    case None    => require(i == 0, s"$name does not repeat"); offset
  }

  /** Every offset the register may take in any build. */
  def offsets: Seq[Int] = (0 until repeat.map(_.max).getOrElse(1)).map(offsetOf)

  def apply(field: String): Field =
    fields.find(_.name == field).getOrElse(throw new NoSuchElementException(s"$name has no field $field"))
}

/** A 4 KiB page of registers. */
case class Page(name: String, doc: String, registers: Seq[Register]) {
  private val all = registers.flatMap(_.offsets)
  require(all.distinct.size == all.size, s"page $name: two registers at one offset")
  require(all.forall(_ < Page.bytes), s"page $name: a register beyond ${Page.bytes} bytes")
}
object Page {
  val bytes: Int = 4096
}

/** A value of ERROR.CODE. */
case class ErrorCode(name: String, value: Int, doc: String)
