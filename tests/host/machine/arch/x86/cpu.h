/* SPDX-License-Identifier: MIT */
/* cpu.h of the software machine: what lib/, mm/ and core/ ask of the CPU. */
#pragma once

#include "lib/types.h"

#define EFLAGS_IF (1u << 9)

struct cpu_info {
	u8 phys_bits;
	bool nx;
};
extern struct cpu_info cpu;

/* The address of the last fault. */
u32 read_cr2(void);

static inline u64 rdtsc(void)
{
	return 0;
}
static inline void irq_enable(void)
{
}
static inline void irq_disable(void)
{
}
static inline u32 irq_save(void)
{
	return 0;
}
static inline void irq_restore(u32 flags)
{
}
