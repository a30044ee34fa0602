// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.tilelink.ClockRelation
import blockzero.tilelink.ClockRelation._
import org.scalatest.flatspec.AnyFlatSpec

class ClockRelationSpec extends AnyFlatSpec {
  behavior of "ClockRelation"

  private val links = Seq(
    ("sbus", "cbus", Same),
    ("cbus", "pbus", Unrelated),
    ("fbus", "sbus", Rational),
    ("sbus", "coh", Same),
    ("coh", "mbus", Rational)
  )

  private def check(one: String, other: String, relation: ClockRelation.Value): Unit = {
    assert(between(links, one, other) == relation)
    assert(between(links, other, one) == relation)
  }

  it should "find one clock along links of one clock, in both directions" in {
    check("sbus", "sbus", Same)
    check("cbus", "coh", Same)
  }

  it should "take the loosest link of a path" in {
    check("fbus", "mbus", Rational)
    check("fbus", "pbus", Unrelated)
  }

  it should "take the closest of several paths" in {
    assert(between(links :+ (("pbus", "fbus", Same)), "sbus", "pbus") == Rational)
  }

  it should "know nothing of places that no path joins" in {
    check("sbus", "obus", Unrelated)
    assert(between(Nil, "sbus", "pbus") == Unrelated)
  }
}
