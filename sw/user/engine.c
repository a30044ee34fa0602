// SPDX-License-Identifier: BSD-3-Clause
#include "engine.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#define ENGINE_FILES "/sys/kernel/debug/*.blockzero/"

static FILE *engine_file(const char *name, const char *how)
{
	char pattern[64];
	glob_t found;

	snprintf(pattern, sizeof pattern, ENGINE_FILES "%s", name);
	if (glob(pattern, 0, NULL, &found))
		return NULL;
	FILE *file = fopen(found.gl_pathv[0], how);

	globfree(&found);
	return file;
}

long engine_counter(const char *name)
{
	FILE *file = engine_file("counters", "r");
	char key[64];
	long sum = 0, value;

	while (file && fscanf(file, "channel%*u_%63s %ld\n", key, &value) == 2)
		sum += strcmp(key, name) ? 0 : value;
	if (file)
		fclose(file);
	return sum;
}

int engine_inject(unsigned int faults)
{
	FILE *file = engine_file("test", "w");

	if (!file)
		return -1;
	fprintf(file, "%u\n", faults);
	return fclose(file);
}
