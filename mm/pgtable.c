// SPDX-License-Identifier: MIT
/*
 * mm/pgtable.c: making and freeing page tables, the list of a table's users, and
 * the way to a table that may be changed.
 */
#include "mm/pgtable.h"
#include "core/count.h"
#include "core/panic.h"
#include "core/param.h"
#include "lib/errno.h"
#include "mm/page_alloc.h"
#include "mm/ptshare.h"
#include "mm/slab.h"

static struct kmem_cache pgd_cache, sharer_cache;
static u32 highpte;

/* Tables freed lately: all their entries are zero already. Lowmem tables only. */
enum { QUICK_MAX = 32 };
static struct list quick = LIST_INIT(quick);
static u32 nr_quick;

PARAM_NUMBER(highpte, highpte, 0, 1, false);

static const char *const ptfree_names[] = {"areas", "scan", NULL};
static u32 ptfree;
PARAM_CHOICE(ptfree, ptfree, ptfree_names, NULL, false);

static u32 quick_shrink(void)
{
	u32 n = nr_quick;

	while (!list_empty(&quick)) {
		struct page *p = list_first(&quick, struct page, list);

		list_del(&p->list);
		p->flags &= ~PG_TABLE;
		put_page(p);
	}
	nr_quick = 0;
	return n;
}

void pgtable_init(void)
{
	kmem_cache_init(&pgd_cache, "pgd", PGD_BYTES, PGD_ALIGN);
	kmem_cache_init(&sharer_cache, "pt_sharer", sizeof(struct pt_sharer), 4);
	register_shrinker(quick_shrink);
}

noinline pgd_t *pgd_alloc(void)
{
	pgd_t *pgd = kmem_cache_alloc(&pgd_cache);

	if (pgd)
		mmu_init_pgd(pgd);
	return pgd;
}

void pgd_free(pgd_t *pgd)
{
	kmem_cache_free(&pgd_cache, pgd);
}

/* A zeroed frame for a table of either level. */
static struct page *zeroed_table(gfp_t gfp)
{
	struct page *p;

	if (gfp == GFP_KERNEL && nr_quick) {
		p = list_first(&quick, struct page, list);
		list_del(&p->list);
		nr_quick--;
		return p;
	}
	p = alloc_page(gfp);
	/* A pte's name has room for tables below 32 GiB only. */
	if (p && page_to_pfn(p) >= RMAP_MAX_TABLE_PFN) {
		put_page(p);
		p = alloc_page(GFP_KERNEL);
	}
	if (!p)
		return NULL;
	clear_highpage(p);
	p->flags |= PG_TABLE;
	return p;
}

static void free_zeroed_table(struct page *p)
{
	if (!page_is_highmem(p) && nr_quick < QUICK_MAX) {
		list_add(&quick, &p->list);
		nr_quick++;
		return;
	}
	p->flags &= ~PG_TABLE;
	put_page(p);
}

noinline struct page *pte_alloc_one(struct mm *mm, u32 base)
{
	struct page *table = zeroed_table(highpte ? GFP_USER : GFP_KERNEL);

	if (!table)
		return NULL;
	table->sharers = 1;
	table->mapping = mm;
	table->index = base;
	table->more_sharers = NULL;
	table->pt = (struct pt_counts){0};
	count(pt_alloc);
	count(nr_page_table_pages);
	return table;
}

void pte_free_one(struct page *table)
{
	BUG_ON(pt_entries(table) || table->more_sharers);
	table->flags &= ~PG_SHARED_RW;
	table->mapcount = 0;
	table->mapping = NULL;
	count(pt_free);
	count_dec(nr_page_table_pages);
	free_zeroed_table(table);
}

noinline pmd_t *pmd_alloc_slow(struct mm *mm, u32 addr)
{
	struct page *middle = zeroed_table(GFP_KERNEL);

	if (!middle)
		return NULL;
	count(nr_middle_table_pages);
	set_pte(&mm->pgd[pgd_index(addr)], pgd_make(page_to_pfn(middle)));
	/* The CPU's copy of the entry, absent so far, is renewed by loading CR3 only. */
	mmu_flush_all(mm->pgd);
	return pmd_find(mm, addr);
}

void pmd_populate(struct mm *mm, pmd_t *pmd, struct page *table, bool write)
{
	set_pte(pmd, pmd_make(page_to_pfn(table), write));
	mm->nr_tables++;
}

