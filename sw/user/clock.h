/* SPDX-License-Identifier: BSD-3-Clause */
/* Cycles and time. Rocket's cycle counter stops while the hart waits for an interrupt. */
#ifndef CLOCK_H
#define CLOCK_H

static inline unsigned long cycle(void)
{
	unsigned long value;

	asm volatile("rdcycle %0" : "=r"(value) : : "memory");
	return value;
}

/* CLOCK_MONOTONIC, in nanoseconds. */
unsigned long now_ns(void);

/* The hart's clock: measured for a millisecond, the first time. */
unsigned long clock_mhz(void);

#endif
