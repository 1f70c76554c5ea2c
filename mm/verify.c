// SPDX-License-Identifier: MIT
/*
 * mm/verify.c: the law checker. It needs no memory: each entry that a walk finds is
 * taken off its page's mapcount, so that afterwards all mapcounts must be zero; a
 * second walk restores them.
 */
#include "mm/verify.h"
#include "core/count.h"
#include "core/log.h"
#include "core/panic.h"
#include "core/param.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"

u32 verify_every;

PARAM_NUMBER(verify, verify_every, 0, 1000000, true);

static u32 broken;

static void broke(u32 law, const char *what, u32 a, u32 b, u32 c)
{
	if (++broken <= 20)
		log_warn("law %u is broken: %s (%x, %x, %x)\n", law, what, a, b, c);
}

struct totals {
	u32 tables, middle, shared, anon, mapped;
};

/* Calls fn for each table of each mm; `first` for one of its users only. */
static void for_all_tables(void (*fn)(struct mm *mm, struct page *table, pmd_t pmd, u32 base, bool first,
				      struct totals *t),
			   struct totals *t)
{
	struct mm *mm;
	pmd_t *pmd;
	u32 base;

	list_for_each_entry (mm, &all_mms, all) {
		for (u32 i = 0; i < USER_PGDS; i++)
			t->middle += pte_present(mm->pgd[i]);
		for_each_table (pmd, mm, base, 0, TASK_SIZE) {
			struct page *table = pmd_table(*pmd);

			fn(mm, table, *pmd, base, table->mapping == mm && table->index == base, t);
		}
	}
}

/* Law 2: the list names exactly the mms whose pmd entries point here. */
static void check_sharers(const struct page *table)
{
	u32 pfn = page_to_pfn(table);
	s32 n = 1;

	for (const struct pt_sharer *s = table->more_sharers; s; s = s->next, n++)
		if (pt_find(s->mm, s->base) != table)
			broke(2, "a sharer's pmd entry points elsewhere", pfn, (u32)s->mm, s->base);
	if (n != table->sharers)
		broke(2, "sharers differ from the list", pfn, table->sharers, n);
}

/* Law 4: all users of a shared table have the same areas over it. */
static void check_same_areas(struct mm *a, struct mm *b, u32 base)
{
	u32 end = base + PMD_SIZE;
	struct vma *v = find_vma_intersection(a, base, end), *w = find_vma_intersection(b, base, end);

	for (; v && w && v->start < end && w->start < end; v = v->next, w = w->next)
		if (max(v->start, base) != max(w->start, base) || min(v->end, end) != min(w->end, end) ||
		    v->flags != w->flags || v->mapping != w->mapping)
			broke(4, "sharers of a table have different areas", base, v->start, w->start);
	if ((v && v->start < end) || (w && w->start < end))
		broke(4, "a sharer of a table has one area more", base, (u32)a, (u32)b);
}

static void check_user(struct mm *mm, struct page *table, pmd_t pmd, u32 base, bool first, struct totals *t)
{
	bool listed = first;

	for (const struct pt_sharer *s = table->more_sharers; s && !listed; s = s->next)
		listed = s->mm == mm && s->base == base;
	if (!listed)
		broke(2, "a pmd entry's mm is not in the table's list", page_to_pfn(table), (u32)mm, base);
	if (pt_is_cow_shared(table) && pte_write(pmd))
		broke(3, "a shared table's pmd entry is writable", page_to_pfn(table), (u32)mm, base);
	if (first)
		check_sharers(table);
	else
		check_same_areas(table->mapping, mm, base);
}

/* Law 3: a writable private entry that the CPU honours means a page mapped once. */
static void check_entry(struct mm *mm, const struct page *table, pmd_t pmd, u32 addr, pte_t e)
{
	const struct page *page = pfn_to_page(pte_pfn(e));
	const struct vma *v = find_vma(mm, addr);

	if (!v || v->start > addr) {
		broke(1, "an entry under no area", page_to_pfn(table), addr, e.lo);
		return;
	}
	if (pte_write(e) && pte_write(pmd) && vma_is_cow(v) && page->mapcount != 1)
		broke(3, "a writable private entry, and the page is mapped elsewhere", page_to_pfn(page),
		      addr, page->mapcount);
	if (pte_write(e) && vma_is_cow(v) && !(page->flags & PG_ANON))
		broke(3, "a writable private entry of a page that is not private", page_to_pfn(page), addr,
		      e.lo);
}

