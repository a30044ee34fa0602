// SPDX-License-Identifier: BSD-3-Clause
#include "engine.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "settings.h"

#define ENGINE_FILES "/sys/kernel/debug/*.blockzero/"

/* The path of one of the driver's files; false where there is none. */
static bool engine_file(const char *name, char path[PATH_MAX])
{
	char pattern[64];
	glob_t found;

	snprintf(pattern, sizeof pattern, ENGINE_FILES "%s", name);
	if (glob(pattern, 0, NULL, &found))
		return false;
	snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
	globfree(&found);
	return true;
}

long engine_counter(const char *name)
{
	char path[PATH_MAX], key[64];
	FILE *file = engine_file("counters", path) ? fopen(path, "r") : NULL;
	long sum = 0, value;

	while (file && fscanf(file, "channel%*u_%63s %ld\n", key, &value) == 2)
		sum += strcmp(key, name) ? 0 : value;
	if (file)
		fclose(file);
	return sum;
}

int engine_inject(unsigned int faults)
{
	char path[PATH_MAX], text[16];

	snprintf(text, sizeof text, "%u\n", faults);
	return engine_file("test", path) ? write_setting(path, text) : -1;
}
