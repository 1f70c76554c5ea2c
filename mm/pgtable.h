/* SPDX-License-Identifier: MIT */
/*
 * mm/pgtable.h: page tables of user memory: finding, making, and the only writers
 * of their entries.
 *
 * A table may be used by several mms (its `sharers`). Whoever wants to *change* an
 * entry gets the table from pt_writable, the one choke point, which unshares
 * first. Whoever only looks uses pt_find and a const pte_t. Two may change a table
 * that is shared, for all its users at once: a read fault that fills an empty
 * entry with what every user would get (pt_fillable), and who acts on a page for
 * all who map it (truncate, reclaim).
 */
#pragma once

#include "core/count.h"
#include "mm/highmem.h"
#include "mm/mm.h"
#include "mm/rmap.h"

/* One more user of a table: the first is in the table's struct page itself. */
struct pt_sharer {
	struct mm *mm;
	u32 base;
	struct pt_sharer *next;
};

/* The middle-table entry for addr; NULL if there is no middle table yet. */
static inline pmd_t *pmd_find(const struct mm *mm, u32 addr)
{
	pgd_t e = mm->pgd[pgd_index(addr)];

	if (!pte_present(e))
		return NULL;
	/* Middle tables lie in lowmem. */
	return (pmd_t *)phys_to_virt(pte_low_address(e)) + pmd_index(addr);
}
/*
 * The next present middle-table entry for a table at *base or behind it, below end;
 * *base becomes its table's. NULL: there is none. Absent middle tables are stepped
 * over. pmd is the entry of *base, or NULL if it is not at hand.
 */
static inline pmd_t *pmd_next(const struct mm *mm, pmd_t *pmd, u32 *base, u32 end)
{
	while (*base < end) {
		u32 stop = pgd_addr_end(*base, end);

		if (!pmd)
			pmd = pmd_find(mm, *base);
		for (; pmd && *base < stop; *base += PMD_SIZE, pmd++)
			if (pte_present(*pmd))
				return pmd;
		*base = stop;
		pmd = NULL;
	}
	return NULL;
}
/* The body may empty the entry, but not make or free middle tables. */
#define for_each_table(pmd, mm, base, start, end)                               \
	for (base = (start), pmd = NULL; (pmd = pmd_next(mm, pmd, &base, end)); \
	     base += PMD_SIZE, pmd = pmd_index(base) ? pmd + 1 : NULL)

static inline struct page *pmd_table(pmd_t pmd)
{
	return pfn_to_page(pte_pfn(pmd));
}
/* The table that covers addr, or NULL. For looking only. */
static inline struct page *pt_find(const struct mm *mm, u32 addr)
{
	pmd_t *pmd = pmd_find(mm, addr);

	return pmd && pte_present(*pmd) ? pmd_table(*pmd) : NULL;
}
static inline bool pt_is_shared(const struct page *table)
{
	return table->sharers > 1;
}
/* Shared copy-on-write: the pmd entries of its users have no right to write. */
static inline bool pt_is_cow_shared(const struct page *table)
{
	return table->sharers > 1 && !(table->flags & PG_SHARED_RW);
}

/* The table's entries, until unmapped with the same slot; nothing sleeps meanwhile. */
static inline pte_t *pte_map_table(struct page *table, enum fix_slot slot)
{
	return page_map(table, slot);
}
static inline void pte_unmap_table(struct page *table, enum fix_slot slot)
{
	page_unmap(table, slot);
}

/* The entry for addr in its table. */
static inline pte_t pt_read(struct page *table, u32 addr)
{
	pte_t e = pte_map_table(table, FIX_PTE_SRC)[pte_index(addr)];

	pte_unmap_table(table, FIX_PTE_SRC);
	return e;
}

/*
 * The table for addr, in mm alone or shared for writing: made if there is none,
 * unshared if it is shared copy-on-write. *table is set. 0 or -ENOMEM (nothing
 * changed). May sleep.
 */
