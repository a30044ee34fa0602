/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes memory in many ways, checks every byte, dirties it and gives it back. */
#ifndef MEMORY_H
#define MEMORY_H

#include "folios.h"

#define MIB (1024 * KIB)
#define HUGE (HUGE_KIB * KIB)
#define LARGE_KIB 64	/* folios that are not huge */
#define HUGETLB_POOL "/proc/sys/vm/nr_hugepages"

extern long hugetlb_pages, hugetlb_copies;	/* checked so far */

/* Fills pages with a pattern; they stay, and one_round() checks them. */
void set_canaries(void);

/* Nearly all free memory, at most `limit` bytes; some of it in each other way; then canaries. */
void one_round(const char *what, unsigned long limit);

/* A page of hugetlb's that was filled by a copy, without being cleared before, comes back: it does not count as zero. */
void copied_hugetlb(const char *what);

#endif
