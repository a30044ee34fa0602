/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways of providing zeroed pages that are compared, and how to switch between them at run time. */
#ifndef MODES_H
#define MODES_H

#include <stdbool.h>

enum mode {
	MODE_STOCK,	/* zero in the fault, on the CPU */
	MODE_CPU,	/* kscrubd on the CPU */
	MODE_ENGINE,	/* kscrubd with the engine */
	MODE_NONE,	/* no zeroing at all: unsafe, the limit */
	MODES
};

extern const char *const mode_names[MODES];

/* Whether this kernel and machine can do it; where not, *why says so. */
bool mode_available(enum mode mode, const char **why);

/* Switches; ends the program with a message where the kernel refuses. */
void mode_set(enum mode mode);

/* Reads one counter of /proc/vmstat; -1 where there is none of that name. */
long vmstat(const char *name);

/*
 * Waits until kscrubd has at least `pages` zeroed pages free, or makes no progress; returns how many there are.
 * Does nothing in modes without kscrubd.
 */
long pool_fill(enum mode mode, long pages);

#endif
