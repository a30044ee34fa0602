// SPDX-License-Identifier: BSD-3-Clause
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>

static unsigned int tests, failures;

int check(int good, const char *format, ...)
{
	va_list arguments;

	printf(good ? "ok %u - " : "not ok %u - ", ++tests);
	failures += !good;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	return good;
}

int tap_end(void)
{
	printf("1..%u\n# %u failed\n", tests, failures);
	return failures != 0;
}
