// SPDX-License-Identifier: BSD-3-Clause
/* What the engine writes: every byte of a job and none beside it, at every size that RAM has a place for, seen coherently by the CPU. */
#include "engine.h"

#define EXHAUSTIVE_LOG2 18	/* largest job whose every byte is painted before */
#define LARGEST_LOG2 22

/* False if RAM has no place for it. */
static bool one_size(unsigned int c, unsigned int log2, uint8_t fill)
{
	uintptr_t size = 1UL << log2, base = (SCRATCH + 2 * size - 1) & ~(size - 1), guard = size < 4096 ? size : 4096;

	if (base + size + guard - 1 > platform.ram_last)
		return false;
	if (log2 <= EXHAUSTIVE_LOG2) {
		paint(base - guard, base + size + guard);
	} else {
		paint(base - guard, base + guard);
		paint(base + size - guard, base + size + guard);
	}
	set_channel(c, BLOCKZERO_FILL, fill);
	bool ok = run(c, base, log2);
	uintptr_t inside = filled_until(base, base + size, fill);

	check(ok && inside == base + size, "channel %u: 2^%u bytes hold 0x%x (to +0x%x)", (unsigned long)c, (unsigned long)log2,
	      (unsigned long)fill, inside - base);
	check(painted_until(base - guard, base) == base && painted_until(base + size, base + size + guard) == base + size + guard,
	      "channel %u: nothing beside 2^%u bytes is touched", (unsigned long)c, (unsigned long)log2);
	return true;
}

static void sizes(void)
{
	for (unsigned int log2 = 6; log2 <= LARGEST_LOG2; log2++)
		if (!one_size(log2 % CHANNELS, log2, 0))
			print("# 2^%u bytes are left out: RAM has no place for them\n", (unsigned long)log2);
	for (unsigned int c = 0; c < CHANNELS; c++) {
		for (unsigned int log2 = 6; log2 <= 12; log2++)
			one_size(c, log2, 0xa5 + c);
		set_channel(c, BLOCKZERO_FILL, 0);
	}
}

/* Every block of a page, alone: its 63 neighbours stay. */
static void each_block(void)
{
	uintptr_t page = SCRATCH;
	bool good = true;

	for (uintptr_t block = page; block < page + 4096; block += 64) {
		paint(page, page + 4096);
		good &= run(0, block, 6) && painted_until(page, block) == block && filled_until(block, block + 64, 0) == block + 64 &&
			painted_until(block + 64, page + 4096) == page + 4096;
	}
	check(good, "each block of a page alone");
}

/* Lines dirty in L1 when the engine writes them read back as it left them, while the CPU goes on writing beside them. */
static void coherence(void)
{
	uintptr_t page = SCRATCH;
	unsigned long bad = 0, lost = 0;

	for (unsigned int round = 0; round < 50; round++) {
		for (uintptr_t a = page; a < page + 8192; a += 8)
			*(volatile uint64_t *)a = a + round;
		fence();
		/* The engine clears the first page while the CPU writes the second. */
		submit(round % CHANNELS, page, 12);
		for (uintptr_t a = page + 4096; a < page + 8192; a += 8)
			*(volatile uint64_t *)a = ~a - round;
		wait_idle(round % CHANNELS);
		bad += filled_until(page, page + 4096, 0) != page + 4096;
		for (uintptr_t a = page + 4096; a < page + 8192; a += 8)
			lost += *(volatile uint64_t *)a != ~a - round;
	}
	check(!bad, "dirty lines read back zero after the engine, 50 rounds");
	check(!lost, "the CPU's own writes beside them are all there (%u lost)", lost);

	/* Alternate blocks, so that every line's neighbour is dirty and stays. */
	for (unsigned int round = 0; round < 8; round++) {
		paint(page, page + 4096);
		for (uintptr_t block = page + (round & 1) * 64; block < page + 4096; block += 128) {
			while ((channel(0, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_QUEUED_MASK) >> BLOCKZERO_STATUS_QUEUED_SHIFT == QUEUE_DEPTH)
				;
			submit(0, block, 6);
			*(volatile uint64_t *)(block ^ 64) = pattern(block ^ 64);
		}
		wait_idle(0);
		for (uintptr_t block = page; block < page + 4096; block += 64) {
			bool cleared = ((block >> 6) & 1) == (round & 1);

			bad += cleared ? filled_until(block, block + 64, 0) != block + 64 : painted_until(block, block + 64) != block + 64;
		}
	}
	check(!bad, "alternate blocks: cleared ones zero, dirty neighbours kept");

	/* A value written right after completion is newer than the engine's. */
	bad = 0;
	for (unsigned int round = 0; round < 50; round++) {
		run(0, page, 12);
		*(volatile uint64_t *)(page + round * 64) = round + 1;
		fence();
		bad += *(volatile uint64_t *)(page + round * 64) != round + 1;
	}
	check(!bad, "a write after completion stays");
}

/* Jobs on all channels at once, back to back: pages, or less where RAM has no place for so many. */
static void together(void)
{
	uintptr_t area = SCRATCH;
	unsigned long jobs = QUEUE_DEPTH, channels = CHANNELS;
	unsigned int log2 = 12;
	uint64_t succeeded = 0;

	while (area + (jobs * channels << log2) + 4096 - 1 > platform.ram_last)
		log2--;
	uintptr_t end = area + (jobs * channels << log2);

	paint(area, end + 4096);
	fence();
	for (unsigned int c = 0; c < channels; c++)
		succeeded -= channel(c, BLOCKZERO_JOBS_OK);
	for (unsigned long j = 0; j < jobs * channels; j++)
		submit(j % channels, area + (j << log2), log2);
	for (unsigned int c = 0; c < channels; c++) {
		wait_idle(c);
		succeeded += channel(c, BLOCKZERO_JOBS_OK);
	}
	check(succeeded == jobs * channels && filled_until(area, end, 0) == end && painted_until(end, end + 4096) == end + 4096,
	      "%u jobs at once on %u channels", jobs * channels, channels);
}

int main(void)
{
	set_window(0, SCRATCH, platform.ram_last, true);
	sizes();
	each_block();
	coherence();
	together();
	return 0;
}
