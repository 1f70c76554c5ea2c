// SPDX-License-Identifier: MIT
/* test_change.c: mmap, munmap, mprotect, mremap and madvise over tables that are shared. */
#include "scene.h"

#define MAYMOVE 1u
#define FIXED   3u

/* Two tables full of pages, shared by two mms. */
static struct mm *parent, *child;

static void two_tables(void)
{
	parent = new_filled(BASE, 1024);
	child = fork_mm(parent);
	check_shared(parent, child, TABLE(0));
	check_shared(parent, child, TABLE(1));
}

static void done(void)
{
	LAWS();
	mm_put(parent);
	LAWS();
	mm_put(child);
}

#define NO_AREA ((u32)-EFAULT)
#define DENIED  ((u32)-EACCES)

TEST_EACH(mmap_inside, "what the child maps inside a shared table does not appear in the parent")
{
	parent = new_filled(BASE, MANY);
	child = fork_mm(parent);
	map_anon(child, BASE + PAGES(300), 4);
	LAWS();
	fill(child, BASE + PAGES(300), 4, 2);
	CHECK_EQ(word_at(parent, BASE + PAGES(300)), NO_AREA);
	map_anon(parent, BASE + PAGES(302), 4);
	fill(parent, BASE + PAGES(302), 4, 3);
	LAWS();
	expect(child, BASE + PAGES(300), 4, 2);
	expect(parent, BASE, MANY, 1);
	expect(child, BASE, MANY, 1);
	done();
}

TEST_EACH(stack, "a stack that grows inside a shared table grows in one process only")
{
	u32 flags = RW | VM_GROWSDOWN, top = BASE + PAGES(400);

	parent = new_filled(BASE, MANY);
	CHECK_EQ((u32)do_mmap(parent, top - PAGES(4), PAGES(4), flags, MAP_FIXED, NULL, NULL, 0),
		 top - PAGES(4));
	fill(parent, top - PAGES(4), 4, 1);
	child = fork_choice(parent, policy_shares() ? SHARE_ALWAYS : SHARE_DEFAULT);
	CHECK_EQ(word_at(child, top - PAGES(6)), 0u);
	LAWS();
	fill(child, top - PAGES(8), 4, 2);
	LAWS();
	CHECK_EQ(find_vma(parent, top - 1)->start, top - PAGES(4));
	fill(parent, top - PAGES(6), 2, 3);
	expect(child, top - PAGES(8), 4, 2);
	expect(child, top - PAGES(4), 4, 1);
	CHECK_EQ(machine_write(child, BASE + PAGES(MANY + 2), 1), -EFAULT);
	done();
}

static void map_over(u32 first, u32 n)
{
	two_tables();
	map_anon(child, BASE + PAGES(first), n);
	LAWS();
	expect_all(child, BASE + PAGES(first), n, 0);
	fill(child, BASE + PAGES(first), n, 2);
	LAWS();
	expect(parent, BASE, 1024, 1);
	expect(child, BASE, first, 1);
	expect(child, BASE + PAGES(first + n), 1024 - first - n, 1);
	done();
}

TEST_EACH(over_part, "MAP_FIXED over part of a shared table changes the caller only")
{
	map_over(100, 30);
}
TEST_EACH(over_edge, "MAP_FIXED across the edge of two shared tables changes the caller only")
{
	map_over(500, 30);
}
TEST_EACH(over_whole, "MAP_FIXED over a whole shared table and part of the next changes the caller only")
{
	map_over(0, 600);
}

static void unmap_one(u32 first, u32 n)
{
	struct mm *who[2];

	for (int turn = 0; turn < 2; turn++) {
		two_tables();
		who[0] = turn ? parent : child;
		who[1] = turn ? child : parent;
		expect(who[0], BASE, 1024, 1);
		CHECK_EQ(do_munmap(who[0], BASE + PAGES(first), PAGES(n)), 0);
		LAWS();
		for (u32 i = first; i < first + n; i += 1 + n / 4)
			CHECK_EQ(word_at(who[0], BASE + PAGES(i)), NO_AREA);
		expect(who[0], BASE, first, 1);
		expect(who[0], BASE + PAGES(first + n), 1024 - first - n, 1);
		fill(who[0], BASE, first, 2);
		expect(who[1], BASE, 1024, 1);
		fill(who[1], BASE, 1024, 3);
		LAWS();
		expect(who[0], BASE, first, 2);
		done();
	}
}

