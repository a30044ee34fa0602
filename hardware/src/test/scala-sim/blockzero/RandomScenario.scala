// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{BlockZeroRegisters => R, Register}
import scala.collection.mutable
import scala.util.Random

/** A random load on an engine fresh from reset, and what must have come of it, reckoned apart from the hardware.
  *
  * Regions of accepted jobs do not overlap, so that each block written tells the job it belongs to.
  */
class RandomScenario(d: EngineDriver, random: Random) {
  private val p = d.p

  private class Job(val channel: Int, val word: BigInt, val fill: Int, val rejection: String) {
    val base: BigInt = word & ~BigInt(63)
    val blocks: Int  = if (rejection == "NONE") 1 << ((word & 63).toInt - 6) else 0
    var issued: Int  = 0
    var answeredOk: Int = 0
    var bad: Option[(BigInt, String)] = None // lowest bad address and its code

    def addresses: Seq[BigInt] = (0 until blocks).map(base + 64 * _)
    def ok:        Boolean     = rejection == "NONE" && answeredOk == blocks
  }

  private val arena   = BigInt("80000000", 16)
  private val windows = {
    val all = Seq(arena -> (arena + 0x3ffff), arena + 0x60000 -> (arena + 0xfffff))
    all.take(p.windows)
  }
  private val jobs    = Seq.fill(p.channels)(mutable.ArrayBuffer[Job]())
  private val dropped = Array.fill(p.channels)(0)
  private val fills   = Array.fill(p.channels)(0)
  private val owner   = mutable.Map[BigInt, Job]() // by block address
  private val memory  = mutable.Map[BigInt, Int]() // fill byte by block address; absent: untouched

  private def pick[T](all: Seq[T]): T = all(random.nextInt(all.size))

  /** The contract's rules for a job, in unbounded integers. */
  private def judge(word: BigInt): String = {
    val n    = (word & 63).toInt
    val base = word - (word & 63)
    val last = base + (BigInt(1) << n) - 1
    if (n < 6 || n > 30) "BAD_SIZE"
    else if (base % (BigInt(1) << n) != 0) "MISALIGNED"
    else if (last >= (BigInt(1) << p.addrBits)) "WINDOW"
    else if (windows.exists { case (lo, hi) => base >= lo && last <= hi }) "NONE"
    else "WINDOW"
  }

  private def randomWord(): BigInt = {
    val n = 6 + pick(Seq(0, 0, 1, 2, 3, 4, 5, 6))
    random.nextInt(12) match {
      case 0 => BigInt(64, random)
      case 1 => (arena + random.nextInt(0x10000)) & ~BigInt(63) | random.nextInt(14)
      case 2 => (pick(windows)._2 + 1 - 64 * random.nextInt(3)) | n // about an edge
      case _ => (arena + (BigInt(random.nextInt(0x110000)) >> n << n)) | n
    }
  }

  /** The memory: what it checks of each block as it is taken, and its answer. */
  private def take(block: Issued, busError: Double, maxDelay: Int): Answer = {
    val job = owner.getOrElse(block.address, throw new AssertionError(s"$block belongs to no job"))
    require(block.address == job.base + 64 * job.issued, s"$block is not the next of its job")
    require(block.fill == job.fill, s"$block should be ${job.fill}")
    val list = jobs(job.channel)
    require(list.reverseIterator.takeWhile(_ ne job).forall(_.issued == 0), s"$block after a later job's")
    job.issued += 1
    val code = if (random.nextDouble() < busError) pick(Seq("SLVERR", "DECERR")) else "NONE"
    if (code == "NONE") job.answeredOk += 1
    else if (job.bad.forall(_._1 > block.address)) job.bad = Some(block.address -> code)
    // A failed write may or may not have been done.
    if (code == "NONE" || random.nextBoolean()) memory(block.address) = block.fill
    Answer(1 + random.nextInt(maxDelay), R.errorCode(code))
  }

  private def submit(c: Int): Unit = {
    val word      = randomWord()
    val job       = new Job(c, word, fills(c), judge(word))
    val addresses = job.addresses
    if (!addresses.exists(owner.contains)) {
      // STATUS in the cycle of the write says whether it is accepted.
      val status = d.read(c, R.Status)
      d.write(c, R.Submit, word)
      val queued = ((status & R.Status("QUEUED").mask) >> R.Status("QUEUED").lsb).toInt
      require(queued <= p.queueDepth)
      if (status.testBit(R.Status("ABORTING").lsb) || queued == p.queueDepth) dropped(c) += 1
      else {
        jobs(c) += job
        addresses.foreach(owner(_) = job)
      }
    }
  }

