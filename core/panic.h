/* SPDX-License-Identifier: MIT */
/* core/panic.h: how the kernel says that it cannot go on, with all that a reader needs. */
#pragma once

#include "arch/x86/regs.h"
#include "lib/types.h"

/*
 * Prints the sentence, the symbolised stack, the task and the policies, gives the
 * emulator the verdict "panic", and halts. Works from the first instruction of C.
 */
__noreturn void panic(const char *fmt, ...) __printf(1, 2);
/* The same with the registers of the fault that led here. */
__noreturn void panic_regs(const struct regs *r, const char *fmt, ...) __printf(2, 3);
/* Prints the return addresses from frame pointer ebp on, with names. */
void print_backtrace(u32 eip, u32 ebp);

/* Filled by kernel/: writes one line that says which policies run. */
extern void (*panic_policy_hook)(char *buf, size_t n);

/* For broken laws only: a caller's or the hardware's mistake is an error code. */
#define BUG_ON(cond)                                                                 \
	do {                                                                         \
		if (unlikely(cond))                                                  \
			panic("broken law at %s:%d: %s", __FILE__, __LINE__, #cond); \
	} while (0)
