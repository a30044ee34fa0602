// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.BlockZeroRegisters
import chisel3.util._

/** What an engine is built with.
  *
  * {{{
  * EngineParams(channels = 2, inflight = 32, addrBits = 40)
  * }}}
  *
  * @param channels   queues of jobs; channel 0 is the most urgent. 1 to 15, for example 2
  * @param queueDepth jobs a channel holds from SUBMIT to completion. A power of two from 2 to 128, for example 16
  * @param inflight   blocks issued and not answered, over all channels. 1 to 64, for example 16
  * @param addrBits   address bits the engine can reach. 32 to 64, for example 40
  * @param windows    protection windows. 1 to 16, for example 4
  * @param testHooks  whether the TEST register is there: fault injection for driver tests
  */
case class EngineParams(
  channels:   Int = 2,
  queueDepth: Int = 16,
  inflight:   Int = 16,
  addrBits:   Int = 32,
  windows:    Int = 4,
  testHooks:  Boolean = true
) {
  require(
    channels >= 1 && channels <= BlockZeroRegisters.maxChannels,
    s"channels must be 1 to ${BlockZeroRegisters.maxChannels}, not $channels"
  )
  require(
    isPow2(queueDepth) && queueDepth >= 2 && queueDepth <= 128,
    s"queueDepth must be a power of two from 2 to 128, not $queueDepth"
  )
  require(inflight >= 1 && inflight <= 64, s"inflight must be 1 to 64, not $inflight")
  require(addrBits >= 32 && addrBits <= 64, s"addrBits must be 32 to 64, not $addrBits")
  require(
    windows >= 1 && windows <= BlockZeroRegisters.maxWindows,
    s"windows must be 1 to ${BlockZeroRegisters.maxWindows}, not $windows"
  )

  /** Bits of a block number: an address without the offset in its block. */
  val blockBits: Int = addrBits - EngineParams.blockLog2

  /** Bits of a slot id; one even if there is a single slot. */
  val slotBits: Int = log2Up(inflight)

  /** Bits of a channel number; one even if there is a single channel. */
  val channelBits: Int = log2Up(channels)

  /** Bits of a job's place in its channel's queue. */
  val jobBits: Int = log2Ceil(queueDepth)

  /** Bits that tell apart every number of blocks in flight. */
  val sentBits: Int = log2Ceil(inflight + 1)
}

object EngineParams {

  /** log2 of a block's bytes: a cache line. */
  val blockLog2: Int = 6

  /** log2 of the smallest and the largest job's bytes. */
  val minJobLog2: Int = 6
  val maxJobLog2: Int = 30

  /** Bits of a block's number in the largest job. */
  val maxIndexBits: Int = maxJobLog2 - blockLog2
}
