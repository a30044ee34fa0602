/* SPDX-License-Identifier: BSD-3-Clause */
/* Touches cache lines of memory, from several harts at once, and counts what that costs. */
#ifndef TOUCH_H
#define TOUCH_H

#include <stdbool.h>

#define MAX_THREADS 64

/* Cycles and instructions, added over the threads; the time until all have touched theirs; and what switching zeroing took. */
struct touched {
	unsigned long cycles, instructions, ns, aside_ns;
};

/* Before anything else: the calling thread stays on the hart of the last thread. How many harts there are. */
unsigned long harts_prepare(unsigned long threads);

/*
 * The first `lines` cache lines in every `stride` bytes. Each thread takes its part; all begin together. `unzeroed`, for one
 * thread: pages may stay as they were (leave_unzeroed()), but only while it touches them.
 */
struct touched touch_all(char *base, unsigned long bytes, unsigned long stride, unsigned long lines, unsigned long threads,
			 bool unzeroed);

#endif
