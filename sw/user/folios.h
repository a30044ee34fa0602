/* SPDX-License-Identifier: BSD-3-Clause */
/* Anonymous memory in folios of a chosen size. */
#ifndef FOLIOS_H
#define FOLIOS_H

#define KIB 1024UL
#define PAGE_KIB 4
#define HUGE_KIB 2048
#define LINE 64	/* bytes */

/* A setting of transparent huge pages; for folios of one size in KiB unless that is 0. */
void set_thp(unsigned long folio_kib, const char *name, const char *value);

/* How many anonymous folios of a size in KiB faults have made; -1 if this kernel makes none. */
long thp_faults(unsigned long folio_kib);

/* Lets madvise() give folios of some sizes, powers of two in KiB added up, and of no others. */
void set_folios(unsigned long sizes_kib);

/*
 * A mapping aligned to its folios; the kernel is asked for folios of that size and no larger. *raw and *raw_bytes are
 * what to unmap.
 */
char *map_folios(unsigned long bytes, unsigned long folio_kib, char **raw, unsigned long *raw_bytes);

#endif
