// SPDX-License-Identifier: MIT
/*
 * mm/mmap.c: making and removing areas: mmap, munmap, brk, the stack, populate.
 * Before the set of areas over a table changes, the table is unshared: its other
 * users keep the old set.
 */
#include "core/count.h"
#include "core/panic.h"
#include "lib/errno.h"
#include "mm/fault.h"
#include "mm/filemap.h"
#include "mm/pgtable.h"
#include "mm/ptshare.h"
#include "mm/zap.h"

/* The lowest address that is given out: NULL and its neighbourhood stay empty. */
#define MMAP_MIN 0x10000u
/* Room kept free below a stack that may still grow. */
#define STACK_GUARD (16 * PAGE_SIZE)

u32 find_free_range(struct mm *mm, u32 len)
{
	u32 top = mm->layout.free_hint;
	struct vma *v = find_vma(mm, top - 1), *last;

	/* v is the first that ends at or above top; those before it lie below. */
	if (!v)
		for (last = mm->first; last; last = last->next)
			v = last;
	else if (v->start >= top)
		v = v->prev;
	for (;;) {
		u32 floor = v ? v->end : MMAP_MIN;

		if (floor <= top && top - floor >= len)
			return top - len;
		if (!v)
			return 0;
		top = min(top, v->start);
		v = v->prev;
	}
}

static bool range_ok(u32 start, u32 len)
{
	return !(start & ~PAGE_MASK) && len && len <= TASK_SIZE && start <= TASK_SIZE - len;
}

/* Where a mapping of len bytes goes, or a negative errno. */
static long choose_address(struct mm *mm, u32 addr, u32 len, u32 flags)
{
	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
		if ((addr & ~PAGE_MASK) || !range_ok(addr, len))
			return -EINVAL;
		if ((flags & MAP_FIXED_NOREPLACE) && find_vma_intersection(mm, addr, addr + len))
			return -EEXIST;
		return addr;
	}
	addr &= PAGE_MASK;
	if (addr >= MMAP_MIN && range_ok(addr, len) && !find_vma_intersection(mm, addr, addr + len))
		return addr;
	addr = find_free_range(mm, len);
	return addr ? (long)addr : -ENOMEM;
}

static struct vma *new_area(struct mm *mm, u32 addr, u32 len, u32 vm_flags, struct address_space *mapping,
			    struct file *file, u32 pgoff)
{
	struct vma *v = vma_alloc(mm, addr, addr + len, vm_flags);

	if (!v || !mapping)
		return v;
	v->mapping = mapping;
	v->file = file;
	v->pgoff = pgoff;
	mapping_open_area(v);
	return v;
}

long do_mmap(struct mm *mm, u32 addr, u32 len, u32 vm_flags, u32 flags, struct address_space *mapping,
	     struct file *file, u32 pgoff)
{
	struct vma *v;
	long at;

	if (!len || len > TASK_SIZE)
		return len ? -ENOMEM : -EINVAL;
	len = round_up(len, PAGE_SIZE);
	if (pgoff + (len >> PAGE_SHIFT) < pgoff)
		return -EOVERFLOW;
	at = choose_address(mm, addr, len, flags);
	if (IS_ERR((void *)at))
		return at;
	v = new_area(mm, at, len, vm_flags, mapping, file, pgoff);
	if (!v)
		return -ENOMEM;
	if (((flags & MAP_FIXED) && do_munmap(mm, at, len) < 0) || unshare_range(mm, at, at + len) < 0) {
		vma_free(v);
		return -ENOMEM;
	}
	vma_insert(mm, v);
	if ((u32)at + len == mm->layout.free_hint)
		mm->layout.free_hint = at;
	vma_merge(v);
	if (flags & MAP_POPULATE)
		populate_range(mm, at, len);
	return at;
}

/* Cuts the areas at both ends of the range, so that it holds whole ones. A failure leaves at most a needless cut. */
static int split_at_edges(struct mm *mm, u32 start, u32 end)
{
	struct vma *v = find_vma_intersection(mm, start, end);
	int err = 0;

	if (v && v->start < start)
		err = vma_split(v, start, NULL);
	v = err ? NULL : find_vma_intersection(mm, end - 1, end);
	if (v && v->end > end)
		err = vma_split(v, end, NULL);
	return err;
}

/* Empties the range, whose first area is v, and frees tables that nobody needs any more. */
static void unmap_range(struct mm *mm, struct vma *v, u32 start, u32 end)
{
	u32 floor = v->start < start ? start : v->prev ? v->prev->end : 0, gone;
	struct vma *next = v;

	while (next && next->end <= end)
		next = next->next;
	gone = zap_page_range(mm, start, end);
	gone += free_tables(mm, start, end, floor, next ? max(next->start, end) : TASK_SIZE);
	if (!gone)
		return;
	count(tlb_flushes);
	mmu_flush_all(mm->pgd);
}

void free_unused_tables(struct mm *mm, u32 start, u32 end)
{
	struct vma *next = find_vma(mm, start), *prev = next ? next->prev : mm->first;

	while (!next && prev && prev->next)
		prev = prev->next;
	free_tables(mm, start, end, prev ? prev->end : 0, next ? next->start : TASK_SIZE);
	mmu_flush_all(mm->pgd);
}

