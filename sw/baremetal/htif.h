/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's host-target interface: how a program under Chipyard's or FireSim's simulators talks to its host. */
#ifndef HTIF_H
#define HTIF_H

#include <stddef.h>

/* Writes to the host's standard output. */
void htif_write(const char *text, size_t length);

/* Ends the simulation; 0 is success. */
void htif_exit(unsigned int code) __attribute__((noreturn));

#endif
