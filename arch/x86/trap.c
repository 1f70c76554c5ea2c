// SPDX-License-Identifier: MIT
/* arch/x86/trap.c: the interrupt descriptor table and the exception table (SDM vol. 3, 6.10). */
#include "arch/x86/trap.h"
#include "arch/x86/segment.h"

trap_fn trap_hook, irq_hook, syscall_hook;

extern const u32 trap_stubs[NR_TRAPS], irq_stubs[NR_IRQS];
extern char system_call[];

#define GATE_INTERRUPT 0x8e00u
#define GATE_TRAP      0x8f00u
#define GATE_TASK      0x8500u
#define GATE_DPL3      0x6000u

static struct descriptor idt[256] __aligned(64);

static void set_gate(u32 vector, u32 entry, u32 type)
{
	idt[vector].lo = KERNEL_CS << 16 | (entry & 0xffff);
	idt[vector].hi = (entry & 0xffff0000u) | type;
}

void trap_init(void)
{
	struct __packed {
		u16 limit;
		u32 base;
	} idtr = {sizeof(idt) - 1, (u32)idt};

	for (u32 i = 0; i < NR_TRAPS; i++)
		set_gate(i, trap_stubs[i], GATE_TRAP);
	/* CR2 must be read before another fault can come; debug likewise looks at DR6. */
	set_gate(TRAP_PAGE_FAULT, trap_stubs[TRAP_PAGE_FAULT], GATE_INTERRUPT);
	set_gate(TRAP_DEBUG, trap_stubs[TRAP_DEBUG], GATE_INTERRUPT);
	set_gate(TRAP_NMI, trap_stubs[TRAP_NMI], GATE_INTERRUPT);
	set_gate(TRAP_BREAKPOINT, trap_stubs[TRAP_BREAKPOINT], GATE_TRAP | GATE_DPL3);
	set_gate(TRAP_OVERFLOW, trap_stubs[TRAP_OVERFLOW], GATE_TRAP | GATE_DPL3);
	idt[TRAP_DOUBLE_FAULT].lo = GDT_DF_TSS * 8 << 16;
	idt[TRAP_DOUBLE_FAULT].hi = GATE_TASK;
	for (u32 i = 0; i < NR_IRQS; i++)
		set_gate(VECTOR_IRQ + i, irq_stubs[i], GATE_INTERRUPT);
	set_gate(VECTOR_SYSCALL, (u32)system_call, GATE_TRAP | GATE_DPL3);
	__asm__ volatile("lidt %0" ::"m"(idtr));
}

const char *trap_name(u32 vector)
{
	static const char *const names[] = {
		"divide error",
		"debug",
		"NMI",
		"breakpoint",
		"overflow",
		"bound range",
		"invalid opcode",
		"no FPU",
		"double fault",
		"coprocessor overrun",
		"invalid TSS",
		"segment not present",
		"stack fault",
		"general protection",
		"page fault",
		"reserved",
		"FPU error",
		"alignment check",
		"machine check",
		"SIMD error",
	};

	return vector < sizeof(names) / sizeof(*names) ? names[vector] : "interrupt";
}

struct ex_entry {
	u32 insn, fixup;
};
extern const struct ex_entry __ex_table[], __ex_table_end[];

bool fixup_exception(struct regs *r)
{
	for (const struct ex_entry *e = __ex_table; e < __ex_table_end; e++) {
		if (e->insn == r->eip) {
			r->eip = e->fixup;
			return true;
		}
	}
	return false;
}
