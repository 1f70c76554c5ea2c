// SPDX-License-Identifier: MIT
/*
 * mm/init.c: from the boot loader's memory map to the allocators.
 *
 *   0 .. 1 MiB    as the map says, without frame 0
 *   1 MiB .. _end the kernel
 *   wherever      modules, until they have been read; the array of struct page
 */
#include "arch/x86/bootinfo.h"
#include "core/entry.h"
#include "core/log.h"
#include "core/panic.h"
#include "core/param.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/fault.h"
#include "mm/highmem.h"
#include "mm/mm.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/slab.h"

/* Below this there is no room for a shell. */
#define MIN_MEMORY (12u << 20)
/* struct page for more would leave lowmem too small for its other uses. */
#define MAX_PHYS (1ull << 34)

extern char _end[];

static u64 mem_limit = ~0ull;

static int set_mem(const char *v)
{
	u64 n;
	const char *end = parse_size(v, &n);

	if (!end || *end || n < MIN_MEMORY)
		return -EINVAL;
	mem_limit = n;
	return 0;
}
static void show_mem(char *buf, size_t n)
{
	if (mem_limit == ~0ull)
		snprintf(buf, n, "all");
	else
		snprintf(buf, n, "%lluK", mem_limit >> 10);
}
PARAM(mem, set_mem, show_mem);

/* What must not be handed out: [0, 4 KiB), the kernel, modules, mem_map. Sorted by start. */
static struct mem_range taken[MAX_MODULES + 3];
static u32 nr_taken;

static void take(paddr_t start, paddr_t end)
{
	u32 i = nr_taken++;

	for (; i && taken[i - 1].start > start; i--)
		taken[i] = taken[i - 1];
	taken[i] = (struct mem_range){.start = round_down(start, (paddr_t)PAGE_SIZE),
				      .end = round_up(end, (paddr_t)PAGE_SIZE)};
}

/* The highest address that is used: of the CPU's width, of ours, of `mem=`. */
static paddr_t phys_limit(void)
{
	paddr_t limit = min(MAX_PHYS, 1ull << cpu.phys_bits);
	u64 left = mem_limit;

	for (u32 i = 0; i < boot_info.nr_ranges && mem_limit != ~0ull; i++) {
		const struct mem_range *r = &boot_info.range[i];

		if (r->type != 1)
			continue;
		if (r->end - r->start >= left)
			return min(limit, r->start + left);
		left -= r->end - r->start;
	}
	return limit;
}

static bool usable(const struct mem_range *r, paddr_t limit, paddr_t *start, paddr_t *end)
{
	*start = round_up(r->start, (paddr_t)PAGE_SIZE);
	*end = round_down(min(r->end, limit), (paddr_t)PAGE_SIZE);
	return r->type == 1 && *start < *end;
}

/* A reserved range that overlaps this address; its end, or 0. */
static paddr_t reserved_until(paddr_t addr)
{
	for (u32 i = 0; i < nr_taken; i++)
		if (taken[i].start <= addr && addr < taken[i].end)
			return taken[i].end;
	for (u32 i = 0; i < boot_info.nr_ranges; i++) {
		const struct mem_range *r = &boot_info.range[i];

		if (r->type != 1 && r->start < addr + PAGE_SIZE && addr < r->end)
			return round_up(r->end, (paddr_t)PAGE_SIZE);
	}
	return 0;
}

/* Where the next reserved range begins, from addr on; at most end. */
static paddr_t next_reserved(paddr_t addr, paddr_t end)
{
	for (u32 i = 0; i < nr_taken; i++)
		if (taken[i].start > addr)
			end = min(end, taken[i].start);
	for (u32 i = 0; i < boot_info.nr_ranges; i++)
		if (boot_info.range[i].type != 1 && boot_info.range[i].start > addr)
			end = min(end, round_down(boot_info.range[i].start, (paddr_t)PAGE_SIZE));
	return end;
}

