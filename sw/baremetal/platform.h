/* SPDX-License-Identifier: BSD-3-Clause */
/* Where things are on this SoC: read from the device tree, so that one binary runs on every SoC. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

struct platform {
	uintptr_t ram_base, ram_last;	/* the largest memory, and its last byte */
	uintptr_t engine;
	unsigned int engine_irq;	/* PLIC source of channel 0; the others follow */
	uintptr_t plic;
	uintptr_t clint;		/* 0 where there is none */
	uintptr_t uart, liteuart;	/* 0 where there is none: without either HTIF prints */
	uintptr_t finisher;		/* 0 where there is none: then HTIF ends */
	uintptr_t hole;			/* a page where the bus has nothing, and answers writes with an error */
};

extern struct platform platform;

/* Fills `platform` in from a flattened device tree; false if that is none, or lacks RAM, the engine or the PLIC. */
bool platform_read(const void *device_tree);

#endif
