// SPDX-License-Identifier: BSD-3-Clause
#include "modes.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "settings.h"

#define VM "/proc/sys/vm/"
#define SCRUB_START 5	/* order of the blocks that wake kscrubd */
#define LARGE_ORDER 2	/* where the engine does not clear base pages in faults as well */
#define LOOKS 600	/* at kscrubd, before it is taken to be busy for good */
#define MAX_PID 1000

const char *const mode_names[MODES] = { "stock", "cpu", "engine", "demand", "workers1", "workers2", "workers4", "none" };

static bool engine_present(void)
{
	glob_t found;
	bool present = glob("/sys/bus/platform/drivers/blockzero/*.blockzero", 0, NULL, &found) == 0;

	if (present)
		globfree(&found);
	return present;
}

enum mode mode_named(const char *name)
{
	enum mode mode = 0;

	while (mode < MODES && strcmp(name, mode_names[mode]))
		mode++;
	return mode;
}

bool mode_available(enum mode mode, const char **why)
{
	switch (mode) {
	case MODE_STOCK:
		return true;
	case MODE_CPU:
		*why = "the kernel has no kscrubd";
		return is_there(VM "scrub_start");
	case MODE_ENGINE:
		*why = "no engine is bound to its driver";
		return is_there(VM "scrub_start") && engine_present();
	case MODE_DEMAND:
		*why = "no engine is bound to its driver, or the kernel does not use it in faults";
		return is_there(VM "zero_engine_order") && engine_present();
	case MODE_WORKERS1:
	case MODE_WORKERS2:
	case MODE_WORKERS4:
		*why = "the kernel has no workers to clear huge pages";
		return is_there(VM "clear_huge_workers");
	case MODE_NONE:
		*why = "the kernel was not booted with unsafe_no_zeroing";
		return is_there(VM "unsafe_no_zeroing");
	default:
		return false;
	}
}

enum mode mode_wanted(const char *name)
{
	const char *why = "there is no such mode";
	enum mode mode = mode_named(name);

	if (mode == MODES || !mode_available(mode, &why)) {
		fprintf(stderr, "mode '%s': %s\n", name, why);
		exit(2);
	}
	return mode;
}

bool mode_has_pool(enum mode mode)
{
	return mode == MODE_CPU || mode == MODE_ENGINE;
}

int mode_workers(enum mode mode)
{
	switch (mode) {
	case MODE_WORKERS1: return 1;
	case MODE_WORKERS2: return 2;
	case MODE_WORKERS4: return 4;
	default: return 0;
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
	if (!is_there(VM "scrub_start"))
		return;	/* a kernel without the series is always stock */
	if (is_there(VM "zero_engine_order")) {
		set(VM "scrub_engine", mode == MODE_ENGINE || mode == MODE_DEMAND);
		set(VM "zero_engine_order", mode == MODE_DEMAND ? 0 : LARGE_ORDER);
	}
	if (is_there(VM "clear_huge_workers"))
		set(VM "clear_huge_workers", mode_workers(mode));
	scrub_down_to(order);
	set(VM "scrub_start", mode_has_pool(mode) ? SCRUB_START : 0);
}

void drain_lists(void)
{
	if (!is_there(VM "scrub_start"))
		return;
	set(VM "scrub_start", SCRUB_START);
	set(VM "scrub_start", 0);
}

void leave_unzeroed(bool on)
{
	set(VM "unsafe_no_zeroing", on);
}

const char *vmstat_read(void)
{
	static char text[16384];

	return read_file("/proc/vmstat", text, sizeof text);
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

/* kscrubd's number; 0 where there is none. It is a thread of the kernel's boot: the number is small. */
static int kscrubd(void)
{
	static int pid;
	char path[32], name[32];

	for (int i = 2; !pid && i < MAX_PID; i++) {
		snprintf(path, sizeof path, "/proc/%d/comm", i);
		if (!strcmp(read_file(path, name, sizeof name), "kscrubd0\n"))
			pid = i;
	}
	return pid;
}

/* It sleeps interruptibly until there is something to do, and otherwise while it does it. */
static bool kscrubd_waits(void)
{
	char path[32], text[512];

	snprintf(path, sizeof path, "/proc/%d/stat", kscrubd());
	const char *name_end = strrchr(read_file(path, text, sizeof text), ')');

	return !name_end || name_end[2] == 'S';
}

void modes_prepare(void)
{
	const char *why;

	mode_set(MODE_STOCK);
	mode_available(MODE_DEMAND, &why);
	kscrubd_waits();
	vmstat_read();
}

void pool_fill(enum mode mode)
{
	/* Looking takes the CPU from it, some 80 thousand cycles each time. */
	const struct timespec look = { .tv_nsec = mode == MODE_CPU ? 20000000 : 2000000 };

	for (int i = 0; i < LOOKS && mode_has_pool(mode); i++) {
		nanosleep(&look, NULL);
		if (kscrubd_waits())
			break;
	}
}
