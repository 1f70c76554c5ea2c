/* SPDX-License-Identifier: MIT */
/*
 * memlayout.h of the software machine: physical memory is one block of the host's,
 * and lowmem is small, so that highmem is there in every test.
 */
#pragma once

#include "lib/types.h"

#define PAGE_SHIFT 12
#define PAGE_SIZE  (1u << PAGE_SHIFT)
#define PAGE_MASK  (~(PAGE_SIZE - 1))

#define TASK_SIZE  0xC0000000u
#define LOWMEM_MAX 0x01800000u /* 24 MiB: DMA zone 16, normal zone 8 */
#define MEMORY_MAX 0x03000000u /* 48 MiB: highmem is the rest */

#define KSTACK_PAGES 2
#define KSTACK_SIZE  (KSTACK_PAGES * PAGE_SIZE)

extern char *machine_memory;

static inline u32 virt_to_phys(const void *v)
{
	return (const char *)v - machine_memory;
}
static inline void *phys_to_virt(paddr_t p)
{
	return machine_memory + p;
}
