// SPDX-License-Identifier: MIT
/* test_verify.c: the law checker finds each law that is broken on purpose, and forgets it when it is mended. */
#include "scene.h"
#include "mm/page_alloc.h"

static struct mm *a, *b;
static struct address_space *file;
static struct page *table, *page;
static pmd_t *pmd;

static void set_scene(void)
{
	file = new_file(8, 5);
	a = new_filled(BASE, MANY);
	map_object(a, BASE + PAGES(200), 8, RW, file, 0);
	expect_from(a, BASE + PAGES(200), 8, 5, 0);
	b = fork_choice(a, SHARE_ALWAYS);
	table = pt_find(a, BASE);
	page = page_at(a, BASE + PAGES(3));
	pmd = pmd_find(b, BASE);
	CHECK(same_table(a, b, BASE));
	LAWS();
	machine_quiet = true;
}

static void end_scene(void)
{
	machine_quiet = false;
	LAWS();
	mm_put(a);
	mm_put(b);
	free_file(file);
}

/* Changes a variable, expects a broken law, and changes it back. */
#define BREAK(place, value)                       \
	do {                                      \
		__typeof__(place) _old = (place); \
		(place) = (value);                \
		CHECK(verify_laws() > 0);         \
		(place) = _old;                   \
		CHECK_EQ(verify_laws(), 0u);      \
	} while (0)

/* One entry of the table, changed by fn. */
static void set_entry(u32 slot, pte_t e)
{
	pte_map_table(table, FIX_PTE_DST)[slot] = e;
	pte_unmap_table(table, FIX_PTE_DST);
}
static void break_entry(u32 slot, pte_t e)
{
	pte_t old = pt_read(table, BASE + PAGES(slot));

	set_entry(slot, e);
	CHECK(verify_laws() > 0);
	set_entry(slot, old);
	CHECK_EQ(verify_laws(), 0u);
}

TEST_UNDER(counts, every_rmap, "law 1: a count or mapcount off by one is found")
{
	set_scene();
	BREAK(page->count, page->count + 1);
	BREAK(page->count, page->count - 1);
	BREAK(page->mapcount, page->mapcount + 1);
	BREAK(page->mapcount, 0);
	end_scene();
}

TEST_UNDER(lost_entry, every_rmap, "law 1: an entry lost, doubled or under no area is found")
{
	set_scene();
	break_entry(3, (pte_t){0, 0});
	break_entry(MANY + 3, pt_read(table, BASE + PAGES(3)));
	break_entry(3, pt_read(table, BASE + PAGES(4)));
	end_scene();
}

TEST_UNDER(sharers, every_rmap, "law 2: a sharer too many, too few or of the wrong name is found")
{
	set_scene();
	BREAK(table->sharers, 3);
	BREAK(table->sharers, 1);
	BREAK(table->more_sharers->base, TABLE(1));
	BREAK(table->more_sharers->mm, a);
	BREAK(table->mapping, b);
	BREAK(table->more_sharers, NULL);
	end_scene();
}

TEST_UNDER(rights, every_rmap,
	   "law 3: a writable entry above a shared table or of a page mapped twice is found")
{
	struct mm *c;

	set_scene();
	BREAK(*pmd, pte_mkwrite(*pmd));
	break_entry(200, pte_mkwrite(pt_read(table, BASE + PAGES(200))));
	end_scene();
	set_scene();
	c = fork_choice(a, SHARE_NEVER);
	mm_put(b);
	b = c;
	pmd = pmd_find(a, BASE);
	if (!pte_write(*pmd))
		*pmd = pte_mkwrite(*pmd);
	set_entry(3, pte_mkwrite(pt_read(table, BASE + PAGES(3))));
	table->pt.write++;
	CHECK(verify_laws() > 0);
	set_entry(3, pte_wrprotect(pt_read(table, BASE + PAGES(3))));
	table->pt.write--;
	end_scene();
}

TEST_UNDER(areas, every_rmap, "law 4: sharers with different areas are found")
{
	struct vma *v;

	set_scene();
	v = find_vma(b, BASE);
	BREAK(v->flags, v->flags & ~VM_WRITE);
	v->end -= PAGE_SIZE;
	b->total_pages--;
	CHECK(verify_laws() > 0);
	v->end += PAGE_SIZE;
	b->total_pages++;
	end_scene();
}

static const char *const answering[] = {"rmap=chain", "rmap=chain chain=32", "rmap=object", NULL};

TEST_UNDER(rmap, answering, "law 6: a page that rmap cannot find, or finds elsewhere, is found")
{
	set_scene();
	if (rmap == &rmap_chain && (page->flags & PG_DIRECT)) {
		u32 flags = page->flags, name = page->rmap;

		page->flags &= ~PG_DIRECT;
		page->rmap = 0;
		CHECK(verify_laws() > 0);
		page->flags = flags;
		page->rmap = name;
	} else if (rmap == &rmap_chain) {
		BREAK(page->rmap, 0);
	} else {
		BREAK(page->index, page->index + 1);
		BREAK(find_vma(a, BASE)->pgoff, 0);
		BREAK(page->mapping, NULL);
	}
	end_scene();
}

TEST_UNDER(gauges, every_rmap, "law 7: a table's count or a gauge that lies is found")
{
	set_scene();
	BREAK(table->pt.anon, table->pt.anon + 1);
	BREAK(table->pt.file, 0);
	BREAK(table->pt.other, 1);
	BREAK(table->pt.write, table->pt.write - 1);
	BREAK(counters[CNT_nr_page_table_pages], 7);
	BREAK(counters[CNT_nr_middle_table_pages], 7);
	BREAK(counters[CNT_pt_tables_shared], 0);
	BREAK(counters[CNT_nr_anon_pages], 0);
	BREAK(counters[CNT_nr_mapped], 0);
	BREAK(a->nr_areas, 1);
	BREAK(a->total_pages, 1);
	BREAK(find_vma(a, BASE)->mm, b);
	end_scene();
}

TEST(tlb, "a translation that outlives its entry or its right is seen by the machine")
{
	u32 v;

	set_scene();
	CHECK_EQ(machine_read(b, BASE + PAGES(3), &v), 0);
	set_entry(3, (pte_t){0, 0});
	CHECK_EQ(machine_stale_translations(), 1u);
	mmu_flush_all(b->pgd);
	set_entry(3, pte_mkdirty(pte_mkwrite(pte_make(page_to_pfn(page), find_vma(a, BASE)->prot))));
	CHECK_EQ(machine_stale_translations(), 0u);
	end_scene();
}
