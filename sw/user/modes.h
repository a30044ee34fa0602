/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways of providing zeroed pages that are compared, and how to switch between them at run time. */
#ifndef MODES_H
#define MODES_H

#include <stdbool.h>

#define SCRUB_STOP 2	/* order down to which kscrubd works in a mode that has it */

enum mode {
	MODE_STOCK,	/* zero in the fault, on the CPU */
	MODE_CPU,	/* kscrubd on the CPU */
	MODE_ENGINE,	/* kscrubd with the engine */
	MODE_DEMAND,	/* in the fault, by the engine */
	MODE_WORKERS1,	/* in the fault, huge pages by the CPU and one worker on another, after the RFC of 2016 */
	MODE_WORKERS2,
	MODE_WORKERS4,
	MODE_NONE,	/* no zeroing at all: unsafe, the limit */
	MODES
};

extern const char *const mode_names[MODES];

/* MODES if there is none of that name. */
enum mode mode_named(const char *name);

/* Whether this kernel and machine can do it; where not, *why says so. */
bool mode_available(enum mode mode, const char **why);

/* The mode of that name. Ends the program with a message where there is none, or this system cannot do it. */
enum mode mode_wanted(const char *name);

/* Whether kscrubd zeroes ahead in it. */
bool mode_has_pool(enum mode mode);

/* How many workers help to clear huge pages in it. */
int mode_workers(enum mode mode);

/* Switches; ends the program with a message where the kernel refuses. MODE_NONE is stock but for leave_unzeroed(). */
void mode_set(enum mode mode);

/* The same, but kscrubd leaves blocks of smaller order alone. */
void mode_set_down_to(enum mode mode, int order);

/* Changes just that. */
void scrub_down_to(int order);

/* In a mode without a pool: has the pcp lists go back to the free lists, as the kernel does when kscrubd is switched off. */
void drain_lists(void);

/* In MODE_NONE: whether anonymous memory is now handed out as it was found. Every program's: keep it short. */
void leave_unzeroed(bool on);

/* /proc/vmstat, until the next call. Reading it costs a simulated machine a third of a million cycles. */
const char *vmstat_read(void);

/* One counter of it; -1 where there is none of that name. */
long vmstat_find(const char *text, const char *name);

/* Both. */
long vmstat(const char *name);

/* Opens all that the functions here open: the inodes of it take memory, now and not when it is short. Stock mode. */
void modes_prepare(void);

/* Waits until kscrubd has nothing left to do, if it does anything in this mode. */
void pool_fill(enum mode mode);

#endif
