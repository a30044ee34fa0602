// SPDX-License-Identifier: BSD-3-Clause
/* How fast the engine and the CPU clear memory, in cycles, as JSON. Checks direction, not figures. */
#include "engine.h"

static void clear_by_cpu(uintptr_t base, uintptr_t bytes)
{
	for (uintptr_t a = base; a < base + bytes; a += 64) {
		volatile uint64_t *line = (volatile uint64_t *)a;

		line[0] = 0; line[1] = 0; line[2] = 0; line[3] = 0;
		line[4] = 0; line[5] = 0; line[6] = 0; line[7] = 0;
	}
	fence();
}

/* Fills L1 with clean lines from elsewhere, so that a clear starts cold and evicts nothing dirty. */
static void chill(void)
{
	for (uintptr_t a = SCRATCH + (16 << 20); a < SCRATCH + (16 << 20) + 65536; a += 64)
		*(volatile uint64_t *)a;
	fence();
}

int main(void)
{
	set_window(0, SCRATCH, RAM_LAST, true);
	for (unsigned int log2 = 12; log2 <= 22; log2 += log2 == 12 ? 4 : log2 == 16 ? 5 : 1) {
		uint64_t engine, cpu, busy;

		run(0, SCRATCH, 6);
		chill();
		busy = channel(0, BLOCKZERO_BUSY_CYCLES);
		engine = cycle();
		run(0, SCRATCH + (4 << 20), log2);
		engine = cycle() - engine;
		busy = channel(0, BLOCKZERO_BUSY_CYCLES) - busy;
		chill();
		cpu = cycle();
		clear_by_cpu(SCRATCH + (4 << 20), 1UL << log2);
		cpu = cycle() - cpu;
		print("{\"test\": \"throughput\", \"bytes\": %u, \"engine_cycles\": %u, \"engine_busy_cycles\": %u, \"cpu_cycles\": %u}\n",
		      1UL << log2, engine, busy, cpu);
		check(engine < cpu, "2^%u bytes: the engine is faster", (unsigned long)log2);
	}
	/* What software waits for a page: store, writes, poll. Back-to-back jobs keep the bus as busy as one long job. */
	chill();
	uint64_t back_to_back = cycle();

	for (unsigned int i = 0; i < QUEUE_DEPTH; i++)
		submit(0, SCRATCH + (4 << 20) + i * 4096UL, 12);
	wait_idle(0);
	back_to_back = cycle() - back_to_back;
	print("{\"test\": \"back_to_back\", \"bytes\": %u, \"engine_cycles\": %u}\n", QUEUE_DEPTH * 4096UL, back_to_back);
	return 0;
}
