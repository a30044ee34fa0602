/* SPDX-License-Identifier: BSD-3-Clause */
/* What a bare-metal test stands on: console, cycles, interrupts, TAP output. */
#ifndef RUNTIME_H
#define RUNTIME_H

#define HARTS 8			/* at most; more sleep */
#define STACK_BYTES 0x4000	/* of each hart */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* %s %u (unsigned long) %x (unsigned long) %c %% */
void print(const char *format, ...);

/* One TAP line: "ok" or "not ok", numbered. Returns the condition. */
bool check(bool condition, const char *format, ...);

/* Prints TAP's plan and ends the simulation with the verdict. */
void finish(void) __attribute__((noreturn));

/* Number of external interrupts taken since the last call, and the PLIC source of the last one. */
unsigned long interrupts_taken(unsigned int *source);

/* Lets a PLIC source, and no other, through to this hart; its handler counts, calls `quiet` to lower the wire, and completes it. */
void interrupt_enable(unsigned int source, void (*quiet)(unsigned int source));

/* Has another hart, 1 to HARTS - 1, call `work`; whether it did, which it does not where there is no such hart. */
bool hart_run(unsigned int hart, void (*work)(void));

/* Whether its work is over. */
bool hart_idle(unsigned int hart);

static inline uint64_t cycle(void)
{
	uint64_t value;

	__asm__ volatile("rdcycle %0" : "=r"(value) : : "memory");
	return value;
}

static inline void fence(void)
{
	__asm__ volatile("fence iorw, iorw" : : : "memory");
}

static inline uint64_t read64(uintptr_t address)
{
	return *(volatile uint64_t *)address;
}

static inline void write64(uintptr_t address, uint64_t value)
{
	*(volatile uint64_t *)address = value;
}

#endif
#endif
