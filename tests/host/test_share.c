// SPDX-License-Identifier: MIT
/* test_share.c: data after fork stay private, with tables copied, shared, and shared no longer. */
#include "scene.h"

TEST_EACH(child_first, "a child's write stays its own, and so does the parent's after it")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);

	check_shared(a, b, BASE);
	LAWS();
	CHECK_EQ(machine_write(b, BASE, 77), 0);
	LAWS();
	CHECK_EQ(machine_write(a, BASE + PAGES(1), 88), 0);
	LAWS();
	expect(a, BASE, 1, 1);
	expect(b, BASE + PAGES(1), 1, 1);
	expect(a, BASE + PAGES(2), MANY - 2, 1);
	expect(b, BASE + PAGES(2), MANY - 2, 1);
	mm_put(a);
	LAWS();
	CHECK_EQ(word_at(b, BASE), 77);
	mm_put(b);
}

TEST_EACH(parent_first, "a parent's write with its translations hot is not seen by the child")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);

	check_shared(a, b, BASE);
	fill(a, BASE, 3, 2);
	LAWS();
	expect(b, BASE, MANY, 1);
	fill(b, BASE + PAGES(2), 3, 3);
	LAWS();
	expect(a, BASE, 3, 2);
	expect(a, BASE + PAGES(3), MANY - 3, 1);
	expect(b, BASE, 2, 1);
	mm_put(b);
	mm_put(a);
}

TEST_EACH(read_file, "a read fault that fills a shared table counts the file's page once")
{
	struct address_space *m = new_file(8, 5);
	struct mm *a = new_filled(BASE, MANY), *b;

	map_object(a, BASE + PAGES(MANY), 8, RW, m, 0);
	b = fork_mm(a);
	expect_from(b, BASE + PAGES(MANY), 8, 5, 0);
	LAWS();
	expect_from(a, BASE + PAGES(MANY), 8, 5, 0);
	CHECK_EQ(page_at(a, BASE + PAGES(MANY))->mapcount, policy_shares() ? 1 : 2);
	LAWS();
	mm_put(b);
	LAWS();
	mm_put(a);
	free_file(m);
}

TEST_EACH(read_zero, "a page that the child read first and the parent writes then stays zero for the child")
{
	struct mm *a = new_mm(), *b;

	map_anon(a, BASE, MANY + 8);
	fill(a, BASE, MANY, 1);
	b = fork_mm(a);
	check_shared(a, b, BASE);
	CHECK_EQ(word_at(b, BASE + PAGES(MANY)), 0);
	CHECK_EQ(word_at(b, BASE + PAGES(MANY + 1)), 0);
	LAWS();
	CHECK_EQ(machine_write(a, BASE + PAGES(MANY), 9), 0);
	LAWS();
	CHECK_EQ(word_at(b, BASE + PAGES(MANY)), 0);
	CHECK_EQ(word_at(a, BASE + PAGES(MANY + 1)), 0);
	CHECK_EQ(machine_word(page_to_pfn(zero_page) << PAGE_SHIFT), 0);
	mm_put(a);
	mm_put(b);
}

TEST_EACH(last_user, "the last user of a table writes without a copy of table or page")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);
	u32 copies;

	mm_put(a);
	LAWS();
	copies = counters[CNT_pt_unshare_copied] + counters[CNT_fault_cow_copy];
	fill(b, BASE, MANY, 2);
	LAWS();
	CHECK_EQ(counters[CNT_pt_unshare_copied] + counters[CNT_fault_cow_copy], copies);
	expect(b, BASE, MANY, 2);
	mm_put(b);
}

TEST_EACH(last_after_unshare, "who stays behind after a copy of the table still copies the pages")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);

	fill(b, BASE, 1, 2);
	LAWS();
	fill(a, BASE, MANY, 3);
	LAWS();
	expect(b, BASE, 1, 2);
	expect(b, BASE + PAGES(1), MANY - 1, 1);
	mm_put(b);
	expect(a, BASE, MANY, 3);
	mm_put(a);
}

TEST_SHARING(three_users, "of three users the one that writes gets a copy, the other two still share")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a), *c = fork_mm(b);

	CHECK_EQ(pt_find(a, BASE)->sharers, 3);
	LAWS();
	fill(b, BASE, 1, 2);
	CHECK(same_table(a, c, BASE));
	CHECK(!same_table(a, b, BASE));
	CHECK_EQ(pt_find(a, BASE)->sharers, 2);
	LAWS();
	expect(a, BASE, MANY, 1);
	expect(c, BASE, MANY, 1);
	mm_put(a);
	LAWS();
	fill(c, BASE, 1, 3);
	expect(b, BASE, 1, 2);
	LAWS();
	mm_put(c);
	mm_put(b);
}

