// SPDX-License-Identifier: BSD-3-Clause
#include "folios.h"

#include <stdio.h>
#include <sys/mman.h>

#include "settings.h"

struct path {
	char text[160];
};

static struct path thp_path(unsigned long folio_kib, const char *name)
{
	char folder[48] = "";
	struct path path;

	if (folio_kib)
		snprintf(folder, sizeof folder, "hugepages-%lukB/", folio_kib);
	snprintf(path.text, sizeof path.text, "/sys/kernel/mm/transparent_hugepage/%s%s", folder, name);
	return path;
}

void set_thp(unsigned long folio_kib, const char *name, const char *value)
{
	set_if_there(thp_path(folio_kib, name).text, value);
}

long thp_faults(unsigned long folio_kib)
{
	FILE *file = fopen(thp_path(folio_kib, "stats/anon_fault_alloc").text, "r");
	long count = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%ld", &count) != 1)
		count = -1;
	fclose(file);
	return count;
}

void set_folios(unsigned long sizes_kib)
{
	static unsigned long now;

	if (now == sizes_kib)
		return;
	now = sizes_kib;
	set_thp(0, "enabled", "madvise");
	set_thp(0, "defrag", "madvise");
	for (unsigned long kib = 2 * PAGE_KIB; kib <= HUGE_KIB; kib *= 2)
		set_thp(kib, "enabled", kib & sizes_kib ? "madvise" : "never");
}

char *map_folios(unsigned long bytes, unsigned long folio_kib, char **raw, unsigned long *raw_bytes)
{
	unsigned long align = folio_kib * KIB;

	*raw_bytes = bytes + align;
	*raw = mmap(NULL, *raw_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*raw == MAP_FAILED)
		die("mmap");
	char *base = (char *)(((unsigned long)*raw + align - 1) & ~(align - 1));

	if (madvise(base, bytes, folio_kib > PAGE_KIB ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) && folio_kib > PAGE_KIB)
		die("madvise(MADV_HUGEPAGE)");
	return base;
}
