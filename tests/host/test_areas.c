// SPDX-License-Identifier: MIT
/* test_areas.c: the areas of an address space against a map of single pages. */
#include "scene.h"

/* What each page of the region is: 0 nothing, else 1 + its rights. */
enum { REGION = 3 * 512 };

static u32 model[REGION];

static u32 addr_of(u32 page)
{
	return BASE + PAGES(page);
}

static void check_model(struct mm *mm)
{
	struct vma *v = mm->first;

	for (u32 i = 0; i < REGION; i++) {
		while (v && v->end <= addr_of(i))
			v = v->next;
		CHECK_EQ(model[i], v && v->start <= addr_of(i) ? 1 + (v->flags & VM_ACCESS) : 0);
	}
	for (v = mm->first; v && v->next; v = v->next)
		CHECK(v->end < v->next->start || v->flags != v->next->flags || v->anon != v->next->anon);
}

static void set_model(u32 first, u32 n, u32 value)
{
	for (u32 i = first; i < first + n; i++)
		model[i] = value;
}

/* A range that likes table boundaries. */
static void random_range(u32 *first, u32 *n)
{
	*first = random_below(2) ? random_below(REGION) : random_below(3) * 512 + random_below(4);
	*n = random_below(4) ? 1 + random_below(8) : 1 + random_below(REGION);
	if (random_below(4) == 0)
		*first &= ~511u;
	*n = min(*n, REGION - *first);
}

static bool all_mapped(u32 first, u32 n)
{
	for (u32 i = first; i < first + n; i++)
		if (!model[i])
			return false;
	return true;
}

static void random_area_op(struct mm *mm)
{
	static const u32 rights[] = {VM_READ, VM_READ | VM_WRITE, 0, VM_READ | VM_EXEC};
	u32 first, n, r = rights[random_below(ARRAY_SIZE(rights))];

	random_range(&first, &n);
	switch (random_below(4)) {
	case 0:
		CHECK_EQ(do_munmap(mm, addr_of(first), PAGES(n)), 0);
		set_model(first, n, 0);
		break;
	case 1:
		CHECK_EQ(do_mprotect(mm, addr_of(first), PAGES(n), r), all_mapped(first, n) ? 0 : -ENOMEM);
		if (all_mapped(first, n))
			set_model(first, n, 1 + r);
		break;
	case 2:
		for (u32 i = first; i < first + n; i += 1 + n / 8)
			machine_write(mm, addr_of(i), i);
		break;
	default:
		CHECK_EQ((u32)do_mmap(mm, addr_of(first), PAGES(n), r | VM_MAYWRITE, MAP_FIXED, NULL, NULL,
				      0),
			 addr_of(first));
		set_model(first, n, 1 + r);
	}
}

TEST_UNDER(random, every_rmap, "random mmap, munmap and mprotect leave the areas that a map of pages says")
{
	struct mm *mm = new_mm();

	for (u32 step = 0; step < 2500; step++) {
		random_area_op(mm);
		check_model(mm);
		if (step % 64 == 0)
			LAWS();
	}
	mm_put(mm);
}

TEST(find, "find_vma gives the first area that ends above the address")
{
	struct mm *mm = new_mm();

	map_anon(mm, TABLE(0), 2);
	map_anon(mm, TABLE(1), 1);
	CHECK_EQ(find_vma(mm, 0)->start, TABLE(0));
	CHECK_EQ(find_vma(mm, TABLE(0) + PAGES(2) - 1)->start, TABLE(0));
	CHECK_EQ(find_vma(mm, TABLE(0) + PAGES(2))->start, TABLE(1));
	CHECK(!find_vma(mm, TABLE(1) + PAGES(1)));
	CHECK(!find_vma_intersection(mm, TABLE(0) + PAGES(2), TABLE(1)));
	CHECK(find_vma_intersection(mm, TABLE(0) + PAGES(1), TABLE(1)));
	mm_put(mm);
}

