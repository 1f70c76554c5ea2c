// SPDX-License-Identifier: MIT
/* mm/zap.c: emptying page tables: for munmap and exit, and for everyone when a file shrinks. */
#include "mm/zap.h"
#include "core/count.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/pgtable.h"

/* Empties slots first..last of a table, for all its users. */
static noinline u32 zap_pte_range(struct page *table, u32 first, u32 last)
{
	pte_t *ptes = pte_map_table(table, FIX_PTE_DST);
	u32 before = pt_entries(table);

	if (rmap->remove_run)
		rmap->remove_run(&ptes[first], table, first, last - first + 1);
	for (u32 i = first; i <= last; i++) {
		struct page *page;

		if (pte_none(ptes[i]))
			continue;
		page = pfn_to_page(pte_pfn(ptes[i]));
		pt_remove(table, &ptes[i], page);
		if (!(page->flags & PG_RESERVED))
			put_page(page);
		if (!pt_entries(table))
			break;
	}
	pte_unmap_table(table, FIX_PTE_DST);
	before -= pt_entries(table);
	count_add(ptes_zapped, before);
	return before;
}

u32 zap_page_range(struct mm *mm, u32 start, u32 end)
{
	u32 gone = 0, base;
	pmd_t *pmd;

	for_each_table (pmd, mm, base, start & PMD_MASK, end) {
		struct page *table = pmd_table(*pmd);

		if (pt_is_shared(table)) {
			pt_drop(mm, pmd);
			gone++;
		} else if (pt_entries(table)) {
			gone += zap_pte_range(table, pte_index(max(start, base)),
					      pte_index(min(end, base + PMD_SIZE) - 1));
		}
	}
	return gone;
}

noinline void exit_mmap(struct mm *mm)
{
	/* A table lies under several areas: once is enough. */
	u32 done = 0;

	for (struct vma *v = mm->first; v; v = v->next) {
		u32 start = max(v->start, done);

		if (start < v->end)
			zap_page_range(mm, start, v->end);
		done = max(done, v->end);
	}
	clear_page_tables(mm);
	vma_remove_all(mm);
}

/* The same for all users of each table that v's mm has in the range. */
static void zap_for_all(const struct vma *v, u32 start, u32 end)
{
	for (u32 addr = start; addr < end; addr = (addr & PMD_MASK) + PMD_SIZE) {
		struct page *table = pt_find(v->mm, addr);

		if (table && pt_entries(table))
			zap_pte_range(table, pte_index(addr),
				      pte_index(min(end, (addr & PMD_MASK) + PMD_SIZE) - 1));
	}
}

void unmap_mapping_from(struct address_space *m, u32 first)
{
	for (struct vma *v = mapping_first_area(m, first, ~0u); v; v = mapping_next_area(v, first, ~0u)) {
		u32 skip = first > v->pgoff ? first - v->pgoff : 0;

		zap_for_all(v, v->start + (skip << PAGE_SHIFT), v->end);
	}
	/* Only the loaded tables have translations in the CPU. */
	mmu_flush_all(mmu_loaded);
}