int pt_writable(struct mm *mm, u32 addr, struct page **table);
/* The table for addr, made if there is none, left shared: only for filling an empty entry on a read. */
int pt_make(struct mm *mm, u32 addr, struct page **table);
static inline int pt_fillable(struct mm *mm, u32 addr, struct page **table)
{
	pmd_t *pmd = pmd_find(mm, addr);

	if (unlikely(!pmd || !pte_present(*pmd)))
		return pt_make(mm, addr, table);
	*table = pmd_table(*pmd);
	return 0;
}

/* A zeroed table with one user; NULL without memory. */
struct page *pte_alloc_one(struct mm *mm, u32 base);
/* Frees a table without users whose entries are all empty. */
void pte_free_one(struct page *table);
/* The middle-table entry for addr, its table made if need be. NULL: no memory. */
pmd_t *pmd_alloc_slow(struct mm *mm, u32 addr);
static inline pmd_t *pmd_alloc(struct mm *mm, u32 addr)
{
	pmd_t *pmd = pmd_find(mm, addr);

	return likely(pmd) ? pmd : pmd_alloc_slow(mm, addr);
}
/* Enters table at an empty pmd entry and counts it to mm. */
void pmd_populate(struct mm *mm, pmd_t *pmd, struct page *table, bool write);

/*
 * mm uses the table at pmd no more. If it was the last user, the entries must be
 * empty and the table is freed. The caller flushes.
 */
void pt_drop(struct mm *mm, pmd_t *pmd);
/* Adds and removes a user's name. add: 0 or -ENOMEM. */
int pt_add_sharer(struct page *table, struct mm *mm, u32 base);
void pt_remove_sharer(struct page *table, struct mm *mm);

/*
 * Frees tables that no area of mm needs within [start, end), which is empty. floor
 * and ceiling: the neighbouring areas. Returns how many; the caller flushes.
 */
u32 free_tables(struct mm *mm, u32 start, u32 end, u32 floor, u32 ceiling);
/* Frees all tables and middle tables; no entry is left in any. By `ptfree=`. */
void clear_page_tables(struct mm *mm);
void pgtable_init(void);
pgd_t *pgd_alloc(void);
void pgd_free(pgd_t *pgd);

/* ---- the writers: entry and counts change together ---- */

/* Enters page at the empty entry p; mapcount is raised, the caller's reference is the entry's. */
static inline void pt_enter(struct page *table, pte_t *p, struct page *page, pte_t e)
{
	table->pt.write += pte_write(e);
	set_pte(p, e);
	if (page->flags & PG_RESERVED) {
		table->pt.other++;
	} else if (page->flags & PG_ANON) {
		table->pt.anon++;
		if (!page->mapcount++)
			count(nr_anon_pages);
	} else {
		table->pt.file++;
		if (!page->mapcount++)
			count(nr_mapped);
	}
}
/* Empties p, which holds page; mapcount is lowered, the reference is the caller's now. */
static inline void pt_remove(struct page *table, pte_t *p, struct page *page)
{
	pte_t e = *p;

	table->pt.write -= pte_write(e);
	pte_clear(p);
	if (page->flags & PG_RESERVED) {
		table->pt.other--;
		return;
	}
	if (pte_dirty(e))
		page->flags |= PG_DIRTY;
	if (page->flags & PG_ANON) {
		table->pt.anon--;
		if (--page->mapcount == 0) {
			count_dec(nr_anon_pages);
			page->mapping = NULL;
		}
	} else {
		table->pt.file--;
		if (--page->mapcount == 0)
			count_dec(nr_mapped);
	}
}
/* Changes rights or marks of p; the frame stays. */
static inline void pt_change(struct page *table, pte_t *p, pte_t e)
{
	table->pt.write += pte_write(e) - pte_write(*p);
	set_pte(p, e);
}
static inline void pt_wrprotect(struct page *table, pte_t *p)
{
	if (pte_write(*p)) {
		table->pt.write--;
		ptep_wrprotect(p);
	}
}
/* Forgets that p was used. */
static inline void pt_mkold(pte_t *p)
{
	ptep_mkold(p);
}
static inline u32 pt_entries(const struct page *table)
{
	return table->pt.anon + table->pt.file + table->pt.other;
}
