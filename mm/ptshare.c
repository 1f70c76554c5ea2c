// SPDX-License-Identifier: MIT
/*
 * mm/ptshare.c: sharing a page table and ending it.
 *
 * While a table is shared copy-on-write, the pmd entries of all its users lack
 * RW, so its entries may keep theirs: fork does not touch them. The price comes
 * with pte_unshare, which takes RW from the private entries of copy and source:
 * whoever stays behind as the last user turns its pmd entry writable without a
 * further look.
 */
#include "mm/ptshare.h"
#include "core/count.h"
#include "core/panic.h"
#include "core/param.h"
#include "lib/errno.h"
#include "mm/copy.h"
#include "mm/pgtable.h"

const struct ptshare_ops *ptshare = &ptshare_off;
u32 ptshare_min;

static const char *const names[] = {"off", "fork", "auto", NULL};
static u32 choice;

static void choose(void)
{
	static const struct ptshare_ops *const policies[] = {&ptshare_off, &ptshare_fork, &ptshare_auto};

	ptshare = policies[choice];
}
PARAM_CHOICE(ptshare, choice, names, choose, true);
PARAM_NUMBER(ptshare_min, ptshare_min, 0, 1536, true);

/* One shared mapping covers the whole table. */
static bool inside_shared_mapping(const struct vma *v, u32 base)
{
	return (v->flags & VM_SHARED) && v->start <= base && v->end - base >= PMD_SIZE;
}

noinline int share_page_range(struct mm *child, pmd_t *from, u32 base, const struct vma *v)
{
	struct page *table = pmd_table(*from);
	bool write = inside_shared_mapping(v, base) && !pt_is_cow_shared(table);
	pmd_t *to = pmd_alloc(child, base);

	if (!to || pt_add_sharer(table, child, base) < 0)
		return -ENOMEM;
	if (write)
		table->flags |= PG_SHARED_RW;
	else if (pte_write(*from))
		set_pte(from, pte_wrprotect(*from));
	pmd_populate(child, to, table, write);
	count(pt_shared);
	return 0;
}

static void copy_table(struct mm *mm, struct page *from, struct page *to, u32 base)
{
	u32 end = base + PMD_SIZE;

	for (struct vma *v = find_vma_intersection(mm, base, end); v && v->start < end; v = v->next)
		copy_pte_range(from, to, v, max(v->start, base), min(v->end, end));
	BUG_ON(pt_entries(to) != pt_entries(from));
}

/* For the report: which kind of area made its table unshare, and on which side of the fork. */
static void count_unshare(const struct mm *mm, u32 addr)
{
	const struct vma *v = find_vma((struct mm *)mm, addr);

	count(pt_unshared);
	if (mm->forked)
		count(pt_unshared_by_child);
	else
		count(pt_unshared_by_parent);
	if (!v || v->start > addr)
		return;
	if (v->flags & VM_GROWSDOWN)
		count(pt_unshared_stack);
	else if (v->flags & VM_HEAP)
		count(pt_unshared_heap);
	else if (v->mapping)
		count(pt_unshared_file);
	else
		count(pt_unshared_anon);
}

/* The last user of a table that was shared needs no copy. */
static int take_over(struct mm *mm, pmd_t *pmd)
{
	set_pte(pmd, pte_mkwrite(*pmd));
	count(pt_unshare_last);
	/* More rights need no flush: a stale entry costs one fault, which drops it (SDM vol. 3, 4.10.4.3). */
	return 0;
}

noinline int pte_unshare(struct mm *mm, u32 addr, struct page **table)
{
	u32 base = addr & PMD_MASK;
	pmd_t *pmd = pmd_find(mm, addr);
	struct page *old = pmd_table(*pmd), *new;

	*table = old;
	count_unshare(mm, addr);
	if (!pt_is_shared(old))
		return take_over(mm, pmd);
	/* All that can fail comes first. */
	new = pte_alloc_one(mm, base);
	if (!new)
		return -ENOMEM;
	if (rmap_reserve_run(pt_entries(old)) < 0) {
		pte_free_one(new);
		return -ENOMEM;
	}
	copy_table(mm, old, new, base);
	set_pte(pmd, pmd_make(page_to_pfn(new), true));
	pt_remove_sharer(old, mm);
	mmu_flush_all(mm->pgd);
	count(pt_unshare_copied);
	*table = new;
	return 0;
}

static int unshare_at(struct mm *mm, u32 addr)
{
	struct page *table = pt_find(mm, addr);

	return table && pt_is_shared(table) ? pte_unshare(mm, addr, &table) : 0;
}

int unshare_range(struct mm *mm, u32 start, u32 end)
{
	if (start >= end)
		return 0;
	for (u32 base = start & PMD_MASK; base < end; base += PMD_SIZE) {
		int err = unshare_at(mm, max(base, start));

		if (err)
			return err;
	}
	return 0;
}

int unshare_edges(struct mm *mm, u32 start, u32 end)
{
	int err = 0;

	if (start & ~PMD_MASK)
		err = unshare_at(mm, start);
	if (!err && (end & ~PMD_MASK))
		err = unshare_at(mm, end - 1);
	return err;
}
