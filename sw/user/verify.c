// SPDX-License-Identifier: BSD-3-Clause
/*
 * verify: is memory that should be zero zero, and is memory that should be left alone left alone?
 *
 * In each mode in turn, and while modes change: takes nearly all free memory, checks every byte, dirties it and gives
 * it back, in several sizes of folio and by several kinds of allocation. Canary pages, filled with a pattern, stay
 * throughout and are checked after each step. TAP output.
 */
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folios.h"
#include "memory.h"
#include "modes.h"
#include "settings.h"
#include "tap.h"
#include "trouble.h"

static unsigned long most = ~0UL;	/* bytes taken at a time */

#define POOL 1024	/* pages that must at least be zeroed ahead where there is a pool */
#define ROUNDS 4

static const enum mode round_modes[ROUNDS] = { MODE_STOCK, MODE_ENGINE, MODE_DEMAND, MODE_CPU };

static void round_in_mode(enum mode mode)
{
	char what[64];
	const char *why;

	if (!mode_available(mode, &why)) {
		printf("# SKIP mode %s: %s\n", mode_names[mode], why);
		return;
	}
	mode_set(MODE_STOCK);	/* what was zeroed in another mode is forgotten */
	mode_set(mode);
	const char *blocks_name = mode == MODE_CPU ? "scrub_cpu_blocks" : "scrub_engine_blocks";
	const char *counters = vmstat_read();
	long in_fault = vmstat_find(counters, "zero_engine_folio"), hit = vmstat_find(counters, "zeroed_hit");
	long cpu = vmstat_find(counters, "scrub_cpu_pages"), engine = vmstat_find(counters, "scrub_engine_pages");
	long blocks = vmstat_find(counters, blocks_name);

	pool_fill(mode);
	long have = vmstat("nr_free_zeroed");

	snprintf(what, sizeof what, "mode %s", mode_names[mode]);
	if (mode_has_pool(mode)) {
		check(have >= POOL, "%s: %ld pages are zeroed ahead (of %d)", what, have, POOL);
		/* The CPU is slow, and its own zeroing is checked without an engine, too. */
		one_round(what, mode == MODE_CPU && most > HUGE ? HUGE : most);
		check(vmstat("zeroed_hit") > hit, "%s: zeroed pages are used (%ld)", what, vmstat("zeroed_hit") - hit);
		if (most >= HUGE && access(HUGETLB_POOL, F_OK) == 0)
			copied_hugetlb(what);
		counters = vmstat_read();
		cpu = vmstat_find(counters, "scrub_cpu_pages") - cpu;
		engine = vmstat_find(counters, "scrub_engine_pages") - engine;
		blocks = vmstat_find(counters, blocks_name) - blocks;
		check(mode == MODE_CPU ? cpu > 0 && engine == 0 : engine > 0 && cpu == 0,
		      "%s: %ld pages by the CPU, %ld by the engine", what, cpu, engine);
		check(blocks > 0 && blocks < cpu + engine, "%s: those were %ld blocks", what, blocks);
	} else {
		/* Here the CPU clears all or the most of it, and is slow; and what stock does is not ours. */
		unsigned long limit = mode == MODE_STOCK ? MIB : HUGE;

		one_round(what, most > limit ? limit : most);
		check(vmstat("zeroed_hit") <= hit, "%s: no zeroed page is used", what);
	}
	in_fault = vmstat("zero_engine_folio") - in_fault;
	if (mode != MODE_ENGINE)	/* there the pool may have had all of them */
		check(mode == MODE_DEMAND ? in_fault > 0 : in_fault <= 0, "%s: %ld folios by the engine in their fault", what, in_fault);
}

/* Modes change every few milliseconds in a child while the parent takes and checks memory. */
static void toggled(unsigned int seed)
{
	pid_t child = fork();

	if (child == 0) {
		const char *why;

		srandom(seed);
		for (;;) {
			enum mode mode = random() % MODE_NONE;

			if (mode_available(mode, &why))
				mode_set(mode);
			usleep(random() % 20000);
		}
	}
	one_round("modes changing", most < 2 * MIB ? most : 2 * MIB);
	kill(child, 9);
	waitpid(child, NULL, 0);
}

/* A bit for the round of each mode in the list, which has commas; 0 if there is a name of none. */
static unsigned int choose_modes(char *list)
{
	unsigned int wanted = 0;

	for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		int i = 0;

		while (i < ROUNDS && round_modes[i] != mode_named(name))
			i++;
		if (i == ROUNDS)
			return 0;
		wanted |= 1U << i;
	}
	return wanted;
}

/* Checked `count` of them; below 0: not to be had. */
static void were_there(const char *what, long count)
{
	if (count < 0)
		printf("# SKIP %s: this kernel has none\n", what);
	else
		check(count > 0, "%s were there to check (%ld)", what, count);
}

static const char usage[] =
	"Usage: verify [-S SEED] [-m MIB] [-M MODES] [-f]\n"
	"  -S SEED  of the changes of mode\n"
	"  -m MIB   take at most so much memory at a time (nearly all there is)\n"
	"  -M MODES of stock, engine, demand, cpu; with commas, in that order (all of them); then while they change\n"
	"  -f       also with every fault the engine can inject, and without its driver, a quarter of a MiB at a time\n";

int main(int argc, char **argv)
{
	unsigned int seed = 1, wanted = ~0U;
	bool faults_wanted = false;

	for (int c; (c = getopt(argc, argv, "S:fm:M:")) != -1;) {
		if (c == 'S')
			seed = number("-S", optarg, NULL, 0, UINT_MAX);
		else if (c == 'f')
			faults_wanted = true;
		else if (c == 'm')
			most = number("-m", optarg, NULL, 1, 1UL << 20) * MIB;
		else if (c != 'M' || !(wanted = choose_modes(optarg)))
			return fputs(usage, stderr), 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# seed %u\n", seed);
	set_folios(LARGE_KIB | HUGE_KIB);
	set_thp(LARGE_KIB, "shmem_enabled", "always");
	set_canaries();

	long large = thp_faults(LARGE_KIB), huge = thp_faults(HUGE_KIB);

	for (int i = 0; i < ROUNDS; i++)
		if (wanted & 1U << i)
			round_in_mode(round_modes[i]);
	toggled(seed);
	if (faults_wanted)
		make_trouble();
	mode_set(MODE_STOCK);
	were_there("large folios", large < 0 ? large : thp_faults(LARGE_KIB) - large);
	if (most >= HUGE) {
		bool hugetlb = access(HUGETLB_POOL, F_OK) == 0;

		were_there("huge pages", huge < 0 ? huge : thp_faults(HUGE_KIB) - huge);
		were_there("pages of hugetlb's", hugetlb ? hugetlb_pages : -1);
		were_there("pages of hugetlb's with a copy in them", hugetlb ? hugetlb_copies : -1);
	}
	return tap_end();
}
