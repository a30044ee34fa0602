/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program is told by its user, and what it tells the kernel. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Ends the program with a message that has errno's text. */
void die(const char *what) __attribute__((noreturn));

/*
 * The number at the start of `text`, from `low` to `high`, decimal or 0x and hexadecimal; *rest is what follows it, which must be nothing
 * if `rest` is NULL. Ends the program with a message where it is something else.
 */
unsigned long number(const char *what, const char *text, char **rest, unsigned long low, unsigned long high);

/* Writes to a file of the kernel's; 0, or -1 and errno. */
int write_setting(const char *path, const char *text);

/* Sets what must be there, in /proc/sys: ends the program with a message where the kernel refuses. `path` must stay as it is. */
void set(const char *path, long value);

/* Whether there is such a setting. */
bool is_there(const char *path);

/* Writes to a file that this kernel may not have: what is measured will show it. */
void set_if_there(const char *path, const char *text);

/* The text of one of the kernel's files, in `text`; empty where there is none. */
const char *read_file(const char *path, char *text, size_t size);

#endif
