// SPDX-License-Identifier: MIT
/* tests/kernel/test_mmu.c: the CPU does with our entries what mm/ believes it does. */
#include "core/count.h"
#include "kernel/ktest.h"
#include "mm/page_alloc.h"
#include "tests/kernel/space.h"

/* A write that the fault handler must not help with: 0, or bytes left. */
static u32 write_unaided(u32 addr, u32 value)
{
	u32 left;

	no_sleep_depth++;
	left = __copy_to_user(addr, &value, sizeof(value));
	no_sleep_depth--;
	return left;
}
static u32 read_unaided(u32 addr, u32 *value)
{
	u32 left;

	no_sleep_depth++;
	left = __copy_from_user(value, addr, sizeof(*value));
	no_sleep_depth--;
	return left;
}

KTEST(pmd_rights, "mmu: RW=0 in the middle entry denies writes below it though the page's entry allows them")
{
	struct mm *mm = new_space();
	pmd_t *pmd;
	u32 v = 0;

	KCHECK(map_pages(mm, SPACE_BASE, 2));
	enter_space(mm);
	KCHECK(!put_user(SPACE_BASE, 7));
	pmd = pmd_find(mm, SPACE_BASE);
	KCHECK(pte_write(pt_read(pmd_table(*pmd), SPACE_BASE)) && pte_write(*pmd));
	KCHECK(!write_unaided(SPACE_BASE, 8));
	*pmd = pte_wrprotect(*pmd);
	mmu_flush_all(mm->pgd);
	KCHECK(write_unaided(SPACE_BASE, 9) == 4);
	KCHECK(!read_unaided(SPACE_BASE, &v) && v == 8);
	/* A right that is given back needs no flush: one fault at most. */
	*pmd = pte_mkwrite(*pmd);
	KCHECK(!put_user(SPACE_BASE, 9));
	KCHECK(!write_unaided(SPACE_BASE, 10));
	enter_space(NULL);
	mm_put(mm);
}

KTEST(pte_rights, "mmu: RW=0 in the page's entry denies writes after its translation is forgotten")
{
	struct mm *mm = new_space();
	struct page *table;
	pte_t *p;

	KCHECK(map_pages(mm, SPACE_BASE, 1));
	enter_space(mm);
	KCHECK(!put_user(SPACE_BASE, 7));
	table = pt_find(mm, SPACE_BASE);
	p = pte_map_table(table, FIX_PTE_DST);
	pt_wrprotect(table, p);
	pte_unmap_table(table, FIX_PTE_DST);
	mmu_flush_page(mm->pgd, SPACE_BASE);
	KCHECK(write_unaided(SPACE_BASE, 8) == 4);
	KCHECK(!put_user(SPACE_BASE, 8));
	enter_space(NULL);
	mm_put(mm);
}

KTEST(marks, "mmu: the CPU marks entries accessed and dirty, after a flush again")
{
	struct mm *mm = new_space();
	struct page *table;
	pte_t *p;
	u32 v;

	KCHECK(map_pages(mm, SPACE_BASE, 1));
	enter_space(mm);
	KCHECK(!put_user(SPACE_BASE, 7));
	table = pt_find(mm, SPACE_BASE);
	p = pte_map_table(table, FIX_PTE_DST);
	pt_change(table, p, pte_mkold(pte_mkclean(*p)));
	pte_unmap_table(table, FIX_PTE_DST);
	mmu_flush_page(mm->pgd, SPACE_BASE);
	KCHECK(!pte_young(pt_read(table, SPACE_BASE)));
	KCHECK(!read_unaided(SPACE_BASE, &v));
	KCHECK(pte_young(pt_read(table, SPACE_BASE)) && !pte_dirty(pt_read(table, SPACE_BASE)));
	KCHECK(!write_unaided(SPACE_BASE, 8));
	KCHECK(pte_dirty(pt_read(table, SPACE_BASE)));
	enter_space(NULL);
	mm_put(mm);
}

KTEST(switching, "mmu: two address spaces keep their data at the same address through switches of CR3")
{
	struct mm *a = new_space(), *b = new_space();

	KCHECK(map_pages(a, SPACE_BASE, 4) && map_pages(b, SPACE_BASE, 4));
	enter_space(a);
	KCHECK(fill_pages(SPACE_BASE, 4, 100));
	enter_space(b);
	KCHECK(word_at(SPACE_BASE) == 0);
	KCHECK(fill_pages(SPACE_BASE, 4, 200));
	for (u32 i = 0; i < 10; i++) {
		enter_space(i & 1 ? a : b);
		KCHECK(pages_hold(SPACE_BASE, 4, i & 1 ? 100 : 200));
	}
	enter_space(NULL);
	mm_put(a);
	mm_put(b);
}

KTEST(gigabytes, "mmu: the first touch of each empty gigabyte ends after one fault")
{
	struct mm *mm = new_space();

	for (u32 i = 0; i < USER_PGDS; i++)
		KCHECK(map_pages(mm, i * PGD_SIZE + 0x100000, 1));
	enter_space(mm);
	for (u32 i = 0; i < USER_PGDS; i++) {
		u32 before = counters[CNT_pgfault];

		KCHECK(!put_user(i * PGD_SIZE + 0x100000, i));
		KCHECK(counters[CNT_pgfault] == before + 1);
	}
	enter_space(NULL);
	mm_put(mm);
}

KTEST(unmapped, "mmu: a page that was unmapped or replaced is not reached by its old translation")
{
	struct mm *mm = new_space();

	KCHECK(map_pages(mm, SPACE_BASE, 8));
	enter_space(mm);
	KCHECK(fill_pages(SPACE_BASE, 8, 1));
	KCHECK(do_munmap(mm, SPACE_BASE, 4 * PAGE_SIZE) == 0);
	KCHECK(word_at(SPACE_BASE) == ~0u && word_at(SPACE_BASE + 3 * PAGE_SIZE) == ~0u);
	KCHECK(map_pages(mm, SPACE_BASE, 8));
	KCHECK(word_at(SPACE_BASE + 5 * PAGE_SIZE) == 0);
	KCHECK(fill_pages(SPACE_BASE, 8, 50));
	KCHECK(do_mremap(mm, SPACE_BASE, 8 * PAGE_SIZE, 8 * PAGE_SIZE, 3, SPACE_BASE + PMD_SIZE) ==
	       (long)(SPACE_BASE + PMD_SIZE));
	KCHECK(word_at(SPACE_BASE) == ~0u && pages_hold(SPACE_BASE + PMD_SIZE, 8, 50));
	KCHECK(do_madvise_dontneed(mm, SPACE_BASE + PMD_SIZE, PAGE_SIZE) == 0);
	KCHECK(word_at(SPACE_BASE + PMD_SIZE) == 0);
	enter_space(NULL);
	mm_put(mm);
}
