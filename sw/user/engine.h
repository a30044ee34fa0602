/* SPDX-License-Identifier: BSD-3-Clause */
/* What the driver shows of the engine in debugfs, and takes there. */
#ifndef ENGINE_H
#define ENGINE_H

/* The driver's counters, until the next call; empty without an engine. */
const char *engine_read(void);

/* One of them (busy_cycles, blocks, jobs_ok, ...), over all channels; 0 without an engine. */
long engine_find(const char *counters, const char *name);

/* Sets the bits of the engine's TEST register, the faults that it makes; -1 if it has none. */
int engine_inject(unsigned int faults);

#endif
