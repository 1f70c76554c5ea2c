/* SPDX-License-Identifier: MIT */
/*
 * mm/page_alloc.h: page frames: a buddy allocator a zone, and before it a list of
 * pages just freed, hot in the cache. Never sleeps.
 */
#pragma once

#include "mm/page.h"

enum zone_id { ZONE_DMA, ZONE_NORMAL, ZONE_HIGHMEM, NR_ZONES };

#define MAX_ORDER 11

/* Where from: what the kernel addresses itself, or the user's (highmem first). */
typedef enum { GFP_KERNEL, GFP_USER } gfp_t;

/*
 * 2^order adjoining frames, aligned to their size, count 1 in the first; contents
 * are what they were. NULL when there are none, after asking the shrinkers.
 */
struct page *alloc_pages(gfp_t gfp, u32 order);
static inline struct page *alloc_page(gfp_t gfp)
{
	return alloc_pages(gfp, 0);
}
/* Gives back what alloc_pages gave; the caller's reference is the last. */
void free_pages(struct page *p, u32 order);

/* Asked when memory is short: frees what is only kept for speed, returns how many frames. */
void register_shrinker(u32 (*shrink)(void));
/* Asks all shrinkers. */
u32 shrink_caches(void);

/* Free frames, in all or in one zone; frames that are memory at all. */
u32 nr_free_pages(void);
u32 zone_free_pages(enum zone_id z);
u32 zone_total_pages(enum zone_id z);
u32 nr_total_pages(void);

/* Boot only: counts frames [pfn, end) to their zones and frees them. */
void free_boot_range(pfn_t pfn, pfn_t end);
/* Boot only: the allocator with no memory in it. */
void page_alloc_init(void);
/* Recounts the free lists; false if a gauge is wrong (mm/verify.c). */
bool page_alloc_verify(void);
