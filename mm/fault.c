// SPDX-License-Identifier: MIT
/*
 * mm/fault.c: what a fault finds, and who answers:
 *
 *   entry      area                    read                  write
 *   empty      private anonymous       zero page             do_anonymous_page
 *   empty      file, shared memory     do_no_page            do_no_page (copies if private)
 *   read-only  private                 -                     do_wp_page: reuse or copy
 *   read-only  shared                  -                     do_wp_page: right restored
 *   fits       any                     spurious: the CPU's translation was old
 *
 * The middle-table entry is looked at before the entry: a write goes through
 * pt_writable, which unshares. A read may fill a shared table with a file page or
 * the zero page, which every user of the table would get.
 */
#include "mm/fault.h"
#include "core/count.h"
#include "core/entry.h"
#include "core/panic.h"
#include "core/sched.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"

static int table_for(struct mm *mm, u32 addr, bool write, struct page **table)
{
	return write ? pt_writable(mm, addr, table) : pt_fillable(mm, addr, table);
}

/* Enters page, whose reference becomes the entry's, unless the entry has been filled meanwhile. */
static inline void install_page(struct vma *v, u32 addr, struct page *table, struct page *page, pte_t e)
{
	pte_t *p = pte_map_table(table, FIX_PTE_DST) + pte_index(addr);
	bool empty = pte_none(*p);

	if (empty) {
		pt_enter(table, p, page, e);
		if (rmap_keeps(page))
			rmap->add(page, v, addr, table, pte_index(addr));
	}
	pte_unmap_table(table, FIX_PTE_DST);
	if (!empty && !(page->flags & PG_RESERVED))
		put_page(page);
}

/* A new private page with a writable entry, in a table that is mm's own. */
static void install_private(struct vma *v, u32 addr, struct page *table, struct page *page)
{
	page->flags |= PG_ANON;
	install_page(v, addr, table, page, pte_mkdirty(pte_mkwrite(pte_make(page_to_pfn(page), v->prot))));
}

/*
 * A frame for a private page of v, with what rmap needs for it. NULL: no memory. The
 * frame comes first: a shrinker may take what rmap has set aside.
 */
static struct page *alloc_private(struct vma *v)
{
	struct page *page = alloc_page(GFP_USER);

	if (page && rmap_reserve(v, 2) < 0) {
		put_page(page);
		return NULL;
	}
	return page;
}

static noinline int do_anonymous_page(struct vma *v, u32 addr, struct page *table, bool write)
{
	struct page *page;

	if (!write) {
		count(fault_anon_read);
		install_page(v, addr, table, zero_page,
			     pte_wrprotect(pte_make(page_to_pfn(zero_page), v->prot)));
		return 0;
	}
	count(fault_anon_write);
	page = alloc_private(v);
	if (!page)
		return -ENOMEM;
	clear_highpage(page);
	install_private(v, addr, table, page);
	return 0;
}

/* A private write to a page of a file that is not entered yet: straight to the copy. */
static int copy_no_page(struct vma *v, u32 addr, struct page *table, struct page *old)
{
	struct page *page = alloc_private(v);

	if (!page)
		return -ENOMEM;
	copy_highpage(page, old);
	install_private(v, addr, table, page);
	return 0;
}

static bool behind_end(const struct address_space *m, u32 index)
{
	return ((u64)index << PAGE_SHIFT) >= m->size;
}

/* Enters a page of the object itself; the caller's reference becomes the entry's. */
static inline int map_no_page(struct vma *v, u32 addr, struct page *table, struct page *page, bool write)
{
	pte_t e = pte_make(page_to_pfn(page), v->prot);

	if (rmap_reserve_run(1) < 0) {
		put_page(page);
		return -ENOMEM;
	}
	install_page(v, addr, table, page, vma_is_cow(v) ? pte_wrprotect(e) : write ? pte_mkdirty(e) : e);
	return 0;
}

