// SPDX-License-Identifier: BSD-3-Clause
#include "ballast.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "folios.h"
#include "modes.h"

#define LARGEST_KIB 512UL
#define FOLIOS_KIB (LARGEST_KIB | 64 | 16)	/* and where there are none, pages */
#define LOOKS 2			/* at free memory: what was on pcp lists before is not counted */

/* What the kernel needs: no watermark is higher. Huge pages raise them. */
static long reserve(void)
{
	FILE *file = fopen("/proc/sys/vm/min_free_kbytes", "r");
	long kib;

	if (!file || fscanf(file, "%ld", &kib) != 1)
		die("/proc/sys/vm/min_free_kbytes");
	fclose(file);
	return 2 * kib * KIB;
}

static char *take(unsigned long bytes, unsigned long *raw_bytes)
{
	const char *why;
	bool unzeroed = mode_available(MODE_NONE, &why);
	char *raw, *base = map_folios(bytes, LARGEST_KIB, &raw, raw_bytes);

	set_folios(FOLIOS_KIB);
	if (unzeroed)
		leave_unzeroed(true);
	for (char *page = base; page < base + bytes; page += 4 * KIB)
		*(volatile char *)page = 1;
	if (unzeroed)
		leave_unzeroed(false);
	return raw;
}

void take_ballast(unsigned long keep_kib)
{
	unsigned long kept_bytes, unused;

	/* Little free memory must not make kswapd and kcompactd take part. */
	set_if_there("/proc/sys/vm/watermark_boost_factor", "0");
	set_if_there("/proc/sys/vm/compaction_proactiveness", "0");
	char *kept = take(keep_kib * KIB, &kept_bytes);

	for (int i = 0; i < LOOKS; i++) {
		long more = vmstat("nr_free_pages") * sysconf(_SC_PAGESIZE) - reserve();

		if (more > 0)
			take(more, &unused);
	}
	munmap(kept, kept_bytes);
}
