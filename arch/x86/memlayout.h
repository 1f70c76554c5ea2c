/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/memlayout.h: who lives where in the 4 GiB address space.
 *
 *   00000000 - BFFFFFFF  user
 *   C0000000 - F7FFFFFF  lowmem: the first 896 MiB of memory, by 2 MiB pages
 *   F8000000 - FDFFFFFF  kernel stacks: a guard page below each, never mapped
 *   FFE00000 - FFFFFFFF  one page table of fixed slots: kmap_atomic, devices
 *
 * The user/kernel split lies on a page-directory-pointer boundary, so one
 * kernel middle table serves every address space.
 */
#pragma once

#include "lib/types.h"

#define PAGE_SHIFT 12
#define PAGE_SIZE  (1u << PAGE_SHIFT)
#define PAGE_MASK  (~(PAGE_SIZE - 1))

#define KERNEL_BASE 0xC0000000u
#define TASK_SIZE   KERNEL_BASE
#define LOWMEM_MAX  0x38000000u /* 896 MiB */

#define STACK_WINDOW     0xF8000000u
#define STACK_WINDOW_END 0xFE000000u
#define FIXMAP_BASE      0xFFE00000u

#define KSTACK_PAGES 2
#define KSTACK_SIZE  (KSTACK_PAGES * PAGE_SIZE)

static inline u32 virt_to_phys(const void *v)
{
	return (u32)v - KERNEL_BASE;
}

/* p must be in lowmem. */
static inline void *phys_to_virt(paddr_t p)
{
	return (void *)((u32)p + KERNEL_BASE);
}