TEST_EACH(unmap_first, "munmap of the first page of a shared table leaves the other process whole")
{
	unmap_one(0, 1);
}
TEST_EACH(unmap_middle, "munmap in the middle of a shared table leaves the other process whole")
{
	unmap_one(200, 20);
}
TEST_EACH(unmap_last, "munmap of the last page of a shared table leaves the other process whole")
{
	unmap_one(511, 1);
}
TEST_EACH(unmap_two, "munmap across two shared tables leaves the other process whole")
{
	unmap_one(400, 300);
}
TEST_EACH(unmap_table, "munmap of a whole shared table leaves the other process whole")
{
	unmap_one(0, 512);
}
TEST_EACH(unmap_all, "munmap of everything leaves the other process whole")
{
	unmap_one(0, 1024);
}

TEST_SHARING(drop_table, "munmap of a whole shared table copies nothing")
{
	u32 copied;

	two_tables();
	copied = counters[CNT_ptes_copied];
	CHECK_EQ(do_munmap(child, BASE, PMD_SIZE), 0);
	CHECK_EQ(counters[CNT_ptes_copied], copied);
	CHECK(same_table(parent, child, TABLE(1)));
	done();
}

static void protect(struct mm *who, struct mm *other)
{
	u32 at = BASE + PAGES(100), len = PAGES(600);

	CHECK_EQ(do_mprotect(who, at, len, VM_READ), 0);
	LAWS();
	CHECK_EQ(machine_write(who, at, 1), -EACCES);
	CHECK_EQ(machine_write(who, at - PAGES(1), 0x10000 | 99), 0);
	fill(other, at, 2, 2);
	expect(who, at, 600, 1);
	CHECK_EQ(do_mprotect(who, at, len, 0), 0);
	LAWS();
	CHECK_EQ(word_at(who, at), DENIED);
	CHECK_EQ(do_mprotect(who, at, len, VM_READ | VM_WRITE), 0);
	LAWS();
	expect(who, at, 600, 1);
	fill(who, at, 4, 3);
	LAWS();
	expect(other, at, 2, 2);
	expect(other, at + PAGES(2), 598, 1);
	CHECK_EQ(who->nr_areas, 1u);
}

TEST_EACH(protect_child, "mprotect in the child: rights differ, contents stay, writes are private")
{
	two_tables();
	protect(child, parent);
	done();
}
TEST_EACH(protect_parent, "mprotect in the parent: rights differ, contents stay, writes are private")
{
	two_tables();
	protect(parent, child);
	done();
}

TEST_EACH(protect_hot, "a page whose right to write has gone is denied at once, be it 1 page or 512")
{
	static const u32 n[] = {1, 33, 512};

	for (u32 i = 0; i < ARRAY_SIZE(n); i++) {
		struct mm *mm = new_filled(BASE, 512);

		CHECK_EQ(do_mprotect(mm, BASE, PAGES(n[i]), VM_READ), 0);
		for (u32 k = 0; k < n[i]; k++)
			CHECK_EQ(machine_write(mm, BASE + PAGES(k), 0), -EACCES);
		expect(mm, BASE, 512, 1);
		LAWS();
		mm_put(mm);
	}
}

TEST_EACH(move_out, "mremap out of a shared table: contents follow, the source is empty in the caller only")
{
	two_tables();
	map_anon(child, TABLE(3) + PAGES(540), 1);
	fill(child, TABLE(3) + PAGES(540), 1, 1);
	fill(child, BASE, 1024, 1);
	CHECK_EQ((u32)do_mremap(child, BASE + PAGES(500), PAGES(40), PAGES(40), FIXED, TABLE(3) + PAGES(500)),
		 TABLE(3) + PAGES(500));
	LAWS();
	expect_from(child, TABLE(3) + PAGES(500), 40, 1, 500);
	for (u32 i = 500; i < 540; i++)
		CHECK_EQ(machine_write(child, BASE + PAGES(i), 0), -EFAULT);
	CHECK_EQ(word_at(child, BASE + PAGES(500)), NO_AREA);
	fill(child, TABLE(3) + PAGES(500), 40, 2);
	LAWS();
	expect(parent, BASE, 1024, 1);
	done();
}

