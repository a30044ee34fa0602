// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R, Page, Register}
import chisel3._
import chisel3.simulator.PeekPokeAPI._
import scala.collection.mutable

/** A block seen at the port. */
case class Issued(cycle: Long, address: BigInt, fill: Int, slot: Int)

/** What the memory answers a block with, and when: `cycles` of 1 or more after it was taken. */
case class Answer(cycles: Int, code: Int)

/** What the ports carried in a cycle. */
case class Seen(write: Option[Int], offered: Option[BigInt], ready: Boolean, answer: Option[BigInt], irq: BigInt)

/** Drives an EngineHarness cycle by cycle, and is the memory behind it. */
class EngineDriver(dut: EngineHarness) {
  val p: EngineParams = dut.p

  /** Behaviour of the memory, for tests to change. */
  var ready:  () => Boolean     = () => true
  var answer: Issued => Answer  = _ => Answer(1, 0)
  var sink:   Boolean           = false

  var cycle: Long = 0
  val issued = mutable.ArrayBuffer[Issued]()

  /** What the ports carry, cycle by cycle; where there is such a list. */
  var seen: Option[mutable.ArrayBuffer[Seen]] = None
  var irq: BigInt = 0

  /** Cycles a block was offered and not taken. */
  var refused: Long = 0

  /** Most blocks in flight seen since it was last set. */
  var mostFlying: Int = 0

  private val flying = mutable.ArrayBuffer[(Long, Issued, Int)]()
  private var sinkClear = false

  private val inputs  = new Packed(EngineHarness.in(p))
  private val outputs = new Packed(EngineHarness.out(p))
  private var out: BigInt = 0
  private var readLast = false // in the last cycle
  private def field(name: String): BigInt = outputs.field(out, name)

  def sinkCount: BigInt  = field("sinkCount")
  def sinkFirst: BigInt  = field("sinkFirst") << 6
  def sinkLast:  BigInt  = field("sinkLast") << 6
  def sinkGap:   Boolean = field("sinkGap") == 1

  def inFlight: Int = flying.size

  /** One cycle, with at most one register write and one register read. Returns the read's data, as of the next cycle. A
    * read in the last cycle costs another before this one.
    */
  def tick(write: Option[(Int, BigInt, Int)] = None, read: Option[Int] = None): BigInt = {
    if (readLast && read.nonEmpty) {
      readLast = false
      tick()
    }
    readLast = read.nonEmpty
    val isReady = ready()
    val due     = flying.indexWhere(_._1 <= cycle)
    val reply   = if (due < 0) None else Some(flying.remove(due))
    val bit = (b: Boolean) => BigInt(if (b) 1 else 0)
    val values = inputs.pack(
      "writeValid"    -> write.size,
      "writeAddress"  -> write.map(w => BigInt(w._1)).getOrElse(0),
      "writeData"     -> write.map(_._2).getOrElse(0),
      "writeMask"     -> write.map(w => BigInt(w._3)).getOrElse(0),
      "readValid"     -> read.size,
      "readAddress"   -> read.map(BigInt(_)).getOrElse(0),
      "ready"         -> bit(isReady),
      "responseValid" -> reply.size,
      "responseSlot"  -> reply.map(r => BigInt(r._2.slot)).getOrElse(0),
      "responseCode"  -> reply.map(r => BigInt(r._3)).getOrElse(0),
      "sink"          -> bit(sink),
      "sinkClear"     -> bit(sinkClear)
    )
    sinkClear = false
    dut.io.in.poke(values.U)
    out = dut.io.out.peekValue().asBigInt
    irq = field("irq")
    seen.foreach { all =>
      val offered = if (field("blockValid") == 1) Some(field("block") << 6) else None
      all += Seen(write.map(_._1), offered, isReady, reply.map(_._2.address), irq)
    }
    if (field("blockValid") == 1 && !sink) {
      if (isReady) {
        val block = Issued(cycle, field("block") << 6, field("fill").toInt, field("slot").toInt)
        require(block.slot < p.inflight, s"slot ${block.slot} of ${p.inflight}")
        require(!flying.exists(_._2.slot == block.slot), s"slot ${block.slot} is in flight already")
        issued += block
        val a = answer(block)
        require(a.cycles >= 1)
        flying += ((cycle + a.cycles, block, a.code))
        mostFlying = math.max(mostFlying, flying.size)
      } else {
        refused += 1
      }
    }
    dut.clock.step()
    cycle += 1
    if (read.isEmpty) 0 else outputs.field(dut.io.out.peekValue().asBigInt, "readData")
  }

  def clearSink(): Unit = {
    sinkClear = true
    tick()
  }

  /** Many cycles at once; only with the sink on. */
  def run(cycles: Int): Unit = {
    require(sink && flying.isEmpty)
    tick()
    dut.clock.step(cycles)
    cycle += cycles
    tick()
  }

  def steps(n: Int): Unit = (0 until n).foreach(_ => tick())

  def at(channel: Int, r: Register): Int = Page.bytes * (1 + channel) + r.offset

  def write(address: Int, data: BigInt, mask: Int = 0xff): Unit = tick(Some((address, data, mask)))
  def read(address:  Int): BigInt = tick(read = Some(address))

  def write(channel: Int, r: Register, data: BigInt): Unit = write(at(channel, r), data)
  def read(channel:  Int, r: Register): BigInt = read(at(channel, r))
  def read(channel: Int, r: Register, f: String): BigInt = (read(channel, r) & r(f).mask) >> r(f).lsb

  def submit(channel: Int, address: BigInt, log2: Int): Unit = write(channel, R.Submit, address | log2)

  def window(i: Int, base: BigInt, limit: BigInt, enable: Boolean = true): Unit = {
    write(R.WindowBase.offsetOf(i), base)
    write(R.WindowLimit.offsetOf(i), limit)
    write(R.WindowCtrl.offsetOf(i), if (enable) 1 else 0)
  }

  def count(channel: Int): BigInt = read(channel, R.Completion, "COUNT")

  /** Waits until no channel is busy. */
  def idle(limit: Int = 20000): Unit = {
    val start = cycle
    while (read(R.Busy.offset) != 0)
      require(cycle - start < limit, s"still busy after $limit cycles")
  }

  /** A fresh engine. */
  def reset(): Unit = {
    require(flying.isEmpty)
    dut.reset.poke(true.B)
    tick()
    dut.reset.poke(false.B)
    issued.clear()
    ready = () => true
    answer = _ => Answer(1, 0)
    sink = false
    refused = 0
    mostFlying = 0
  }
}
