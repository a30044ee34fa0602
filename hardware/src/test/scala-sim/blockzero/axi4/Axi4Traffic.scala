// SPDX-License-Identifier: BSD-3-Clause
package blockzero.axi4

import scala.collection.mutable
import scala.util.Random

/** One transaction of random traffic.
  *
  * @param address the fields of AW or AR, named as Axi4Monitor.address has them
  * @param data    of a write, a beat each; of a read what it must return, once that is known
  * @param strobes of a write, a beat each
  */
class Transaction(val address: Map[String, BigInt], var data: Seq[BigInt], val strobes: Seq[BigInt] = Nil) {
  val id: BigInt  = address("id")
  val beats: Int  = address("len").toInt + 1
  var resp: Option[BigInt] = None // what it must be answered, once that is known
}

/** What one end of an AXI4 interface drives and sees, a cycle at a time: `drive`, then `see`. */
abstract class Axi4Agent(port: String, random: Random) {

  /** Chance that a channel waits, each cycle. */
  var backlog: Double = 0

  private val offers = mutable.Map[String, Seq[(String, BigInt)]]() // by channel, until taken

  protected def chance(): Boolean = random.nextDouble() >= backlog

  /** Offers what `next` gives, now and until it is taken. */
  protected def offer(channel: String, next: => Option[Seq[(String, BigInt)]]): Seq[(String, BigInt)] = {
    if (!offers.contains(channel) && chance()) next.foreach(offers(channel) = _)
    val bits = offers.getOrElse(channel, Nil)
    (s"${port}_${channel}_valid" -> BigInt(bits.size min 1)) +: bits.map { case (name, value) => s"${port}_${channel}_bits_$name" -> value }
  }
  protected def ready(channel: String, now: Boolean): (String, BigInt) = s"${port}_${channel}_ready" -> BigInt(if (now) 1 else 0)

  /** What of a channel is taken in this cycle. */
  protected def taken(channel: String, names: Seq[String], value: String => BigInt): Option[Map[String, BigInt]] =
    if (value(s"${port}_${channel}_valid") == 1 && value(s"${port}_${channel}_ready") == 1) {
      offers -= channel
      Some(names.map(name => name -> value(s"${port}_${channel}_bits_$name")).toMap)
    } else None

  def drive(): Seq[(String, BigInt)]
  def see(value: String => BigInt): Unit
}

/** Sends transactions in the order given: data may go ahead of its address, many are under way, several with one id. Checks that each gets
  * its own answer.
  */
class Axi4Manager(port: String, random: Random) extends Axi4Agent(port, random) {
  private val addresses, reads = mutable.Queue[Transaction]()
  private val data             = mutable.Queue[Seq[(String, BigInt)]]()
  private val writing, reading = mutable.Map[BigInt, mutable.Queue[Transaction]]() // by id, until answered
  private var beat             = mutable.Map[BigInt, Int]().withDefaultValue(0)    // by id, beats read
  var answered                 = 0

  def write(t: Transaction): Unit = {
    addresses += t
    writing.getOrElseUpdate(t.id, mutable.Queue()) += t
    for (((value, strobe), i) <- t.data.zip(t.strobes).zipWithIndex)
      data += Seq("data" -> value, "strb" -> strobe, "last" -> BigInt(if (i == t.beats - 1) 1 else 0))
  }
  def read(t: Transaction): Unit = {
    reads += t
    reading.getOrElseUpdate(t.id, mutable.Queue()) += t
  }
  def underWay: Int = (writing.values ++ reading.values).map(_.size).sum

  private def next[A](queue: mutable.Queue[A]) = if (queue.isEmpty) None else Some(queue.dequeue())

  def drive(): Seq[(String, BigInt)] =
    offer("aw", next(addresses).map(_.address.toSeq)) ++ offer("w", next(data)) ++ offer("ar", next(reads).map(_.address.toSeq)) :+
      ready("b", chance()) :+ ready("r", chance())

  def see(value: String => BigInt): Unit = {
    for (channel <- Seq("aw", "ar", "w")) taken(channel, Nil, value)
    for (b <- taken("b", Seq("id", "resp"), value)) {
      val t = writing(b("id")).dequeue()
      require(t.resp.contains(b("resp")), s"$port: the write of 0x${t.address("addr").toString(16)} is answered ${b("resp")}, not ${t.resp}")
      answered += 1
    }
    for (r <- taken("r", Seq("id", "data", "resp", "last"), value)) {
      val id = r("id")
      val t  = reading(id).head
      require(t.resp.contains(r("resp")) && t.data(beat(id)) == r("data"),
        s"$port: the read of 0x${t.address("addr").toString(16)} gets ${r("data")}, response ${r("resp")}, not ${t.data.lift(beat(id))}, ${t.resp}")
      beat(id) += 1
      if (beat(id) == t.beats) {
        reading(id).dequeue()
        beat(id) = 0
        answered += 1
      }
    }
  }
}

