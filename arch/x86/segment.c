// SPDX-License-Identifier: MIT
/* arch/x86/segment.c: GDT and the two task state segments (SDM vol. 3, 3.4.5 and 8.2). */
#include "arch/x86/segment.h"
#include "arch/x86/cpu.h"
#include "arch/x86/memlayout.h"
#include "arch/x86/trap.h"
#include "lib/errno.h"

struct tss {
	u32 link, esp0, ss0, esp1, ss1, esp2, ss2, cr3, eip, eflags;
	u32 eax, ecx, edx, ebx, esp, ebp, esi, edi;
	u32 es, cs, ss, ds, fs, gs, ldt;
	u16 trap, iomap;
};

#define FLAT(type)                                   \
	{                                            \
		0x0000ffff, 0x00cf0000 | (type) << 8 \
	}
#define CODE_RING0  0x9b
#define DATA_RING0  0x93
#define CODE_RING3  0xfb
#define DATA_RING3  0xf3
#define TSS_PRESENT 0x89

static struct descriptor gdt[GDT_ENTRIES] __aligned(64) = {
	[GDT_KERNEL_CS] = FLAT(CODE_RING0),
	[GDT_KERNEL_DS] = FLAT(DATA_RING0),
	[GDT_USER_CS] = FLAT(CODE_RING3),
	[GDT_USER_DS] = FLAT(DATA_RING3),
};
static struct tss tss, df_tss;
static u8 df_stack[4096] __aligned(16);

static void set_tss_descriptor(u32 entry, const struct tss *t)
{
	u32 base = (u32)t;

	gdt[entry].lo = base << 16 | (sizeof(*t) - 1);
	gdt[entry].hi = (base & 0xff000000u) | TSS_PRESENT << 8 | (base >> 16 & 0xff);
}

static void df_tss_init(void)
{
	df_tss = (struct tss){
		.cr3 = read_cr3(),
		.eip = (u32)double_fault_entry,
		.eflags = 2,
		.esp = (u32)(df_stack + sizeof(df_stack)),
		.es = KERNEL_DS,
		.cs = KERNEL_CS,
		.ss = KERNEL_DS,
		.ds = KERNEL_DS,
		.iomap = sizeof(struct tss),
	};
}

void segment_init(void)
{
	struct __packed {
		u16 limit;
		u32 base;
	} gdtr = {sizeof(gdt) - 1, (u32)gdt};

	tss.ss0 = KERNEL_DS;
	tss.iomap = sizeof(tss);
	df_tss_init();
	set_tss_descriptor(GDT_TSS, &tss);
	set_tss_descriptor(GDT_DF_TSS, &df_tss);
	__asm__ volatile("lgdt %0\n\t"
			 "ljmp %1, $1f\n"
			 "1:\tmov %2, %%ds\n\t"
			 "mov %2, %%es\n\t"
			 "mov %2, %%ss\n\t"
			 "mov %3, %%fs\n\t"
			 "mov %3, %%gs\n\t"
			 "ltr %w4"
			 :
			 : "m"(gdtr), "i"(KERNEL_CS), "r"(KERNEL_DS), "r"(0), "r"(GDT_TSS * 8)
			 : "memory");
}

void set_kernel_stack(u32 esp0)
{
	tss.esp0 = esp0;
}

void load_tls(const struct descriptor t[GDT_TLS_COUNT])
{
	for (u32 i = 0; i < GDT_TLS_COUNT; i++)
		gdt[GDT_TLS + i] = t[i];
}

/* user_desc.flags: bit 0 32-bit, 1-2 contents, 3 read/exec only, 4 limit in pages, 5 not present, 6 useable */
int make_tls(const struct user_desc *u, struct descriptor *d)
{
	u32 contents = u->flags >> 1 & 3, type;

	/* Linux's sign of an empty entry: nothing but read-exec-only and not-present. */
	if (!u->base && !u->limit && (u->flags & 0x7f) == 0x28) {
		*d = (struct descriptor){0, 0};
		return 0;
	}
	/* Data segments only, 32 bits: a code segment here is nothing that a program needs. */
	if (contents > 1 || !(u->flags & 1))
		return -EINVAL;
	type = contents << 2 | (u->flags & 8 ? 0 : 2) | 0x10 | 0x60 | (u->flags & 0x20 ? 0 : 0x80);
	d->lo = u->base << 16 | (u->limit & 0xffff);
	d->hi = (u->base & 0xff000000u) | (u->base >> 16 & 0xff) | (u->limit & 0xf0000) | type << 8 |
		1u << 22 | (u->flags & 0x10 ? 1u << 23 : 0) | (u->flags & 0x40 ? 1u << 20 : 0);
	return 0;
}

/* What the CPU saved of the interrupted context when it switched tasks. */
void double_fault_regs(struct regs *r)
{
	*r = (struct regs){
		.ebx = tss.ebx,
		.ecx = tss.ecx,
		.edx = tss.edx,
		.esi = tss.esi,
		.edi = tss.edi,
		.ebp = tss.ebp,
		.eax = tss.eax,
		.ds = tss.ds,
		.es = tss.es,
		.vector = TRAP_DOUBLE_FAULT,
		.eip = tss.eip,
		.cs = tss.cs,
		.eflags = tss.eflags,
		.esp = tss.esp,
		.ss = tss.ss,
	};
}
