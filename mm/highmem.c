// SPDX-License-Identifier: MIT
/* mm/highmem.c: the windows of highmem, counted, because the thread counted them. */
#include "mm/highmem.h"
#include "core/count.h"
#include "core/sched.h"

noinline void *kmap_atomic(struct page *p, enum fix_slot slot)
{
	count(kmap_atomics);
	no_sleep_depth++;
	return mmu_fix(slot, page_to_pfn(p));
}

noinline void kunmap_atomic(enum fix_slot slot)
{
	mmu_unfix(slot);
	no_sleep_depth--;
}