TEST(arguments, "mmap, munmap, mprotect and mremap refuse what makes no sense, and change nothing")
{
	struct mm *mm = new_filled(BASE, 4);

	CHECK_EQ(do_mmap(mm, BASE, 0, RW, MAP_FIXED, NULL, NULL, 0), (long)-EINVAL);
	CHECK_EQ(do_mmap(mm, BASE + 1, 4096, RW, MAP_FIXED, NULL, NULL, 0), (long)-EINVAL);
	CHECK_EQ(do_mmap(mm, TASK_SIZE - 4096, 8192, RW, MAP_FIXED, NULL, NULL, 0), (long)-EINVAL);
	CHECK_EQ(do_mmap(mm, 0, ~0u, RW, 0, NULL, NULL, 0), (long)-ENOMEM);
	CHECK_EQ(do_mmap(mm, BASE, 4096, RW, MAP_FIXED_NOREPLACE, NULL, NULL, 0), (long)-EEXIST);
	CHECK_EQ(do_mmap(mm, BASE, 8192, RW, MAP_FIXED, NULL, NULL, ~0u), (long)-EOVERFLOW);
	CHECK_EQ(do_munmap(mm, BASE + 1, 4096), -EINVAL);
	CHECK_EQ(do_munmap(mm, BASE, 0), -EINVAL);
	CHECK_EQ(do_munmap(mm, TASK_SIZE - 4096, 8192), -EINVAL);
	CHECK_EQ(do_mprotect(mm, BASE + 1, 4096, VM_READ), -EINVAL);
	CHECK_EQ(do_mprotect(mm, BASE, PAGES(5), VM_READ), -ENOMEM);
	CHECK_EQ(do_mremap(mm, BASE, PAGES(5), PAGES(6), 1, 0), (long)-EFAULT);
	CHECK_EQ(do_mremap(mm, BASE, PAGES(2), PAGES(2), 3, BASE + PAGES(1)), (long)-EINVAL);
	CHECK_EQ(do_mremap(mm, BASE, PAGES(4), 0, 1, 0), (long)-EINVAL);
	expect(mm, BASE, 4, 1);
	mm_put(mm);
}

TEST(top_down, "mmap fills holes below mmap_base from the top, and keeps a hint that is free")
{
	struct mm *mm = new_mm();
	u32 top = mm->layout.mmap_base;

	CHECK_EQ((u32)do_mmap(mm, 0, PAGES(4), RW, 0, NULL, NULL, 0), top - PAGES(4));
	CHECK_EQ((u32)do_mmap(mm, 0, PAGES(4), RO, 0, NULL, NULL, 0), top - PAGES(8));
	CHECK_EQ((u32)do_mmap(mm, BASE, PAGES(4), RO, 0, NULL, NULL, 0), BASE);
	CHECK_EQ(do_munmap(mm, top - PAGES(3), PAGES(2)), 0);
	CHECK_EQ((u32)do_mmap(mm, 0, PAGES(3), RW, 0, NULL, NULL, 0), top - PAGES(11));
	CHECK_EQ((u32)do_mmap(mm, 0, PAGES(2), RW, 0, NULL, NULL, 0), top - PAGES(3));
	CHECK_EQ((u32)do_mmap(mm, 0, PAGES(1), RW, 0, NULL, NULL, 0), top - PAGES(12));
	mm_put(mm);
}

TEST_EACH(brk, "the break grows and shrinks, in parent and child apart")
{
	struct mm *a = new_mm(), *b;

	a->layout.start_brk = a->layout.brk = BASE + 100;
	CHECK_EQ(do_brk(a, BASE + PAGES(MANY)), BASE + PAGES(MANY));
	fill(a, BASE + PAGES(1), MANY - 1, 1);
	CHECK_EQ(word_at(a, BASE), (u32)-EFAULT);
	b = fork_mm(a);
	check_shared(a, b, BASE + PAGES(2));
	CHECK_EQ(do_brk(b, BASE + PAGES(MANY + 4)), BASE + PAGES(MANY + 4));
	LAWS();
	fill(b, BASE + PAGES(MANY), 4, 2);
	CHECK_EQ(word_at(a, BASE + PAGES(MANY)), (u32)-EFAULT);
	CHECK_EQ(do_brk(a, BASE + PAGES(3) - 5), BASE + PAGES(3) - 5);
	LAWS();
	expect(b, BASE + PAGES(1), MANY - 1, 1);
	CHECK_EQ(word_at(a, BASE + PAGES(3)), (u32)-EFAULT);
	CHECK_EQ(do_brk(a, BASE), BASE + PAGES(3) - 5);
	CHECK_EQ(do_brk(a, BASE + PAGES(6)), BASE + PAGES(6));
	expect_all(a, BASE + PAGES(3), 3, 0);
	LAWS();
	mm_put(a);
	expect(b, BASE + PAGES(1), MANY - 1, 1);
	mm_put(b);
}
