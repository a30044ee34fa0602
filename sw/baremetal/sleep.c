// SPDX-License-Identifier: BSD-3-Clause
/*
 * Waits long for an interrupt, then ends with an exit code that is the simulator's own for a hang: a test of the simulator, which must
 * take neither for a hang.
 */
#include "platform.h"
#include "runtime.h"

#define TICKS 6000	/* of 100 cycles */
#define CODE 125
#define MIE_MTIE (1UL << 7)

int main(void)
{
	write64(platform.clint + 0x4000, read64(platform.clint + 0xbff8) + TICKS);	/* mtimecmp, mtime */
	__asm__ volatile("csrs mie, %0" : : "r"(MIE_MTIE));
	__asm__ volatile("wfi");
	*(volatile uint32_t *)platform.finisher = CODE << 16 | 0x3333;
	for (;;)
		;
}
