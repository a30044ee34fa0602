// SPDX-License-Identifier: BSD-3-Clause
#include "trouble.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "memory.h"
#include "modes.h"
#include "settings.h"
#include "tap.h"

#define DRIVER "/sys/bus/platform/drivers/blockzero/"
#define TIMEOUT_FILE "/sys/module/blockzero/parameters/timeout_ms"
#define SOME (MIB / 4)	/* memory to check each time */

static const struct fault {
	unsigned int bit;	/* of the engine's TEST register */
	const char *name, *counter;	/* what rises when it happens, */
	long least;			/* and by how much */
	bool slow;			/* to find out: not for every page in its fault */
} faults[] = {
	{ 1, "hangs", "aborts", 1, true },
	{ 2, "bus errors", "jobs_bus_error", 1, false },
	{ 4, "no interrupt", "jobs_ok", 1, false },
	{ 8, "spurious interrupts", "interrupts", 100, false },
	{ 16, "refused", "jobs_rejected", 1, false },
};

static void with_fault(const struct fault *fault)
{
	char what[64];
	const char *why;

	snprintf(what, sizeof what, "engine fault '%s'", fault->name);
	if (!mode_available(MODE_ENGINE, &why)) {
		printf("# SKIP %s: %s\n", what, why);
		return;
	}
	mode_set(MODE_STOCK);

	long before = engine_find(engine_read(), fault->counter), rose = 0;

	if (engine_inject(fault->bit)) {
		printf("# SKIP %s: the engine has no fault injection\n", what);
		return;
	}
	mode_set(MODE_ENGINE);	/* kscrubd begins */
	for (int i = 0; i < 100 && rose < fault->least; i++) {
		usleep(5000);
		rose = engine_find(engine_read(), fault->counter) - before;
	}
	check(rose >= fault->least, "%s: it happens (%s: %ld)", what, fault->counter, rose);
	one_round(what, SOME);
	if (!fault->slow) {
		snprintf(what, sizeof what, "engine fault '%s' on demand", fault->name);
		mode_set(MODE_DEMAND);
		one_round(what, SOME);
	}
	engine_inject(0);
}

/* The driver goes while kscrubd uses the engine, and comes back. */
static void without_driver(void)
{
	char device[64];
	const char *why;
	glob_t found;

	if (glob(DRIVER "*.blockzero", 0, NULL, &found)) {
		printf("# SKIP without the driver: no engine is bound to it\n");
		return;
	}
	snprintf(device, sizeof device, "%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);

	mode_set(MODE_STOCK);
	mode_set(MODE_ENGINE);	/* kscrubd begins */
	usleep(1000);
	check(write_setting(DRIVER "unbind", device) == 0 && !mode_available(MODE_ENGINE, &why), "the driver lets go of the engine at work");
	one_round("without the driver", SOME);

	check(write_setting(DRIVER "bind", device) == 0 && mode_available(MODE_ENGINE, &why), "the driver takes the engine again");
	mode_set(MODE_STOCK);
	long before = vmstat("scrub_engine_pages");

	mode_set(MODE_ENGINE);
	pool_fill(MODE_ENGINE);
	long pages = vmstat("scrub_engine_pages") - before;

	check(pages > 0, "with the driver again: %ld pages by the engine", pages);
	one_round("with the driver again", SOME);
}

void make_trouble(void)
{
	write_setting(TIMEOUT_FILE, "5");	/* do not wait long for an engine that hangs */
	for (unsigned int i = 0; i < sizeof faults / sizeof faults[0]; i++)
		with_fault(&faults[i]);
	one_round("after those faults", SOME);
	without_driver();
}