static int make_table(struct mm *mm, pmd_t *pmd, u32 addr)
{
	struct page *table = pte_alloc_one(mm, addr & PMD_MASK);

	if (!table)
		return -ENOMEM;
	pmd_populate(mm, pmd, table, true);
	return 0;
}

noinline int pt_make(struct mm *mm, u32 addr, struct page **table)
{
	pmd_t *pmd = pmd_alloc(mm, addr);

	if (!pmd)
		return -ENOMEM;
	if (!pte_present(*pmd) && make_table(mm, pmd, addr) < 0)
		return -ENOMEM;
	*table = pmd_table(*pmd);
	return 0;
}

int pt_writable(struct mm *mm, u32 addr, struct page **table)
{
	pmd_t *pmd = pmd_alloc(mm, addr);

	if (!pmd)
		return -ENOMEM;
	if (!pte_present(*pmd) && make_table(mm, pmd, addr) < 0)
		return -ENOMEM;
	if (unlikely(!pte_write(*pmd)))
		return pte_unshare(mm, addr, table);
	*table = pmd_table(*pmd);
	return 0;
}

int pt_add_sharer(struct page *table, struct mm *mm, u32 base)
{
	struct pt_sharer *s = kmem_cache_alloc(&sharer_cache);

	if (!s)
		return -ENOMEM;
	*s = (struct pt_sharer){mm, base, table->more_sharers};
	table->more_sharers = s;
	if (++table->sharers == 2)
		count(pt_tables_shared);
	return 0;
}

void pt_remove_sharer(struct page *table, struct mm *mm)
{
	struct pt_sharer **link = &table->more_sharers, *s = *link;

	if (table->mapping == mm) {
		/* The place in the struct page is never empty: the next one moves in. */
		table->mapping = s->mm;
		table->index = s->base;
	} else {
		while (s->mm != mm) {
			link = &s->next;
			s = *link;
		}
	}
	*link = s->next;
	kmem_cache_free(&sharer_cache, s);
	if (--table->sharers == 1) {
		count_dec(pt_tables_shared);
		table->flags &= ~PG_SHARED_RW;
	}
}

void pt_drop(struct mm *mm, pmd_t *pmd)
{
	struct page *table = pmd_table(*pmd);

	pte_clear(pmd);
	mm->nr_tables--;
	if (pt_is_shared(table)) {
		count(pt_dropped);
		pt_remove_sharer(table, mm);
	} else {
		pte_free_one(table);
	}
}

static force_inline u32 drop_range(struct mm *mm, u32 start, u32 end)
{
	u32 before = mm->nr_tables, base;
	pmd_t *pmd;

	for_each_table (pmd, mm, base, start, end)
		pt_drop(mm, pmd);
	return before - mm->nr_tables;
}

u32 free_tables(struct mm *mm, u32 start, u32 end, u32 floor, u32 ceiling)
{
	start &= PMD_MASK;
	end = round_up(end, PMD_SIZE);
	/* The first and the last table may serve a neighbour too. */
	if (start < floor)
		start += PMD_SIZE;
	if (end > ceiling)
		end -= PMD_SIZE;
	return drop_range(mm, start, end);
}

/*
 * 2.5's way: look at every slot of every middle table. Both ways are part of
 * clear_page_tables, where a profile looks for them.
 */
static force_inline void free_by_scan(struct mm *mm)
{
	for (u32 i = 0; i < USER_PGDS; i++)
		if (pte_present(mm->pgd[i]))
			count_add(clear_pt_slots, PTRS_PER_PMD);
	drop_range(mm, 0, TASK_SIZE);
}

/* By the areas: tables can be only where one lies. */
static force_inline void free_by_areas(struct mm *mm)
{
	u32 done = 0;

	for (struct vma *v = mm->first; v; v = v->next) {
		u32 from = max(v->start & PMD_MASK, done);

		done = round_up(v->end, PMD_SIZE);
		count_add(clear_pt_slots, (done - from) >> PMD_SHIFT);
		drop_range(mm, from, done);
	}
}

noinline void clear_page_tables(struct mm *mm)
{
	if (ptfree)
		free_by_scan(mm);
	else
		free_by_areas(mm);
	for (u32 i = 0; i < USER_PGDS; i++) {
		pgd_t e = mm->pgd[i];

		if (!pte_present(e))
			continue;
		pte_clear(&mm->pgd[i]);
		count_dec(nr_middle_table_pages);
		free_zeroed_table(pfn_to_page(pte_pfn(e)));
	}
	mmu_flush_all(mm->pgd);
}
