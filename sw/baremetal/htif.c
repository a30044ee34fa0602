// SPDX-License-Identifier: BSD-3-Clause
/* The host (libfesvr) polls `tohost`, by these names in the ELF file; an even value is the address of a system call. */
#include "htif.h"

#include "runtime.h"

#define SYS_WRITE 64
#define STDOUT 1

volatile uint64_t tohost __attribute__((section(".htif"), aligned(64)));
volatile uint64_t fromhost __attribute__((section(".htif"), aligned(64)));

void htif_write(const char *text, size_t length)
{
	static volatile uint64_t call[8] __attribute__((aligned(64)));

	call[0] = SYS_WRITE;
	call[1] = STDOUT;
	call[2] = (uintptr_t)text;
	call[3] = length;
	fence();
	tohost = (uintptr_t)call;
	while (!fromhost)
		;
	fromhost = 0;
	fence();
}

void htif_exit(unsigned int code)
{
	for (;;)
		tohost = code << 1 | 1;
}
