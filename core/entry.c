// SPDX-License-Identifier: MIT
/* core/entry.c: dispatch of exceptions and interrupts; the one way back to user mode. */
#include "core/entry.h"
#include "arch/x86/cpu.h"
#include "arch/x86/pic.h"
#include "core/account.h"
#include "core/panic.h"
#include "core/sched.h"

void (*signal_hook)(struct regs *r);
void (*user_trap_hook)(struct regs *r);

static trap_fn trap_handlers[NR_TRAPS];
static void (*irq_handlers[NR_IRQS])(void);

void exit_to_user(struct regs *r)
{
	irq_disable();
	while (unlikely(current->work)) {
		irq_enable();
		if (current->work & WORK_RESCHED)
			schedule();
		if (current->work & WORK_SIGNAL)
			signal_hook(r);
		irq_disable();
	}
	account_to_user();
}

static void unhandled_trap(struct regs *r)
{
	if (from_user(r))
		user_trap_hook(r);
	else if (!fixup_exception(r))
		panic_regs(r, "unexpected %s in the kernel", trap_name(r->vector));
}

static void handle_trap(struct regs *r)
{
	bool user = from_user(r);
	trap_fn fn = trap_handlers[r->vector];

	if (user)
		account_from_user();
	if (fn)
		fn(r);
	else
		unhandled_trap(r);
	if (user)
		exit_to_user(r);
}

/* The frame to return to was refused: the program broke its own registers. */
void bad_iret(struct regs *r)
{
	struct regs *user = current_regs();

	account_from_user();
	user->vector = TRAP_PROTECTION;
	user_trap_hook(user);
	exit_to_user(user);
}

static void handle_irq(struct regs *r)
{
	u32 irq = r->vector - VECTOR_IRQ;
	bool user = from_user(r);

	if (user)
		account_from_user();
	if (pic_ack(irq)) {
		if (irq == 0)
			clock_tick(r);
		else if (irq_handlers[irq])
			irq_handlers[irq]();
	}
	if (user)
		exit_to_user(r);
}

void set_trap_handler(u32 vector, trap_fn fn)
{
	trap_handlers[vector] = fn;
}

void set_irq_handler(u32 irq, void (*fn)(void))
{
	irq_handlers[irq] = fn;
	pic_unmask(irq);
}

void entry_init(void)
{
	trap_hook = handle_trap;
	irq_hook = handle_irq;
	pic_init();
	trap_init();
}