TEST_EACH(move_into, "mremap into and across shared tables changes the caller only")
{
	two_tables();
	map_anon(child, TABLE(4), 40);
	fill(child, TABLE(4), 40, 2);
	CHECK_EQ((u32)do_mremap(child, TABLE(4), PAGES(40), PAGES(60), FIXED, BASE + PAGES(490)),
		 BASE + PAGES(490));
	LAWS();
	expect_from(child, BASE + PAGES(490), 40, 2, 4 * 512);
	expect_all(child, BASE + PAGES(530), 20, 0);
	expect(parent, BASE, 1024, 1);
	expect(child, BASE + PAGES(550), 474, 1);
	done();
}

TEST_EACH(grow_part, "mremap that moves and grows the middle of an area leaves the rest of it where it is")
{
	two_tables();
	CHECK_EQ((u32)do_mremap(child, BASE + PAGES(100), PAGES(10), PAGES(700), FIXED, TABLE(3)), TABLE(3));
	LAWS();
	expect_from(child, TABLE(3), 10, 1, 100);
	expect_all(child, TABLE(3) + PAGES(10), 690, 0);
	expect(child, BASE + PAGES(110), 914, 1);
	expect(parent, BASE, 1024, 1);
	done();
}

TEST_EACH(grow_into, "mremap that grows, by move, over the hole of another shared table takes it first")
{
	parent = new_filled(TABLE(4), 4);
	map_anon(parent, TABLE(1) + PAGES(100), MANY);
	fill(parent, TABLE(1) + PAGES(100), MANY, 1);
	child = fork_mm(parent);
	check_shared(parent, child, TABLE(1));
	CHECK_EQ((u32)do_mremap(child, TABLE(4), PAGES(4), PAGES(20), FIXED, TABLE(1) - PAGES(10)),
		 TABLE(1) - PAGES(10));
	LAWS();
	expect_from(child, TABLE(1) - PAGES(10), 4, 1, 4 * 512);
	fill(child, TABLE(1) - PAGES(6), 16, 2);
	LAWS();
	CHECK_EQ(word_at(parent, TABLE(1)), NO_AREA);
	done();
}

TEST_EACH(grow_in_place, "mremap grows in place inside a shared table for the caller only")
{
	parent = new_filled(BASE, MANY);
	child = fork_mm(parent);
	CHECK_EQ((u32)do_mremap(child, BASE, PAGES(MANY), PAGES(600), 0, 0), BASE);
	LAWS();
	fill(child, BASE + PAGES(MANY), 400, 2);
	CHECK_EQ(word_at(parent, BASE + PAGES(MANY)), NO_AREA);
	CHECK_EQ((u32)do_mremap(child, BASE, PAGES(600), PAGES(10), 0, 0), BASE);
	LAWS();
	CHECK_EQ(word_at(child, BASE + PAGES(10)), NO_AREA);
	expect(child, BASE, 10, 1);
	expect(parent, BASE, MANY, 1);
	done();
}

TEST_EACH(move_twice, "memory moved there and back and forked between is found by rmap and by its owner")
{
	struct mm *third;

	parent = new_filled(BASE, MANY);
	CHECK_EQ((u32)do_mremap(parent, BASE, PAGES(MANY), PAGES(MANY), FIXED, TABLE(2) + PAGES(7)),
		 TABLE(2) + PAGES(7));
	child = fork_mm(parent);
	CHECK_EQ((u32)do_mremap(child, TABLE(2) + PAGES(7), PAGES(50), PAGES(50), FIXED, BASE), BASE);
	LAWS();
	third = fork_mm(child);
	fill(child, BASE, 10, 2);
	LAWS();
	expect_from(third, BASE, 50, 1, 0);
	expect_from(third, TABLE(2) + PAGES(57), MANY - 50, 1, 50);
	expect_from(parent, TABLE(2) + PAGES(7), MANY, 1, 0);
	mm_put(third);
	done();
}

static void discard(struct mm *who, struct mm *other)
{
	expect(who, BASE, 1024, 1);
	CHECK_EQ(do_madvise_dontneed(who, BASE + PAGES(10), PAGES(20)), 0);
	LAWS();
	expect_all(who, BASE + PAGES(10), 20, 0);
	CHECK_EQ(do_madvise_dontneed(who, TABLE(1), PMD_SIZE), 0);
	LAWS();
	expect_all(who, TABLE(1), 512, 0);
	expect(who, BASE, 10, 1);
	expect(other, BASE, 1024, 1);
	CHECK_EQ(do_madvise_dontneed(who, TABLE(1), PMD_SIZE * 2), -ENOMEM);
	done();
}

