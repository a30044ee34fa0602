/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine's registers as bare-metal tests use them. */
#ifndef ENGINE_H
#define ENGINE_H

#include "blockzero_regs.h"
#include "platform.h"
#include "runtime.h"

#define SCRATCH (platform.ram_base + 0x400000UL)	/* from here to the end of RAM tests may write */

static inline uint64_t global(unsigned long offset)
{
	return read64(platform.engine + offset);
}

static inline void set_global(unsigned long offset, uint64_t value)
{
	write64(platform.engine + offset, value);
}

static inline uint64_t channel(unsigned int c, unsigned long offset)
{
	return read64(platform.engine + BLOCKZERO_CHANNEL(c) + offset);
}

static inline void set_channel(unsigned int c, unsigned long offset, uint64_t value)
{
	write64(platform.engine + BLOCKZERO_CHANNEL(c) + offset, value);
}

static inline uint32_t completed(unsigned int c)
{
	return (uint32_t)channel(c, BLOCKZERO_COMPLETION);
}

static inline void submit(unsigned int c, uint64_t address, unsigned int log2)
{
	set_channel(c, BLOCKZERO_SUBMIT, address | log2);
}

static inline void wait_idle(unsigned int c)
{
	while (channel(c, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_BUSY_MASK)
		;
	fence();
}

/* Runs one job to its end; whether it succeeded. */
static inline bool run(unsigned int c, uint64_t address, unsigned int log2)
{
	uint32_t before = completed(c);
	uint64_t completion;

	fence();
	submit(c, address, log2);
	do
		completion = channel(c, BLOCKZERO_COMPLETION);
	while ((uint32_t)completion == before);
	fence();
	return !(completion >> BLOCKZERO_COMPLETION_FAILED_SHIFT & 1);
}

static inline unsigned int error_code(unsigned int c)
{
	return channel(c, BLOCKZERO_ERROR) & BLOCKZERO_ERROR_CODE_MASK;
}

static inline void clear_error(unsigned int c)
{
	set_channel(c, BLOCKZERO_ERROR, 0);
}

static inline void set_window(unsigned int i, uint64_t base, uint64_t limit, bool enable)
{
	set_global(BLOCKZERO_WINDOW_BASE(i), base);
	set_global(BLOCKZERO_WINDOW_LIMIT(i), limit);
	set_global(BLOCKZERO_WINDOW_CTRL(i), enable);
}

static inline unsigned long params(uint64_t mask, unsigned int shift)
{
	return (global(BLOCKZERO_PARAMS) & mask) >> shift;
}

#define CHANNELS params(BLOCKZERO_PARAMS_CHANNELS_MASK, BLOCKZERO_PARAMS_CHANNELS_SHIFT)
#define QUEUE_DEPTH params(BLOCKZERO_PARAMS_QUEUE_DEPTH_MASK, BLOCKZERO_PARAMS_QUEUE_DEPTH_SHIFT)
#define INFLIGHT params(BLOCKZERO_PARAMS_INFLIGHT_MASK, BLOCKZERO_PARAMS_INFLIGHT_SHIFT)
#define WINDOWS params(BLOCKZERO_PARAMS_WINDOWS_MASK, BLOCKZERO_PARAMS_WINDOWS_SHIFT)

/* Cycles of the engine in 1000 of the core: they may have clocks of their own. Writes two blocks of SCRATCH, in a window. */
static inline unsigned long engine_per_1000_core_cycles(void)
{
	struct { uint64_t engine, core; } first = { 0 }, last = { 0 }, now = { 0 };

	set_channel(0, BLOCKZERO_RATE, 60000);	/* so long are two blocks under way */
	fence();
	submit(0, SCRATCH, 7);
	for (unsigned int look = 0; channel(0, BLOCKZERO_STATUS) & BLOCKZERO_STATUS_BUSY_MASK; look++) {
		last = now;
		now.engine = channel(0, BLOCKZERO_BUSY_CYCLES);
		now.core = cycle();
		if (look == 1)	/* before, this code was not in the cache */
			first = now;
	}
	fence();
	set_channel(0, BLOCKZERO_RATE, 0);
	/* It was busy after the last look, maybe not now. */
	return ((last.engine - first.engine) * 1000 + (last.core - first.core) / 2) / (last.core - first.core);
}

/* A pattern that differs in every 8 bytes and is never a fill value. */
static inline uint64_t pattern(uintptr_t address)
{
	return (address * 0x9e3779b97f4a7c15UL) | 0x0100010001000101UL;
}

static inline void paint(uintptr_t base, uintptr_t end)
{
	for (uintptr_t a = base; a < end; a += 8)
		*(uint64_t *)a = pattern(a);
}

/* The first address in [base, end) that is not as painted, or `end`. */
static inline uintptr_t painted_until(uintptr_t base, uintptr_t end)
{
	uintptr_t a = base;

	while (a < end && *(volatile uint64_t *)a == pattern(a))
		a += 8;
	return a;
}

/* The first address in [base, end) whose eight bytes are not `fill`, or `end`. */
static inline uintptr_t filled_until(uintptr_t base, uintptr_t end, uint8_t fill)
{
	uint64_t value = fill * 0x0101010101010101UL;
	uintptr_t a = base;

	while (a < end && *(volatile uint64_t *)a == value)
		a += 8;
	return a;
}

#endif
