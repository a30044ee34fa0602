// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import scala.collection.mutable

/** Checks one AXI4 interface, cycle by cycle, against the rules of ARM IHI 0022E, whoever drives it.
  *
  * @param port the interface's name, a prefix of its fields' names
  */
class Axi4Monitor(port: String) {

  private type Values = String => BigInt
  private case class Offer(fields: Seq[BigInt])

  private val fields = Map(
    "aw" -> Axi4Monitor.address,
    "ar" -> Axi4Monitor.address,
    "w"  -> Seq("data", "strb", "last"),
    "b"  -> Seq("id", "resp"),
    "r"  -> Seq("id", "data", "resp", "last")
  )
  private val offers    = mutable.Map[String, Offer]()            // by channel, valid and not yet taken
  private val addressed = mutable.Queue[(BigInt, Int)]()          // (id, beats) of writes whose data is not complete
  private val data      = mutable.Queue[Int]()                    // beats of complete write data without an address yet
  private var beats     = 0                                       // of the write data that has begun
  private val answers   = mutable.Map[BigInt, Int]().withDefaultValue(0) // by id, writes that are complete
  private val reads     = mutable.Map[BigInt, mutable.Queue[Int]]() // by id, beats to come of each read

  private def rule(holds: Boolean, section: String, text: => String): Unit =
    require(holds, s"$port: $text (AXI4, $section)")

  def cycle(value: Values): Unit = {
    def get(field: String)    = value(s"${port}_$field")
    def valid(channel: String) = get(s"${channel}_valid") == 1
    def fires(channel: String) = valid(channel) && get(s"${channel}_ready") == 1

    for ((channel, names) <- fields) {
      val now = Offer(names.map(name => get(s"${channel}_bits_$name")))
      for (before <- offers.get(channel)) {
        rule(valid(channel), "A3.2.1", s"${channel}valid fell before ${channel}ready")
        rule(now == before, "A3.2.1", s"$channel changed before it was taken")
      }
      if (valid(channel) && !fires(channel)) offers(channel) = now else offers -= channel
    }

    // Answers need what came before this cycle.
    if (valid("b")) rule(answers(get("b_bits_id")) > 0, "A3.3.1", s"a response with id ${get("b_bits_id")} without a complete write")
    if (valid("r")) {
      val left = reads.get(get("r_bits_id")).flatMap(_.headOption)
      rule(left.nonEmpty, "A3.3.1", s"read data with id ${get("r_bits_id")} that nobody asked for")
      rule((get("r_bits_last") == 1) == left.contains(1), "A3.4.1", s"rlast is ${get("r_bits_last")} with ${left.get} beats to come")
    }
    if (fires("b")) answers(get("b_bits_id")) -= 1
    if (fires("r")) {
      val queue = reads(get("r_bits_id"))
      if (queue.head == 1) queue.dequeue() else queue(0) -= 1
    }

    for (channel <- Seq("aw", "ar") if fires(channel)) {
      val (address, size, count) = (get(s"${channel}_bits_addr"), get(s"${channel}_bits_size").toInt, get(s"${channel}_bits_len").toInt + 1)
      val first                  = address >> size << size
      rule(get(s"${channel}_bits_burst") == 1 || count == 1, "A3.4.1", "a burst that is not INCR is not expected here")
      rule((first >> 12) == ((first + (count << size) - 1) >> 12), "A3.4.1", s"a burst crosses 4 KiB at 0x${address.toString(16)}")
    }
    if (fires("aw")) addressed += ((get("aw_bits_id"), get("aw_bits_len").toInt + 1))
    if (fires("w")) {
      beats += 1
      if (get("w_bits_last") == 1) {
        data += beats
        beats = 0
      }
    }
    // Data comes in the order of the addresses (A5.2.2): AXI4 has no write interleaving.
    for ((_, count) <- addressed.headOption if data.isEmpty) rule(beats < count, "A3.4.1", s"no wlast at beat $count")
    while (addressed.nonEmpty && data.nonEmpty) {
      val (id, count) = addressed.dequeue()
      rule(data.dequeue() == count, "A3.4.1", s"wlast is not at beat $count")
      answers(id) += 1
    }
    if (fires("ar")) reads.getOrElseUpdate(get("ar_bits_id"), mutable.Queue()) += get("ar_bits_len").toInt + 1
  }

  /** Nothing is under way. */
  def idle: Boolean = addressed.isEmpty && data.isEmpty && beats == 0 && answers.values.sum == 0 && reads.values.forall(_.isEmpty)
}

object Axi4Monitor {
  val address: Seq[String] = Seq("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos")
}
