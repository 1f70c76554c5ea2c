// SPDX-License-Identifier: MIT
/* test_rmap.c: who maps this page: each policy's answer against a walk of all tables. */
#include "scene.h"
#include "mm/page_alloc.h"

static bool note_hit(const struct rmap_hit *hit, void *arg)
{
	struct page *page = *(struct page **)arg;
	const pte_t *ptes = pte_map_table(hit->table, FIX_PTE_RMAP);

	CHECK_EQ(pte_pfn(ptes[hit->slot]), page_to_pfn(page));
	pte_unmap_table(hit->table, FIX_PTE_RMAP);
	CHECK_EQ(pt_find(hit->mm, hit->table->index), hit->table);
	return false;
}

/* For every page that somebody maps. */
static void check_answers(void)
{
	LAWS();
	for (pfn_t i = 0; i < max_pfn; i++) {
		struct page *p = pfn_to_page(i);

		if ((p->flags & (PG_RESERVED | PG_BUDDY | PG_TABLE | PG_SLAB)) || p->mapcount <= 0)
			continue;
		CHECK_EQ(p->mapcount, count_entries(p));
		if (!rmap->answers) {
			CHECK_EQ(rmap_count(p), -1);
			continue;
		}
		CHECK_EQ(rmap_count(p), p->mapcount);
		rmap->walk(p, note_hit, &p);
	}
}

TEST_EACH(answers, "rmap names each entry of shared, copied, moved and cut tables once")
{
	struct address_space *m = new_file(30, 5);
	struct mm *a = new_filled(BASE, MANY), *b, *c;

	map_object(a, BASE + PAGES(200), 30, RW, m, 0);
	map_object(a, TABLE(1) + PAGES(3), 20, RW | VM_SHARED, m, 10);
	expect_from(a, BASE + PAGES(200), 30, 5, 0);
	expect_from(a, TABLE(1) + PAGES(3), 20, 5, 10);
	check_answers();
	b = fork_mm(a);
	check_answers();
	c = fork_mm(b);
	fill(c, BASE, 5, 2);
	check_answers();
	CHECK_EQ(do_mremap(b, BASE + PAGES(10), PAGES(20), PAGES(20), 3, TABLE(3)), (long)TABLE(3));
	check_answers();
	CHECK_EQ(do_mprotect(c, BASE + PAGES(205), PAGES(5), VM_READ), 0);
	CHECK_EQ(do_munmap(c, BASE + PAGES(210), PAGES(5)), 0);
	fill(c, BASE + PAGES(220), 3, 7);
	check_answers();
	mm_put(a);
	check_answers();
	a = fork_mm(b);
	truncate_mapping(m, PAGES(15));
	check_answers();
	mm_put(b);
	check_answers();
	mm_put(a);
	mm_put(c);
	free_file(m);
}

TEST_EACH(referenced, "page_referenced sees a use by any sharer once, and unshares nothing")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);
	struct page *page = page_at(a, BASE);

	page_referenced(page);
	CHECK(!page_referenced(page));
	mmu_switch(kernel_pdpt);
	expect(b, BASE, 1, 1);
	CHECK_EQ(page_referenced(page), rmap->answers);
	CHECK(!page_referenced(page));
	check_shared(a, b, BASE);
	LAWS();
	mm_put(a);
	mm_put(b);
}

static struct mm *mapper[100];

TEST_UNDER(many, every_policy, "a hundred processes with many areas of one file are all found")
{
	struct address_space *m = new_file(8, 5);
	struct page *page = find_get_page(m, 3);

	put_page(page);
	for (u32 i = 0; i < ARRAY_SIZE(mapper); i++) {
		mapper[i] = new_mm();
		for (u32 k = 0; k < 6; k++) {
			map_object(mapper[i], BASE + PAGES(20 * k + i % 7), 1 + k, RO, m, 5 - k);
			word_at(mapper[i], BASE + PAGES(20 * k + i % 7));
			if (k > 1)
				word_at(mapper[i], BASE + PAGES(20 * k + i % 7) + PAGES(k - 2));
		}
	}
	CHECK_EQ(page->mapcount, 400);
	CHECK_EQ(page->mapcount, count_entries(page));
	if (rmap->answers)
		CHECK_EQ(rmap_count(page), 400);
	LAWS();
	for (u32 i = 0; i < ARRAY_SIZE(mapper); i++)
		mm_put(mapper[(i * 37) % 100]);
	free_file(m);
}

static const char *const chains[] = {"rmap=chain chain=32", "rmap=chain chain=64",
				     "rmap=chain chain=128,direct", "rmap=chain chain=32,direct", NULL};

TEST_UNDER(chain_sizes, chains, "chains of every size lose and gain names in any order")
{
	struct mm *a = new_filled(BASE, 3);
	bool in[100] = {false};

	for (u32 step = 0; step < 1500; step++) {
		u32 i = random_below(100);

		if (in[i])
			mm_put(mapper[i]);
		else
			mapper[i] = fork_mm(a);
		in[i] = !in[i];
		if (step % 50 == 0)
			check_answers();
	}
	for (u32 i = 0; i < 100; i++)
		if (in[i])
			mm_put(mapper[i]);
	check_answers();
	mm_put(a);
}
