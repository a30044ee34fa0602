// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "touch.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "clock.h"
#include "folios.h"
#include "modes.h"
#include "settings.h"

static unsigned long harts;

/* What one thread touches, and what that cost it. */
struct share {
	pthread_t thread;
	pthread_barrier_t *together;
	unsigned long hart;
	char *base;
	unsigned long bytes, stride, lines;
	struct touched cost;
};

static inline unsigned long instret(void)
{
	unsigned long value;

	asm volatile("rdinstret %0" : "=r"(value) : : "memory");
	return value;
}

/* Harts have cycle counters of their own: each thread stays on one. */
static void stay_on_hart(unsigned long t)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(t % harts, &one);
	sched_setaffinity(0, sizeof one, &one);
}

unsigned long harts_prepare(unsigned long threads)
{
	harts = sysconf(_SC_NPROCESSORS_ONLN);	/* musl counts those that this thread may run on: for now all */
	stay_on_hart(threads - 1);
	return harts;
}

static void touch(char *base, unsigned long bytes, unsigned long stride, unsigned long lines)
{
	for (char *page = base; page < base + bytes; page += stride)
		for (unsigned long line = 0; line < lines; line++)
			*(volatile char *)(page + line * LINE) = 1;
}

/* Returns how long that took. */
static unsigned long switch_unzeroed(bool on)
{
	unsigned long begin = now_ns();

	leave_unzeroed(on);
	return now_ns() - begin;
}

/* Only what is touched here may be left as it was: a program's other pages must be zero. */
static void touch_share(struct share *share, bool unzeroed)
{
	if (unzeroed)
		share->cost.aside_ns += switch_unzeroed(true);
	if (share->together)
		pthread_barrier_wait(share->together);
	now_ns();	/* a clock that was read just now is read fast */
	unsigned long begin = now_ns(), i0 = instret(), c0 = cycle();

	touch(share->base, share->bytes, share->stride, share->lines);
	share->cost.cycles = cycle() - c0;
	share->cost.instructions = instret() - i0;
	if (share->together)
		pthread_barrier_wait(share->together);
	share->cost.ns = now_ns() - begin;
	if (unzeroed)
		share->cost.aside_ns += switch_unzeroed(false);
}

static void *thread(void *argument)
{
	struct share *share = argument;

	stay_on_hart(share->hart);
	pthread_barrier_wait(share->together);	/* the thread's own pages are there */
	touch_share(share, false);
	return NULL;
}

struct touched touch_all(char *base, unsigned long bytes, unsigned long stride, unsigned long lines, unsigned long threads,
			 bool unzeroed)
{
	static struct share shares[MAX_THREADS];
	pthread_barrier_t together;
	unsigned long part = bytes / threads / stride * stride, last = threads - 1;
	struct touched sum = { 0 };

	if (last)
		pthread_barrier_init(&together, NULL, threads);
	for (unsigned long t = 0; t <= last; t++) {
		shares[t] = (struct share){ .together = last ? &together : NULL, .hart = t, .base = base + t * part, .stride = stride,
					    .lines = lines, .bytes = t < last ? part : bytes - t * part };
		if (t < last && pthread_create(&shares[t].thread, NULL, thread, &shares[t]))
			die("cannot start a thread");
	}
	if (last)
		pthread_barrier_wait(&together);
	touch_share(&shares[last], unzeroed);
	for (unsigned long t = 0; t <= last; t++) {
		if (t < last)
			pthread_join(shares[t].thread, NULL);
		sum.cycles += shares[t].cost.cycles;
		sum.instructions += shares[t].cost.instructions;
	}
	sum.ns = shares[last].cost.ns;
	sum.aside_ns = shares[last].cost.aside_ns;
	if (last)
		pthread_barrier_destroy(&together);
	return sum;
}