/** Takes addresses and data in any order of the two, and answers when it likes, ids in any order, reads of several ids interleaved. Checks
  * that just what was sent arrives.
  */
class Axi4Subordinate(port: String, random: Random) extends Axi4Agent(port, random) {

  /** What must arrive, in this order. */
  val writes, reads = mutable.Queue[Transaction]()

  private val addresses = mutable.Queue[Map[String, BigInt]]()
  private val data      = mutable.Queue[(BigInt, BigInt, Boolean)]()
  private val answers   = mutable.ArrayBuffer[Transaction]()            // writes to answer
  private val beats     = mutable.ArrayBuffer[(Transaction, Int)]()     // reads to answer, beats already sent

  /** One of the first of each id. */
  private def pick[A](from: mutable.ArrayBuffer[A])(id: A => BigInt): Option[Int] = {
    val first = from.indices.groupBy(i => id(from(i))).values.map(_.head).toSeq
    if (first.isEmpty) None else Some(first(random.nextInt(first.size)))
  }

  def drive(): Seq[(String, BigInt)] =
    offer("b", pick(answers)(_.id).map { i =>
      val t = answers.remove(i)
      Seq("id" -> t.id, "resp" -> t.resp.get)
    }) ++ offer("r", pick(beats)(_._1.id).map { i =>
      val (t, sent) = beats(i)
      if (sent == t.beats - 1) beats.remove(i) else beats(i) = (t, sent + 1)
      Seq("id" -> t.id, "data" -> t.data(sent), "resp" -> t.resp.get, "last" -> BigInt(if (sent == t.beats - 1) 1 else 0))
    }) :+ ready("aw", chance()) :+ ready("w", chance()) :+ ready("ar", chance())

  def see(value: String => BigInt): Unit = {
    for (channel <- Seq("b", "r")) taken(channel, Nil, value)
    addresses ++= taken("aw", Axi4Monitor.address, value)
    data ++= taken("w", Seq("data", "strb", "last"), value).map(w => (w("data"), w("strb"), w("last") == 1))
    if (addresses.nonEmpty && data.exists(_._3)) {
      require(writes.nonEmpty, s"$port: a write that nobody sent here: ${addresses.head}")
      val t = writes.dequeue()
      require(addresses.dequeue() == t.address, s"$port: not the address that was sent")
      val got = Seq.fill(data.indexWhere(_._3) + 1)(data.dequeue())
      require(got.map(w => (w._1, w._2)) == t.data.zip(t.strobes), s"$port: not the data that was sent to 0x${t.address("addr").toString(16)}")
      t.resp = Some(Seq(0, 2, 3)(random.nextInt(3)))
      answers += t
    }
    for (ar <- taken("ar", Axi4Monitor.address, value)) {
      require(reads.nonEmpty && ar == reads.head.address, s"$port: a read that nobody sent here: $ar")
      val t = reads.dequeue()
      t.data = Seq.fill(t.beats)(BigInt(64, random))
      t.resp = Some(Seq(0, 2, 3)(random.nextInt(3)))
      beats += ((t, 0))
    }
  }
}

/** Random transactions on a bus of 64 bits: most of one beat, whatever ids and attributes. */
class Axi4Traffic(p: Axi4Params, random: Random) {
  require(p.dataBits == 64)

  private def address(at: BigInt) = {
    val beats = if (random.nextInt(4) == 0) 1 + random.nextInt(8) else 1
    val first = if (beats > 1) at >> 6 << 6 else at >> 3 << 3
    Map[String, BigInt]("id" -> BigInt(p.idBits, random), "addr" -> first, "len" -> (beats - 1), "size" -> 3, "burst" -> 1,
      "lock" -> 0, "cache" -> random.nextInt(16), "prot" -> random.nextInt(8), "qos" -> random.nextInt(16))
  }

  def write(at: BigInt): Transaction = {
    val fields = address(at)
    val beats  = fields("len").toInt + 1
    new Transaction(fields, Seq.fill(beats)(BigInt(64, random)), Seq.fill(beats)(if (random.nextInt(4) == 0) random.nextInt(256) else 255))
  }
  def read(at: BigInt): Transaction = new Transaction(address(at), Nil)
}
