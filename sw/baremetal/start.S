/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine-mode start of a bare-metal test on hart 0, device tree in a1; other harts wait for hart_run(). */
#include "runtime.h"

	.section .text.start
	.globl	_start
_start:
	la	t0, trap_entry
	csrw	mtvec, t0
	li	t0, 0x6000		/* mstatus.FS: the FPU on */
	csrs	mstatus, t0
	csrr	s0, mhartid
	li	t0, HARTS
	bgeu	s0, t0, park
	la	sp, stacks
	addi	t0, s0, 1
	li	t1, STACK_BYTES
	mul	t0, t0, t1
	add	sp, sp, t0
	bnez	s0, other
	la	t0, bss_start
	la	t1, bss_end
1:	bgeu	t0, t1, 2f
	sd	zero, 0(t0)
	addi	t0, t0, 8
	j	1b
2:	mv	a0, a1
	call	start
park:
	wfi
	j	park

	/* Calls what hart_run() leaves here, and says when it is over. */
other:
	la	t0, hart_work
	slli	s0, s0, 3
	add	s0, s0, t0
1:	ld	t0, 0(s0)
	beqz	t0, 1b
	fence	rw, rw
	jalr	t0
	fence	rw, rw
	sd	zero, 0(s0)
	j	1b

	/* Interrupts return; anything else ends the test. */
	.balign	4
trap_entry:
	addi	sp, sp, -128
	sd	ra, 0(sp)
	sd	t0, 8(sp)
	sd	t1, 16(sp)
	sd	t2, 24(sp)
	sd	t3, 32(sp)
	sd	t4, 40(sp)
	sd	t5, 48(sp)
	sd	t6, 56(sp)
	sd	a0, 64(sp)
	sd	a1, 72(sp)
	sd	a2, 80(sp)
	sd	a3, 88(sp)
	sd	a4, 96(sp)
	sd	a5, 104(sp)
	sd	a6, 112(sp)
	sd	a7, 120(sp)
	csrr	a0, mcause
	csrr	a1, mepc
	csrr	a2, mtval
	call	trap
	ld	ra, 0(sp)
	ld	t0, 8(sp)
	ld	t1, 16(sp)
	ld	t2, 24(sp)
	ld	t3, 32(sp)
	ld	t4, 40(sp)
	ld	t5, 48(sp)
	ld	t6, 56(sp)
	ld	a0, 64(sp)
	ld	a1, 72(sp)
	ld	a2, 80(sp)
	ld	a3, 88(sp)
	ld	a4, 96(sp)
	ld	a5, 104(sp)
	ld	a6, 112(sp)
	ld	a7, 120(sp)
	addi	sp, sp, 128
	mret
