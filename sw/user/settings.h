/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program is told by its user, and what it tells the kernel. */
#ifndef SETTINGS_H
#define SETTINGS_H

/* Ends the program with a message that has errno's text. */
void die(const char *what) __attribute__((noreturn));

/*
 * The number at the start of `text`, from `low` to `high`, decimal or 0x and hexadecimal; *rest is what follows it, which must be nothing
 * if `rest` is NULL. Ends the program with a message where it is something else.
 */
unsigned long number(const char *what, const char *text, char **rest, unsigned long low, unsigned long high);

/* Writes to a file of the kernel's; 0, or -1 and errno. */
int write_setting(const char *path, const char *text);

/* The same for a setting that must be there: ends the program with a message where the kernel refuses. */
void set(const char *path, long value);

/* The same for one that this kernel may not have: what is measured will show it. */
void set_if_there(const char *path, const char *text);

#endif
