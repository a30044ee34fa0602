// SPDX-License-Identifier: BSD-3-Clause
/* mode: runs a command in one of the ways of providing zeroed pages, and prints what it took as a JSON line. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "modes.h"
#include "settings.h"

static const char usage[] =
	"Usage: mode MODE [COMMAND [ARGUMENT ...]]\n"
	"Switches to MODE (stock, cpu, engine, demand, none), waits until kscrubd has zeroed what it can, and runs COMMAND.\n"
	"Without COMMAND it only switches; memory stays unzeroed (none) only while COMMAND runs. Exit code: the command's.\n";

static unsigned long us(struct timeval time)
{
	return time.tv_sec * 1000000UL + time.tv_usec;
}

/* Runs a command and waits for it; its exit code, 128 and more for a signal. */
static int run(char **command)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		die("fork");
	if (child == 0) {
		execvp(command[0], command);
		fprintf(stderr, "mode: %s: %m\n", command[0]);
		_exit(127);
	}
	if (waitpid(child, &status, 0) < 0)
		die("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct rusage used;

	if (argc < 2 || !strcmp(argv[1], "-h"))
		return fputs(usage, argc < 2 ? stderr : stdout), argc < 2 ? 2 : 0;

	enum mode mode = mode_wanted(argv[1]);

	mode_set(mode);
	pool_fill(mode);
	if (argc == 2)
		return 0;

	unsigned long mhz = clock_mhz();
	const char *counters = vmstat_read();
	long hits = vmstat_find(counters, "zeroed_hit"), misses = vmstat_find(counters, "zeroed_miss");

	if (mode == MODE_NONE)
		leave_unzeroed(true);

	unsigned long begin = now_ns();
	int code = run(argv + 2);
	unsigned long wall_ns = now_ns() - begin;

	if (mode == MODE_NONE)
		leave_unzeroed(false);
	getrusage(RUSAGE_CHILDREN, &used);
	counters = vmstat_read();
	printf("{\"test\": \"run\", \"mode\": \"%s\", \"exit_code\": %d, \"wall_ns\": %lu, \"user_us\": %lu, \"system_us\": %lu, \"faults\": %ld, "
	       "\"zeroed_hit\": %ld, \"zeroed_miss\": %ld, \"mhz\": %lu}\n", argv[1], code, wall_ns, us(used.ru_utime), us(used.ru_stime),
	       used.ru_minflt, vmstat_find(counters, "zeroed_hit") - hits, vmstat_find(counters, "zeroed_miss") - misses, mhz);
	return code;
}
