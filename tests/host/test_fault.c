// SPDX-License-Identifier: MIT
/* test_fault.c: what a fault brings, what copy-on-write keeps apart, and what the CPU may remember. */
#include "scene.h"
#include "mm/fault.h"

static u32 frame_word(const struct page *page)
{
	return machine_word(page_to_pfn(page) << PAGE_SHIFT);
}

TEST_EACH(anon, "an untouched page reads as zero from one frame, and a write gives a frame of its own")
{
	struct mm *mm = new_mm();

	map_anon(mm, BASE, 4);
	expect_all(mm, BASE, 4, 0);
	CHECK_EQ(page_at(mm, BASE), zero_page);
	CHECK_EQ(page_at(mm, BASE + PAGES(3)), zero_page);
	LAWS();
	fill(mm, BASE, 2, 1);
	CHECK(page_at(mm, BASE) != zero_page && page_at(mm, BASE) != page_at(mm, BASE + PAGES(1)));
	LAWS();
	expect(mm, BASE, 2, 1);
	expect_all(mm, BASE + PAGES(2), 2, 0);
	mm_put(mm);
}

TEST(denied, "an access without an area is -EFAULT, without the right -EACCES, behind a file's end -EIO")
{
	struct address_space *m = new_file(2, 5);
	struct mm *mm = new_mm();
	u32 v;

	map_object(mm, BASE, 4, RO, m, 0);
	CHECK_EQ(machine_read(mm, BASE - 4, &v), -EFAULT);
	CHECK_EQ(machine_write(mm, BASE, 1), -EACCES);
	CHECK_EQ(machine_read(mm, BASE + PAGES(2), &v), -EIO);
	CHECK_EQ(mm_fault(mm, BASE, FAULT_EXEC), -EACCES);
	CHECK_EQ(do_mprotect(mm, BASE, PAGES(1), 0), 0);
	CHECK_EQ(machine_read(mm, BASE, &v), -EACCES);
	mm_put(mm);
	free_file(m);
}

TEST_EACH(cow_file, "a private write to a file's page leaves the file and its other readers alone")
{
	struct address_space *m = new_file(4, 5);
	struct mm *a = new_mm(), *b = new_mm();

	map_object(a, BASE, 4, RW, m, 0);
	map_object(b, BASE, 4, RW | VM_SHARED, m, 0);
	expect_from(a, BASE, 2, 5, 0);
	fill(a, BASE, 3, 6);
	LAWS();
	expect_from(b, BASE, 4, 5, 0);
	expect(a, BASE, 3, 6);
	CHECK_EQ(machine_write(b, BASE + PAGES(3), 9), 0);
	CHECK_EQ(word_at(a, BASE + PAGES(3)), 9);
	mm_put(a);
	mm_put(b);
	CHECK_EQ(m->nr_pages, 4u);
	free_file(m);
}

TEST_EACH(reuse, "a page whose other user has gone is written in place, one that is held elsewhere is not")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_choice(a, SHARE_NEVER);
	struct page *page = page_at(a, BASE), *held = page_at(a, BASE + PAGES(1));

	mm_put(b);
	get_page(held);
	fill(a, BASE, 2, 2);
	CHECK_EQ(page_at(a, BASE), page);
	CHECK(page_at(a, BASE + PAGES(1)) != held);
	CHECK_EQ(frame_word(held), 1u << 16 | 1);
	put_page(held);
	LAWS();
	mm_put(a);
}

TEST_EACH(held, "a page held by the kernel while the child unmaps it is copied by the parent's write")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);
	struct page *held = mm_get_page(b, BASE, false);

	CHECK_EQ(do_munmap(b, BASE, PAGE_SIZE), 0);
	CHECK_EQ(machine_write(a, BASE, 42), 0);
	CHECK_EQ(frame_word(held), 1u << 16);
	CHECK_EQ(word_at(a, BASE), 42);
	mm_put_page(held);
	LAWS();
	mm_put(a);
	mm_put(b);
}

TEST_EACH(first_touch, "the first touch of an empty gigabyte ends after one fault")
{
	struct mm *mm = new_mm();

	for (u32 i = 0; i < 3; i++) {
		u32 at = i * PGD_SIZE + PAGES(77), before = counters[CNT_fault_spurious];

		map_anon(mm, at, 1);
		CHECK_EQ(machine_write(mm, at, i), 0);
		CHECK_EQ(counters[CNT_fault_spurious], before);
	}
	LAWS();
	mm_put(mm);
}

TEST_EACH(stale_old_right, "a write with the right taken over costs one fault and no loop")
{
	struct mm *a = new_filled(BASE, MANY), *b = fork_mm(a);
	u32 v;

	CHECK_EQ(machine_read(b, BASE, &v), 0);
	mm_put(a);
	fill(b, BASE, MANY, 3);
	LAWS();
	mm_put(b);
}

TEST_EACH(reuse_of_table, "a table that was dropped and is another's now is not reached by the old user")
{
	struct mm *a = new_filled(BASE, 512), *b = fork_mm(a), *c;

	expect(b, BASE, 512, 1);
	CHECK_EQ(do_munmap(b, BASE, PMD_SIZE), 0);
	mm_put(a);
	c = new_filled(BASE, 512);
	fill(c, BASE, 512, 9);
	for (u32 i = 0; i < 512; i += 16)
		CHECK_EQ(word_at(b, BASE + PAGES(i)), (u32)-EFAULT);
	LAWS();
	mm_put(b);
	mm_put(c);
}

