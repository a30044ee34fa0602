// SPDX-License-Identifier: BSD-3-Clause
/*
 * Every hart waits long for an interrupt. Hart 0 says when it has woken, waits a little, and ends with an exit code that is the simulator's
 * own for a hang: a test of the simulator, which must take neither for a hang, and may skip the waiting.
 */
#include "platform.h"
#include "runtime.h"

#define TICKS 6000	/* of 100 cycles */
#define FEW_TICKS 100	/* more than the simulator takes to save its state */
#define CODE 125
#define MTI (1UL << 7)	/* machine timer interrupt, in mie and mip */

static void doze(void)
{
	__asm__ volatile("csrw mie, zero");
	for (;;)
		__asm__ volatile("wfi");
}

static void wait(unsigned long ticks)
{
	unsigned long pending;

	write64(platform.clint + 0x4000, read64(platform.clint + 0xbff8) + ticks);	/* mtimecmp, mtime */
	do	/* until the interrupt of the time before is gone */
		__asm__ volatile("csrr %0, mip" : "=r"(pending));
	while (pending & MTI);
	__asm__ volatile("wfi");
}

int main(void)
{
	for (unsigned int hart = 1; hart < HARTS && hart_run(hart, doze); hart++)
		;
	__asm__ volatile("csrs mie, %0" : : "r"(MTI));
	wait(TICKS);
	print("awake\n");
	wait(FEW_TICKS);
	*(volatile uint32_t *)platform.finisher = CODE << 16 | 0x3333;
	for (;;)
		;
}