TEST_EACH(discard_child, "MADV_DONTNEED in the child leaves the parent its data")
{
	two_tables();
	discard(child, parent);
}
TEST_EACH(discard_parent, "MADV_DONTNEED in the parent leaves the child its data")
{
	two_tables();
	discard(parent, child);
}

TEST_EACH(split_then_unshare, "areas cut after the fork keep their rules when the table comes apart")
{
	struct mm *third;

	two_tables();
	CHECK_EQ(do_mprotect(child, BASE + PAGES(50), PAGES(50), VM_READ), 0);
	third = fork_mm(child);
	check_shared(child, third, BASE);
	fill(third, BASE + PAGES(40), 10, 2);
	LAWS();
	CHECK_EQ(machine_write(third, BASE + PAGES(50), 0), -EACCES);
	CHECK_EQ(do_munmap(child, BASE + PAGES(60), PAGES(10)), 0);
	LAWS();
	expect(third, BASE + PAGES(50), 50, 1);
	fill(third, BASE + PAGES(100), 10, 2);
	expect(child, BASE + PAGES(100), 10, 1);
	expect(parent, BASE, 1024, 1);
	mm_put(third);
	done();
}

TEST_EACH(exit_with_holes, "exit with several areas in one table, some tables shared, drops each once")
{
	struct address_space *m = new_file(4, 5);

	parent = new_filled(BASE + PAGES(3), MANY);
	map_object(parent, BASE + PAGES(200), 4, RW | VM_SHARED, m, 0);
	map_anon(parent, BASE + PAGES(300), 10);
	map_anon(parent, TABLE(2) - PAGES(2), 4);
	fill(parent, BASE + PAGES(200), 4, 6);
	fill(parent, TABLE(2) - PAGES(2), 4, 6);
	child = fork_mm(parent);
	fill(child, TABLE(2) - PAGES(1), 1, 7);
	mm_put(parent);
	LAWS();
	expect(child, BASE + PAGES(200), 4, 6);
	expect(child, BASE + PAGES(3), MANY, 1);
	mm_put(child);
	free_file(m);
}

TEST_EACH(populate, "populate after a fork takes tables and pages for the caller")
{
	two_tables();
	CHECK_EQ(populate_range(child, BASE + PAGES(500), PAGES(30)), 0);
	LAWS();
	CHECK(!same_table(parent, child, BASE));
	CHECK(page_at(parent, BASE + PAGES(500)) != page_at(child, BASE + PAGES(500)));
	CHECK_EQ(page_at(parent, BASE + PAGES(10)), page_at(child, BASE + PAGES(10)));
	expect(child, BASE, 1024, 1);
	CHECK_EQ(do_munmap(child, BASE, PAGES(2)), 0);
	CHECK_EQ((u32)do_mmap(child, BASE, PAGES(2), RW, MAP_FIXED | MAP_POPULATE, NULL, NULL, 0), BASE);
	LAWS();
	expect_all(child, BASE, 2, 0);
	done();
}

TEST_EACH(replaced, "a page that the kernel replaced for a process is not reached by an old translation")
{
	struct page *page;

	parent = new_mm();
	map_anon(parent, BASE, 4);
	child = fork_mm(parent);
	CHECK_EQ(word_at(child, BASE), 0u);
	page = mm_get_page(child, BASE, true);
	CHECK_EQ(machine_stale_translations(), 0u);
	machine_set_word(page_to_pfn(page) << PAGE_SHIFT, 42);
	mm_put_page(page);
	LAWS();
	CHECK_EQ(word_at(child, BASE), 42u);
	done();
}

TEST_EACH(kernel_write, "the kernel's write to a page of the child as the first after fork is private")
{
	struct page *page;

	two_tables();
	page = mm_get_page(child, BASE + PAGES(5), true);
	CHECK(page && page == page_at(child, BASE + PAGES(5)) && page != page_at(parent, BASE + PAGES(5)));
	machine_set_word(page_to_pfn(page) << PAGE_SHIFT, 42);
	mm_put_page(page);
	LAWS();
	CHECK_EQ(word_at(child, BASE + PAGES(5)), 42);
	expect(parent, BASE, 1024, 1);
	CHECK(!mm_get_page(child, TABLE(7), true));
	done();
}
