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
#define LOOKS 300	/* at kscrubd, before it is taken to be busy for good */

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

void scrub_down_to(int order)
{
	set(VM "scrub_stop", order);
}

void mode_set(enum mode mode)
{
	mode_set_down_to(mode, SCRUB_STOP);
}

void mode_set_down_to(enum mode mode, int order)
{
	bool scrub = mode == MODE_CPU || mode == MODE_ENGINE;

	if (!exists(VM "scrub_start"))
		return;	/* a kernel without the series is always stock */
	set(VM "scrub_engine", mode == MODE_ENGINE);
	scrub_down_to(order);
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

/* kscrubd's state file; it is there whenever a mode needs it. */
static const char *kscrubd_stat(void)
{
	static char path[64];
	glob_t found;

	if (*path || glob("/proc/[0-9]*", 0, NULL, &found))
		return path;
	for (size_t i = 0; i < found.gl_pathc && !*path; i++) {
		char name[32] = "";

		snprintf(path, sizeof path, "%s/comm", found.gl_pathv[i]);
		FILE *file = fopen(path, "r");

		if (file && fscanf(file, "%31s", name) == 1 && !strcmp(name, "kscrubd0"))
			snprintf(path, sizeof path, "%s/stat", found.gl_pathv[i]);
		else
			*path = '\0';
		if (file)
			fclose(file);
	}
	globfree(&found);
	return path;
}

/* It sleeps interruptibly until there is something to do, and otherwise while it does it. */
static bool kscrubd_waits(void)
{
	FILE *file = fopen(kscrubd_stat(), "r");
	char state = 'S';

	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 'S';
	if (file)
		fclose(file);
	return state == 'S';
}

void pool_fill(enum mode mode)
{
	/* Looking takes the CPU from it. */
	const struct timespec look = { .tv_nsec = mode == MODE_CPU ? 10000000 : 2000000 };

	for (int i = 0; i < LOOKS && (mode == MODE_CPU || mode == MODE_ENGINE); i++) {
		nanosleep(&look, NULL);
		if (kscrubd_waits())
			break;
	}
}
