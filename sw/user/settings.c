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

#define MAX_SETTINGS 16

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

/* A file of /proc/sys, opened for good: a path takes the kernel longer than the value. -1 where there is none. */
static int kept_open(const char *path)
{
	static struct { const char *path; int fd; } kept[MAX_SETTINGS];
	int i = 0;

	while (i < MAX_SETTINGS - 1 && kept[i].path && strcmp(kept[i].path, path))
		i++;
	if (!kept[i].path) {
		kept[i].fd = open(path, O_WRONLY | O_CLOEXEC);
		kept[i].path = path;
	}
	return kept[i].fd;
}

bool is_there(const char *path)
{
	return kept_open(path) >= 0;
}

void set(const char *path, long value)
{
	char text[24];
	int length = snprintf(text, sizeof text, "%ld\n", value);

	if (pwrite(kept_open(path), text, length, 0) != length)
		die(path);
}

void set_if_there(const char *path, const char *text)
{
	if (write_setting(path, text) && errno != ENOENT)
		die(path);
}

const char *read_file(const char *path, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;
	int fd = open(path, O_RDONLY);

	while (fd >= 0 && (got = read(fd, text + length, size - 1 - length)) > 0)
		length += got;
	if (fd >= 0)
		close(fd);
	text[length] = '\0';
	return text;
}
