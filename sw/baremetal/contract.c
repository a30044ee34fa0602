// SPDX-License-Identifier: BSD-3-Clause
/* Identity, errors, protection, queues, abort, interrupts and fault injection: the engine's contract but for its writes. */
#include "engine.h"

#define GUARD 4096
#define ABORTED_LOG2 18	/* of a job that is under way for long enough to be aborted */
#define HELD_RATE 1000	/* of a channel whose page is under way for longer than its queue takes to fill */

static unsigned long engine_per_1000;	/* cycles of the engine in 1000 of the core */

static bool has_test(void)
{
	return global(BLOCKZERO_FEATURES) & BLOCKZERO_FEATURES_TEST_MASK;
}

static void identity(void)
{
	check((global(BLOCKZERO_ID) & BLOCKZERO_ID_MAGIC_MASK) == BLOCKZERO_MAGIC, "ID is BLKZ");
	check((global(BLOCKZERO_VERSION) & BLOCKZERO_VERSION_MAJOR_MASK) >> BLOCKZERO_VERSION_MAJOR_SHIFT == BLOCKZERO_VERSION_MAJOR,
	      "VERSION has the major number of this header");
	check(CHANNELS >= 1 && CHANNELS <= 15, "%u channels", CHANNELS);
	set_global(BLOCKZERO_ID, 0);
	check((global(BLOCKZERO_ID) & BLOCKZERO_ID_MAGIC_MASK) == BLOCKZERO_MAGIC, "ID cannot be written");
	check(global(0xff8) == 0, "an unused offset reads 0");

	/* A half-word store must not become a job or a window. */
	*(volatile uint32_t *)(platform.engine + BLOCKZERO_WINDOW_BASE(0)) = 0x80000000;
	check(global(BLOCKZERO_WINDOW_BASE(0)) == 0, "a 32-bit store changes nothing");
	*(volatile uint32_t *)(platform.engine + BLOCKZERO_CHANNEL(0) + BLOCKZERO_SUBMIT) = 6;
	check(completed(0) == 0 && channel(0, BLOCKZERO_STATUS) == 0, "a 32-bit store to SUBMIT is no job");
}

/* What rejected jobs may not touch. It is painted once for many of them: each is checked to have left it so. */
#define AREA SCRATCH
#define AREA_END (SCRATCH + 3 * GUARD)

/* One job that must fail with `code` and write nothing: the area is painted, and stays so. */
static void rejected(unsigned int c, uint64_t address, unsigned int log2, unsigned int code, const char *what)
{
	clear_error(c);
	uint64_t before = channel(c, BLOCKZERO_JOBS_REJECTED);
	bool ok = run(c, address, log2);
	unsigned int got = error_code(c);

	check(!ok && got == code && channel(c, BLOCKZERO_ERROR_ADDR) == (address | log2) &&
	      channel(c, BLOCKZERO_JOBS_REJECTED) == before + 1 && painted_until(AREA, AREA_END) == AREA_END,
	      "channel %u: %s is rejected with code %u (got %u) and writes nothing", (unsigned long)c, what,
	      (unsigned long)code, (unsigned long)got);
	clear_error(c);
	check(error_code(c) == 0 && channel(c, BLOCKZERO_ERROR_ADDR) == 0, "channel %u: the error clears", (unsigned long)c);
}

static void errors(void)
{
	uintptr_t page = SCRATCH + GUARD;

	paint(AREA, AREA_END);
	for (unsigned int c = 0; c < CHANNELS; c++)
		rejected(c, page, 12, BLOCKZERO_ERR_WINDOW, "a job without any window");

	set_window(0, SCRATCH, platform.ram_last, true);
	for (unsigned int c = 0; c < CHANNELS; c++) {
		for (unsigned int log2 = 0; log2 < 64; log2 += log2 == 5 ? 26 : 1)
			rejected(c, page, log2, BLOCKZERO_ERR_BAD_SIZE, "a size out of range");
		for (unsigned int log2 = 7; log2 <= 12; log2++)
			for (unsigned int bit = 6; bit < log2; bit++)
				rejected(c, page + (1UL << bit), log2, BLOCKZERO_ERR_MISALIGNED, "a misaligned job");
	}

	/* A window of one page: its neighbours, what straddles it, and what wraps around are out. */
	set_window(0, page, page + GUARD - 1, true);
	rejected(0, page - 64, 6, BLOCKZERO_ERR_WINDOW, "the block before the window");
	rejected(0, page + GUARD, 6, BLOCKZERO_ERR_WINDOW, "the block after the window");
	rejected(0, page & ~0x1fffUL, 13, BLOCKZERO_ERR_WINDOW, "a job larger than the window");
	rejected(0, page | 1UL << 32, 12, BLOCKZERO_ERR_WINDOW, "an address above the bus's");
	rejected(0, page | 1UL << 63, 12, BLOCKZERO_ERR_WINDOW, "an address with the top bit");
	rejected(0, 0, 30, BLOCKZERO_ERR_WINDOW, "the first GiB");
	rejected(0, ~0x3fUL, 6, BLOCKZERO_ERR_WINDOW, "the last block there is");
	check(run(0, page, 12), "the whole window is allowed");
	check(run(0, page, 6) && run(0, page + GUARD - 64, 6), "its first and last block are allowed");
	paint(AREA, AREA_END);
	set_window(0, page, page + GUARD - 1, false);
	rejected(0, page, 12, BLOCKZERO_ERR_WINDOW, "a job in a disabled window");
	if (WINDOWS >= 2) {
		set_window(0, page, page + GUARD / 2 - 1, true);
		set_window(1, page + GUARD / 2, page + GUARD - 1, true);
		rejected(0, page, 12, BLOCKZERO_ERR_WINDOW, "a job over two windows");
		check(run(CHANNELS - 1, page, 11) && run(CHANNELS - 1, page + GUARD / 2, 11), "each half is allowed");
		paint(AREA, AREA_END);
		set_window(1, 0, 0, false);
	}
	set_window(0, page + GUARD, page, true);
	rejected(0, page, 12, BLOCKZERO_ERR_WINDOW, "a job in a window that ends before it begins");
}

