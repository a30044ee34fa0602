// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

/** How two clocks relate, from the closest on: one clock, clocks whose edges coincide, any two clocks. */
object ClockRelation extends Enumeration {
  val Same, Rational, Unrelated = Value

  /** How the clocks of two places relate.
    *
    * The loosest link of a path tells what the path guarantees. Of several paths the closest guarantee holds.
    *
    * @param links places whose clocks relate at least as closely as said, in either direction
    * @return Unrelated if no path joins the places
    */
  def between[A](links: Seq[(A, A, Value)], one: A, other: A): Value =
    values.find(loosest => joined(links.collect { case (a, b, r) if r <= loosest => (a, b) }, Set(one))(other)).getOrElse(Unrelated)

  @annotation.tailrec
  private def joined[A](links: Seq[(A, A)], places: Set[A]): Set[A] = {
    val more = places ++ links.collect { case (a, b) if places(a) || places(b) => Seq(a, b) }.flatten
    if (more == places) places else joined(links, more)
  }
}
