// SPDX-License-Identifier: BSD-3-Clause
/*
 * Harts that use the engine and another device at once: no job is lost or doubled, none is said to be done before it is, and no hart's
 * data reach another's register.
 */
#include "engine.h"

#define JOBS 1000
#define AREA_BYTES 4096		/* of each channel, in which its jobs are */
#define PATIENCE 2000		/* reads of COMPLETION until a job is given up */

static volatile bool stop;

/* What a hart did. Each has lines of its own, so that counting is no traffic. */
static struct {
	volatile uint64_t rounds, lost, wrong;
} __attribute__((aligned(64))) did[HARTS];

static uint64_t hart_id(void)
{
	uint64_t value;

	__asm__("csrr %0, mhartid" : "=r"(value));
	return value;
}

/* One job of one block after the other, each looked at. */
static void jobs(unsigned int c, unsigned long count)
{
	uint64_t hart = hart_id();

	for (unsigned long i = 0; i < count; i++) {
		uintptr_t at = SCRATCH + c * AREA_BYTES + i * 64 % AREA_BYTES;
		uint32_t before = completed(c);
		unsigned int spins = 0;

		paint(at, at + 64);
		fence();
		submit(c, at, 6);
		while (completed(c) == before && ++spins < PATIENCE)
			;
		fence();
		did[hart].lost += completed(c) == before;
		did[hart].wrong += filled_until(at, at + 64, 0) != at + 64;
		did[hart].rounds++;
	}
}

static void last_channel(void)
{
	jobs(CHANNELS - 1, JOBS);
}

/* Stores outside the engine, where there is a UART: to its scratch register. */
static void elsewhere(void)
{
	volatile uint8_t *scratch = (volatile uint8_t *)(platform.uart + 7);

	while (!stop) {
		uint64_t round = did[hart_id()].rounds++;

		if (platform.uart)
			*scratch = 0xff;
		else
			set_global(BLOCKZERO_ID, ~0UL);
		/* The pauses differ, so that stores meet the other harts' in each of their phases. */
		for (unsigned long i = round % 13; i; i--)
			__asm__ volatile("");
	}
}

/* A window that is not enabled is memory: what is written is read. */
static void window(void)
{
	uint64_t hart = hart_id();
	unsigned int last = WINDOWS - 1;

	while (!stop) {
		uint64_t value = pattern(++did[hart].rounds) & ~63UL;

		set_global(BLOCKZERO_WINDOW_BASE(last), value);
		set_global(BLOCKZERO_WINDOW_LIMIT(last), ~value);
		did[hart].wrong += global(BLOCKZERO_WINDOW_BASE(last)) != value || (global(BLOCKZERO_WINDOW_LIMIT(last)) & ~63UL) != (~value & ~63UL);
	}
}

int main(void)
{
	bool two_channels = CHANNELS > 1;
	struct {
		const char *name;
		void (*work)(void);
	} others[] = {
		{ "stores elsewhere", elsewhere },
		{ "jobs on the last channel", two_channels ? last_channel : elsewhere },
		{ "a window that is off", WINDOWS > 1 ? window : elsewhere },
	};
	unsigned int harts = 1, most = sizeof others / sizeof others[0];
	uint64_t dropped = 0, rejected = 0;

	set_window(0, SCRATCH, platform.ram_last, true);
	while (harts <= most && hart_run(harts, others[harts - 1].work))
		harts++;
	if (harts == 1)
		print("# SKIP: there is one hart\n");
	jobs(0, JOBS);
	stop = true;
	for (unsigned int h = 1; h < harts; h++)
		while (!hart_idle(h))
			;
	for (unsigned int c = 0; c < CHANNELS; c++) {
		dropped += channel(c, BLOCKZERO_JOBS_DROPPED);
		rejected += channel(c, BLOCKZERO_JOBS_REJECTED);
	}
	for (unsigned int h = 0; h < harts; h++) {
		print("# hart %u: %s, %u times\n", (unsigned long)h, h ? others[h - 1].name : "jobs on channel 0", did[h].rounds);
		check(did[h].rounds >= 100, "hart %u was at work", (unsigned long)h);
		check(!did[h].lost, "hart %u: %u jobs are lost", (unsigned long)h, did[h].lost);
		check(!did[h].wrong, "hart %u: %u times it finds what it did not ask for", (unsigned long)h, did[h].wrong);
	}
	check(completed(0) == JOBS, "channel 0 completed %u jobs of %u", (uint64_t)completed(0), (uint64_t)JOBS);
	if (two_channels && harts > 2)
		check(completed(CHANNELS - 1) == JOBS, "the last channel completed %u jobs of %u", (uint64_t)completed(CHANNELS - 1), (uint64_t)JOBS);
	check(!dropped && !rejected, "%u jobs were dropped, %u rejected", dropped, rejected);
	return 0;
}
