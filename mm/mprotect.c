// SPDX-License-Identifier: MIT
/* mm/mprotect.c: changing what is there: rights, place, contents: mprotect, mremap, madvise. */
#include "core/count.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"
#include "mm/ptshare.h"
#include "mm/zap.h"

/* A private entry gains the right to write by a fault only, which looks who else has the page. */
static pte_t with_rights(const struct vma *v, pte_t old)
{
	pte_t e = pte_modify(old, v->prot);

	return vma_is_cow(v) && !pte_write(old) ? pte_wrprotect(e) : e;
}

static noinline void change_pte_range(const struct vma *v, u32 addr, u32 end)
{
	struct page *table = pt_find(v->mm, addr);
	pte_t *ptes;

	if (!table || !pt_entries(table))
		return;
	ptes = pte_map_table(table, FIX_PTE_DST);
	for (u32 i = pte_index(addr); i <= pte_index(end - 1); i++)
		if (pte_present(ptes[i]))
			pt_change(table, &ptes[i], with_rights(v, ptes[i]));
	pte_unmap_table(table, FIX_PTE_DST);
}

static void change_rights(const struct vma *v)
{
	for (u32 addr = v->start; addr < v->end;) {
		u32 next = min((addr & PMD_MASK) + PMD_SIZE, v->end);

		change_pte_range(v, addr, next);
		addr = next;
	}
}

/* All of [start, end) is covered by areas that may get the rights. */
static int may_change(struct mm *mm, u32 start, u32 end, u32 rights)
{
	struct vma *v = find_vma(mm, start);

	for (u32 at = start; at < end; v = v->next) {
		if (!v || v->start > at)
			return -ENOMEM;
		if ((rights & VM_WRITE) && !(v->flags & VM_MAYWRITE))
			return -EACCES;
		at = v->end;
	}
	return 0;
}

/* Makes [start, end), within v, an area of its own, and returns it. NULL: no memory. */
static struct vma *isolate(struct vma *v, u32 start, u32 end)
{
	if (v->start < start && vma_split(v, start, &v) < 0)
		return NULL;
	if (v->end > end && vma_split(v, end, NULL) < 0)
		return NULL;
	return v;
}

static u32 with_access(const struct vma *v, u32 rights)
{
	return (v->flags & ~VM_ACCESS) | rights;
}

/* The cut at the far end comes before any change, so that a failure changes nothing. */
static int cut_at_end(struct mm *mm, u32 end, u32 rights)
{
	struct vma *v = find_vma(mm, end - 1);

	return v->end > end && with_access(v, rights) != v->flags ? vma_split(v, end, NULL) : 0;
}

int do_mprotect(struct mm *mm, u32 start, u32 len, u32 rights)
{
	u32 end = start + round_up(len, PAGE_SIZE);
	struct vma *v;
	int err;

	if ((start & ~PAGE_MASK) || end < start || end > TASK_SIZE)
		return -EINVAL;
	if (start == end)
		return 0;
	err = may_change(mm, start, end, rights);
	if (!err)
		err = unshare_range(mm, start, end);
	if (!err)
		err = cut_at_end(mm, end, rights);
	for (v = find_vma(mm, start); !err && v && v->start < end; v = v->next) {
		u32 flags = with_access(v, rights);

		if (flags == v->flags)
			continue;
		/* Only the first can need a cut now. */
		if (v->start < start && vma_split(v, start, &v) < 0) {
			err = -ENOMEM;
			break;
		}
		vma_set_flags(v, flags);
		change_rights(v);
		v = vma_merge(v);
	}
	count(tlb_flushes);
	mmu_flush_all(mm->pgd);
	return err;
}

int do_madvise_dontneed(struct mm *mm, u32 start, u32 len)
{
	u32 end = start + round_up(len, PAGE_SIZE), at = start;
	int err;

	if ((start & ~PAGE_MASK) || end < start || end > TASK_SIZE)
		return -EINVAL;
	err = unshare_edges(mm, start, end);
	if (err)
		return err;
	for (struct vma *v = find_vma_intersection(mm, start, end); v && v->start < end; v = v->next) {
		if (v->start > at)
			err = -ENOMEM; /* a hole: the rest is done all the same */
		at = v->end;
	}
	if (at < end)
		err = -ENOMEM;
	if (start < end && zap_page_range(mm, start, end)) {
		count(tlb_flushes);
		mmu_flush_all(mm->pgd);
	}
	return err;
}

#define MREMAP_MAYMOVE 1u
#define MREMAP_FIXED   2u

static void move_pte(struct vma *to, struct page *src, pte_t *sp, struct page *dst, pte_t *dp, u32 addr)
{
	struct page *page = pfn_to_page(pte_pfn(*sp));
	pte_t e = *sp;
	u32 index = page->index;
	void *mapping = page->mapping;

	if (rmap->remove && !(page->flags & PG_RESERVED))
		rmap->remove(page, src, ((u32)sp & ~PAGE_MASK) / sizeof(*sp));
	pt_remove(src, sp, page);
	/* Between the two entries the page is mapped nowhere, but it is not a new one. */
	page->mapping = mapping;
	page->index = index;
	pt_enter(dst, dp, page, e);
	if (rmap_keeps(page))
		rmap->add(page, to, addr, dst, pte_index(addr));
}

