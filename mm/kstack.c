// SPDX-License-Identifier: MIT
/* mm/kstack.c: the window of kernel stacks. */
#include "mm/kstack.h"
#include "core/count.h"
#include "mm/highmem.h"
#include "mm/page_alloc.h"

#define SLOT_SIZE (KSTACK_SIZE + PAGE_SIZE)

static u32 next_slot = STACK_WINDOW;
/* Stacks that are free; the first word of each is the next. */
static u32 free_stacks;

static pfn_t table_alloc(void)
{
	struct page *p = alloc_page(GFP_KERNEL);

	if (!p)
		return 0;
	clear_highpage(p);
	p->flags |= PG_RESERVED;
	return page_to_pfn(p);
}

static bool map_stack(u32 stack)
{
	for (u32 i = 0; i < KSTACK_PAGES; i++) {
		struct page *p = alloc_page(GFP_KERNEL);

		/* A page that was mapped before memory ran out is mapped again by the next try. */
		if (!p)
			return false;
		if (mmu_map_stack_page(stack + i * PAGE_SIZE, page_to_pfn(p), table_alloc) < 0) {
			put_page(p);
			return false;
		}
		p->flags |= PG_STACK;
		count(nr_kernel_stacks);
	}
	return true;
}

u32 kstack_alloc(void)
{
	u32 stack = free_stacks;

	if (stack) {
		free_stacks = *(u32 *)stack;
		return stack;
	}
	stack = next_slot + PAGE_SIZE;
	if (stack + KSTACK_SIZE > STACK_WINDOW_END || !map_stack(stack))
		return 0;
	next_slot += SLOT_SIZE;
	return stack;
}

void kstack_free(u32 stack)
{
	*(u32 *)stack = free_stacks;
	free_stacks = stack;
}
