// SPDX-License-Identifier: BSD-3-Clause
/*
 * scrub: what a scrub costs the CPU, by kscrubd's own stores and by the engine.
 *
 * Lets kscrubd zero free memory while this program sleeps, and counts the cycles the CPU was awake: Rocket's cycle
 * counter stops in WFI. What it is awake without kscrubd is given beside. One JSON line each.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "modes.h"
#include "settings.h"

#define MIB (1024UL * 1024)
#define CYCLES_PER_PAGE 6000	/* more than the CPU needs */
#define LARGEST_ORDER 10

/* Cycles the CPU is awake from when kscrubd, where it is on, may begin until `ns` later. */
static unsigned long awake(long ns)
{
	const struct timespec pause = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	unsigned long begin = cycle();

	scrub_down_to(SCRUB_STOP);
	nanosleep(&pause, NULL);
	return cycle() - begin;
}

/* So that as many timer ticks are in one time as in another. */
static long whole_ticks(long ns)
{
	struct timespec tick;

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	return (ns + tick.tv_nsec - 1) / tick.tv_nsec * tick.tv_nsec;
}

/*
 * All free memory is dirty when a mode begins. The switch itself is not counted: kscrubd may begin with the largest
 * blocks. The engine is soon done with them; the CPU is measured at them, too.
 */
static void measure(enum mode mode, long ns, unsigned long idle)
{
	const char *counter = mode == MODE_ENGINE ? "scrub_engine_pages" : "scrub_cpu_pages";

	mode_set_down_to(mode, LARGEST_ORDER);
	if (mode == MODE_ENGINE)
		pool_fill(mode);

	long before = vmstat(counter);
	unsigned long busy = awake(ns);

	mode_set(MODE_STOCK);
	pool_fill(mode);	/* until it has dropped what it was at */
	printf("{\"test\": \"scrub\", \"mode\": \"%s\", \"pages\": %ld, \"awake_cycles\": %lu, \"idle_cycles\": %lu, \"ns\": %ld}\n",
	       mode_names[mode], vmstat(counter) - before, busy, idle, ns);
	fflush(stdout);
}

static const char usage[] =
	"Usage: scrub [-m MIB]\n"
	"  -m MIB  what the CPU has time to zero (4)\n";

int main(int argc, char **argv)
{
	static const enum mode modes[] = { MODE_CPU, MODE_ENGINE };
	unsigned long mib = 4;

	for (int c; (c = getopt(argc, argv, "m:")) != -1;) {
		if (c != 'm')
			return fputs(usage, stderr), 2;
		mib = number("-m", optarg, NULL, 1, 1024);
	}
	mode_set(MODE_STOCK);

	long ns = whole_ticks(mib * MIB / sysconf(_SC_PAGESIZE) * CYCLES_PER_PAGE * 1000 / clock_mhz());

	awake(ns);	/* what is done for the first time takes longer */
	unsigned long idle = awake(ns);

	for (unsigned int i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		const char *why;

		if (mode_available(modes[i], &why))
			measure(modes[i], ns, idle);
		else
			printf("# SKIP %s: %s\n", mode_names[modes[i]], why);
	}
	return 0;
}
