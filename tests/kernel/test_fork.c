// SPDX-License-Identifier: MIT
/* tests/kernel/test_fork.c: fork, faults and exit on real tables: the laws hold at each step, tables shared or not. */
#include "core/count.h"
#include "kernel/ktest.h"
#include "mm/filemap.h"
#include "tests/kernel/space.h"

#define PAGES 300u

static struct mm *fork_space(struct mm *parent, u32 choice)
{
	struct mm *child = mm_alloc();

	KCHECK(dup_mm(child, parent, choice) == 0);
	KCHECK(verify_laws() == 0);
	return child;
}

/* Parent and child write in turn, the parent with its translations hot. */
static void fork_and_write(u32 choice)
{
	struct mm *a = new_space(), *b;

	KCHECK(map_pages(a, SPACE_BASE, PAGES));
	enter_space(a);
	KCHECK(fill_pages(SPACE_BASE, PAGES, 1));
	b = fork_space(a, choice);
	KCHECK((pt_find(a, SPACE_BASE) == pt_find(b, SPACE_BASE)) == (choice == SHARE_ALWAYS));
	KCHECK(!put_user(SPACE_BASE, 1000));
	KCHECK(verify_laws() == 0);
	enter_space(b);
	KCHECK(pages_hold(SPACE_BASE, PAGES, 1));
	KCHECK(fill_pages(SPACE_BASE + PAGE_SIZE, 10, 2000));
	KCHECK(verify_laws() == 0);
	enter_space(a);
	KCHECK(word_at(SPACE_BASE) == 1000);
	KCHECK(pages_hold(SPACE_BASE + PAGE_SIZE, PAGES - 1, 2));
	mm_put(b);
	KCHECK(fill_pages(SPACE_BASE, PAGES, 3000));
	KCHECK(verify_laws() == 0);
	enter_space(NULL);
	mm_put(a);
}

KTEST(fork_copied, "fork: with copied tables parent and child keep their own data")
{
	fork_and_write(SHARE_NEVER);
}
KTEST(fork_shared, "fork: with shared tables parent and child keep their own data")
{
	fork_and_write(SHARE_ALWAYS);
}

KTEST(fork_last, "fork: who is left of two sharers writes without copying table or page")
{
	struct mm *a = new_space(), *b;
	u32 copied;

	KCHECK(map_pages(a, SPACE_BASE, PAGES));
	enter_space(a);
	KCHECK(fill_pages(SPACE_BASE, PAGES, 1));
	b = fork_space(a, SHARE_ALWAYS);
	enter_space(b);
	KCHECK(pages_hold(SPACE_BASE, PAGES, 1));
	mm_put(a);
	copied = counters[CNT_ptes_copied] + counters[CNT_fault_cow_copy];
	KCHECK(fill_pages(SPACE_BASE, PAGES, 5));
	KCHECK(counters[CNT_ptes_copied] + counters[CNT_fault_cow_copy] == copied);
	enter_space(NULL);
	mm_put(b);
}

KTEST(fork_generations, "fork: eight generations that each write a page end in both orders without loss")
{
	struct mm *mm[8];

	for (u32 order = 0; order < 2; order++) {
		mm[0] = new_space();
		KCHECK(map_pages(mm[0], SPACE_BASE, PAGES));
		enter_space(mm[0]);
		KCHECK(fill_pages(SPACE_BASE, PAGES, 1));
		for (u32 i = 1; i < ARRAY_SIZE(mm); i++) {
			mm[i] = fork_space(mm[i - 1], i % 3 ? SHARE_ALWAYS : SHARE_NEVER);
			enter_space(mm[i]);
			KCHECK(!put_user(SPACE_BASE + i * PAGE_SIZE, 100 + i));
		}
		for (u32 k = 0; k < ARRAY_SIZE(mm); k++) {
			u32 i = order ? k : ARRAY_SIZE(mm) - 1 - k;

			enter_space(mm[i]);
			KCHECK(word_at(SPACE_BASE + i * PAGE_SIZE) == (i ? 100 + i : 1));
			KCHECK(pages_hold(SPACE_BASE + 8 * PAGE_SIZE, PAGES - 8, 9));
			enter_space(NULL);
			mm_put(mm[i]);
			KCHECK(verify_laws() == 0);
		}
	}
}

KTEST(fork_shared_memory, "fork: shared memory is seen by both, its table shared for writing")
{
	struct address_space *m = shmem_create(PMD_SIZE);
	struct mm *a = new_space(), *b;

	KCHECK(do_mmap(a, SPACE_BASE, PMD_SIZE, SPACE_RW | VM_SHARED, MAP_FIXED, m, NULL, 0) > 0);
	shmem_put(m);
	enter_space(a);
	KCHECK(fill_pages(SPACE_BASE, 20, 1));
	b = fork_space(a, SHARE_ALWAYS);
	enter_space(b);
	KCHECK(fill_pages(SPACE_BASE + 10 * PAGE_SIZE, 20, 50));
	KCHECK(pt_find(a, SPACE_BASE) == pt_find(b, SPACE_BASE));
	enter_space(a);
	KCHECK(pages_hold(SPACE_BASE + 10 * PAGE_SIZE, 20, 50));
	KCHECK(do_munmap(a, SPACE_BASE, PAGE_SIZE) == 0);
	KCHECK(verify_laws() == 0);
	enter_space(b);
	KCHECK(word_at(SPACE_BASE) == 1);
	enter_space(NULL);
	mm_put(b);
	mm_put(a);
}
