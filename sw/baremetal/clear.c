// SPDX-License-Identifier: BSD-3-Clause
/*
 * How fast memory is cleared by the core's stores, by its cbo.zero (Zicboz) where it has that, and by the engine, in the core's cycles as
 * software sees them; of memory in each state that it may be in. JSON, and a check of every byte and of the lines around.
 */
#include "engine.h"

#define KIB 1024UL
#define MIB (1024 * KIB)
#define LINE 64
#define GUARD 0x5a5a5a5a5a5a5a5aUL
#define AWAY (SCRATCH + 13 * MIB)	/* read to push lines out of a cache */

static uintptr_t fresh;	/* nobody has touched memory from here to AWAY */

static void read_away(uintptr_t bytes)
{
	for (uintptr_t a = AWAY; a < AWAY + bytes; a += LINE)
		*(volatile uint64_t *)a;
	fence();
}

static void fill(uintptr_t base, uintptr_t bytes, uint64_t with)
{
	for (uintptr_t a = base; a < base + bytes; a += 8)
		write64(a, with);
	fence();
}

static bool all(uintptr_t base, uintptr_t bytes, uint64_t value)
{
	for (uintptr_t a = base; a < base + bytes; a += 8)
		if (read64(a) != value)
			return false;
	return true;
}

static inline void cbo_zero(uintptr_t line)
{
	__asm__ volatile(".insn i 0x0f, 2, x0, %0, 4" : : "r"(line) : "memory");
}

/* Tries: a core without it traps. Nothing else does, as interrupts are off. */
static bool has_cbo_zero(uintptr_t line)
{
	unsigned long there;

	__asm__ volatile(
		"	la	t0, 1f\n"
		"	csrrw	t0, mtvec, t0\n"
		"	li	%0, 0\n"
		"	.insn	i 0x0f, 2, x0, %1, 4\n"
		"	li	%0, 1\n"
		"	.balign	4\n"
		"1:	csrw	mtvec, t0\n"
		: "=&r"(there) : "r"(line) : "t0", "memory");
	return there;
}

static void by_stores(uintptr_t base, unsigned int log2)
{
	for (uintptr_t a = base; a < base + (1UL << log2); a += LINE) {
		volatile uint64_t *line = (volatile uint64_t *)a;

		line[0] = 0; line[1] = 0; line[2] = 0; line[3] = 0;
		line[4] = 0; line[5] = 0; line[6] = 0; line[7] = 0;
	}
	fence();
}

static void by_cbo_zero(uintptr_t base, unsigned int log2)
{
	for (uintptr_t a = base; a < base + (1UL << log2); a += LINE)
		cbo_zero(a);
	fence();
}

static void by_engine(uintptr_t base, unsigned int log2)
{
	run(0, base, log2);
}

static const struct way {
	const char *name;
	void (*clear)(uintptr_t base, unsigned int log2);
} ways[] = { { "stores", by_stores }, { "cbo.zero", by_cbo_zero }, { "engine", by_engine } };

static const struct state {
	const char *name;
	bool dirty;		/* it was written before */
	uintptr_t read_away;	/* and then so much was read elsewhere */
	unsigned int log2;
} states[] = {
	{ "untouched", false, 64 * KIB, 12 }, { "untouched", false, 64 * KIB, 12 }, { "untouched", false, 64 * KIB, 16 },
	{ "dirty in L1", true, 0, 12 }, { "dirty, larger than L1", true, 0, 16 }, { "dirty, pushed out", true, 2 * MIB, 16 },
	{ "untouched", false, 64 * KIB, 21 },
};

/* The lines before and behind belong to it. */
static uintptr_t take(uintptr_t bytes)
{
	uintptr_t base = (fresh + LINE + bytes - 1) & ~(bytes - 1);

	fresh = base + bytes + LINE;
	return base;
}

static void measure(const struct way *way, const struct state *state)
{
	uintptr_t bytes = 1UL << state->log2, base = take(bytes);
	uint64_t begin, cycles;

	way->clear(SCRATCH, 6);	/* its code is in the cache now */
	fill(base - LINE, LINE, GUARD);
	fill(base + bytes, LINE, GUARD);
	if (state->dirty)
		fill(base, bytes, GUARD);
	if (state->read_away)
		read_away(state->read_away);
	begin = cycle();
	way->clear(base, state->log2);
	cycles = cycle() - begin;
	print("{\"test\": \"clear\", \"by\": \"%s\", \"state\": \"%s\", \"bytes\": %u, \"cycles\": %u}\n", way->name, state->name, bytes, cycles);
	check(all(base, bytes, 0) && all(base - LINE, LINE, GUARD) && all(base + bytes, LINE, GUARD), "%s: %u bytes, %s", way->name, bytes, state->name);
}

int main(void)
{
	bool cbo = has_cbo_zero(SCRATCH);

	fresh = SCRATCH + 4 * KIB;
	set_window(0, SCRATCH, platform.ram_last, true);
	for (unsigned int w = 0; w < sizeof ways / sizeof ways[0]; w++) {
		if (ways[w].clear == by_cbo_zero && !cbo) {
			print("# the core has no cbo.zero\n");
			continue;
		}
		for (unsigned int s = 0; s < sizeof states / sizeof states[0]; s++)
			measure(&ways[w], &states[s]);
	}
	return 0;
}