  /** @param cycles for which jobs are submitted */
  def run(cycles: Int): Unit = {
    val busError = if (random.nextInt(3) == 0) 0.02 else 0.0
    val aborts   = random.nextInt(3) == 0
    val maxDelay = pick(Seq(1, 4, 30, 90))
    val refuse   = pick(Seq(0.0, 0.2, 0.8))
    val submits  = pick(Seq(0.02, 0.1, 0.5))

    for (((lo, hi), i) <- windows.zipWithIndex) d.window(i, lo, hi)
    for (c <- 0 until p.channels) d.write(c, R.Rate, pick(Seq(0, 0, 3, 11)))
    d.ready = () => random.nextDouble() >= refuse
    d.answer = take(_, busError, maxDelay)

    val seen = Array.fill(p.channels)(BigInt(0))
    val end  = d.cycle + cycles
    while (d.cycle < end) {
      val c = random.nextInt(p.channels)
      if (random.nextDouble() < submits) submit(c)
      else if (random.nextInt(100) == 0) {
        fills(c) = random.nextInt(256)
        d.write(c, R.Fill, fills(c))
      } else if (aborts && random.nextInt(200) == 0) {
        d.write(c, R.Control, 1)
      } else if (random.nextInt(10) == 0) {
        val count = d.count(c)
        require(count >= seen(c) && count <= jobs(c).size, s"COMPLETION of channel $c went from ${seen(c)} to $count")
        seen(c) = count
      } else d.tick()
    }
    d.ready = () => true
    d.idle(limit = 200000)
    (0 until p.channels).foreach(check(_, aborts))
    checkMemory()
    val stalls = (0 until p.channels).map(d.read(_, R.StallCycles)).sum
    require(stalls >= d.refused && (stalls == d.refused || d.mostFlying == p.inflight), s"stalls $stalls")
  }

  private def expect(c: Int, register: Register, expected: BigInt): Unit = {
    val found = d.read(c, register)
    require(found == expected, s"channel $c ${register.name}: 0x${found.toString(16)}, not 0x${expected.toString(16)}")
  }

  private def check(c: Int, aborts: Boolean): Unit = {
    val list    = jobs(c)
    val failed  = list.map(!_.ok)
    val history = failed.reverse.take(32).zipWithIndex.map { case (f, i) => if (f) BigInt(1) << i else BigInt(0) }.sum
    expect(c, R.Completion, history << 32 | list.size)
    expect(c, R.Blocks, list.map(_.answeredOk).sum)
    expect(c, R.JobsDropped, dropped(c))
    expect(c, R.JobsOk, failed.count(!_))
    expect(c, R.Status,
      (if (dropped(c) > 0) R.Status("OVERFLOW").mask else BigInt(0)) |
        (if (failed.contains(true)) R.Status("ERROR").mask else BigInt(0)))

    val unfinished = list.filter(j => !j.ok && j.rejection == "NONE" && j.bad.isEmpty)
    if (!aborts) {
      require(unfinished.isEmpty, s"channel $c: jobs neither written nor failed")
      expect(c, R.JobsRejected, list.count(_.rejection != "NONE"))
      expect(c, R.JobsBusError, list.count(_.bad.nonEmpty))
      expect(c, R.JobsAborted, 0)
    } else {
      require(d.read(c, R.JobsAborted) >= unfinished.size)
      val sum = Seq(R.JobsRejected, R.JobsBusError, R.JobsAborted).map(d.read(c, _)).sum
      require(sum == failed.count(identity), s"channel $c: $sum failures, not ${failed.count(identity)}")
    }

    failed.indexOf(true) match {
      case -1 => expect(c, R.Error, 0)
      case i =>
        val job           = list(i)
        val (where, code) = job.bad.getOrElse(job.word -> job.rejection)
        val found         = d.read(c, R.Error)
        // With aborts in the run the job may have been aborted before it was judged or its bad block answered.
        val aborted = aborts && (found & 15) == R.errorCode("ABORTED")
        require(found >> 32 == i + 1, s"channel $c: ERROR.COUNT ${found >> 32}, not ${i + 1}")
        if (!aborted) require((found & 15) == R.errorCode(code), s"channel $c: ERROR.CODE ${found & 15}, not $code")
        expect(c, R.ErrorAddr, if (aborted) job.word else where)
    }
  }

  /** Jobs that completed are written whole. Nothing outside the jobs is: `take` has checked that. */
  private def checkMemory(): Unit =
    for (list <- jobs; job <- list if job.ok; a <- job.addresses)
      require(memory.get(a).contains(job.fill), s"0x${a.toString(16)} is ${memory.get(a)}, not ${job.fill}")
}
