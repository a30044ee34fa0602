// SPDX-License-Identifier: BSD-3-Clause
#include "engine.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "modes.h"
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

const char *engine_read(void)
{
	static char text[8192], path[PATH_MAX];

	if (!*path && !engine_file("counters", path))
		return "";
	return read_file(path, text, sizeof text);
}

long engine_find(const char *counters, const char *name)
{
	long sum = 0, value;
	char key[64];

	for (unsigned int channel = 0; snprintf(key, sizeof key, "channel%u_%s", channel, name), (value = vmstat_find(counters, key)) >= 0; channel++)
		sum += value;
	return sum;
}

int engine_inject(unsigned int faults)
{
	char path[PATH_MAX], text[16];

	snprintf(text, sizeof text, "%u\n", faults);
	return engine_file("test", path) ? write_setting(path, text) : -1;
}