TEST_SHARING(reader, "reading what is there leaves a table shared")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);

	expect(b, BASE, MANY, 1);
	expect(a, BASE, MANY, 1);
	CHECK(same_table(a, b, BASE));
	mm_put(a);
	mm_put(b);
}

TEST_SHARING(choice, "a fork that asked for copies shares nothing, and protects what the others share")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a), *c = fork_choice(a, SHARE_NEVER);

	CHECK(same_table(a, b, BASE));
	CHECK(!same_table(a, c, BASE));
	LAWS();
	mm_put(b);
	fill(a, BASE, MANY, 2);
	LAWS();
	expect(c, BASE, MANY, 1);
	mm_put(c);
	mm_put(a);
}

TEST_UNDER(always, every_rmap, "a fork that asked to share shares though the policy copies")
{
	struct mm *a = new_filled(BASE, 3), *b = fork_choice(a, SHARE_ALWAYS);

	CHECK(same_table(a, b, BASE));
	LAWS();
	fill(a, BASE, 3, 2);
	expect(b, BASE, 3, 1);
	mm_put(a);
	mm_put(b);
}

static const char *const with_min[] = {"ptshare=fork ptshare_min=2", NULL};

TEST_UNDER(min, with_min, "ptshare_min copies small parents and shares larger ones")
{
	struct mm *a = new_filled(BASE, PTRS_PER_PTE * 2), *b = fork_mm(a), *c;

	CHECK(!same_table(a, b, BASE));
	map_anon(a, TABLE(2), 1);
	fill(a, TABLE(2), 1, 1);
	c = fork_mm(a);
	CHECK(same_table(a, c, TABLE(2)));
	mm_put(a);
	mm_put(b);
	mm_put(c);
}

TEST_EACH(shared_anon, "memory mapped shared is seen by all, and a table inside it is shared for writing")
{
	struct address_space *m = shmem_create(PMD_SIZE);
	struct mm *a = new_mm(), *b;

	map_object(a, BASE, PTRS_PER_PTE, RW | VM_SHARED, m, 0);
	shmem_put(m);
	fill(a, BASE, MANY, 1);
	b = fork_mm(a);
	check_shared(a, b, BASE);
	LAWS();
	CHECK_EQ(!!(pt_find(a, BASE)->flags & PG_SHARED_RW), policy_shares());
	fill(b, BASE, MANY, 2);
	expect(a, BASE, MANY, 2);
	fill(a, BASE + PAGES(MANY), 4, 3);
	expect(b, BASE + PAGES(MANY), 4, 3);
	check_shared(a, b, BASE);
	LAWS();
	CHECK_EQ(do_munmap(b, BASE + PAGES(1), PAGE_SIZE), 0);
	CHECK(!same_table(a, b, BASE));
	LAWS();
	fill(b, BASE, 1, 7);
	expect(a, BASE, 1, 7);
	expect(a, BASE + PAGES(1), 1, 2);
	mm_put(a);
	LAWS();
	expect(b, BASE + PAGES(MANY), 4, 3);
	CHECK(!(pt_find(b, BASE)->flags & PG_SHARED_RW));
	mm_put(b);
}

TEST_EACH(shared_no_more, "a table that was shared for writing is its last user's like any other")
{
	struct address_space *m = shmem_create(PMD_SIZE);
	struct mm *a = new_mm(), *b;

	map_object(a, BASE, PTRS_PER_PTE, RW | VM_SHARED, m, 0);
	shmem_put(m);
	fill(a, BASE, MANY, 1);
	b = fork_mm(a);
	mm_put(a);
	CHECK(!(pt_find(b, BASE)->flags & PG_SHARED_RW));
	map_anon(b, BASE, 200);
	fill(b, BASE, 200, 2);
	a = fork_mm(b);
	LAWS();
	fill(a, BASE, 200, 3);
	LAWS();
	expect(b, BASE, 200, 2);
	mm_put(a);
	mm_put(b);
}

