/* SPDX-License-Identifier: MIT */
/*
 * mm/rmap.h: who maps this page? The policy (`rmap=`) keeps what it needs to
 * answer; callers speak of pages, areas, tables and slots only.
 *
 * reserve may fail and comes before add, behind every other allocation (they may ask
 * the shrinkers, which take back what is reserved); add and remove never fail. A pte
 * is named by (table's frame, slot) in 32 bits, so tables come from below 32 GiB.
 */
#pragma once

#include "core/count.h"
#include "mm/mm.h"

/* A pte that maps a page: answer of a walk. mm is one that uses the table. */
struct rmap_hit {
	struct page *table;
	u32 slot;
	struct mm *mm;
};
/* Called for each pte found, once; true ends the walk. */
typedef bool (*rmap_visit)(const struct rmap_hit *hit, void *arg);

struct rmap_ops {
	const char *name;
	bool answers; /* false: nobody can say who maps a page */

	/* What n further add calls may need is there afterwards. 0 or -ENOMEM. NULL: nothing is needed. */
	int (*reserve)(struct vma *v, u32 n);
	/* page has just been entered at slot of table, for v at addr. NULL: nothing is kept. */
	void (*add)(struct page *page, struct vma *v, u32 addr, struct page *table, u32 slot);
	/* page is about to leave that slot. */
	void (*remove)(struct page *page, struct page *table, u32 slot);
	/*
	 * The n entries from ptes[] on (slot is the first's number) have been copied
	 * into table, or are about to be cleared; empty ones and the zero page are skipped.
	 */
	void (*add_run)(const pte_t *ptes, struct page *table, u32 slot, u32 n);
	void (*remove_run)(const pte_t *ptes, struct page *table, u32 slot, u32 n);

	/* v is a copy of old (fork, split): it covers pages that old's object knows. */
	void (*area_dup)(struct vma *v, const struct vma *old);
	/* v ceases to exist. */
	void (*area_drop)(struct vma *v);
	/* b's range becomes a's; only after mergeable said yes. */
	bool (*mergeable)(const struct vma *a, const struct vma *b);
	void (*area_merge)(struct vma *a, struct vma *b);

	/* Visits every pte that maps page. */
	void (*walk)(struct page *page, rmap_visit visit, void *arg);
	void (*init)(void);
};

extern const struct rmap_ops *rmap;
extern const struct rmap_ops rmap_none, rmap_chain, rmap_object;

static inline int rmap_reserve(struct vma *v, u32 n)
{
	return rmap->reserve ? rmap->reserve(v, n) : 0;
}
/* A policy takes or gives back (negative) an object of so many bytes. */
static inline void rmap_account(s32 objects, s32 bytes)
{
	count_add(rmap_objects, objects);
	count_add(rmap_bytes, bytes);
	if (counters[CNT_rmap_bytes] > counters[CNT_rmap_bytes_peak])
		counters[CNT_rmap_bytes_peak] = counters[CNT_rmap_bytes];
}
/* Is anything kept when page is entered? For a file's page only by a policy that keeps something for each pte. */
static inline bool rmap_keeps(const struct page *page)
{
	return page->flags & PG_ANON ? rmap->add != NULL : rmap->add_run && !(page->flags & PG_RESERVED);
}
/* Before n ptes are copied; only a policy that keeps something for each needs it. */
static inline int rmap_reserve_run(u32 n)
{
	return rmap->add_run ? rmap->reserve(NULL, n) : 0;
}
static inline void rmap_area_dup(struct vma *v, const struct vma *old)
{
	if (rmap->area_dup)
		rmap->area_dup(v, old);
}
static inline void rmap_area_drop(struct vma *v)
{
	if (rmap->area_drop)
		rmap->area_drop(v);
}
static inline bool rmap_areas_mergeable(const struct vma *a, const struct vma *b)
{
	return !rmap->mergeable || rmap->mergeable(a, b);
}
static inline void rmap_area_merge(struct vma *a, struct vma *b)
{
	if (rmap->area_merge)
		rmap->area_merge(a, b);
}

/* The pte at slot of a table, as a name of 32 bits, and back. */
static inline u32 pte_name(const struct page *table, u32 slot)
{
	return page_to_pfn(table) << PTE_INDEX_BITS | slot;
}
static inline struct page *pte_name_table(u32 name)
{
	return pfn_to_page(name >> PTE_INDEX_BITS);
}
static inline u32 pte_name_slot(u32 name)
{
	return name & (PTRS_PER_PTE - 1);
}
#define RMAP_MAX_TABLE_PFN (1u << (32 - PTE_INDEX_BITS))

/* True if entry e maps a page that is counted (not the zero page, not empty); *page is it. */
static inline bool pte_counted_page(pte_t e, struct page **page)
{
	if (!pte_present(e))
		return false;
	*page = pfn_to_page(pte_pfn(e));
	return !((*page)->flags & PG_RESERVED);
}

/* Number of ptes that map page, by the policy's own account; -1 if it cannot say. */
int rmap_count(struct page *page);
/* Was any pte that maps page used since the last time? Clears the marks. Acts for all sharers of a table. */
bool page_referenced(struct page *page);
/* Boot: the policy that `rmap=` chose begins. */
void rmap_init(void);
