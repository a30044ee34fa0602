// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._

/** Values of a Bundle's fields as one number, as `asTypeOf` and `asUInt` see it. */
class Packed(shape: Bundle) {
  private val places: Map[String, (Int, Int)] = {
    // Bundle.elements starts at the least significant field.
    val widths = shape.elements.toSeq.map { case (name, e) => name -> e.getWidth }
    val lsbs   = widths.scanLeft(0)(_ + _._2)
    widths.zip(lsbs).map { case ((name, width), lsb) => name -> ((lsb, width)) }.toMap
  }

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
