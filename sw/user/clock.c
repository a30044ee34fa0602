// SPDX-License-Identifier: BSD-3-Clause
#include "clock.h"

#include <time.h>

#define MEASURED_NS 1000000

unsigned long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000UL + now.tv_nsec;
}

unsigned long clock_mhz(void)
{
	static unsigned long mhz;

	if (!mhz) {
		unsigned long cycles = cycle(), begin = now_ns(), ns;

		do
			ns = now_ns() - begin;
		while (ns < MEASURED_NS);
		mhz = ((cycle() - cycles) * 1000 + ns / 2) / ns;
	}
	return mhz;
}
