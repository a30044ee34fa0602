// SPDX-License-Identifier: BSD-3-Clause
/* Does the engine give the front port all it takes? Quick, to be run at many memory latencies. */
#include "engine.h"

#define LOG2 16

int main(void)
{
	set_window(0, SCRATCH, platform.ram_last, true);
	run(0, SCRATCH, 6);
	/* L1 full of clean lines from elsewhere: no block costs a write-back. */
	for (uintptr_t a = SCRATCH + (4 << 20); a < SCRATCH + (4 << 20) + 65536; a += 64)
		*(volatile uint64_t *)a;
	fence();

	uint64_t busy = channel(0, BLOCKZERO_BUSY_CYCLES), stalled = channel(0, BLOCKZERO_STALL_CYCLES), blocks = (1UL << LOG2) / 64;
	bool good = run(0, SCRATCH, LOG2);

	busy = channel(0, BLOCKZERO_BUSY_CYCLES) - busy;
	stalled = channel(0, BLOCKZERO_STALL_CYCLES) - stalled;
	print("{\"test\": \"port\", \"bytes\": %u, \"busy_cycles\": %u, \"stall_cycles\": %u}\n", 1UL << LOG2, busy, stalled);
	check(good, "the job succeeds");
	/* In each cycle it gives the port a block or waits for the port to take one. */
	check((stalled + blocks) * 100 >= busy * 97, "the engine itself is idle in at most 3%% of its busy cycles");
	check(filled_until(SCRATCH, SCRATCH + (1UL << LOG2), 0) == SCRATCH + (1UL << LOG2), "all of it is zero");
	return 0;
}
