/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/trap.h: exceptions, interrupts and system calls, and the hooks by
 * which the layers above take them. Exceptions and system calls enter with
 * interrupts as they were, except a page fault and device interrupts, which
 * enter with interrupts off.
 */
#pragma once

#include "arch/x86/regs.h"

enum {
	TRAP_DIVIDE = 0,
	TRAP_DEBUG = 1,
	TRAP_NMI = 2,
	TRAP_BREAKPOINT = 3,
	TRAP_OVERFLOW = 4,
	TRAP_BOUND = 5,
	TRAP_OPCODE = 6,
	TRAP_NO_FPU = 7,
	TRAP_DOUBLE_FAULT = 8,
	TRAP_TSS = 10,
	TRAP_SEGMENT = 11,
	TRAP_STACK = 12,
	TRAP_PROTECTION = 13,
	TRAP_PAGE_FAULT = 14,
	TRAP_FPU = 16,
	TRAP_ALIGNMENT = 17,
	TRAP_MACHINE = 18,
	TRAP_SIMD = 19,
	NR_TRAPS = 32,
	NR_IRQS = 16,
	VECTOR_IRQ = 0x20,
	VECTOR_SYSCALL = 0x80,
};

/* Page fault error code: SDM vol. 3, 4.7. */
#define PF_PROTECTION 1u /* 0: no page; 1: rights */
#define PF_WRITE      2u
#define PF_USER       4u
#define PF_RESERVED   8u
#define PF_FETCH      16u

typedef void (*trap_fn)(struct regs *r);

/* Set once by core/entry.c and kernel/syscall.c: what the entry code calls. */
extern trap_fn trap_hook, irq_hook, syscall_hook;

/* Fills and loads the IDT. */
void trap_init(void);
/* A short name for an exception, for a panic's first line. */
const char *trap_name(u32 vector);
/*
 * If the kernel instruction at r->eip has an entry in the exception table,
 * resume there and return true.
 */
bool fixup_exception(struct regs *r);

/* entry.asm: the task gate's code, and where a new task begins. */
void double_fault_entry(void);
void ret_from_fork(void);
/* segment.c: the registers at a double fault. */
void double_fault_regs(struct regs *r);
/* core/panic.c: called on the double fault's own stack; does not return. */
__noreturn void double_fault(void);
