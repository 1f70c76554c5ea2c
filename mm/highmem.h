/* SPDX-License-Identifier: MIT */
/*
 * mm/highmem.h: reaching a page that lowmem may not map. Between map and unmap
 * nothing may sleep (might_sleep asserts it), and a slot holds one page.
 */
#pragma once

#include "lib/string.h"
#include "mm/page.h"

/* The slow halves: pages in highmem. */
void *kmap_atomic(struct page *p, enum fix_slot slot);
void kunmap_atomic(enum fix_slot slot);

/* The page's address, until page_unmap with the same slot. The identity for lowmem. */
static inline void *page_map(struct page *p, enum fix_slot slot)
{
	return page_is_highmem(p) ? kmap_atomic(p, slot) : page_address(p);
}
static inline void page_unmap(const struct page *p, enum fix_slot slot)
{
	if (page_is_highmem(p))
		kunmap_atomic(slot);
}

static inline void clear_page_words(void *page)
{
	u32 n = PAGE_SIZE / 4;

	__asm__ volatile("rep stosl" : "+D"(page), "+c"(n) : "a"(0) : "memory");
}
static inline void copy_page_words(void *dst, const void *src)
{
	u32 n = PAGE_SIZE / 4;

	__asm__ volatile("rep movsl" : "+D"(dst), "+S"(src), "+c"(n)::"memory");
}

/* Fills p with zeroes. */
static inline void clear_highpage(struct page *p)
{
	clear_page_words(page_map(p, FIX_PAGE0));
	page_unmap(p, FIX_PAGE0);
}
/* Copies the whole of src to dst. */
static inline void copy_highpage(struct page *dst, struct page *src)
{
	copy_page_words(page_map(dst, FIX_PAGE1), page_map(src, FIX_PAGE0));
	page_unmap(src, FIX_PAGE0);
	page_unmap(dst, FIX_PAGE1);
}
