// SPDX-License-Identifier: BSD-3-Clause
#include "cold.h"

#include <endian.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "folios.h"
#include "settings.h"

#define L1_KIB 32	/* the largest there is; device trees do not always say */
#define PASSES 4	/* a cache that replaces lines at random keeps some of them */
#define L2_SIZES "/proc/device-tree/soc/cache-controller*/cache-size"

static const volatile char *others;
static unsigned long others_bytes;

/* In bytes; from the device tree. */
static unsigned long largest_cache(void)
{
	unsigned long largest = L1_KIB * KIB;
	glob_t found;

	if (glob(L2_SIZES, 0, NULL, &found))
		return largest;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *file = fopen(found.gl_pathv[i], "r");
		uint32_t size;

		if (!file)
			continue;
		if (fread(&size, sizeof size, 1, file) == 1 && be32toh(size) > largest)
			largest = be32toh(size);
		fclose(file);
	}
	globfree(&found);
	return largest;
}

void cold_prepare(void)
{
	others_bytes = PASSES * largest_cache();
	others = mmap(NULL, others_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (others == MAP_FAILED)
		die("mmap");
}

void fill_caches(void)
{
	for (unsigned long i = 0; i < others_bytes; i += LINE)
		others[i];
}
