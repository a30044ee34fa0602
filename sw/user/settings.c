// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(2);
}

unsigned long number(const char *what, const char *text, char **rest, unsigned long low, unsigned long high)
{
	char *end;

	errno = 0;
	unsigned long value = strtoul(text, &end, strncmp(text, "0x", 2) ? 10 : 16);

	if (!isdigit((unsigned char)*text) || errno || (!rest && *end) || value < low || value > high) {
		fprintf(stderr, "%s: %s: '%s' is not a number from %lu to %lu\n", program_invocation_short_name, what, text, low, high);
		exit(2);
	}
	if (rest)
		*rest = end;
	return value;
}

int write_setting(const char *path, const char *text)
{
	ssize_t length = strlen(text);
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		return -1;
	ssize_t written = write(fd, text, length);

	return close(fd) || written != length ? -1 : 0;
}

void set(const char *path, long value)
{
	char text[24];

	snprintf(text, sizeof text, "%ld\n", value);
	if (write_setting(path, text))
		die(path);
}

void set_if_there(const char *path, const char *text)
{
	if (write_setting(path, text) && errno != ENOENT)
		die(path);
}
