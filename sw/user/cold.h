/* SPDX-License-Identifier: BSD-3-Clause */
/* A start that is the same for all that is compared: nothing of use in the caches. */
#ifndef COLD_H
#define COLD_H

/* Takes the memory that fill_caches() reads. */
void cold_prepare(void);

/* Fills the data caches with other memory. */
void fill_caches(void);

#endif
