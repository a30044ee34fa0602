// SPDX-License-Identifier: BSD-3-Clause
#include "clock.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MEASURED_NS 1000000

/* 0 where there is no such clock: a task may have ended. */
static unsigned long read_clock(clockid_t id)
{
	struct timespec now;

	return clock_gettime(id, &now) ? 0 : now.tv_sec * 1000000000UL + now.tv_nsec;
}

unsigned long now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

unsigned long own_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

unsigned long others_cpu_ns(void)
{
	DIR *tasks = opendir("/proc");
	unsigned long sum = 0;

	for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
		pid_t pid = isdigit(*entry->d_name) ? atoi(entry->d_name) : 0;
		clockid_t id;

		if (pid && pid != getpid() && clock_getcpuclockid(pid, &id) == 0)
			sum += read_clock(id);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}

unsigned long clock_mhz(void)
{
	static unsigned long mhz;

	if (!mhz) {
		now_ns();	/* the first time it takes longer */
		unsigned long begin = now_ns(), cycles = cycle(), ns;	/* in the order they are read in again below */

		do
			ns = now_ns() - begin;
		while (ns < MEASURED_NS);
		mhz = ((cycle() - cycles) * 1000 + ns / 2) / ns;
	}
	return mhz;
}
