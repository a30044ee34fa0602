// SPDX-License-Identifier: BSD-3-Clause
/*
 * What zeroing costs whoever runs beside it: cycles to read a working set again, after memory elsewhere was zeroed by
 * the engine or by the CPU. Reports only, as JSON.
 */
#include "engine.h"

#define KIB 1024UL
#define SET SCRATCH
#define ELSEWHERE (SCRATCH + 8192 * KIB)

static uint64_t read_set(uintptr_t bytes)
{
	uint64_t begin = cycle();

	for (uintptr_t a = SET; a < SET + bytes; a += 64)
		*(volatile uint64_t *)a;
	fence();
	return cycle() - begin;
}

static void zero_by_cpu(uintptr_t base, uintptr_t bytes)
{
	for (uintptr_t a = base; a < base + bytes; a += 8)
		*(volatile uint64_t *)a = 0;
	fence();
}

/* What is zeroed follows the set in a cache's index: less than a cache does not lie over it. */
static void measure(uintptr_t set, unsigned int log2, bool by_engine)
{
	uintptr_t bytes = 1UL << log2, elsewhere = ELSEWHERE + ((set + bytes - 1) & ~(bytes - 1));
	uint64_t warm, after;
	bool good = true;

	for (int i = 0; i < 4; i++)	/* lines may be replaced at random: some need more than once */
		read_set(set);
	warm = read_set(set);
	if (by_engine)
		good = run(0, elsewhere, log2);
	else
		zero_by_cpu(elsewhere, bytes);
	after = read_set(set);
	print("{\"test\": \"workingset\", \"by\": \"%s\", \"set_bytes\": %u, \"zeroed_bytes\": %u, \"warm_cycles\": %u, \"after_cycles\": %u}\n",
	      by_engine ? "engine" : "cpu", set, bytes, warm, after);
	if (by_engine)
		check(good, "2^%u bytes zeroed by the engine", (unsigned long)log2);
}

int main(void)
{
	static const uintptr_t sets[] = { 8 * KIB, 128 * KIB };
	static const unsigned int zeroed[] = { 12, 16, 19, 22 };

	set_window(0, SCRATCH, platform.ram_last, true);
	for (unsigned int s = 0; s < sizeof sets / sizeof sets[0]; s++) {
		for (unsigned int z = 0; z < sizeof zeroed / sizeof zeroed[0]; z++)
			measure(sets[s], zeroed[z], true);
		for (unsigned int z = 0; z < 3; z++)	/* more takes the CPU long and shows nothing new */
			measure(sets[s], zeroed[z], false);
	}
	return 0;
}
