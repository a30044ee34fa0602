// SPDX-License-Identifier: BSD-3-Clause
/*
 * scrub: what a scrub costs the CPU, by kscrubd's own stores and by the engine.
 *
 * Dirties and frees memory, lets kscrubd zero it while this program sleeps, and counts the cycles the CPU was awake:
 * Rocket's cycle counter stops in WFI. An equally long sleep with nothing to do is taken off. One JSON line each.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "modes.h"

#define MIB (1024UL * 1024)
#define CYCLES_PER_PAGE 6000UL	/* more than the CPU needs */

static unsigned long page_size;

static inline unsigned long cycle(void)
{
	unsigned long value;

	asm volatile("rdcycle %0" : "=r"(value) : : "memory");
	return value;
}

/* Leaves `bytes` of free memory that were zeroed dirty. */
static void dirty(unsigned long bytes)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("scrub: mmap");
		exit(2);
	}
	for (unsigned long i = 0; i < bytes; i += page_size)
		*(volatile char *)(memory + i) = 1;
	munmap(memory, bytes);
}

/* Cycles the CPU is awake from the change to `mode` until `ns` later. */
static unsigned long awake(enum mode mode, long ns)
{
	const struct timespec pause = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	unsigned long begin = cycle();

	mode_set(mode);
	nanosleep(&pause, NULL);
	return cycle() - begin;
}

static void measure(enum mode mode, unsigned long mib)
{
	unsigned long pages = mib * MIB / page_size;
	long ns = pages * CYCLES_PER_PAGE * 10;	/* 100 MHz */
	const char *counter = mode == MODE_ENGINE ? "scrub_engine_pages" : "scrub_cpu_pages", *why;

	mode_set(mode_available(MODE_ENGINE, &why) ? MODE_ENGINE : MODE_CPU);
	pool_fill(mode, LONG_MAX);
	mode_set(MODE_STOCK);
	dirty(mib * MIB);
	unsigned long idle = awake(MODE_STOCK, ns);
	long before = vmstat(counter);
	unsigned long busy = awake(mode, ns);
	long done = vmstat(counter) - before;

	mode_set(MODE_STOCK);
	printf("{\"test\": \"scrub\", \"mode\": \"%s\", \"pages\": %ld, \"awake_cycles\": %lu, \"idle_cycles\": %lu, \"ns\": %ld}\n",
	       mode_names[mode], done, busy, idle, ns);
	fflush(stdout);
}

static const char usage[] =
	"Usage: scrub [-m MIB]\n"
	"  -m MIB  memory to be zeroed (4)\n";

int main(int argc, char **argv)
{
	static const enum mode modes[] = { MODE_CPU, MODE_ENGINE };
	unsigned long mib = 4;

	for (int c; (c = getopt(argc, argv, "m:")) != -1;) {
		if (c != 'm' || (mib = strtoul(optarg, NULL, 10)) < 1 || mib > 1024)
			return fputs(usage, stderr), 2;
	}
	page_size = sysconf(_SC_PAGESIZE);
	for (unsigned int i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		const char *why;

		if (mode_available(modes[i], &why))
			measure(modes[i], mib);
		else
			printf("# SKIP %s: %s\n", mode_names[modes[i]], why);
	}
	return 0;
}
