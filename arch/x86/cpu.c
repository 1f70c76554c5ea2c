// SPDX-License-Identifier: MIT
/* arch/x86/cpu.c: asks CPUID once, and switches on NX, PGE and SSE where they are. */
#include "arch/x86/cpu.h"
#include "lib/string.h"

#define MSR_EFER 0xC0000080u
#define EFER_NXE (1u << 11)

struct cpu_info cpu;

static void read_model_name(u32 max_ext)
{
	u32 *words = (u32 *)cpu.model_name;

	if (max_ext < 0x80000004u)
		return;
	for (u32 i = 0; i < 3; i++, words += 4)
		cpuid(0x80000002u + i, &words[0], &words[1], &words[2], &words[3]);
}

static void read_identity(void)
{
	u32 a, b, c, d;

	cpuid(0, &a, &b, &c, &d);
	memcpy(cpu.vendor, &b, 4);
	memcpy(cpu.vendor + 4, &d, 4);
	memcpy(cpu.vendor + 8, &c, 4);
	cpuid(1, &a, &b, &cpu.features_c, &cpu.features);
	cpu.family = a >> 8 & 15;
	cpu.model = (a >> 4 & 15) | (a >> 12 & 0xf0);
	cpu.stepping = a & 15;
	cpu.has_tsc = cpu.features & CPU_TSC;
	cpu.has_pge = cpu.features & CPU_PGE;
	cpu.has_fxsr = cpu.features & CPU_FXSR;
}

static void read_extended(void)
{
	u32 max, a, b, c, d;

	/* PAE alone gives 36 bits; a narrower or wider bus is told by leaf 80000008. */
	cpu.phys_bits = 36;
	cpuid(0x80000000u, &max, &b, &c, &d);
	if (!(max & 0x80000000u))
		return;
	read_model_name(max);
	if (max >= 0x80000001u) {
		cpuid(0x80000001u, &a, &b, &c, &d);
		cpu.nx = d >> 20 & 1;
	}
	if (max >= 0x80000008u) {
		cpuid(0x80000008u, &a, &b, &c, &d);
		cpu.phys_bits = a & 0xff;
	}
}

void cpu_init(void)
{
	u32 cr4 = read_cr4();

	read_identity();
	read_extended();
	if (cpu.nx && (cpu.features & CPU_MSR))
		wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_NXE);
	else
		cpu.nx = false;
	if (cpu.has_pge)
		cr4 |= CR4_PGE;
	if (cpu.has_fxsr)
		cr4 |= CR4_OSFXSR;
	if (cpu.features & CPU_SSE)
		cr4 |= CR4_OSXMMEXCPT;
	write_cr4(cr4);
	/* WP: the kernel, too, faults on read-only user pages, else copy_to_user would write through COW. */
	write_cr0((read_cr0() | CR0_WP | CR0_NE | CR0_MP | CR0_TS) & ~(CR0_EM | CR0_AM));
}
