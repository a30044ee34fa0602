// SPDX-License-Identifier: BSD-3-Clause
package blockzero.registers

import Access._

/** The register map: the one source of the decoder, the C header and docs/registers.md. */
object BlockZeroRegisters {
  val versionMajor: Int    = 1
  val versionMinor: Int    = 0
  val magic:        BigInt = BigInt("5A4B4C42", 16)

  /** Most copies that fit: IRQ_STATUS and the 64 KiB aperture allow 15 channels, the global page these windows. */
  val maxChannels: Int = 15
  val maxWindows:  Int = 16

  private val windowStride = Some(Repeat(0x20, maxWindows))

  val Id = Register("ID", 0x000, ReadOnly, "Identity.", Seq(
    Field("MAGIC", 0, 32, "\"BLKZ\" in little-endian ASCII", Some(magic))
  ))
  val Version = Register("VERSION", 0x008, ReadOnly, "Version of this register map.", Seq(
    Field("MINOR", 0, 8, "additions that older software may ignore", Some(versionMinor)),
    Field("MAJOR", 8, 8, "changes that it may not", Some(versionMajor))
  ))
  val Params = Register("PARAMS", 0x010, ReadOnly, "What this build has.", Seq(
    Field("CHANNELS", 0, 8, "channels", None),
    Field("QUEUE_DEPTH", 8, 8, "jobs a channel holds, from SUBMIT to completion", None),
    Field("BLOCK_LOG2", 16, 8, "log2 of a block's bytes", None),
    Field("INFLIGHT", 24, 8, "blocks in flight at most", None),
    Field("MIN_LOG2", 32, 8, "log2 of the smallest job's bytes", None),
    Field("MAX_LOG2", 40, 8, "log2 of the largest job's bytes", None),
    Field("WINDOWS", 48, 8, "windows", None),
    Field("ADDR_BITS", 56, 8, "address bits", None)
  ))
  val Features = Register("FEATURES", 0x018, ReadOnly, "What may be there.", Seq(
    Field("TEST", 0, 1, "the TEST register is there", None)
  ))
  val IrqStatus = Register("IRQ_STATUS", 0x020, ReadOnly, "Interrupt wires.", Seq(
    Field("CHANNELS", 0, maxChannels, "bit c: channel c raises its interrupt")
  ))
  val Busy = Register("BUSY", 0x028, ReadOnly, "Channels at work.", Seq(
    Field("CHANNELS", 0, maxChannels, "bit c: channel c is busy")
  ))
  val WindowLock = Register("WINDOW_LOCK", 0x040, WriteOneToSet,
    "Locks itself and every window register. Only reset unlocks.", Seq(
      Field("LOCK", 0, 1, "locked")
    ))
  val Test = Register("TEST", 0x048, ReadWrite,
    "Fault injection for driver tests. Only there if FEATURES.TEST; reads 0 otherwise.", Seq(
      Field("HANG", 0, 1, "issue no new block while set"),
      Field("FAIL", 1, 1, "a block is not sent but treated as answered with SLVERR"),
      Field("NO_IRQ", 2, 1, "raise no interrupt; wins over SPURIOUS"),
      Field("SPURIOUS", 3, 1, "raise every channel's interrupt"),
      Field("REFUSE", 4, 1, "reject every job submitted with REFUSED")
    ))
  val WindowBase = Register("WINDOW_BASE", 0x100, ReadWrite,
    "First byte of a window. The low 6 bits read 0.", Seq(
      Field("BASE", 6, 58, "address bits 63:6")
    ), windowStride)
  val WindowLimit = Register("WINDOW_LIMIT", 0x108, ReadWrite,
    "Last byte of a window, inclusive. The low 6 bits read 1.", Seq(
      Field("LOW", 0, 6, "read as ones", Some(0x3f)),
      Field("LIMIT", 6, 58, "address bits 63:6")
    ), windowStride)
  val WindowCtrl = Register("WINDOW_CTRL", 0x110, ReadWrite, "Whether a window counts.", Seq(
    Field("ENABLE", 0, 1, "jobs inside this window are allowed")
  ), windowStride)

  val global = Page("global", "At offset 0x0000.", Seq(
    Id, Version, Params, Features, IrqStatus, Busy, WindowLock, Test, WindowBase, WindowLimit, WindowCtrl
  ))

