// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.reflect.DataMirror

/** Values of named fields as one number, the first field in the least significant bits.
  *
  * @param fields names and widths in bits
  */
class Packed(fields: Seq[(String, Int)]) {

  /** A Bundle's fields, as `asTypeOf` and `asUInt` see it: Bundle.elements starts at the least significant one. */
  def this(shape: Bundle) = this(shape.elements.toSeq.map { case (name, e) => name -> e.getWidth })

  private val lsbs = fields.scanLeft(0)(_ + _._2)

  val places: Map[String, (Int, Int)] = // name -> (least significant bit, width)
    fields.zip(lsbs).map { case ((name, width), lsb) => name -> ((lsb, width)) }.toMap
  val width: Int = lsbs.last

  def pack(values: (String, BigInt)*): BigInt = values.map { case (name, value) =>
    val (lsb, width) = places(name)
    require(value >= 0 && value.bitLength <= width, s"$name = $value does not fit in $width bits")
    value << lsb
  }.foldLeft(BigInt(0))(_ | _)

  def field(all: BigInt, name: String): BigInt = {
    val (lsb, width) = places(name)
    (all >> lsb) & ((BigInt(1) << width) - 1)
  }
}

/** Any module with its ports packed into one input and one output, because a peek or poke costs as much as many cycles.
  * A field is named by its path, for example "in_aw_bits_id".
  *
  * @param ports names and ports of the module
  */
class PackedPorts[M <: Module](make: => M)(ports: M => Seq[(String, Data)]) extends Module {
  private def leaves(name: String, data: Data): Seq[(String, Element)] = data match {
    case e: Element => Seq(name -> e)
    case r: Record  => r.elements.toSeq.flatMap { case (field, d) => leaves(s"${name}_$field", d) }
    case other      => throw new IllegalArgumentException(s"$name is a ${other.getClass.getSimpleName}, not a Bundle or a value")
  }
  private val (inputs, outputs) = ports(Module(make)).flatMap { case (name, data) => leaves(name, data) }.partition {
    case (_, e) => DataMirror.directionOf(e) == ActualDirection.Input
  }
  private def packed(fields: Seq[(String, Element)]) = new Packed(fields.map { case (name, e) => name -> e.getWidth })

  val in: Packed  = packed(inputs)
  val out: Packed = packed(outputs)
  val io = IO(new Bundle {
    val in  = Input(UInt(PackedPorts.this.in.width.W))
    val out = Output(UInt(PackedPorts.this.out.width.W))
  })
  for ((name, e) <- inputs) {
    val (lsb, width) = in.places(name)
    e := io.in(lsb + width - 1, lsb).asTypeOf(e)
  }
  io.out := outputs.map(_._2.asUInt).reverse.reduce(_ ## _)
}