/* Moves the entries of len bytes; all tables are there and unshared, so nothing can fail. */
static void move_page_tables(struct mm *mm, u32 from, struct vma *to, u32 len)
{
	u32 end = to->start + len;

	for (u32 addr = to->start; addr < end; addr += PAGE_SIZE, from += PAGE_SIZE) {
		struct page *src = pt_find(mm, from), *dst;
		pte_t *sp, *dp;

		if (!src || !pt_entries(src)) {
			u32 skip = min(PMD_SIZE - (from & ~PMD_MASK), end - addr) - PAGE_SIZE;

			addr += skip;
			from += skip;
			continue;
		}
		dst = pt_find(mm, addr);
		sp = pte_map_table(src, FIX_PTE_SRC) + pte_index(from);
		dp = pte_map_table(dst, FIX_PTE_DST) + pte_index(addr);
		if (pte_present(*sp))
			move_pte(to, src, sp, dst, dp, addr);
		pte_unmap_table(dst, FIX_PTE_DST);
		pte_unmap_table(src, FIX_PTE_SRC);
	}
}

/* Tables for the new place, before anything moves. */
static int make_tables(struct mm *mm, u32 start, u32 end)
{
	struct page *table;
	int err = 0;

	for (u32 base = start & PMD_MASK; base < end && !err; base += PMD_SIZE)
		err = pt_writable(mm, max(base, start), &table);
	return err ? err : rmap_reserve_run(2);
}

/* v, whose tables are its mm's own, goes to `at`, where nothing is mapped. */
static long move_area(struct mm *mm, struct vma *v, u32 old_len, u32 new_len, u32 at)
{
	u32 from = v->start;
	struct vma *to = vma_dup(v, mm);

	if (!to)
		return -ENOMEM;
	to->start = at;
	to->end = at + new_len;
	/* Beyond what moves, too, the new area may lie over a shared table. */
	if (unshare_range(mm, at, at + new_len) < 0 || make_tables(mm, at, at + min(old_len, new_len)) < 0) {
		vma_free(to);
		free_unused_tables(mm, at, at + new_len);
		return -ENOMEM;
	}
	vma_insert(mm, to);
	if (at + new_len == mm->layout.free_hint)
		mm->layout.free_hint = at;
	move_page_tables(mm, from, to, min(old_len, new_len));
	mmu_flush_all(mm->pgd);
	do_munmap(mm, from, old_len);
	vma_merge(to);
	return at;
}

static bool may_grow(struct mm *mm, const struct vma *v, u32 addr, u32 old_len, u32 new_len)
{
	return addr + old_len == v->end && addr + new_len > addr && addr + new_len <= TASK_SIZE &&
	       (!v->next || v->next->start >= addr + new_len) &&
	       unshare_range(mm, v->end, addr + new_len) == 0;
}

static long move_to(struct mm *mm, struct vma *v, u32 addr, u32 old_len, u32 new_len, u32 flags, u32 new_addr)
{
	/* Unshared before it is cut: the other users of its tables keep their areas. */
	if (unshare_range(mm, addr, addr + old_len) < 0)
		return -ENOMEM;
	v = isolate(v, addr, addr + old_len);
	if (!v)
		return -ENOMEM;
	if (!(flags & MREMAP_FIXED)) {
		new_addr = find_free_range(mm, new_len);
		if (!new_addr)
			return -ENOMEM;
	} else if (do_munmap(mm, new_addr, new_len) < 0) {
		return -ENOMEM;
	}
	return move_area(mm, v, old_len, new_len, new_addr);
}

long do_mremap(struct mm *mm, u32 addr, u32 old_len, u32 new_len, u32 flags, u32 new_addr)
{
	struct vma *v = find_vma(mm, addr);

	old_len = round_up(old_len, PAGE_SIZE);
	new_len = round_up(new_len, PAGE_SIZE);
	if ((addr & ~PAGE_MASK) || !new_len || !old_len || (flags & ~(MREMAP_MAYMOVE | MREMAP_FIXED)))
		return -EINVAL;
	if (!v || v->start > addr || v->end - addr < old_len)
		return -EFAULT;
	if (flags & MREMAP_FIXED) {
		if (!(flags & MREMAP_MAYMOVE) || (new_addr & ~PAGE_MASK) || new_len > TASK_SIZE ||
		    new_addr > TASK_SIZE - new_len ||
		    (new_addr < addr + old_len && addr < new_addr + new_len))
			return -EINVAL;
		if (new_len < old_len && do_munmap(mm, addr + new_len, old_len - new_len) < 0)
			return -ENOMEM;
		return move_to(mm, v, addr, min(old_len, new_len), new_len, flags, new_addr);
	}
	if (new_len <= old_len) {
		int err = new_len < old_len ? do_munmap(mm, addr + new_len, old_len - new_len) : 0;

		return err ? err : (long)addr;
	}
	if (may_grow(mm, v, addr, old_len, new_len)) {
		vma_resize(v, v->start, addr + new_len, v->pgoff);
		return addr;
	}
	if (!(flags & MREMAP_MAYMOVE))
		return -ENOMEM;
	return move_to(mm, v, addr, old_len, new_len, flags, new_addr);
}
