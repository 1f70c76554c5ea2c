// SPDX-License-Identifier: MIT
/* arch/x86/fpu.c: lazy switching (SDM vol. 3, 13.4) and the selectors FS and GS. */
#include "arch/x86/fpu.h"
#include "arch/x86/cpu.h"
#include "lib/errno.h"
#include "lib/string.h"

struct fpu_area *(*fpu_area_alloc)(void);
void (*fpu_area_free)(struct fpu_area *a);

static struct cpu_context *owner; /* whose registers are in the CPU */
static bool ts = true;            /* CR0.TS, written only when it changes: that serialises */
static struct fpu_area clean;

static void ts_set(void)
{
	if (!ts)
		write_cr0(read_cr0() | CR0_TS);
	ts = true;
}

static void ts_clear(void)
{
	if (ts)
		__asm__ volatile("clts");
	ts = false;
}

static void store(struct fpu_area *a)
{
	if (cpu.has_fxsr)
		__asm__ volatile("fxsave %0" : "=m"(*a));
	else
		__asm__ volatile("fnsave %0; fwait" : "=m"(*a));
}

static void load(const struct fpu_area *a)
{
	if (cpu.has_fxsr)
		__asm__ volatile("fxrstor %0" ::"m"(*a));
	else
		__asm__ volatile("frstor %0" ::"m"(*a));
}

void fpu_init(void)
{
	ts_clear();
	__asm__ volatile("fninit");
	store(&clean);
	if (cpu.has_fxsr) {
		/* MXCSR: all exceptions masked (SDM vol. 1, 10.2.3). */
		*(u32 *)(clean.bytes + 24) = 0x1f80;
		memset(clean.bytes + 32, 0, sizeof(clean.bytes) - 32);
	}
	ts_set();
}

void fpu_switch(const struct cpu_context *c)
{
	if (owner == c)
		ts_clear();
	else
		ts_set();
}

int fpu_claim(struct cpu_context *c)
{
	ts_clear();
	if (owner == c)
		return 0;
	if (!c->fpu) {
		c->fpu = fpu_area_alloc();
		if (!c->fpu)
			return -ENOMEM;
		memcpy(c->fpu, &clean, sizeof(clean));
	}
	if (owner)
		store(owner->fpu);
	load(c->fpu);
	owner = c;
	return 0;
}

void fpu_save(struct cpu_context *c)
{
	if (owner != c)
		return;
	ts_clear();
	store(c->fpu);
	if (!cpu.has_fxsr)
		load(c->fpu); /* FNSAVE has cleared the registers */
}

int fpu_dup(struct cpu_context *child, struct cpu_context *parent)
{
	child->fpu = NULL;
	if (!parent->fpu)
		return 0;
	child->fpu = fpu_area_alloc();
	if (!child->fpu)
		return -ENOMEM;
	fpu_save(parent);
	memcpy(child->fpu, parent->fpu, sizeof(*child->fpu));
	return 0;
}

void fpu_drop(struct cpu_context *c)
{
	fpu_reload(c);
	if (c->fpu)
		fpu_area_free(c->fpu);
	c->fpu = NULL;
}

void fpu_reload(struct cpu_context *c)
{
	if (owner != c)
		return;
	owner = NULL;
	ts_set();
}

void load_gs(u16 sel)
{
	__asm__ volatile("1: mov %0, %%gs\n"
			 "2:\n"
			 ".section .ex_table,\"a\"\n\t.long 1b, 3f\n.previous\n"
			 ".section .text.fixup,\"ax\"\n3: xor %0, %0\n\tjmp 1b\n.previous" ::"r"((u32)sel));
}

void load_fs(u16 sel)
{
	__asm__ volatile("1: mov %0, %%fs\n"
			 "2:\n"
			 ".section .ex_table,\"a\"\n\t.long 1b, 3f\n.previous\n"
			 ".section .text.fixup,\"ax\"\n3: xor %0, %0\n\tjmp 1b\n.previous" ::"r"((u32)sel));
}

void cpu_switch_segments(struct cpu_context *prev, struct cpu_context *next)
{
	u16 gs, fs;

	__asm__ volatile("mov %%gs, %w0" : "=r"(gs));
	__asm__ volatile("mov %%fs, %w0" : "=r"(fs));
	prev->gs = gs;
	prev->fs = fs;
	load_tls(next->tls);
	if (next->gs | gs)
		load_gs(next->gs);
	if (next->fs | fs)
		load_fs(next->fs);
}
