/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where Rocket's own boot ROM jumps, with the hart's number in a0.
 *
 * Before Linux, hart 0 lets the engine write the RAM above the firmware and nothing else, and locks that.
 * A bare-metal test gets the engine as reset leaves it.
 */
#include "blockzero_regs.h"

	.globl	_start
_start:
	csrr	a0, mhartid
	li	a1, DTB
#if LINUX
	la	a2, dynamic_info
	bnez	a0, 1f
	li	t0, ENGINE
	li	t1, FIRMWARE_END
	sd	t1, BLOCKZERO_WINDOW_BASE(0)(t0)
	li	t1, RAM_LAST
	sd	t1, BLOCKZERO_WINDOW_LIMIT(0)(t0)
	li	t1, 1
	sd	t1, BLOCKZERO_WINDOW_CTRL(0)(t0)
	sd	t1, BLOCKZERO_WINDOW_LOCK(t0)
1:
#endif
	li	t0, RAM_BASE
	jr	t0

	/* struct fw_dynamic_info of OpenSBI (docs/firmware/fw_dynamic.md) */
	.balign	8
dynamic_info:
	.dword	0x4942534f	/* magic */
	.dword	2		/* version */
	.dword	NEXT		/* next_addr */
	.dword	1		/* next_mode: supervisor */
	.dword	0		/* options */
	.dword	0		/* boot_hart */
