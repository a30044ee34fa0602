// SPDX-License-Identifier: BSD-3-Clause
/*
 * How fast the engine and the CPU clear cold memory, in cycles, as JSON. Checks direction, not figures.
 *
 * Cycles are the core's; engine_busy_cycles are the engine's, of which engine_per_1000_core_cycles pass in 1000 of the core's.
 */
#include "engine.h"

#define KIB 1024UL
#define MIB (1024 * KIB)

#define ELSEWHERE (SCRATCH + 17 * MIB)
#define ELSEWHERE_BYTES (2 * MIB)	/* read to fill an L2 cache */

static unsigned long engine_per_1000;	/* cycles of the engine in 1000 of the core */
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

struct cost {
	uint64_t cycles;	/* of the core, as software sees it */
	uint64_t busy;		/* of the engine, by its own counter */
};

static struct cost clear_by_engine(uintptr_t base, unsigned int log2)
{
	struct cost cost = { .busy = channel(0, BLOCKZERO_BUSY_CYCLES) };
	uint64_t begin = cycle();

	run(0, base, log2);
	cost.cycles = cycle() - begin;
	cost.busy = channel(0, BLOCKZERO_BUSY_CYCLES) - cost.busy;
	return cost;
}

static struct cost clear_by_cpu(uintptr_t base, unsigned int log2)
{
	uint64_t begin = cycle();

	for (uintptr_t a = base; a < base + (1UL << log2); a += 64) {
		volatile uint64_t *line = (volatile uint64_t *)a;

		line[0] = 0; line[1] = 0; line[2] = 0; line[3] = 0;
		line[4] = 0; line[5] = 0; line[6] = 0; line[7] = 0;
	}
	fence();
	return (struct cost){ .cycles = cycle() - begin };
}

/* Sizes, each with caches as reset left them but for what this program did, or after filling them with clean lines. */
static void measure(const unsigned int *log2, unsigned int count, bool clean)
{
	struct cost (*const clear[])(uintptr_t base, unsigned int log2) = { clear_by_engine, clear_by_cpu };
	struct cost costs[2][8];

	for (unsigned int by = 0; by < 2; by++) {
		for (unsigned int i = 0; i < count; i++) {
			uintptr_t base = take(1UL << log2[i]);

			clear[by](SCRATCH, 6);	/* its code is in the cache now */
			if (clean)
				chill(64 * KIB);
			costs[by][i] = clear[by](base, log2[i]);
		}
	}
	for (unsigned int i = 0; i < count; i++) {
		struct cost engine = costs[0][i], cpu = costs[1][i];

		print("{\"test\": \"throughput\", \"bytes\": %u, \"caches\": \"%s\", \"inflight\": %u, \"engine_cycles\": %u, "
		      "\"engine_busy_cycles\": %u, \"engine_per_1000_core_cycles\": %u, \"cpu_cycles\": %u}\n", 1UL << log2[i],
		      clean ? "clean" : "empty", INFLIGHT, engine.cycles, engine.busy, engine_per_1000, cpu.cycles);
		check(engine.cycles < cpu.cycles, "2^%u bytes: the engine is faster", (unsigned long)log2[i]);
	}
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
	static const unsigned int small[] = { 12, 12, 12, 16 }, all[] = { 12, 12, 12, 16, 21 };

	fresh = SCRATCH + 4 * KIB;
	set_window(0, SCRATCH, platform.ram_last, true);
	engine_per_1000 = engine_per_1000_core_cycles();
	measure(small, sizeof small / sizeof small[0], false);
	chill(ELSEWHERE_BYTES);
	measure(all, sizeof all / sizeof all[0], true);
	back_to_back();
	return 0;
}
