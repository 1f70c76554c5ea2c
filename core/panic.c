// SPDX-License-Identifier: MIT
/* core/panic.c: the last words. */
#include <stdarg.h>
#include "core/panic.h"
#include "arch/x86/cpu.h"
#include "arch/x86/memlayout.h"
#include "arch/x86/power.h"
#include "arch/x86/trap.h"
#include "core/ksyms.h"
#include "core/log.h"
#include "core/task.h"
#include "lib/printf.h"

void (*panic_policy_hook)(char *buf, size_t n);

extern char boot_stack[];

static void print_address(u32 addr)
{
	u32 off;
	const char *name = ksym_find(addr, &off);

	if (name)
		console_printf("  %08x %s+0x%x\n", addr, name, off);
	else
		console_printf("  %08x\n", addr);
}

/* A frame pointer is believed while it stays within the stack of the running task or the boot stack. */
static bool on_stack(u32 ebp)
{
	u32 base = current ? current->stack : 0;

	if (ebp & 3)
		return false;
	return (base && ebp >= base && ebp < base + KSTACK_SIZE - 8) ||
	       (ebp >= (u32)boot_stack && ebp < (u32)boot_stack + 8192 - 8);
}

void print_backtrace(u32 eip, u32 ebp)
{
	if (eip)
		print_address(eip);
	for (u32 depth = 0; depth < 24 && on_stack(ebp); depth++) {
		const u32 *frame = (const u32 *)ebp;

		if (!frame[1])
			break;
		print_address(frame[1]);
		if (frame[0] <= ebp)
			break;
		ebp = frame[0];
	}
}

static void print_regs(const struct regs *r)
{
	bool user = from_user(r);

	console_printf("eip %08x  eflags %08x  vector %u (%s)  error %x\n", r->eip, r->eflags, r->vector,
		       trap_name(r->vector), r->error);
	console_printf("eax %08x  ebx %08x  ecx %08x  edx %08x\n", r->eax, r->ebx, r->ecx, r->edx);
	console_printf("esi %08x  edi %08x  ebp %08x  esp %08x\n", r->esi, r->edi, r->ebp,
		       user || r->vector == TRAP_DOUBLE_FAULT ? r->esp : (u32)&r->esp);
	console_printf("cs %04x  ds %04x  es %04x  cr0 %08x  cr2 %08x  cr3 %08x  cr4 %08x\n", r->cs & 0xffff,
		       r->ds & 0xffff, r->es & 0xffff, read_cr0(), read_cr2(), read_cr3(), read_cr4());
}

static void last_words(const struct regs *r, const char *fmt, va_list ap)
{
	static bool already;
	char text[256];

	irq_disable();
	if (already) {
		console_printf("panic within a panic\n");
		return;
	}
	already = true;
	vsnprintf(text, sizeof(text), fmt, ap);
	console_printf("\nPANIC: %s\n", text);
	if (r)
		print_regs(r);
	if (current)
		console_printf("task %d (%s)\n", current->pid, current->comm);
	else
		console_printf("no task yet\n");
	console_printf("backtrace:\n");
	print_backtrace(r ? r->eip : 0, r ? r->ebp : (u32)__builtin_frame_address(0));
	if (panic_policy_hook) {
		panic_policy_hook(text, sizeof(text));
		console_printf("policy: %s\n", text);
	}
}

/* The verdict, and no way back. */
static __noreturn void end_in_panic(void)
{
	emulator_exit(VERDICT_PANIC);
	halt_forever();
}

void panic(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	last_words(NULL, fmt, ap);
	va_end(ap);
	end_in_panic();
}

void panic_regs(const struct regs *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	last_words(r, fmt, ap);
	va_end(ap);
	end_in_panic();
}

void double_fault(void)
{
	struct regs r;

	double_fault_regs(&r);
	if (current && r.esp - current->stack + PAGE_SIZE < PAGE_SIZE + 64)
		panic_regs(&r, "kernel stack overflow: task %d (%s), stack %08x, esp %08x", current->pid,
			   current->comm, current->stack, r.esp);
	panic_regs(&r, "double fault");
}