TEST(stack_limits, "a stack grows to its limit, not into the guard above a neighbour, not without the flag")
{
	struct mm *mm = new_mm();
	u32 top = TABLE(3);

	mm->layout.stack_limit = PAGES(64);
	CHECK_EQ((u32)do_mmap(mm, top - PAGES(1), PAGES(1), RW | VM_GROWSDOWN, MAP_FIXED, NULL, NULL, 0),
		 top - PAGES(1));
	CHECK_EQ(machine_write(mm, top - PAGES(64), 1), 0);
	CHECK_EQ(machine_write(mm, top - PAGES(65), 1), -EFAULT);
	mm->layout.stack_limit = PAGES(1024);
	map_anon(mm, top - PAGES(100), 1);
	CHECK_EQ(machine_write(mm, top - PAGES(99 - 16), 1), 0);
	CHECK_EQ(machine_write(mm, top - PAGES(99 - 15), 1), -EFAULT);
	CHECK_EQ(machine_write(mm, top - PAGES(101), 1), -EFAULT);
	LAWS();
	mm_put(mm);
}

TEST_EACH(truncate, "truncation takes pages and private copies from all sharers, and zeroes the tail")
{
	struct address_space *m = new_file(MANY + 100, 5);
	struct mm *a = new_mm(), *b, *c;

	map_object(a, BASE, MANY + 100, RW, m, 0);
	map_object(a, TABLE(2), MANY + 100, RW | VM_SHARED, m, 0);
	expect_from(a, BASE, MANY + 100, 5, 0);
	fill(a, BASE + PAGES(50), 10, 6);
	b = fork_mm(a);
	check_shared(a, b, BASE);
	c = fork_mm(a);
	fill(c, BASE, 1, 7);
	expect_from(c, TABLE(2), 60, 5, 0);
	truncate_mapping(m, PAGES(40) + 2);
	LAWS();
	for (u32 i = 41; i < MANY + 100; i += 13) {
		CHECK_EQ(word_at(a, BASE + PAGES(i)), (u32)-EIO);
		CHECK_EQ(word_at(b, BASE + PAGES(i)), (u32)-EIO);
		CHECK_EQ(word_at(c, TABLE(2) + PAGES(i)), (u32)-EIO);
	}
	CHECK_EQ(word_at(b, BASE + PAGES(40)), 40u); /* 5 << 16 lay behind the end */
	expect_from(b, BASE, 40, 5, 0);
	CHECK_EQ(m->nr_pages, 41u);
	truncate_mapping(m, PAGES(MANY));
	expect_all(a, BASE + PAGES(50), 10, 0);
	LAWS();
	mm_put(a);
	mm_put(b);
	LAWS();
	mm_put(c);
	free_file(m);
}

/* Was the page dirty? The mark goes. */
static bool was_dirty(struct address_space *m, u32 index)
{
	struct page *page = find_get_page(m, index);
	bool dirty = page->flags & PG_DIRTY;

	page->flags &= ~PG_DIRTY;
	put_page(page);
	return dirty;
}

TEST_EACH(dirty, "a page written through a shared mapping is dirty after fork, unshare, mremap and exit")
{
	struct address_space *m = new_file(600, 5);
	struct mm *a = new_mm(), *b;

	map_object(a, BASE, 600, RW | VM_SHARED, m, 0);
	fill(a, BASE, 600, 6);
	b = fork_mm(a);
	fill(b, BASE + PAGES(1), 1, 6);
	CHECK_EQ(do_mprotect(a, BASE, PAGES(5), VM_READ), 0);
	CHECK_EQ(do_mremap(b, BASE + PAGES(560), PAGES(10), PAGES(10), 3, TABLE(4)), (long)TABLE(4));
	LAWS();
	mm_put(a);
	mm_put(b);
	for (u32 i = 0; i < 600; i++)
		CHECK(was_dirty(m, i));
	free_file(m);
}

TEST_EACH(populate_file, "populate enters what the cache holds, up to the file's end, and no more")
{
	struct address_space *m = new_file(40, 5);
	struct mm *mm = new_mm(), *b;
	u32 v;

	map_object(mm, TABLE(1) - PAGES(20), 60, RO, m, 0);
	CHECK_EQ(populate_range(mm, TABLE(1) - PAGES(20), PAGES(40)), 0);
	for (u32 i = 0; i < 40; i++)
		CHECK(machine_peek(mm, TABLE(1) - PAGES(20) + PAGES(i), &v) && v == (5 << 16 | i));
	CHECK(!machine_peek(mm, TABLE(1) + PAGES(20), &v));
	CHECK_EQ(populate_range(mm, TABLE(1), PAGES(30)), -EIO);
	LAWS();
	b = fork_mm(mm);
	LAWS();
	mm_put(mm);
	expect_from(b, TABLE(1) - PAGES(20), 40, 5, 0);
	mm_put(b);
	free_file(m);
}