/* Calls fn for each run of free memory within [start, end). True from fn ends it. */
static bool for_free_runs(paddr_t start, paddr_t end, bool (*fn)(paddr_t start, paddr_t end))
{
	while (start < end) {
		paddr_t skip = reserved_until(start), stop;

		if (skip) {
			start = skip;
			continue;
		}
		stop = next_reserved(start, end);
		if (fn(start, stop))
			return true;
		start = stop;
	}
	return false;
}

static paddr_t map_bytes, map_at;

/* The first room in lowmem for mem_map, above the first MiB. */
static bool place_mem_map(paddr_t start, paddr_t end)
{
	start = max(start, 0x100000ull);
	end = min(end, (paddr_t)LOWMEM_MAX);
	if (start >= end || end - start < map_bytes)
		return false;
	map_at = start;
	return true;
}

static bool free_run(paddr_t start, paddr_t end)
{
	free_boot_range(start >> PAGE_SHIFT, end >> PAGE_SHIFT);
	return false;
}

static void for_all_ranges(paddr_t limit, bool (*fn)(paddr_t start, paddr_t end))
{
	paddr_t start, end;

	for (u32 i = 0; i < boot_info.nr_ranges; i++)
		if (usable(&boot_info.range[i], limit, &start, &end) && for_free_runs(start, end, fn))
			return;
}

static u64 memory_there(paddr_t limit, paddr_t *top)
{
	u64 sum = 0;
	paddr_t start, end;

	for (u32 i = 0; i < boot_info.nr_ranges; i++) {
		if (!usable(&boot_info.range[i], limit, &start, &end))
			continue;
		sum += end - start;
		*top = max(*top, end);
	}
	return sum;
}

static void make_mem_map(paddr_t limit)
{
	paddr_t top = 0;
	u64 there = memory_there(limit, &top);

	if (there < MIN_MEMORY)
		panic("too little memory: %llu KiB where %u KiB are needed", there >> 10, MIN_MEMORY >> 10);
	max_pfn = top >> PAGE_SHIFT;
	map_bytes = round_up((paddr_t)max_pfn * sizeof(struct page), (paddr_t)PAGE_SIZE);
	for_all_ranges(limit, place_mem_map);
	if (!map_at)
		panic("too little memory: no room for %llu KiB of struct page", map_bytes >> 10);
	take(map_at, map_at + map_bytes);
	mem_map = phys_to_virt(map_at);
	highmem_start = mem_map + (LOWMEM_MAX >> PAGE_SHIFT);
	memset(mem_map, 0, map_bytes);
	for (pfn_t i = 0; i < max_pfn; i++)
		mem_map[i].flags = PG_RESERVED;
}

static void make_zero_page(void)
{
	zero_page = alloc_page(GFP_KERNEL);
	clear_highpage(zero_page);
	zero_page->flags |= PG_RESERVED;
}

void mem_init(void)
{
	paddr_t limit = phys_limit();

	take(0, PAGE_SIZE);
	take(0x100000, virt_to_phys(_end));
	for (u32 i = 0; i < boot_info.nr_modules; i++)
		take(boot_info.module[i].start, boot_info.module[i].end);
	make_mem_map(limit);
	page_alloc_init();
	for_all_ranges(limit, free_run);
	log_info("memory: %u MiB: %u free in lowmem, %u in highmem; struct page takes %u KiB\n",
		 nr_total_pages() >> 8, (zone_free_pages(ZONE_DMA) + zone_free_pages(ZONE_NORMAL)) >> 8,
		 zone_free_pages(ZONE_HIGHMEM) >> 8, (u32)(map_bytes >> 10));
	make_zero_page();
	slab_init();
	pgtable_init();
	vma_init();
	filemap_init();
	mm_cache_init();
	rmap_init();
	set_trap_handler(TRAP_PAGE_FAULT, do_page_fault);
}

void mem_release(paddr_t start, paddr_t end)
{
	start = round_up(start, (paddr_t)PAGE_SIZE);
	end = round_down(end, (paddr_t)PAGE_SIZE);
	if (start < end && end >> PAGE_SHIFT <= max_pfn)
		free_boot_range(start >> PAGE_SHIFT, end >> PAGE_SHIFT);
}
