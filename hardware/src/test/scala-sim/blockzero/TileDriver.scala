// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{Page, Register}
import chisel3._
import chisel3.simulator.PeekPokeAPI._
import scala.collection.mutable
import scala.util.Random

/** Drives a TileHarness: software on the register port, and a byte-addressed memory behind the DMA port that checks
  * AXI4's rules (ARM IHI 0022E) as it goes.
  */
class TileDriver(dut: TileHarness, random: Random) {
  private val p = dut.p

  val base: BigInt        = BigInt("80000000", 16)
  val ram:  Array[Byte]   = new Array[Byte](1 << 20)

  /** Chance that a channel is not ready or a response waits, each cycle. */
  var backlog: Double = 0

  /** RRESP/BRESP of the memory by block address. */
  var resp: BigInt => Int = _ => 0

  var cycle: Long = 0
  var irq: BigInt = 0
  val awCycles = mutable.ArrayBuffer[Long]() // AW first valid
  val wCycles  = mutable.ArrayBuffer[Long]() // W beats
  val ids      = mutable.ArrayBuffer[Int]()

  private case class Burst(id: Int, address: BigInt)
  private val addressed = mutable.Queue[Burst]() // AW taken, W to come
  private val beats     = mutable.Queue[(BigInt, BigInt, Boolean)]() // W taken, AW to come
  private var beat      = 0
  private val written   = mutable.ArrayBuffer[Burst]() // B to come
  private val inFlight  = mutable.Set[Int]()

  private val inputs  = new Packed(TileHarness.in(p))
  private val outputs = new Packed(TileHarness.out(p))
  private var out: BigInt = 0
  private def get(name: String): BigInt  = outputs.field(out, name)
  private def is(name:  String): Boolean = get(name) == 1

  // What was valid and not taken in the last cycle: it must be there unchanged.
  private var held = Map[String, BigInt]()
  private val channels = Seq(
    ("dmaAwValid", Seq("dmaAwId", "dmaAwAddr", "dmaAwLen", "dmaAwSize", "dmaAwBurst")),
    ("dmaWValid", Seq("dmaWData", "dmaWStrb", "dmaWLast")),
    ("bValid", Seq("bId", "bResp")),
    ("rValid", Seq("rId", "rData", "rResp", "rLast"))
  )

  private def chance(): Boolean = random.nextDouble() >= backlog

  private def memory(awReady: Boolean, wReady: Boolean): Unit = {
    if (is("dmaAwValid") && !held.contains("dmaAwValid")) awCycles += cycle
    if (is("dmaAwValid") && awReady) {
      val burst = Burst(get("dmaAwId").toInt, get("dmaAwAddr"))
      require(get("dmaAwSize") == chisel3.util.log2Ceil(p.dma.dataBytes), s"AWSIZE ${get("dmaAwSize")}")
      require((get("dmaAwLen") + 1) * p.dma.dataBytes == 64, s"AWLEN ${get("dmaAwLen")}")
      require(get("dmaAwBurst") == 1, s"AWBURST ${get("dmaAwBurst")}")
      // 64 aligned bytes never cross 4 KiB.
      require(burst.address % 64 == 0, s"AWADDR 0x${burst.address.toString(16)}")
      require(inFlight.add(burst.id), s"id ${burst.id} is in flight already")
      ids += burst.id
      addressed += burst
    }
    if (is("dmaWValid") && wReady) {
      wCycles += cycle
      beats += ((get("dmaWData"), get("dmaWStrb"), is("dmaWLast")))
    }
    while (addressed.nonEmpty && beats.nonEmpty) {
      val (data, strobes, last) = beats.dequeue()
      val burst                 = addressed.head
      for (lane <- 0 until p.dma.dataBytes if strobes.testBit(lane)) {
        val at = (burst.address - base).toInt + beat * p.dma.dataBytes + lane
        ram(at) = (data >> (8 * lane)).toByte
      }
      beat += 1
      require(last == (beat * p.dma.dataBytes == 64), s"WLAST at beat $beat")
      if (last) {
        beat = 0
        written += addressed.dequeue()
      }
    }
  }