TEST_EACH(mixed, "private and shared areas in one table keep to their kinds")
{
	struct address_space *m = new_file(16, 5);
	struct mm *a = new_filled(BASE, MANY), *b;

	map_object(a, BASE + PAGES(200), 16, RW | VM_SHARED, m, 0);
	fill(a, BASE + PAGES(200), 8, 6);
	b = fork_mm(a);
	check_shared(a, b, BASE);
	fill(b, BASE + PAGES(200), 4, 7);
	LAWS();
	expect(a, BASE + PAGES(200), 4, 7);
	expect(a, BASE + PAGES(204), 4, 6);
	expect_from(a, BASE + PAGES(208), 8, 5, 8);
	fill(a, BASE, 4, 8);
	LAWS();
	expect(b, BASE, 4, 1);
	mm_put(b);
	mm_put(a);
	free_file(m);
}

/* Forks a chain of n generations, each writing one page of its own, and puts them in the given order. */
static void generations(u32 n, bool oldest_first, bool shuffled)
{
	struct mm *mm[10] = {new_filled(BASE, MANY)};
	u32 order[10];

	for (u32 i = 1; i < n; i++) {
		mm[i] = fork_mm(mm[i - 1]);
		if (i % 3)
			fill(mm[i], BASE + PAGES(i), 1, 10 + i);
	}
	LAWS();
	for (u32 i = 0; i < n; i++)
		order[i] = oldest_first ? i : n - 1 - i;
	for (u32 i = n - 1; shuffled && i; i--) {
		u32 k = random_below(i + 1), t = order[i];

		order[i] = order[k];
		order[k] = t;
	}
	for (u32 i = 0; i < n; i++) {
		u32 g = order[i];

		expect(mm[g], BASE + PAGES(g), 1, g % 3 ? 10 + g : 1);
		expect(mm[g], BASE + PAGES(n), MANY - n, 1);
		mm_put(mm[g]);
		LAWS();
	}
}

TEST_EACH(oldest_first, "ten generations exit oldest first")
{
	generations(10, true, false);
}
TEST_EACH(youngest_first, "ten generations exit youngest first")
{
	generations(10, false, false);
}
TEST_EACH(any_order, "ten generations exit in any order")
{
	for (u32 i = 0; i < 6; i++)
		generations(10, true, true);
}

static struct mm *sharer[300];

TEST_SHARING(many, "three hundred users of one table are counted and let go")
{
	struct mm *a = new_filled(BASE, MANY);

	for (u32 i = 0; i < ARRAY_SIZE(sharer); i++)
		sharer[i] = fork_mm(a);
	CHECK_EQ(pt_find(a, BASE)->sharers, 301);
	LAWS();
	fill(a, BASE, 1, 2);
	for (u32 i = 0; i < ARRAY_SIZE(sharer); i++) {
		expect(sharer[i], BASE, 2, 1);
		mm_put(sharer[i]);
	}
	mm_put(a);
}

TEST_EACH(long_line, "a hundred generations, each outliving the last, leave rmap's objects bounded")
{
	struct mm *a = new_filled(BASE, MANY);
	u32 most = 0;

	for (u32 i = 0; i < 100; i++) {
		struct mm *b = fork_mm(a);

		fill(b, BASE + PAGES(i), 1, 1);
		mm_put(a);
		a = b;
		most = max(most, counters[CNT_rmap_objects]);
	}
	LAWS();
	CHECK(most <= 2 * MANY);
	mm_put(a);
}

TEST_EACH(gigabytes, "tables on both sides of a gigabyte boundary are shared and come apart alike")
{
	struct mm *a = new_filled(BASE, PTRS_PER_PTE + MANY), *b;

	fill(a, TABLE(1), MANY, 4);
	b = fork_mm(a);
	check_shared(a, b, BASE);
	check_shared(a, b, TABLE(1));
	fill(b, TABLE(1) - PAGES(2), 4, 5);
	LAWS();
	expect(a, TABLE(1) - PAGES(2), 2, 1);
	expect(a, TABLE(1), MANY, 4);
	mm_put(a);
	expect(b, TABLE(1) - PAGES(2), 4, 5);
	mm_put(b);
}

static const char *const high_tables[] = {"highpte=1 rmap=chain ptshare=fork",
					  "highpte=1 rmap=object ptshare=fork",
					  "highpte=1 rmap=chain ptshare=off",
					  "ptfree=scan rmap=object ptshare=fork",
					  "rmap=chain chain=32 ptshare=fork",
					  "rmap=chain chain=128 ptshare=fork",
					  NULL};

TEST_UNDER(variants, high_tables, "generations hold with tables in highmem, scanned freeing, other chains")
{
	for (u32 i = 0; i < 4; i++)
		generations(10, true, true);
}
