// SPDX-License-Identifier: BSD-3-Clause
package blockzero.registers

/** The beginning of the page of documentation: how software uses the registers. */
object Programming {
  private val use = """## Use

With the names of `sw/include/blockzero_regs.h`, and `rd(offset)` and `wr(offset, value)` as one 64-bit load and store.

**Is there an engine, and which?**

```c
uint64_t p;

if ((rd(BLOCKZERO_ID) & BLOCKZERO_ID_MAGIC_MASK) != BLOCKZERO_MAGIC)
	return -ENODEV;
if ((rd(BLOCKZERO_VERSION) & BLOCKZERO_VERSION_MAJOR_MASK) >> BLOCKZERO_VERSION_MAJOR_SHIFT != BLOCKZERO_VERSION_MAJOR)
	return -ENODEV;
p = rd(BLOCKZERO_PARAMS);	/* channels, queue depth, largest job, windows */
```

**Open a window and lock it.** After reset every window is closed, and every job fails. Firmware opens what may be zeroed.
The lock holds until reset, for all windows.

```c
wr(BLOCKZERO_WINDOW_BASE(0), ram_first);
wr(BLOCKZERO_WINDOW_LIMIT(0), ram_last);
wr(BLOCKZERO_WINDOW_CTRL(0), BLOCKZERO_WINDOW_CTRL_ENABLE_MASK);
wr(BLOCKZERO_WINDOW_LOCK, BLOCKZERO_WINDOW_LOCK_LOCK_MASK);
```

**Submit a job.** The address is a multiple of the size, which goes into the low bits as its logarithm: 12 for 4 KiB. Never
have more jobs under way than PARAMS.QUEUE_DEPTH.

```c
unsigned long page = BLOCKZERO_CHANNEL(c);
uint32_t before = rd(page + BLOCKZERO_COMPLETION);	/* the low half: COUNT */

wr(page + BLOCKZERO_SUBMIT, address | 12);
```

A job of four blocks, cycle by cycle, as the engine's own ports carry it. The bus takes nothing in cycle 4, and answers each block
after five cycles:

![Timing of a job: SUBMIT in cycle 1, blocks offered in cycles 3 to 7, answered until cycle 12, an interrupt in cycle 16](job-timing.svg)

**Poll.** One load gives the count and the outcomes. Jobs of a channel finish in order.

```c
uint64_t done;

do
	done = rd(page + BLOCKZERO_COMPLETION);
while ((uint32_t)done == before);
if (done >> BLOCKZERO_COMPLETION_FAILED_SHIFT & 1) {	/* the latest one failed: */
	uint64_t code = rd(page + BLOCKZERO_ERROR) & BLOCKZERO_ERROR_CODE_MASK;
	uint64_t where = rd(page + BLOCKZERO_ERROR_ADDR);

	wr(page + BLOCKZERO_ERROR, 0);	/* the next error is latched anew */
}
```

**Take an interrupt** for each job. It is a level: it stays until the completions that raised it are acknowledged.

```c
wr(page + BLOCKZERO_IRQ_CONFIG, BLOCKZERO_IRQ_CONFIG_ENABLE_MASK);
/* in the handler: */
wr(page + BLOCKZERO_IRQ_ACK, (uint32_t)rd(page + BLOCKZERO_COMPLETION));
```

**Abort.** Queued jobs finish with ABORTED. When the bit reads 0, nothing is in flight, and the memory can be used again.

```c
wr(page + BLOCKZERO_CONTROL, BLOCKZERO_CONTROL_ABORT_MASK);
while (rd(page + BLOCKZERO_CONTROL) & BLOCKZERO_CONTROL_ABORT_MASK)
	;
```
"""

  def apply(): Seq[String] = use.split("\n").toSeq
}
