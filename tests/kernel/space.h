/* SPDX-License-Identifier: MIT */
/* tests/kernel/space.h: address spaces for in-kernel tests, entered as a task would. */
#pragma once

#include "core/sched.h"
#include "mm/mm.h"
#include "mm/pgtable.h"
#include "mm/ptshare.h"
#include "mm/uaccess.h"
#include "mm/verify.h"

#define SPACE_BASE 0x40000000u
#define SPACE_RW   (VM_READ | VM_WRITE | VM_MAYWRITE)

/* The current task, which has none, uses mm from now on; NULL: none again. */
static inline void enter_space(struct mm *mm)
{
	current->mm = mm;
	mmu_switch(mm ? mm->pgd : kernel_pdpt);
}

static inline struct mm *new_space(void)
{
	struct mm *mm = mm_alloc();

	mm->layout.mmap_base = mm->layout.free_hint = 0xB0000000u;
	mm->layout.stack_limit = 8u << 20;
	return mm;
}

static inline bool map_pages(struct mm *mm, u32 addr, u32 pages)
{
	return do_mmap(mm, addr, pages * PAGE_SIZE, SPACE_RW, MAP_FIXED, NULL, NULL, addr >> PAGE_SHIFT) ==
	       (long)addr;
}

/* The word at addr of the space entered; ~0 if it cannot be read. */
static inline u32 word_at(u32 addr)
{
	u32 v;

	return get_user(&v, addr) ? ~0u : v;
}

/* seed + i into the first word of each page; true if all could be written. */
static inline bool fill_pages(u32 addr, u32 pages, u32 seed)
{
	bool ok = true;

	for (u32 i = 0; i < pages; i++)
		ok &= !put_user(addr + i * PAGE_SIZE, seed + i);
	return ok;
}

static inline bool pages_hold(u32 addr, u32 pages, u32 seed)
{
	bool ok = true;

	for (u32 i = 0; i < pages; i++)
		ok &= word_at(addr + i * PAGE_SIZE) == seed + i;
	return ok;
}