/* The bus answers with an error where nothing is. */
static void bus_errors(void)
{
	uintptr_t hole = platform.hole, page = SCRATCH;

	if (hole > page)
		set_window(0, page, hole + 0xffff, true);
	else
		set_window(0, hole, platform.ram_last, true);
	for (unsigned int c = 0; c < CHANNELS; c++) {
		uint64_t before = channel(c, BLOCKZERO_JOBS_BUS_ERROR);

		paint(page, page + GUARD);
		fence();
		submit(c, hole, 12);
		submit(c, page, 12);
		wait_idle(c);
		unsigned int code = error_code(c);
		uint64_t completion = channel(c, BLOCKZERO_COMPLETION);

		check(code == BLOCKZERO_ERR_SLVERR || code == BLOCKZERO_ERR_DECERR, "channel %u: a bus error fails its job, code %u",
		      (unsigned long)c, (unsigned long)code);
		check(channel(c, BLOCKZERO_ERROR_ADDR) == hole, "channel %u: with its first bad address", (unsigned long)c);
		check((completion >> 32 & 3) == 2 && filled_until(page, page + GUARD, 0) == page + GUARD,
		      "channel %u: the next job succeeds", (unsigned long)c);
		check(channel(c, BLOCKZERO_JOBS_BUS_ERROR) == before + 1, "channel %u: counted", (unsigned long)c);
		clear_error(c);
	}
	set_window(0, SCRATCH, platform.ram_last, true);
}

