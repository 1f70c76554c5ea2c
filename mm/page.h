/* SPDX-License-Identifier: MIT */
/*
 * mm/page.h: the description of one page frame, 32 bytes, and references to it.
 *
 * A word has the meaning that the frame's owner gives it:
 *
 *            user or file page      page table              slab
 *  count     references             1                       1
 *  mapcount  present ptes to it     mms that use it         objects in use
 *  mapping   file or anon object    first mm that uses it   its cache
 *  index     offset in the object   base address            -
 *  rmap      chain or direct pte    further (mm, base)      free objects
 *  list      lru, buddy order       counts of its entries   slabs with room
 *
 * The zero page and reserved frames have no count, mapcount or rmap.
 */
#pragma once

#include "arch/x86/mmu.h"
#include "lib/list.h"
#include "lib/types.h"

struct pt_sharer;

/* What a page table holds: numbers of entries of each kind. */
struct pt_counts {
	u16 anon, file; /* present, counted in the pages' mapcount */
	u16 other;      /* the zero page, and whatever else is not empty */
	u16 write;      /* present and writable */
};

struct page {
	u32 flags;
	s32 count;
	union {
		s32 mapcount;
		s32 sharers;
		s32 inuse;
	};
	void *mapping;
	u32 index;
	union {
		u32 rmap;
		struct pt_sharer *more_sharers;
		void *freelist;
	};
	union {
		struct list list;
		struct pt_counts pt;
	};
};

_Static_assert(sizeof(struct page) == 32, "struct page is 32 bytes");

#define PG_RESERVED    0x0001u /* not memory, or the kernel's own for ever, or the zero page */
#define PG_BUDDY       0x0002u /* heads a free block; its order is in the flags */
#define PG_SLAB        0x0004u
#define PG_TABLE       0x0008u
#define PG_ANON        0x0010u /* private to processes, found by no file */
#define PG_DIRTY       0x0020u
#define PG_DIRECT      0x0040u /* rmap holds one pte's name, not a chain */
#define PG_SHARED_RW   0x0080u /* a table inside one shared mapping: its sharers write through it */
#define PG_STACK       0x0200u /* a kernel stack */
#define PG_ORDER_SHIFT 24
#define PG_ZONE_SHIFT  30

extern struct page *mem_map;
extern pfn_t max_pfn; /* frames are 0 .. max_pfn-1 */
extern struct page *zero_page;
extern struct page *highmem_start; /* the first frame that lowmem does not map */

static inline pfn_t page_to_pfn(const struct page *p)
{
	return p - mem_map;
}
static inline struct page *pfn_to_page(pfn_t pfn)
{
	return &mem_map[pfn];
}
static inline bool page_is_highmem(const struct page *p)
{
	return p >= highmem_start;
}
/* Lowmem pages only. */
static inline void *page_address(const struct page *p)
{
	return phys_to_virt((paddr_t)page_to_pfn(p) << PAGE_SHIFT);
}
static inline struct page *virt_to_page(const void *v)
{
	return pfn_to_page(virt_to_phys(v) >> PAGE_SHIFT);
}

static inline void get_page(struct page *p)
{
	p->count++;
}
/* Gives back a page nobody refers to any more. */
void free_hot_cold_page(struct page *p);

static inline void put_page(struct page *p)
{
	if (--p->count == 0)
		free_hot_cold_page(p);
}
