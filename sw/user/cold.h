/* SPDX-License-Identifier: BSD-3-Clause */
/* A start that is the same for all that is compared: nothing of use in the caches, none of the allocator's pages at hand. */
#ifndef COLD_H
#define COLD_H

#include "modes.h"

/* Takes the memory that fill_caches() reads. */
void cold_prepare(void);

/* Fills the data caches with other memory. */
void fill_caches(void);

/* Has the pcp lists go back to the free lists: the kernel does when kscrubd is switched off. In a mode without a pool. */
void drain_lists(enum mode mode);

#endif
