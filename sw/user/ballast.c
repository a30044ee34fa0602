// SPDX-License-Identifier: BSD-3-Clause
#include "ballast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cold.h"
#include "folios.h"
#include "modes.h"
#include "settings.h"

#define LARGEST_KIB 512UL
#define FOLIOS_KIB (LARGEST_KIB | 64 | 16)	/* and where there are none, pages */
#define LOOKS 2			/* at free memory: what was on pcp lists before is not counted */

#define BATCH "/proc/sys/vm/percpu_pagelist_batch"

/* What can be given back, and how much is to be free. */
static char *ballast, *ballast_end;
static unsigned long wanted;

static long number_in(const char *path)
{
	FILE *file = fopen(path, "r");
	long value;

	if (!file || fscanf(file, "%ld", &value) != 1)
		die(path);
	fclose(file);
	return value;
}

/* What the kernel needs: no watermark is higher. Huge pages raise them. */
static long reserve(void)
{
	return 2 * KIB * number_in("/proc/sys/vm/min_free_kbytes");
}

/* Free memory of the kind that page faults take, as long as there is any, without what is on pcp lists; in bytes. */
static unsigned long free_movable(void)
{
	FILE *file = fopen("/proc/pagetypeinfo", "r");
	unsigned long pages = 0;
	char line[512];

	if (!file)
		die("/proc/pagetypeinfo");
	while (fgets(line, sizeof line, file)) {
		char *type = strstr(line, ", type"), *count = type ? strstr(type, " Movable ") : NULL;

		if (!count)
			continue;
		count += strlen(" Movable ");
		for (int order = 0;; order++) {
			char *end;
			unsigned long blocks = strtoul(count, &end, 10);

			if (end == count)
				break;
			pages += blocks << order;
			count = end;
		}
	}
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

static char *take(unsigned long bytes, char **raw, unsigned long *raw_bytes)
{
	const char *why;
	bool unzeroed = mode_available(MODE_NONE, &why);
	char *base = map_folios(bytes, LARGEST_KIB, raw, raw_bytes);

	set_folios(FOLIOS_KIB);
	if (unzeroed)
		leave_unzeroed(true);
	for (char *page = base; page < base + bytes; page += 4 * KIB)
		*(volatile char *)page = 1;
	if (unzeroed)
		leave_unzeroed(false);
	return base;
}

void ease_ballast(void)
{
	unsigned long folio = LARGEST_KIB * KIB;

	if (!ballast)
		return;
	while (free_movable() < wanted && ballast + folio <= ballast_end) {
		munmap(ballast, folio);
		ballast += folio;
	}
	printf("# %lu KiB are free for page faults\n", free_movable() / KIB);
}

void take_ballast(unsigned long keep_kib)
{
	unsigned long kept_bytes, unused_bytes;
	char *kept, *unused, batch[24];

	/* Where pcp lists are filled by large batches, one takes the reserve, and others find no memory. */
	bool batched = access(BATCH, W_OK) == 0;

	if (batched) {
		snprintf(batch, sizeof batch, "%ld", number_in(BATCH));
		set_if_there(BATCH, "0");
	}
	/* Little free memory must not make kswapd and kcompactd take part. */
	set_if_there("/proc/sys/vm/watermark_boost_factor", "0");
	set_if_there("/proc/sys/vm/compaction_proactiveness", "0");
	wanted = keep_kib * KIB;
	take(wanted, &kept, &kept_bytes);

	for (int i = 0; i < LOOKS; i++) {
		long more = vmstat("nr_free_pages") * sysconf(_SC_PAGESIZE) - reserve();

		if (more <= 0)
			break;
		char *taken = take(more, &unused, &unused_bytes);

		if (!ballast) {
			ballast = taken;
			ballast_end = taken + more;
		}
	}
	munmap(kept, kept_bytes);
	drain_lists();
	ease_ballast();
	if (batched)
		set_if_there(BATCH, batch);
}