/* Law 7: the counts in the table's struct page. */
static void check_table(struct mm *mm, struct page *table, pmd_t pmd, u32 base, bool first, struct totals *t)
{
	struct pt_counts n = {0};
	const pte_t *ptes;

	if (!first)
		return;
	t->tables++;
	t->shared += pt_is_shared(table);
	ptes = pte_map_table(table, FIX_PTE_RMAP);
	for (u32 i = 0; i < PTRS_PER_PTE; i++) {
		struct page *page = pfn_to_page(pte_pfn(ptes[i]));

		if (pte_none(ptes[i]))
			continue;
		if (page->flags & PG_RESERVED)
			n.other++;
		else if (page->flags & PG_ANON)
			n.anon++;
		else
			n.file++;
		n.write += pte_write(ptes[i]);
		check_entry(mm, table, pmd, base + i * PAGE_SIZE, ptes[i]);
	}
	pte_unmap_table(table, FIX_PTE_RMAP);
	if (n.anon != table->pt.anon || n.file != table->pt.file || n.other != table->pt.other ||
	    n.write != table->pt.write)
		broke(7, "a table's counts are wrong", page_to_pfn(table), n.anon << 16 | n.file,
		      n.other << 16 | n.write);
}

static s32 step;

static void add_mapcounts(struct mm *mm, struct page *table, pmd_t pmd, u32 base, bool first,
			  struct totals *t)
{
	const pte_t *ptes;
	struct page *page;

	if (!first)
		return;
	ptes = pte_map_table(table, FIX_PTE_RMAP);
	for (u32 i = 0; i < PTRS_PER_PTE; i++)
		if (pte_counted_page(ptes[i], &page))
			page->mapcount += step;
	pte_unmap_table(table, FIX_PTE_RMAP);
}

static bool is_user_page(const struct page *p)
{
	return !(p->flags & (PG_RESERVED | PG_BUDDY | PG_TABLE | PG_SLAB | PG_STACK));
}

/* Laws 1 and 6 for a page that somebody maps. */
static void check_mapped_page(struct page *p, struct totals *t)
{
	s32 cached = p->mapping && !(p->flags & PG_ANON);

	if (p->flags & PG_ANON)
		t->anon++;
	else
		t->mapped++;
	if (p->count != p->mapcount + cached)
		broke(1, "a page's count is not its references", page_to_pfn(p), p->count, p->mapcount);
	if (rmap->answers && rmap_count(p) != p->mapcount)
		broke(6, "rmap finds other entries than there are", page_to_pfn(p), rmap_count(p),
		      p->mapcount);
}

static void check_mapcounts(struct totals *t)
{
	step = -1;
	for_all_tables(add_mapcounts, t);
	for (pfn_t i = 0; i < max_pfn; i++)
		if (is_user_page(&mem_map[i]) && mem_map[i].mapcount)
			broke(1, "mapcount differs from the entries by", i, mem_map[i].mapcount,
			      mem_map[i].flags);
	step = 1;
	for_all_tables(add_mapcounts, t);
}

static void check_areas(struct mm *mm)
{
	u32 n = 0, pages = 0, end = 0;

	for (const struct vma *v = mm->first; v; v = v->next) {
		if (v->start < end || v->end <= v->start || v->mm != mm)
			broke(7, "areas overlap or are out of order", (u32)mm, v->start, v->end);
		end = v->end;
		n++;
		pages += (v->end - v->start) >> PAGE_SHIFT;
		if (find_vma(mm, v->start) != v)
			broke(7, "the tree does not find an area", (u32)mm, v->start, v->end);
	}
	if (n != mm->nr_areas || pages != mm->total_pages)
		broke(7, "number or size of the areas is wrong", n, mm->nr_areas, pages);
}

static void check_gauge(const char *name, u32 counted, u32 gauge)
{
	if (counted != gauge)
		broke(7, name, counted, gauge, 0);
}

u32 verify_laws(void)
{
	struct totals t = {0}, unused = {0};
	struct mm *mm;

	broken = 0;
	list_for_each_entry (mm, &all_mms, all)
		check_areas(mm);
	for_all_tables(check_user, &unused);
	for_all_tables(check_table, &t);
	for (pfn_t i = 0; i < max_pfn; i++)
		if (is_user_page(&mem_map[i]) && mem_map[i].mapcount > 0)
			check_mapped_page(&mem_map[i], &t);
	check_mapcounts(&unused);
	check_gauge("nr_page_table_pages", t.tables, counters[CNT_nr_page_table_pages]);
	check_gauge("nr_middle_table_pages", t.middle, counters[CNT_nr_middle_table_pages]);
	check_gauge("pt_tables_shared", t.shared, counters[CNT_pt_tables_shared]);
	check_gauge("nr_anon_pages", t.anon, counters[CNT_nr_anon_pages]);
	check_gauge("nr_mapped", t.mapped, counters[CNT_nr_mapped]);
	if (!page_alloc_verify())
		broke(7, "free lists and their gauges differ", 0, 0, 0);
	return broken;
}

void verify_tick(void)
{
	static u32 calls;

	if (++calls % verify_every)
		return;
	if (verify_laws())
		panic("%u laws are broken", broken);
}
