// SPDX-License-Identifier: BSD-3-Clause
#include "modes.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define VM "/proc/sys/vm/"
#define SCRUB_START 5	/* order of the blocks that wake kscrubd */
#define SCRUB_STOP 2	/* order down to which it works */
#define STALLED 2	/* looks without progress after which pool_fill() takes kscrubd to be done */

const char *const mode_names[MODES] = { "stock", "cpu", "engine", "none" };

static bool exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0;
}

static void set(const char *path, int value)
{
	char text[16];
	int length = snprintf(text, sizeof text, "%d\n", value);
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, length) != length) {
		fprintf(stderr, "cannot write %d to %s: %m\n", value, path);
		exit(2);
	}
	close(fd);
}

static bool engine_present(void)
{
	glob_t found;
	bool present = glob("/sys/bus/platform/drivers/blockzero/*.blockzero", 0, NULL, &found) == 0;

	if (present)
		globfree(&found);
	return present;
}

bool mode_available(enum mode mode, const char **why)
{
	switch (mode) {
	case MODE_STOCK:
		return true;
	case MODE_CPU:
		*why = "the kernel has no kscrubd";
		return exists(VM "scrub_start");
	case MODE_ENGINE:
		*why = "no engine is bound to its driver";
		return exists(VM "scrub_start") && engine_present();
	case MODE_NONE:
		*why = "the kernel was not booted with unsafe_no_zeroing";
		return exists(VM "unsafe_no_zeroing");
	default:
		return false;
	}
}

void mode_set(enum mode mode)
{
	bool scrub = mode == MODE_CPU || mode == MODE_ENGINE;

	if (!exists(VM "scrub_start"))
		return;	/* a kernel without the series is always stock */
	set(VM "scrub_engine", mode == MODE_ENGINE);
	set(VM "scrub_stop", SCRUB_STOP);
	set(VM "scrub_start", scrub ? SCRUB_START : 0);
}

void leave_unzeroed(bool on)
{
	set(VM "unsafe_no_zeroing", on);
}

const char *vmstat_read(void)
{
	static char text[16384];
	ssize_t size = 0, got;
	int fd = open("/proc/vmstat", O_RDONLY);

	while (fd >= 0 && (got = read(fd, text + size, sizeof text - 1 - size)) > 0)
		size += got;
	close(fd);
	text[size] = '\0';
	return text;
}

long vmstat_find(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ' ')
			return atol(line + length);
	}
	return -1;
}

long vmstat(const char *name)
{
	return vmstat_find(vmstat_read(), name);
}

long pool_fill(enum mode mode, long enough)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	long have = vmstat("nr_free_zeroed"), before;
	int stalled = 0;

	if (mode != MODE_CPU && mode != MODE_ENGINE)
		return have;
	while (have < enough && stalled < STALLED) {
		nanosleep(&pause, NULL);
		before = have;
		have = vmstat("nr_free_zeroed");
		stalled = have > before ? 0 : stalled + 1;
	}
	return have;
}
