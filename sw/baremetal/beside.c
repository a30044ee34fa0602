// SPDX-License-Identifier: BSD-3-Clause
/* A hart whose caches miss while the engine works is served: what its misses cost it, and the engine. */
#include "engine.h"

#define LOG2 18
#define MISSES 1024
#define STRIDE 4160	/* no cache keeps so many lines that far apart */
#define ELSEWHERE (SCRATCH + (4UL << 20))
#define WORST 400	/* cycles */

static struct cost {
	uint64_t misses, sum, worst;
} cost;

static bool busy(void)
{
	return channel(0, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_BUSY_MASK;
}

/* Misses, of reads or of writes, which write a dirty line back each; beside the engine until it is idle. */
static void miss(bool write, bool engine)
{
	cost = (struct cost){ 0 };
	while (cost.misses < MISSES && (!engine || cost.misses % 4 || busy())) {
		volatile uint64_t *line = (volatile uint64_t *)(ELSEWHERE + cost.misses * STRIDE);
		uint64_t begin = cycle();

		if (write)
			*line = begin;
		else
			*line;
		fence();
		uint64_t took = cycle() - begin;

		cost.misses++;
		cost.sum += took;
		cost.worst = took > cost.worst ? took : cost.worst;
	}
}

static void measure(bool write)
{
	const char *what = write ? "write" : "read";

	miss(write, false);
	miss(write, false);
	uint64_t alone = cost.sum / cost.misses, busy_cycles = channel(0, BLOCKZERO_BUSY_CYCLES), before = completed(0);

	fence();
	submit(0, SCRATCH, LOG2);
	miss(write, true);
	wait_idle(0);
	busy_cycles = channel(0, BLOCKZERO_BUSY_CYCLES) - busy_cycles;
	print("{\"test\": \"beside\", \"miss\": \"%s\", \"alone_cycles\": %u, \"misses\": %u, \"cycles\": %u, \"worst_cycles\": %u, "
	      "\"bytes\": %u, \"busy_cycles\": %u}\n", what, alone, cost.misses, cost.sum, cost.worst, 1UL << LOG2, busy_cycles);
	check(completed(0) == before + 1 && !error_code(0), "%s misses: the job beside them succeeds", what);
	check(cost.misses >= 64, "%s misses: %u beside the engine", what, cost.misses);
	check(cost.worst < WORST, "%s misses: each takes less than %u cycles", what, (uint64_t)WORST);
}

int main(void)
{
	set_window(0, SCRATCH, platform.ram_last, true);
	run(0, SCRATCH, 6);
	measure(false);
	measure(true);
	return 0;
}