  val Submit = Register("SUBMIT", 0x000, WriteOnly,
    "Queues a job: 2^LOG2 bytes from an address aligned to that size. Never stalls. Lost if the queue is full or " +
      "ABORT is in progress: then OVERFLOW is set and JOBS_DROPPED counts it.", Seq(
      Field("LOG2", 0, 6, "log2 of the job's bytes"),
      Field("ADDR", 6, 58, "address bits 63:6 of the first byte")
    ))
  val Fill = Register("FILL", 0x008, ReadWrite, "What jobs submitted from now on write.", Seq(
    Field("BYTE", 0, 8, "value of every byte")
  ))
  val Completion = Register("COMPLETION", 0x010, ReadOnly,
    "Jobs finished, in order of submission. One load gives count and outcomes consistently.", Seq(
      Field("COUNT", 0, 32, "jobs finished with any outcome since reset, mod 2^32"),
      Field("FAILED", 32, 32, "bit i of the field: the i-th latest finished job failed (0: the latest)")
    ))
  val Status = Register("STATUS", 0x018, ReadOnly, "State of the channel.", Seq(
    Field("BUSY", 0, 1, "jobs are queued, active or in flight, or ABORT is in progress"),
    Field("ABORTING", 1, 1, "ABORT is in progress"),
    Field("OVERFLOW", 2, 1, "a SUBMIT was lost; sticky until ERROR is written"),
    Field("ERROR", 3, 1, "ERROR holds an error"),
    Field("IRQ", 4, 1, "the interrupt condition holds"),
    Field("QUEUED", 8, 8, "jobs accepted and not finished, at most PARAMS.QUEUE_DEPTH")
  ))
  val Error = Register("ERROR", 0x020, WriteToClear,
    "The first error since the last clear. Any write clears ERROR, ERROR_ADDR and STATUS.OVERFLOW.", Seq(
      Field("CODE", 0, 4, "see the error codes"),
      Field("COUNT", 32, 32, "COMPLETION.COUNT made by the failing job: its 1-based number mod 2^32")
    ))
  val ErrorAddr = Register("ERROR_ADDR", 0x028, ReadOnly,
    "Where that error is: the first bad block's address for SLVERR and DECERR, else the SUBMIT value.", Seq(
      Field("ADDR", 0, 64, "address or SUBMIT value")
    ))
  val Control = Register("CONTROL", 0x030, ReadWrite, "Commands.", Seq(
    Field("ABORT", 0, 1,
      "write 1: drop queued jobs, stop the active one, drain what is in flight; reads 1 until done")
  ))
  val IrqConfig = Register("IRQ_CONFIG", 0x038, ReadWrite,
    "When to interrupt: if enabled and at least THRESHOLD completions are not acknowledged, or any is and TIMEOUT " +
      "has passed.", Seq(
      Field("ENABLE", 0, 1, "interrupt enable"),
      Field("THRESHOLD", 8, 16, "unacknowledged completions; 0 acts as 1"),
      Field("TIMEOUT", 32, 32,
        "cycles since the oldest unacknowledged completion, or since IRQ_ACK or IRQ_CONFIG was written if later; 0: none")
    ))
  val IrqAck = Register("IRQ_ACK", 0x040, ReadWrite, "Acknowledges completions. The interrupt is a level.", Seq(
    Field("COUNT", 0, 32, "COMPLETION.COUNT up to which software has seen")
  ))
  val Rate = Register("RATE", 0x048, ReadWrite, "Rate limit.", Seq(
    Field("CYCLES", 0, 16, "least cycles from one block's issue to the channel's next; 0 or 1: no limit")
  ))

  private def counter(name: String, offset: Int, doc: String) =
    Register(name, offset, ReadOnly, doc, Seq(Field("COUNT", 0, 64, "since reset")))

  val BusyCycles   = counter("BUSY_CYCLES", 0x080, "Cycles with STATUS.BUSY.")
  val Blocks       = counter("BLOCKS", 0x088, "Blocks written and answered OKAY.")
  val StallCycles  = counter("STALL_CYCLES", 0x090,
    "Cycles a block was next to go and the bus did not take it: not ready, or every slot in flight.")
  val JobsOk       = counter("JOBS_OK", 0x098, "Jobs that wrote their whole region.")
  val JobsRejected = counter("JOBS_REJECTED", 0x0a0, "Jobs with BAD_SIZE, MISALIGNED, WINDOW or REFUSED.")
  val JobsBusError = counter("JOBS_BUS_ERROR", 0x0a8, "Jobs with SLVERR or DECERR.")
  val JobsAborted  = counter("JOBS_ABORTED", 0x0b0, "Jobs with ABORTED.")
  val JobsDropped  = counter("JOBS_DROPPED", 0x0b8,
    "SUBMITs lost to a full queue or during ABORT; not in COMPLETION.")

  /** The counters, which lie side by side and fill an aligned region. */
  val counters: Seq[Register] =
    Seq(BusyCycles, Blocks, StallCycles, JobsOk, JobsRejected, JobsBusError, JobsAborted, JobsDropped)
  require(counters.map(_.offset) == Seq.tabulate(8)(0x080 + 8 * _), "the counters are not one aligned region")

  val channel = Page("channel", "Channel c at offset 0x1000 * (1 + c). Channel 0 is the most urgent.", Seq(
    Submit, Fill, Completion, Status, Error, ErrorAddr, Control, IrqConfig, IrqAck, Rate
  ) ++ counters)

  val pages: Seq[Page] = Seq(global, channel)

  val errorCodes: Seq[ErrorCode] = Seq(
    ErrorCode("NONE", 0, "no error"),
    ErrorCode("BAD_SIZE", 1, "LOG2 outside PARAMS' range"),
    ErrorCode("MISALIGNED", 2, "address is not a multiple of the size"),
    ErrorCode("WINDOW", 3, "not inside one enabled window"),
    ErrorCode("SLVERR", 4, "the bus answered SLVERR"),
    ErrorCode("DECERR", 5, "the bus answered DECERR"),
    ErrorCode("ABORTED", 6, "dropped or stopped by CONTROL.ABORT"),
    ErrorCode("REFUSED", 7, "TEST.REFUSE was set")
  )

  def errorCode(name: String): Int =
    errorCodes.find(_.name == name).getOrElse(throw new NoSuchElementException(s"no error code $name")).value
}
