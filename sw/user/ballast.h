/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory taken for as long as the program runs, so that little is free. */
#ifndef BALLAST_H
#define BALLAST_H

/*
 * Takes all memory but about `keep_kib` and what the kernel needs. At least the former is movable, as page faults want it.
 * Where this kernel can it is not zeroed: nobody reads it. Proactive compaction and boosted watermarks are switched
 * off for good: they would run at any time.
 */
void take_ballast(unsigned long keep_kib);

/*
 * Gives some of it back where fewer than `keep_kib` are movable now: what the kernel has claimed of them since for other
 * uses. With empty pcp lists, which are not counted. Does nothing where no ballast was taken.
 */
void ease_ballast(void);

#endif
