/* SPDX-License-Identifier: MIT */
/* core/entry.h: from the entry code to whoever handles it, and what happens on the way out. */
#pragma once

#include "arch/x86/trap.h"

/* Installs the hooks of arch/x86/trap.h. */
void entry_init(void);
/* Handler for an exception; runs with interrupts as the gate left them. */
void set_trap_handler(u32 vector, trap_fn fn);
/* Handler for a device interrupt; runs with interrupts off, after the acknowledgement. */
void set_irq_handler(u32 irq, void (*fn)(void));
/*
 * The last step before user mode: reschedules, delivers signals, books the time.
 * Returns with interrupts off.
 */
void exit_to_user(struct regs *r);
/* Filled by kernel/signal.c: delivers what is pending. Interrupts are on; may sleep. */
extern void (*signal_hook)(struct regs *r);
/* Filled by kernel/signal.c: an exception in user mode that nobody else handled. */
extern void (*user_trap_hook)(struct regs *r);
/* entry.asm: the CPU refused the frame; kills the program that broke it. */
void bad_iret(struct regs *r);
