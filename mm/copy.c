// SPDX-License-Identifier: MIT
/*
 * mm/copy.c: fork's half of memory: the areas are cloned, and each page table is
 * either shared, if the policy says so, or copied.
 */
#include "mm/copy.h"
#include "core/count.h"
#include "core/panic.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/pgtable.h"
#include "mm/ptshare.h"
#include "mm/slab.h"

struct list all_mms = LIST_INIT(all_mms);

static struct kmem_cache mm_cache;

void mm_cache_init(void)
{
	kmem_cache_init(&mm_cache, "mm", sizeof(struct mm), 4);
}

struct mm *mm_alloc(void)
{
	struct mm *mm = kmem_cache_zalloc(&mm_cache);

	if (!mm)
		return NULL;
	mm->pgd = pgd_alloc();
	if (!mm->pgd) {
		kmem_cache_free(&mm_cache, mm);
		return NULL;
	}
	mm->users = 1;
	mutex_init(&mm->lock);
	list_add(&all_mms, &mm->all);
	return mm;
}

void mm_put(struct mm *mm)
{
	if (--mm->users)
		return;
	exit_mmap(mm);
	list_del(&mm->all);
	/* The CPU must not walk a directory that is given away. */
	if (mmu_loaded == mm->pgd)
		mmu_switch(kernel_pdpt);
	pgd_free(mm->pgd);
	kmem_cache_free(&mm_cache, mm);
}

void copy_pte_range(struct page *from, struct page *to, const struct vma *v, u32 start, u32 end)
{
	pte_t *src = pte_map_table(from, FIX_PTE_SRC), *dst = pte_map_table(to, FIX_PTE_DST);
	u32 first = pte_index(start), last = pte_index(end - 1), copied = 0;
	bool cow = vma_is_cow(v);

	for (u32 i = first; i <= last; i++) {
		pte_t e = src[i];
		struct page *page;

		if (!pte_present(e))
			continue;
		if (cow) {
			pt_wrprotect(from, &src[i]);
			e = pte_wrprotect(e);
		}
		page = pfn_to_page(pte_pfn(e));
		if (!(page->flags & PG_RESERVED))
			get_page(page);
		/* The source keeps the dirty mark; one place is enough. */
		pt_enter(to, &dst[i], page, pte_mkold(pte_mkclean(e)));
		copied++;
	}
	if (rmap->add_run)
		rmap->add_run(&dst[first], to, first, last - first + 1);
	count_add(ptes_copied, copied);
	pte_unmap_table(to, FIX_PTE_DST);
	pte_unmap_table(from, FIX_PTE_SRC);
}

static int copy_table_part(struct mm *child, struct page *from, const struct vma *v, u32 start, u32 end)
{
	struct page *to = pt_find(child, start);

	if (!to) {
		count(pt_copied_at_fork);
		if (pt_writable(child, start, &to) < 0)
			return -ENOMEM;
	}
	/* Last: an allocation may ask the shrinkers, and they take what rmap has set aside. */
	if (rmap_reserve_run(pt_entries(from)) < 0)
		return -ENOMEM;
	copy_pte_range(from, to, v, start, end);
	return 0;
}

static bool shall_share(const struct mm *parent, const struct page *table, const struct vma *v, u32 choice)
{
	return choice == SHARE_ALWAYS || ptshare->table_at_fork(parent, table, v);
}

/* One table, or the part of it that v covers. An area below v may have settled the table already. */
static int copy_or_share(struct mm *child, struct mm *parent, const struct vma *v, u32 base, pmd_t *pmd,
			 u32 choice)
{
	struct page *from = pmd_table(*pmd), *to = pt_find(child, base);

	if (to == from)
		return 0;
	if (!to && choice != SHARE_NEVER && shall_share(parent, from, v, choice))
		return share_page_range(child, pmd, base, v);
	if (!pt_entries(from))
		return 0;
	return copy_table_part(child, from, v, max(v->start, base), min(v->end, base + PMD_SIZE));
}

static noinline int copy_page_range(struct mm *child, struct mm *parent, const struct vma *v, u32 choice)
{
	u32 base;
	pmd_t *pmd;

	for_each_table (pmd, parent, base, v->start & PMD_MASK, v->end) {
		int err = copy_or_share(child, parent, v, base, pmd, choice);

		if (err)
			return err;
	}
	return 0;
}

int dup_mm(struct mm *child, struct mm *parent, u32 choice)
{
	int err = vma_clone_all(child, parent);

	child->layout = parent->layout;
	child->forked = true;
	if (choice == SHARE_DEFAULT && !ptshare->at_fork(parent))
		choice = SHARE_NEVER;
	for (struct vma *v = parent->first; v && !err; v = v->next)
		err = copy_page_range(child, parent, v, choice);
	/* Entries of the parent have lost the right to write. */
	mmu_flush_all(parent->pgd);
	return err;
}

void mm_rss(const struct mm *mm, u32 *anon, u32 *file)
{
	u32 base;
	pmd_t *pmd;

	*anon = *file = 0;
	for_each_table (pmd, mm, base, 0, TASK_SIZE) {
		*anon += pmd_table(*pmd)->pt.anon;
		*file += pmd_table(*pmd)->pt.file;
	}
}
