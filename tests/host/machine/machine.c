// SPDX-License-Identifier: MIT
/* machine.c: memory, its windows, and the start of mm/ without a boot loader. */
#include <sanitizer/asan_interface.h>
#include "machine.h"
#include "arch/x86/mmu.h"
#include "core/panic.h"
#include "core/param.h"
#include "mm/filemap.h"
#include "mm/highmem.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/slab.h"

/* Below it frames are reserved, as where the kernel lies. */
#define FIRST_FREE 0x100000u

char *machine_memory;
struct cpu_info cpu = {.phys_bits = 36, .nx = true};

static pfn_t window[FIX_SLOTS];

static void *frame(pfn_t pfn)
{
	return machine_memory + (pfn << PAGE_SHIFT);
}

void *mmu_fix(enum fix_slot slot, pfn_t pfn)
{
	if (window[slot])
		panic("window %d holds frame %x already", slot, window[slot]);
	window[slot] = pfn;
	ASAN_UNPOISON_MEMORY_REGION(frame(pfn), PAGE_SIZE);
	return frame(pfn);
}

void mmu_unfix(enum fix_slot slot)
{
	pfn_t pfn = window[slot];

	window[slot] = 0;
	for (int i = 0; i < FIX_SLOTS; i++)
		if (window[i] == pfn)
			return;
	ASAN_POISON_MEMORY_REGION(frame(pfn), PAGE_SIZE);
}

static struct page *make_mem_map(void)
{
	static struct page map[MEMORY_MAX >> PAGE_SHIFT];

	for (u32 i = 0; i < ARRAY_SIZE(map); i++)
		map[i].flags = PG_RESERVED;
	max_pfn = ARRAY_SIZE(map);
	return map;
}

static void start_mm(void)
{
	page_alloc_init();
	free_boot_range(FIRST_FREE >> PAGE_SHIFT, max_pfn);
	zero_page = alloc_page(GFP_KERNEL);
	clear_highpage(zero_page);
	zero_page->flags |= PG_RESERVED;
	slab_init();
	pgtable_init();
	vma_init();
	filemap_init();
	mm_cache_init();
	rmap_init();
}

void machine_boot(const char *words)
{
	static char memory[MEMORY_MAX] __aligned(4096);

	machine_memory = memory;
	ASAN_POISON_MEMORY_REGION(machine_memory + LOWMEM_MAX, MEMORY_MAX - LOWMEM_MAX);
	mem_map = make_mem_map();
	highmem_start = mem_map + (LOWMEM_MAX >> PAGE_SHIFT);
	params_read(words);
	if (params_bad())
		panic("words of the boot line that nobody knows");
	start_mm();
}