/* The common case that needs no new area: one end of v goes. */
static bool trim(struct mm *mm, struct vma *v, u32 start, u32 end)
{
	bool head = v->start >= start && v->end > end, tail = v->start < start && v->end <= end;

	if (!head && (!tail || (v->next && v->next->start < end)))
		return false;
	unmap_range(mm, v, max(start, v->start), min(end, v->end));
	if (head)
		vma_resize(v, end, v->end, vma_pgoff(v, end));
	else
		vma_resize(v, v->start, start, v->pgoff);
	return true;
}

static void raise_hint(struct mm *mm, u32 end)
{
	if (end > mm->layout.free_hint)
		mm->layout.free_hint = min(end, mm->layout.mmap_base);
}

int do_munmap(struct mm *mm, u32 start, u32 len)
{
	u32 end;
	struct vma *v, *next;

	len = round_up(len, PAGE_SIZE);
	if (!range_ok(start, len))
		return -EINVAL;
	end = start + len;
	v = find_vma_intersection(mm, start, end);
	if (!v)
		return 0;
	if (unshare_edges(mm, start, end) < 0)
		return -ENOMEM;
	raise_hint(mm, end);
	if (trim(mm, v, start, end))
		return 0;
	if (split_at_edges(mm, start, end) < 0)
		return -ENOMEM;
	v = find_vma_intersection(mm, start, end);
	unmap_range(mm, v, start, end);
	for (; v && v->start < end; v = next) {
		next = v->next;
		vma_remove(mm, v);
	}
	return 0;
}

/* Makes the area that ends at `end` longer, or makes one. */
static int extend_heap(struct mm *mm, u32 end, u32 new_end)
{
	u32 flags = VM_READ | VM_WRITE | VM_MAYWRITE | VM_HEAP;
	struct vma *v = find_vma(mm, end - 1);

	if (unshare_range(mm, end, new_end) < 0)
		return -ENOMEM;
	if (v && v->end == end && (v->flags & VM_HEAP)) {
		vma_resize(v, v->start, new_end, v->pgoff);
		return 0;
	}
	v = vma_alloc(mm, end, new_end, flags);
	if (!v)
		return -ENOMEM;
	vma_insert(mm, v);
	return 0;
}

u32 do_brk(struct mm *mm, u32 brk)
{
	u32 old_end = round_up(mm->layout.brk, PAGE_SIZE), end = round_up(brk, PAGE_SIZE);

	if (brk < mm->layout.start_brk || brk > TASK_SIZE - PAGE_SIZE)
		return mm->layout.brk;
	if (end < old_end && do_munmap(mm, end, old_end - end) < 0)
		return mm->layout.brk;
	if (end > old_end &&
	    (find_vma_intersection(mm, old_end, end + PAGE_SIZE) || extend_heap(mm, old_end, end) < 0))
		return mm->layout.brk;
	return mm->layout.brk = brk;
}

int expand_stack(struct vma *v, u32 addr)
{
	u32 start = addr & PAGE_MASK;
	u32 below = v->prev ? v->prev->end : MMAP_MIN;

	if (v->end - start > v->mm->layout.stack_limit || start < below || start - below < STACK_GUARD)
		return -EFAULT;
	if (unshare_range(v->mm, start, v->start) < 0)
		return -ENOMEM;
	vma_resize(v, start, v->end, v->pgoff - ((v->start - start) >> PAGE_SHIFT));
	count(fault_stack_grow);
	return 0;
}

/* Does the entry for addr already allow what populate wants? */
static bool is_populated(const struct mm *mm, u32 addr, bool write)
{
	struct page *table = pt_find(mm, addr);
	pte_t e;

	if (!table || (write && !pte_write(*pmd_find(mm, addr))))
		return false;
	e = pt_read(table, addr);
	return write ? pte_write(e) : !pte_none(e);
}

/* Private areas that may be written are populated for writing: nothing else would save a fault. */
static int populate_area(struct mm *mm, struct vma *v, u32 start, u32 end)
{
	bool write = (v->flags & VM_WRITE) && vma_is_cow(v);
	int err = 0;

	for (u32 addr = start; v->mapping && !write && addr < end; addr = (addr & PMD_MASK) + PMD_SIZE)
		filemap_populate(mm, v, addr, min(end, (addr & PMD_MASK) + PMD_SIZE));
	for (u32 addr = start; addr < end && !err; addr += PAGE_SIZE)
		if (!is_populated(mm, addr, write))
			err = handle_mm_fault(mm, v, addr, write);
	return err;
}

int populate_range(struct mm *mm, u32 start, u32 len)
{
	u32 end = start + len;
	int err = 0;

	for (struct vma *v = find_vma_intersection(mm, start, end); v && v->start < end && !err; v = v->next)
		if (v->flags & VM_ACCESS)
			err = populate_area(mm, v, max(start, v->start), min(end, v->end));
	return err;
}
