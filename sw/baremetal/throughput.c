// SPDX-License-Identifier: BSD-3-Clause
/* How fast the engine and the CPU clear cold memory, in cycles, as JSON. Checks direction, not figures. */
#include "engine.h"

#define KIB 1024UL
#define MIB (1024 * KIB)

#define ELSEWHERE (SCRATCH + 17 * MIB)
#define ELSEWHERE_BYTES (2 * MIB)	/* read to fill an L2 cache */

static uintptr_t fresh;	/* nobody has touched memory from here to ELSEWHERE */

/* Fills caches of this size with clean lines, so that a clear evicts nothing dirty. */
static void chill(uintptr_t bytes)
{
	for (uintptr_t a = ELSEWHERE; a < ELSEWHERE + bytes; a += 64)
		*(volatile uint64_t *)a;
	fence();
}

static uintptr_t take(uintptr_t bytes)
{
	uintptr_t base = (fresh + bytes - 1) & ~(bytes - 1);

	fresh = base + bytes;
	return base;
}

static void clear_by_cpu(uintptr_t base, uintptr_t bytes)
{
	for (uintptr_t a = base; a < base + bytes; a += 64) {
		volatile uint64_t *line = (volatile uint64_t *)a;

		line[0] = 0; line[1] = 0; line[2] = 0; line[3] = 0;
		line[4] = 0; line[5] = 0; line[6] = 0; line[7] = 0;
	}
	fence();
}

/* `caches` says what they held before: what reset left in an L2, which is nothing, or clean lines. */
static void measure(unsigned int log2, const char *caches)
{
	uintptr_t bytes = 1UL << log2, base;
	uint64_t engine, cpu, busy;

	run(0, SCRATCH, 6);	/* the code that starts a job is in the cache now */
	base = take(bytes);
	chill(64 * KIB);
	busy = channel(0, BLOCKZERO_BUSY_CYCLES);
	engine = cycle();
	run(0, base, log2);
	engine = cycle() - engine;
	busy = channel(0, BLOCKZERO_BUSY_CYCLES) - busy;

	base = take(bytes);
	chill(64 * KIB);
	cpu = cycle();
	clear_by_cpu(base, bytes);
	cpu = cycle() - cpu;
	print("{\"test\": \"throughput\", \"bytes\": %u, \"caches\": \"%s\", \"inflight\": %u, \"engine_cycles\": %u, \"engine_busy_cycles\": %u, "
	      "\"cpu_cycles\": %u}\n", bytes, caches, INFLIGHT, engine, busy, cpu);
	check(engine < cpu, "2^%u bytes: the engine is faster", (unsigned long)log2);
}

/* Jobs one after the other keep the bus as busy as a long one. */
static void back_to_back(void)
{
	uintptr_t base = take(QUEUE_DEPTH * 4 * KIB);
	uint64_t cycles;

	chill(64 * KIB);
	cycles = cycle();
	for (unsigned int i = 0; i < QUEUE_DEPTH; i++)
		submit(0, base + i * 4 * KIB, 12);
	wait_idle(0);
	cycles = cycle() - cycles;
	print("{\"test\": \"back_to_back\", \"bytes\": %u, \"engine_cycles\": %u}\n", QUEUE_DEPTH * 4 * KIB, cycles);
}

int main(void)
{
	static const unsigned int small[] = { 12, 12, 12, 16 }, all[] = { 12, 12, 12, 16, 21, 22 };

	fresh = SCRATCH + 4 * KIB;
	set_window(0, SCRATCH, platform.ram_last, true);
	for (unsigned int i = 0; i < sizeof small / sizeof small[0]; i++)
		measure(small[i], "empty");
	chill(ELSEWHERE_BYTES);
	for (unsigned int i = 0; i < sizeof all / sizeof all[0]; i++)
		measure(all[i], "clean");
	back_to_back();
	return 0;
}