/* The page is not in the cache. Bringing it may have slept: the table is looked up again. */
static noinline struct page *read_page(struct vma *v, u32 addr, bool write, struct page **table)
{
	struct page *page = v->mapping->ops->get_page(v->mapping, vma_pgoff(v, addr));

	if (page && table_for(v->mm, addr, write, table) < 0) {
		put_page(page);
		return NULL;
	}
	return page;
}

static noinline int do_no_page(struct vma *v, u32 addr, struct page *table, bool write)
{
	u32 index = vma_pgoff(v, addr);
	struct page *page;
	int err;

	if (write)
		count(fault_file_write);
	else
		count(fault_file_read);
	if (behind_end(v->mapping, index))
		return -EIO;
	page = find_get_page(v->mapping, index);
	if (unlikely(!page)) {
		page = read_page(v, addr, write, &table);
		if (!page)
			return -ENOMEM;
	}
	if (!write || !vma_is_cow(v))
		return map_no_page(v, addr, table, page, write);
	err = copy_no_page(v, addr, table, page);
	put_page(page);
	return err;
}

/* Enters those of n cached pages whose entries in the table are empty; each comes with a reference. */
static u32 populate_batch(struct vma *v, struct page *table, struct page **pages, u32 n)
{
	pte_t *ptes = pte_map_table(table, FIX_PTE_DST);
	u32 done = 0;

	for (u32 i = 0; i < n; i++) {
		struct page *page = pages[i];
		u32 addr = v->start + ((page->index - v->pgoff) << PAGE_SHIFT), slot = pte_index(addr);
		pte_t e = pte_make(page_to_pfn(page), v->prot);

		if (!pte_none(ptes[slot])) {
			put_page(page);
			continue;
		}
		pt_enter(table, &ptes[slot], page, vma_is_cow(v) ? pte_wrprotect(e) : e);
		if (rmap_keeps(page))
			rmap->add(page, v, addr, table, slot);
		done++;
	}
	pte_unmap_table(table, FIX_PTE_DST);
	return done;
}

u32 filemap_populate(struct mm *mm, struct vma *v, u32 start, u32 end)
{
	u64 pages = (v->mapping->size + PAGE_SIZE - 1) >> PAGE_SHIFT;
	u32 index = vma_pgoff(v, start), stop = min((u64)vma_pgoff(v, end), pages), done = 0, n;
	struct page *batch[16], *table;

	if (pt_fillable(mm, start, &table) < 0)
		return 0;
	while (index < stop && rmap_reserve_run(ARRAY_SIZE(batch)) == 0) {
		n = find_get_pages(v->mapping, &index, min((u32)ARRAY_SIZE(batch), stop - index), batch);
		if (!n)
			break;
		/* Holes may have led beyond the range. */
		while (n && batch[n - 1]->index >= stop)
			put_page(batch[--n]);
		done += populate_batch(v, table, batch, n);
	}
	return done;
}

/* Puts page at an entry that holds old; the old one's reference goes. */
static void replace_page(struct vma *v, u32 addr, struct page *table, struct page *old, struct page *page)
{
	pte_t *p = pte_map_table(table, FIX_PTE_DST) + pte_index(addr);

	if (rmap->remove && !(old->flags & PG_RESERVED))
		rmap->remove(old, table, pte_index(addr));
	pt_remove(table, p, old);
	pte_unmap_table(table, FIX_PTE_DST);
	install_private(v, addr, table, page);
	mmu_flush_page(v->mm->pgd, addr);
	if (!(old->flags & PG_RESERVED))
		put_page(old);
}

static int copy_on_write(struct vma *v, u32 addr, struct page *table, struct page *old)
{
	struct page *page = alloc_private(v);

	if (!page)
		return -ENOMEM;
	if (old == zero_page) {
		count(fault_cow_zero);
		clear_highpage(page);
	} else {
		count(fault_cow_copy);
		copy_highpage(page, old);
	}
	replace_page(v, addr, table, old, page);
	return 0;
}

