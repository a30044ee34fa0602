// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import blockzero.CoveredSim
import blockzero.PackedPorts
import chisel3._
import org.scalatest.funspec.AnyFunSpec
import scala.collection.mutable
import scala.util.Random

/** Random requests of both AXI IDs, with answers in any order: requests pass unchanged, every one is answered once, writes of an ID in
  * their order (AXI4, A5.3.1), and TileLink's rules hold (TileLink 1.8.1, 4.1 and 4.4). SEED in the environment repeats a run.
  */
class RelaxedFifoSpec extends AnyFunSpec with CoveredSim {
  private val seed: Long = sys.env.get("SEED").map(_.toLong).getOrElse(System.nanoTime() & 0xffffffffL)

  private case class Request(source: Int, size: Int) {
    val id: Int          = source >> 3
    val isWrite: Boolean = (source & 1) == 1
    val beats: Int       = 1 max (1 << size) / 8
  }
  private type Fields = Map[String, BigInt]
  private val a = Seq("opcode", "size", "source", "address", "mask", "data")
  private val d = Seq("opcode", "size", "source", "denied", "data", "corrupt")

  it(s"answers each request once and in order, SEED=$seed") {
    simulate(new PackedPorts(new RelaxedFifo)(m => Seq("auto" -> m.auto))) { dut =>
      val random = new Random(seed)
      var backlog, slowness = 0.0

      val counts  = Array.fill(2, 2)(0)                  // by ID and kind: sources are used in turn, as by AXI4ToTL
      val beats   = mutable.Queue[Fields]()              // still to be sent, whole requests
      val passing = mutable.Queue[Fields]()              // sent, and not yet seen on the other side
      val asked   = mutable.Map[Int, Request]()          // by source, on the other side and not yet answered there
      val answers = mutable.Queue[Fields]()              // the rest of an answer that has begun on the other side
      val open    = mutable.Map[Int, Request]()          // by source, from the other side's first beat to our answer's first
      val order   = Array.fill(2)(mutable.Queue[Int]())  // by ID: sources of writes not yet answered
      val due     = mutable.Map[Int, mutable.Queue[Fields]]() // by source: what the answer must be, a beat each
      var reply: Option[Request] = None                  // whose answer is under way to our side
      var left, sent, answered = 0                       // beats left of the request under way on the other side; requests

      def chance(): Boolean = random.nextDouble() >= backlog

      def request(): Unit = {
        val (id, write) = (random.nextInt(2), if (random.nextInt(4) > 0) 1 else 0)
        val r = Request(id << 3 | counts(id)(write) << 1 | write, if (random.nextInt(3) > 0) 6 else random.nextInt(7))
        counts(id)(write) = (counts(id)(write) + 1) % 4
        val opcode  = if (write == 0) 4 else random.nextInt(2) // Get; PutFullData, PutPartialData
        val address = BigInt(random.nextInt(1 << 20)) << 6
        for (_ <- 0 until (if (r.isWrite) r.beats else 1))
          beats += Map("opcode" -> opcode, "size" -> r.size, "source" -> r.source, "address" -> address, "mask" -> random.nextInt(256),
            "data" -> BigInt(64, random))
        if (r.isWrite) order(id) += r.source
        sent += 1
      }

      /** The other side begins to answer one of what it was asked. */
      def answer(): Unit = if (answers.isEmpty && asked.nonEmpty && random.nextDouble() >= slowness) {
        val r      = asked.remove(asked.keys.toSeq.sorted.apply(random.nextInt(asked.size))).get
        val denied = random.nextInt(4) == 0
        val whole  = Seq.fill(if (r.isWrite) 1 else r.beats)(Map[String, BigInt](
          "opcode" -> (if (r.isWrite) 0 else 1), "size" -> r.size, "source" -> r.source, "denied" -> (if (denied) 1 else 0),
          "data" -> BigInt(64, random), "corrupt" -> (if (denied && !r.isWrite) 1 else 0)))
        answers ++= whole
        due(r.source) = mutable.Queue.from(whole)
      }

      def cycle(): Unit = {
        answer()
        def offer(port: String, queue: mutable.Queue[Fields]): Seq[(String, BigInt)] = {
          val now = if (chance()) queue.headOption else None
          (s"auto_${port}_valid" -> BigInt(now.size)) +: now.toSeq.flatten.map { case (name, value) => s"auto_${port}_bits_$name" -> value }
        }
        val inputs = dut.in.pack(offer("in_a", beats) ++ offer("out_d", answers) ++
          Seq("auto_out_a_ready" -> chance(), "auto_in_d_ready" -> chance()).map { case (name, on) => name -> BigInt(if (on) 1 else 0) }: _*)
        dut.io.in.poke(inputs.U)
        val outputs = dut.io.out.peekValue().asBigInt
        def value(name: String) =
          if (dut.in.places.contains(s"auto_$name")) dut.in.field(inputs, s"auto_$name") else dut.out.field(outputs, s"auto_$name")
        def taken(port: String, names: Seq[String]): Option[Fields] =
          if (value(s"${port}_valid") == 1 && value(s"${port}_ready") == 1) Some(names.map(n => n -> value(s"${port}_bits_$n")).toMap) else None

        if (taken("in_a", a).nonEmpty) passing += beats.dequeue()
        for (beat <- taken("out_a", a)) {
          assert(passing.nonEmpty && beat == passing.dequeue(), "a request was changed on its way")
          val r = Request(beat("source").toInt, beat("size").toInt)
          if (left == 0) {
            assert(!open.contains(r.source), s"source ${r.source} is used again before its answer")
            assert(r.isWrite || open.values.forall(_.isWrite), "two reads are under way")
            open(r.source) = r
            asked(r.source) = r
            left = if (r.isWrite) r.beats else 1
          }
          left -= 1
        }
        if (taken("out_d", d).nonEmpty) answers.dequeue()
        for (beat <- taken("in_d", d)) {
          val source = beat("source").toInt
          assert(reply.forall(_.source == source), "answers are mixed")
          assert(due.get(source).exists(_.nonEmpty), s"an answer to source $source, which waits for none")
          val r        = reply.getOrElse(open.remove(source).get)
          val expected = due(source).dequeue()
          val checked  = if (r.isWrite) d.filterNot(_ == "data") else d
          assert(checked.forall(name => beat(name) == expected(name)), s"$beat instead of $expected")
          if (r.isWrite) assert(order(r.id).dequeue() == source, s"a write with ID ${r.id} is answered out of order")
          reply = if (due(source).isEmpty) None else Some(r)
          if (reply.isEmpty) answered += 1
        }
        dut.clock.step()
      }

      for (here <- Seq(0.0, 0.3, 0.8); there <- Seq(0.0, 0.7, 0.95)) {
        backlog = here
        slowness = there
        for (_ <- 0 until 700) {
          if (beats.size < 16) request()
          cycle()
        }
        for (_ <- 0 until 5000 if answered < sent) cycle()
        assert(answered == sent, s"requests are lost with back-pressure $here and $there")
      }
      info(s"$sent requests")
    }
  }
}
