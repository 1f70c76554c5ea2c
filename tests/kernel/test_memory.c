// SPDX-License-Identifier: MIT
/* tests/kernel/test_memory.c: frames of the real machine: zones, highmem's windows, guard pages. */
#include "core/count.h"
#include "core/sched.h"
#include "kernel/ktest.h"
#include "mm/highmem.h"
#include "mm/kstack.h"
#include "mm/page_alloc.h"
#include "mm/uaccess.h"

extern char _end[];

KTEST(zones, "memory: the zones add up, and no free frame lies in the kernel's image")
{
	u32 sum = 0;

	for (u32 z = 0; z < NR_ZONES; z++) {
		KCHECK(zone_free_pages(z) <= zone_total_pages(z));
		sum += zone_total_pages(z);
	}
	KCHECK(sum == nr_total_pages());
	KCHECK(zone_total_pages(ZONE_DMA) <= 16u << (20 - PAGE_SHIFT));
	for (pfn_t i = 0x100000 >> PAGE_SHIFT; i < virt_to_phys(_end) >> PAGE_SHIFT; i++)
		KCHECK(pfn_to_page(i)->flags & PG_RESERVED);
	KCHECK(mem_map[0].flags & PG_RESERVED);
}

KTEST(every_frame, "memory: what is written to a frame of each zone is read back through another mapping")
{
	static const gfp_t gfp[] = {GFP_KERNEL, GFP_USER};

	for (u32 i = 0; i < ARRAY_SIZE(gfp); i++) {
		struct page *p = alloc_page(gfp[i]), *q = alloc_page(gfp[i]);
		u32 *at = page_map(p, FIX_PAGE0);

		at[0] = 0x11223344;
		at[1023] = 0x55667788;
		page_unmap(p, FIX_PAGE0);
		copy_highpage(q, p);
		clear_highpage(p);
		at = page_map(q, FIX_PTE_SRC);
		KCHECK(at[0] == 0x11223344 && at[1023] == 0x55667788);
		page_unmap(q, FIX_PTE_SRC);
		at = page_map(p, FIX_PTE_SRC);
		KCHECK(at[0] == 0 && at[1023] == 0);
		page_unmap(p, FIX_PTE_SRC);
		put_page(p);
		put_page(q);
	}
}

KTEST(windows, "memory: kmap_atomic shows a highmem page, one window beside another, and nothing may sleep")
{
	struct page *p = alloc_page(GFP_USER), *q = alloc_page(GFP_USER);

	if (page_is_highmem(p) && page_is_highmem(q)) {
		u32 *a = kmap_atomic(p, FIX_PAGE0), *b = kmap_atomic(q, FIX_PAGE1);

		KCHECK(a != b && no_sleep_depth == 2);
		*a = 1;
		*b = 2;
		kunmap_atomic(FIX_PAGE1);
		b = kmap_atomic(p, FIX_PAGE1);
		KCHECK(*b == 1);
		kunmap_atomic(FIX_PAGE1);
		kunmap_atomic(FIX_PAGE0);
		a = kmap_atomic(q, FIX_PAGE0);
		KCHECK(*a == 2);
		kunmap_atomic(FIX_PAGE0);
	}
	KCHECK(no_sleep_depth == 0);
	put_page(p);
	put_page(q);
}

/* Can the kernel read the word at addr? */
static bool readable(u32 addr)
{
	u32 v;

	return !__copy_from_user(&v, addr, sizeof(v));
}

KTEST(guard, "memory: the page below a kernel stack is not mapped, the stack is")
{
	u32 stack = kstack_alloc();

	KCHECK(stack && !(stack & ~PAGE_MASK));
	KCHECK(readable(stack) && readable(stack + KSTACK_SIZE - 4));
	KCHECK(!readable(stack - 4) && !readable(stack - PAGE_SIZE));
	KCHECK(!readable(stack + KSTACK_SIZE));
	kstack_free(stack);
	KCHECK(kstack_alloc() == stack);
	kstack_free(stack);
}

KTEST(holes, "memory: the first page behind lowmem's end and the last page of all are not mapped")
{
	KCHECK(!readable(KERNEL_BASE + LOWMEM_MAX));
	KCHECK(!readable(0xFFFFF000u));
	KCHECK(readable(KERNEL_BASE + 0x100000));
}