/* A page whose blocks are held apart is the first job of a full queue; the others are blocks behind it. */
static void overflow(void)
{
	unsigned long depth = QUEUE_DEPTH;
	uintptr_t page = SCRATCH, blocks = page + 4096, end = blocks + (depth - 1) * 64;

	for (unsigned int c = 0; c < CHANNELS; c++) {
		uint32_t before = completed(c);
		uint64_t dropped = channel(c, BLOCKZERO_JOBS_DROPPED);

		set_channel(c, BLOCKZERO_RATE, HELD_RATE);
		paint(page, end + 64);
		fence();
		submit(c, page, 12);
		for (uintptr_t block = blocks; block < end; block += 64)
			submit(c, block, 6);
		check(!(channel(c, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_OVERFLOW_MASK), "channel %u: %u jobs are taken", (unsigned long)c, depth);
		submit(c, end, 6);
		check(channel(c, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_OVERFLOW_MASK, "channel %u: one more sets OVERFLOW", (unsigned long)c);
		check(channel(c, BLOCKZERO_JOBS_DROPPED) == dropped + 1, "channel %u: and is counted", (unsigned long)c);
		check((channel(c, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_QUEUED_MASK) >> BLOCKZERO_STATUS_QUEUED_SHIFT == depth,
		      "channel %u: QUEUED is full", (unsigned long)c);
		set_channel(c, BLOCKZERO_RATE, 0);
		wait_idle(c);

		check(completed(c) == before + depth, "channel %u: all that were taken complete", (unsigned long)c);
		check(filled_until(page, end, 0) == end && painted_until(end, end + 64) == end + 64,
		      "channel %u: the lost job wrote nothing, the others all", (unsigned long)c);
		clear_error(c);
		check(!(channel(c, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_OVERFLOW_MASK), "channel %u: OVERFLOW clears", (unsigned long)c);
	}
}

static void abort_channel(void)
{
	uintptr_t kept = SCRATCH + (1UL << ABORTED_LOG2);
	unsigned long jobs = QUEUE_DEPTH < 3 ? QUEUE_DEPTH : 3, all = (1UL << jobs) - 1;
	uintptr_t end = kept + (jobs - 1) * 4096;

	for (unsigned int c = 0; c < CHANNELS; c++) {
		uint32_t before = completed(c);
		uint64_t aborted = channel(c, BLOCKZERO_JOBS_ABORTED);

		paint(kept, end);
		fence();
		submit(c, SCRATCH, ABORTED_LOG2);
		for (uintptr_t page = kept; page < end; page += 4096)
			submit(c, page, 12);
		set_channel(c, BLOCKZERO_CONTROL, BLOCKZERO_CONTROL_ABORT_MASK);
		while (channel(c, BLOCKZERO_CONTROL) & BLOCKZERO_CONTROL_ABORT_MASK)
			;
		fence();
		uint64_t completion = channel(c, BLOCKZERO_COMPLETION);

		check(!(channel(c, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_BUSY_MASK), "channel %u: idle after an abort", (unsigned long)c);
		check((uint32_t)completion == (uint32_t)(before + jobs) && (completion >> 32 & all) == all &&
		      channel(c, BLOCKZERO_JOBS_ABORTED) == aborted + jobs, "channel %u: the %u jobs completed as failed", (unsigned long)c, jobs);
		check(error_code(c) == BLOCKZERO_ERR_ABORTED, "channel %u: code ABORTED", (unsigned long)c);
		check(painted_until(kept, end) == end, "channel %u: dropped jobs wrote nothing", (unsigned long)c);
		/* Nothing may be written after idle was reported. */
		paint(SCRATCH, kept);
		check(painted_until(SCRATCH, kept) == kept, "channel %u: nothing is in flight after it", (unsigned long)c);
		clear_error(c);
		check(run(c, SCRATCH, 12) && filled_until(SCRATCH, SCRATCH + 4096, 0) == SCRATCH + 4096, "channel %u: works again", (unsigned long)c);
	}
}

/* An urgent page overtakes a background scrub of 4 MiB. */
static void priority(void)
{
	unsigned int last = CHANNELS - 1;

	if (!last) {
		print("# one channel: none is more urgent than another\n");
		return;
	}
	run(0, SCRATCH, 12);
	uint64_t alone = cycle();

	run(0, SCRATCH, 12);
	alone = cycle() - alone;
	submit(last, SCRATCH + (4 << 20), 22);
	uint64_t beside = cycle();

	run(0, SCRATCH, 12);
	beside = cycle() - beside;
	check(channel(last, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_BUSY_MASK, "the background job is still under way");
	check(beside < alone + alone / 4 + 100, "an urgent page takes %u cycles beside a scrub, %u alone", beside, alone);
	wait_idle(last);
}

static void rate(void)
{
	unsigned int last = CHANNELS - 1;
	uint64_t busy = channel(last, BLOCKZERO_BUSY_CYCLES);

	set_channel(last, BLOCKZERO_RATE, 200);
	run(last, SCRATCH, 12);
	wait_idle(last);
	busy = channel(last, BLOCKZERO_BUSY_CYCLES) - busy;
	check(busy > 63 * 200 && busy < 66 * 200 + 500, "a rate of one block in 200 cycles takes %u cycles of the engine a page", busy);
	set_channel(last, BLOCKZERO_RATE, 0);
}

static void acknowledge(unsigned int source)
{
	unsigned int c = source - platform.engine_irq;

	set_channel(c, BLOCKZERO_IRQ_ACK, completed(c));
}

static void interrupts(void)
{
	for (unsigned int c = 0; c < CHANNELS; c++) {
		unsigned int source = 0;

		set_channel(c, BLOCKZERO_IRQ_ACK, completed(c));
		set_channel(c, BLOCKZERO_IRQ_CONFIG, BLOCKZERO_IRQ_CONFIG_ENABLE_MASK);
		interrupt_enable(platform.engine_irq + c, acknowledge);
		interrupts_taken(NULL);
		run(c, SCRATCH, 12);
		for (int i = 0; i < 100; i++)
			fence();
		check(interrupts_taken(&source) == 1 && source == platform.engine_irq + c, "channel %u: one interrupt for a job", (unsigned long)c);

		set_channel(c, BLOCKZERO_IRQ_CONFIG, BLOCKZERO_IRQ_CONFIG_ENABLE_MASK | 4 << BLOCKZERO_IRQ_CONFIG_THRESHOLD_SHIFT);
		for (int i = 0; i < 3; i++)
			run(c, SCRATCH, 6);
		unsigned long early = interrupts_taken(NULL);

		run(c, SCRATCH, 6);
		for (int i = 0; i < 100; i++)
			fence();
		check(!early && interrupts_taken(NULL) == 1, "channel %u: a threshold of 4 interrupts once", (unsigned long)c);

		set_channel(c, BLOCKZERO_IRQ_CONFIG, BLOCKZERO_IRQ_CONFIG_ENABLE_MASK | 4 << BLOCKZERO_IRQ_CONFIG_THRESHOLD_SHIFT |
						     2 * engine_per_1000 << BLOCKZERO_IRQ_CONFIG_TIMEOUT_SHIFT);
		run(c, SCRATCH, 6);
		early = interrupts_taken(NULL);
		for (uint64_t end = cycle() + 3000; cycle() < end;)
			;
		check(!early && interrupts_taken(NULL) == 1, "channel %u: the timeout interrupts for less", (unsigned long)c);

		if (has_test()) {
			set_global(BLOCKZERO_TEST, BLOCKZERO_TEST_NO_IRQ_MASK);
			set_channel(c, BLOCKZERO_IRQ_CONFIG, BLOCKZERO_IRQ_CONFIG_ENABLE_MASK);
			run(c, SCRATCH, 6);
			for (int i = 0; i < 100; i++)
				fence();
			check(interrupts_taken(NULL) == 0, "channel %u: TEST.NO_IRQ holds the interrupt back", (unsigned long)c);
		}
		set_channel(c, BLOCKZERO_IRQ_CONFIG, 0);
		set_global(BLOCKZERO_TEST, 0);
	}
}

static void injected(void)
{
	if (!has_test()) {
		print("# no TEST register: nothing can be injected\n");
		return;
	}
	for (unsigned int c = 0; c < CHANNELS; c++) {
		paint(AREA, AREA_END);
		set_global(BLOCKZERO_TEST, BLOCKZERO_TEST_REFUSE_MASK);
		rejected(c, SCRATCH, 12, BLOCKZERO_ERR_REFUSED, "a job under TEST.REFUSE");
		set_global(BLOCKZERO_TEST, BLOCKZERO_TEST_FAIL_MASK);
		paint(SCRATCH, SCRATCH + 4096);
		bool ok = run(c, SCRATCH, 12);

		check(!ok && error_code(c) == BLOCKZERO_ERR_SLVERR && channel(c, BLOCKZERO_ERROR_ADDR) == SCRATCH &&
		      painted_until(SCRATCH, SCRATCH + 4096) == SCRATCH + 4096, "channel %u: TEST.FAIL fails a job, nothing is written", (unsigned long)c);
		clear_error(c);

		uint32_t before = completed(c);

		set_global(BLOCKZERO_TEST, BLOCKZERO_TEST_HANG_MASK);
		submit(c, SCRATCH, 12);
		for (int i = 0; i < 100; i++)
			fence();
		bool held = completed(c) == before && painted_until(SCRATCH, SCRATCH + 4096) == SCRATCH + 4096;

		set_global(BLOCKZERO_TEST, 0);
		wait_idle(c);
		check(held && completed(c) == before + 1 && filled_until(SCRATCH, SCRATCH + 4096, 0) == SCRATCH + 4096,
		      "channel %u: TEST.HANG holds a job until it is cleared", (unsigned long)c);
	}
}

static void lock(void)
{
	set_global(BLOCKZERO_WINDOW_LOCK, 1);
	check(global(BLOCKZERO_WINDOW_LOCK) == 1, "the lock holds");
	set_global(BLOCKZERO_WINDOW_LOCK, 0);
	check(global(BLOCKZERO_WINDOW_LOCK) == 1, "the lock cannot be cleared");
	for (unsigned int i = 0; i < WINDOWS; i++) {
		uint64_t base = global(BLOCKZERO_WINDOW_BASE(i)), limit = global(BLOCKZERO_WINDOW_LIMIT(i)), on = global(BLOCKZERO_WINDOW_CTRL(i));

		set_window(i, 0, ~0UL, !on);
		check(global(BLOCKZERO_WINDOW_BASE(i)) == base && global(BLOCKZERO_WINDOW_LIMIT(i)) == limit && global(BLOCKZERO_WINDOW_CTRL(i)) == on,
		      "window %u cannot be changed", (unsigned long)i);
	}
	paint(AREA, AREA_END);
	rejected(0, SCRATCH - 4096, 12, BLOCKZERO_ERR_WINDOW, "a job below the locked window");
	check(run(0, SCRATCH, 12), "a job inside it works");
}

int main(void)
{
	identity();
	errors();
	bus_errors();
	engine_per_1000 = engine_per_1000_core_cycles();
	print("# the engine has %u cycles in 1000 of the core\n", engine_per_1000);
	overflow();
	abort_channel();
	priority();
	rate();
	interrupts();
	injected();
	lock();
	return 0;
}