/* Nobody else has it: the entry may write. */
static void reuse_page(struct vma *v, u32 addr, struct page *table)
{
	pte_t *p = pte_map_table(table, FIX_PTE_DST) + pte_index(addr);

	count(fault_cow_reuse);
	pt_change(table, p, pte_mkdirty(pte_mkwrite(*p)));
	pte_unmap_table(table, FIX_PTE_DST);
	mmu_flush_page(v->mm->pgd, addr);
}

static noinline int do_wp_page(struct vma *v, u32 addr, struct page *table, pte_t e)
{
	struct page *old = pfn_to_page(pte_pfn(e));

	if (vma_is_cow(v) && !((old->flags & PG_ANON) && old->mapcount == 1 && old->count == 1))
		return copy_on_write(v, addr, table, old);
	reuse_page(v, addr, table);
	return 0;
}

noinline int handle_mm_fault(struct mm *mm, struct vma *v, u32 addr, bool write)
{
	struct page *table;
	pte_t e;
	int err = table_for(mm, addr, write, &table);

	if (unlikely(err))
		return err;
	e = pt_read(table, addr);
	if (pte_none(e))
		return v->mapping ? do_no_page(v, addr, table, write)
				  : do_anonymous_page(v, addr, table, write);
	if (write && !pte_write(e))
		return do_wp_page(v, addr, table, e);
	count(fault_spurious);
	mmu_flush_page(mm->pgd, addr);
	return 0;
}

static bool allowed(const struct vma *v, u32 access)
{
	if (access & FAULT_WRITE)
		return v->flags & VM_WRITE;
	if ((access & FAULT_EXEC) && cpu.nx)
		return v->flags & VM_EXEC;
	return v->flags & VM_ACCESS;
}

int mm_fault(struct mm *mm, u32 addr, u32 access)
{
	struct vma *v;
	int err;

	mutex_lock(&mm->lock);
	v = find_vma(mm, addr);
	err = v ? 0 : -EFAULT;
	if (v && addr < v->start)
		err = v->flags & VM_GROWSDOWN ? expand_stack(v, addr) : -EFAULT;
	if (!err)
		err = allowed(v, access) ? handle_mm_fault(mm, v, addr & PAGE_MASK, access & FAULT_WRITE)
					 : -EACCES;
	mutex_unlock(&mm->lock);
	return err;
}

/* The page that is entered at addr, if it allows the access now. */
static struct page *entered_page(struct mm *mm, u32 addr, bool write)
{
	struct page *table = pt_find(mm, addr);
	pte_t e;

	if (!table || (write && !pte_write(*pmd_find(mm, addr))))
		return NULL;
	e = pt_read(table, addr);
	return pte_present(e) && (!write || pte_write(e)) ? pfn_to_page(pte_pfn(e)) : NULL;
}

struct page *mm_get_page(struct mm *mm, u32 addr, bool write)
{
	struct page *page;

	if (mm_fault(mm, addr, write ? FAULT_WRITE : 0) < 0)
		return NULL;
	page = entered_page(mm, addr, write);
	if (page && !(page->flags & PG_RESERVED))
		get_page(page);
	return page;
}

void mm_put_page(struct page *page)
{
	if (!(page->flags & PG_RESERVED))
		put_page(page);
}

static void fault_failed(struct regs *r, u32 addr, u32 code, int err)
{
	if (from_user(r)) {
		current->trap_addr = addr;
		current->trap_error = code;
		current->trap_errno = err;
		user_trap_hook(r);
	} else if (!fixup_exception(r)) {
		panic_regs(r, "the kernel cannot %s address %08x", code & PF_WRITE ? "write" : "read", addr);
	}
}

noinline void do_page_fault(struct regs *r)
{
	u32 addr = read_cr2(), code = r->error;
	int err = -EFAULT;

	if (r->eflags & EFLAGS_IF)
		irq_enable();
	count(pgfault);
	if (!(code & PF_USER))
		count(fault_kernel);
	if (likely(addr < TASK_SIZE && current->mm && !no_sleep_depth && !(code & PF_RESERVED))) {
		current->min_flt++;
		err = mm_fault(current->mm, addr, code);
	}
	if (unlikely(err))
		fault_failed(r, addr, code, err);
}
