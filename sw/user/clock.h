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

/* CPU time that all tasks but this have had since they began, in nanoseconds; what interrupts take is nobody's. */
unsigned long others_cpu_ns(void);

/* This task's. */
unsigned long own_cpu_ns(void);

/* The hart's clock: measured for a millisecond, the first time. */
unsigned long clock_mhz(void);

#endif
