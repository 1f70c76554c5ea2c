/* SPDX-License-Identifier: MIT */
/* arch/x86/cpu.h: instructions that C cannot say, and what CPUID told about this CPU. */
#pragma once

#include "lib/types.h"

/* Control register bits: Intel SDM vol. 3, 2.5. */
#define CR0_MP         (1u << 1)
#define CR0_EM         (1u << 2)
#define CR0_TS         (1u << 3)
#define CR0_NE         (1u << 5)
#define CR0_WP         (1u << 16)
#define CR0_AM         (1u << 18)
#define CR4_PSE        (1u << 4)
#define CR4_PAE        (1u << 5)
#define CR4_PGE        (1u << 7)
#define CR4_OSFXSR     (1u << 9)
#define CR4_OSXMMEXCPT (1u << 10)

/* EFLAGS: SDM vol. 1, 3.4.3. */
#define EFLAGS_CF   (1u << 0)
#define EFLAGS_TF   (1u << 8)
#define EFLAGS_IF   (1u << 9)
#define EFLAGS_DF   (1u << 10)
#define EFLAGS_IOPL (3u << 12)
#define EFLAGS_NT   (1u << 14)
#define EFLAGS_VM   (1u << 17)
#define EFLAGS_AC   (1u << 18)
/* What a user program may set for itself: CF PF AF ZF SF TF DF OF AC. */
#define EFLAGS_USER 0x00040DD5u

struct cpu_info {
	char vendor[13];
	char model_name[49];
	u8 family, model, stepping;
	u32 features;   /* CPUID.1:EDX */
	u32 features_c; /* CPUID.1:ECX */
	u8 phys_bits;   /* physical address width */
	bool nx;        /* no-execute is there and switched on */
	bool has_fxsr;
	bool has_pge;
	bool has_tsc;
};
extern struct cpu_info cpu;

/* CPUID.1:EDX */
#define CPU_FPU  (1u << 0)
#define CPU_TSC  (1u << 4)
#define CPU_MSR  (1u << 5)
#define CPU_PAE  (1u << 6)
#define CPU_SEP  (1u << 11)
#define CPU_PGE  (1u << 13)
#define CPU_FXSR (1u << 24)
#define CPU_SSE  (1u << 25)

/* Asks CPUID, switches on what is used of it. Called once, early. */
void cpu_init(void);

static inline void outb(u16 port, u8 v)
{
	__asm__ volatile("outb %0, %1" ::"a"(v), "Nd"(port));
}
static inline void outw(u16 port, u16 v)
{
	__asm__ volatile("outw %0, %1" ::"a"(v), "Nd"(port));
}
static inline u8 inb(u16 port)
{
	u8 v;

	__asm__ volatile("inb %1, %0" : "=a"(v) : "Nd"(port));
	return v;
}

static inline u32 read_cr0(void)
{
	u32 v;

	__asm__ volatile("mov %%cr0, %0" : "=r"(v));
	return v;
}
static inline void write_cr0(u32 v)
{
	__asm__ volatile("mov %0, %%cr0" ::"r"(v) : "memory");
}
static inline u32 read_cr2(void)
{
	u32 v;

	__asm__ volatile("mov %%cr2, %0" : "=r"(v));
	return v;
}
static inline u32 read_cr3(void)
{
	u32 v;

	__asm__ volatile("mov %%cr3, %0" : "=r"(v));
	return v;
}
static inline void write_cr3(u32 v)
{
	__asm__ volatile("mov %0, %%cr3" ::"r"(v) : "memory");
}
static inline u32 read_cr4(void)
{
	u32 v;

	__asm__ volatile("mov %%cr4, %0" : "=r"(v));
	return v;
}
static inline void write_cr4(u32 v)
{
	__asm__ volatile("mov %0, %%cr4" ::"r"(v) : "memory");
}
static inline void invlpg(u32 addr)
{
	__asm__ volatile("invlpg (%0)" ::"r"(addr) : "memory");
}

static inline u64 rdtsc(void)
{
	u64 v;

	__asm__ volatile("rdtsc" : "=A"(v));
	return v;
}
static inline void cpuid(u32 leaf, u32 *a, u32 *b, u32 *c, u32 *d)
{
	__asm__ volatile("cpuid" : "=a"(*a), "=b"(*b), "=c"(*c), "=d"(*d) : "0"(leaf), "2"(0));
}
static inline u64 rdmsr(u32 msr)
{
	u64 v;

	__asm__ volatile("rdmsr" : "=A"(v) : "c"(msr));
	return v;
}
static inline void wrmsr(u32 msr, u64 v)
{
	__asm__ volatile("wrmsr" ::"c"(msr), "A"(v));
}

static inline void irq_enable(void)
{
	__asm__ volatile("sti" ::: "memory");
}
static inline void irq_disable(void)
{
	__asm__ volatile("cli" ::: "memory");
}
/* Disable interrupts; returns what irq_restore wants. */
static inline u32 irq_save(void)
{
	u32 flags;

	__asm__ volatile("pushf; pop %0; cli" : "=r"(flags)::"memory");
	return flags;
}
static inline void irq_restore(u32 flags)
{
	__asm__ volatile("push %0; popf" ::"r"(flags) : "memory", "cc");
}
/* Enable interrupts and halt until one comes; STI's shadow closes the gap between the two. */
static inline void cpu_idle_halt(void)
{
	__asm__ volatile("sti; hlt" ::: "memory");
}
static inline void cpu_relax(void)
{
	__asm__ volatile("pause" ::: "memory");
}
