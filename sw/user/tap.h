/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of checks, in TAP. */
#ifndef TAP_H
#define TAP_H

/* Prints one; returns `good`. */
int check(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints how many there were; the program's exit code. */
int tap_end(void);

#endif