  /** One cycle; the register port's inputs as given. */
  private def tick(inputsNow: (String, BigInt)*): Unit = {
    val bit     = (b: Boolean) => BigInt(if (b) 1 else 0)
    val awReady = chance()
    val wReady  = chance()
    val answer  = if (written.nonEmpty && chance()) Some(random.nextInt(written.size)) else None
    val burst   = answer.map(written)
    dut.io.in.poke(
      inputs
        .pack(
          inputsNow ++ Seq[(String, BigInt)](
            "dmaAwReady" -> bit(awReady),
            "dmaWReady"  -> bit(wReady),
            "dmaBValid"  -> burst.size,
            "dmaBId"     -> burst.map(b => BigInt(b.id)).getOrElse(0),
            "dmaBResp"   -> burst.map(b => BigInt(resp(b.address))).getOrElse(0)
          ): _*
        )
        .U
    )
    out = dut.io.out.peekValue().asBigInt
    irq = get("irq")
    for ((name, before) <- held) require(get(name) == before, s"$name changed before it was taken, cycle $cycle")
    val taken = inputsNow.toMap.withDefaultValue(BigInt(0))
    val ready = Map("dmaAwValid" -> awReady, "dmaWValid" -> wReady, "bValid" -> (taken("bReady") == 1),
      "rValid" -> (taken("rReady") == 1))
    memory(awReady, wReady)
    held = (for ((valid, bits) <- channels if is(valid) && !ready(valid); name <- valid +: bits)
      yield name -> get(name)).toMap
    if (is("dmaBReady")) for (i <- answer) inFlight -= written.remove(i).id
    dut.clock.step()
    cycle += 1
  }

  /** A write burst of `data`; returns BRESP. `lead`: AW comes that many cycles before W (after, if negative). */
  def burst(address: Int, data: Seq[BigInt], strobes: Int = 0xff, lead: Int = 0): Int = {
    val id    = random.nextInt(1 << p.registers.idBits)
    var aw    = false
    var sent  = 0
    var reply: Option[Int] = None
    var t     = 0
    while (reply.isEmpty) {
      val awValid = !aw && t >= -lead
      val wValid  = sent < data.size && t >= lead
      val bReady  = chance()
      tick(
        "awValid" -> (if (awValid) 1 else 0), "awId" -> id, "awAddr" -> (0x13000000 + address),
        "awLen"   -> (data.size - 1),
        "wValid"  -> (if (wValid) 1 else 0), "wData" -> data(math.min(sent, data.size - 1)), "wStrb" -> strobes,
        "wLast"   -> (if (sent == data.size - 1) 1 else 0),
        "bReady"  -> (if (bReady) 1 else 0)
      )
      if (awValid && is("awReady")) aw = true
      if (is("bValid") && bReady) {
        require(aw && sent == data.size, "B before the burst was over")
        require(get("bId") == id, s"BID ${get("bId")}, not $id")
        reply = Some(get("bResp").toInt)
      }
      if (wValid && is("wReady")) sent += 1
      t += 1
      require(t < 1000, s"a register write of 0x${address.toHexString} hangs")
    }
    reply.get
  }

  /** A read burst; returns the beats as (data, RRESP). */
  def readBurst(address: Int, length: Int): Seq[(BigInt, Int)] = {
    val id     = random.nextInt(1 << p.registers.idBits)
    var ar     = false
    val result = mutable.ArrayBuffer[(BigInt, Int)]()
    var t      = 0
    while (result.size < length) {
      val rReady = chance()
      tick(
        "arValid" -> (if (ar) 0 else 1), "arId" -> id, "arAddr" -> (0x13000000 + address), "arLen" -> (length - 1),
        "rReady"  -> (if (rReady) 1 else 0)
      )
      if (is("rValid") && rReady) {
        require(ar && get("rId") == id, s"RID ${get("rId")}, not $id")
        result += ((get("rData"), get("rResp").toInt))
        require(is("rLast") == (result.size == length), s"RLAST at beat ${result.size}")
      }
      if (is("arReady")) ar = true
      t += 1
      require(t < 1000, s"a register read of 0x${address.toHexString} hangs")
    }
    result.toSeq
  }

  def steps(n: Int): Unit = (0 until n).foreach(_ => tick())

  def write(address: Int, data: BigInt): Unit =
    require(burst(address, Seq(data), lead = if (backlog == 0) 0 else random.nextInt(7) - 3) == 0)
  def read(address: Int): BigInt = {
    val (data, resp) = readBurst(address, 1).head
    require(resp == 0)
    data
  }
  def at(channel:    Int, r: Register): Int = Page.bytes * (1 + channel) + r.offset
  def write(channel: Int, r: Register, data: BigInt): Unit = write(at(channel, r), data)
  def read(channel:  Int, r: Register): BigInt = read(at(channel, r))
}
