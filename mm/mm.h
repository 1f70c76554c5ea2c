/* SPDX-License-Identifier: MIT */
/*
 * mm/mm.h: an address space and its areas.
 *
 * Order of locks, outermost first: mm->lock, then what fs/ holds. Page tables
 * need none: whoever changes them does not sleep between look and store, and
 * looks again after anything that may have slept.
 */
#pragma once

#include "arch/x86/trap.h"
#include "core/wait.h"
#include "lib/avl.h"
#include "lib/list.h"
#include "mm/page.h"

struct address_space;
struct anon;
struct file;

/* What an area allows and how it behaves. */
#define VM_READ      0x01u
#define VM_WRITE     0x02u
#define VM_EXEC      0x04u
#define VM_SHARED    0x08u /* writes are seen by all who map the object */
#define VM_GROWSDOWN 0x10u /* a stack */
#define VM_HEAP      0x20u /* the break */
#define VM_MAYWRITE  0x40u /* mprotect may add VM_WRITE */
#define VM_ACCESS    (VM_READ | VM_WRITE | VM_EXEC)

struct vma {
	struct mm *mm;
	u32 start, end; /* page aligned, end exclusive */
	u32 flags;
	prot_t prot;             /* rights of a page nobody shares privately */
	u32 pgoff;               /* start's offset in the object, in pages; kept for an anonymous
	                 * area through moves, so that a page's index never changes */
	struct vma *next, *prev; /* by address */
	struct avl_node node;    /* in mm->areas */

	struct address_space *mapping; /* NULL: private anonymous */
	struct file *file;             /* fs's; NULL for anonymous memory */
	struct avl_node i_node;        /* in mapping's tree of areas, by pgoff */
	u32 i_last;                    /* the largest last pgoff in that subtree */

	struct anon *anon;      /* rmap=object: the private pages' object */
	struct list anon_areas; /* in anon's list */
};

/* Where a program's parts lie: what fork copies and exec sets. */
struct mm_layout {
	u32 mmap_base; /* mmap searches downwards from here */
	u32 free_hint; /* there is no hole between it and mmap_base */
	u32 start_code, end_code, start_data, end_data;
	u32 start_brk, brk, start_stack;
	u32 arg_start, arg_end, env_start, env_end;
	u32 stack_limit; /* bytes the stack may grow to */
	u32 auxv[48];
};

struct mm {
	pgd_t *pgd;
	s32 users; /* tasks */
	struct avl_tree areas;
	struct vma *first;
	struct vma *cache; /* find_vma's last answer */
	u32 nr_areas, total_pages;
	u32 nr_tables; /* pmd entries that are in use */
	struct mm_layout layout;
	struct file *exe;  /* fs's */
	struct mutex lock; /* areas and what hangs on them; nested in none */
	struct list all;   /* in all_mms */
	bool forked;       /* came from fork and has not exec'ed: counts who unshares */
};

extern struct list all_mms;

/*
 * Boot: all of mm/ in the right order: frames, slabs, tables, policies. The kernel
 * image and the modules of boot_info are left alone.
 */
void mem_init(void);
/* Boot: the frames of [start, end), a module that has been read, are free now. */
void mem_release(paddr_t start, paddr_t end);
/* The allocators of single files, in mem_init's order. */
void vma_init(void);
void filemap_init(void);
void mm_cache_init(void);

/* An empty address space with one user, or NULL. */
struct mm *mm_alloc(void);
/* One user less; the last one empties and frees it. exe must have been dropped by its owner. */
void mm_put(struct mm *mm);
/*
 * Fills the empty child by the policy that runs. 0 or -ENOMEM, which changes nothing
 * in the parent; the child is then to be put.
 */
int dup_mm(struct mm *child, struct mm *parent, u32 share_choice);
/* Removes all areas, tables and pages of mm. */
void exit_mmap(struct mm *mm);

/* The first area with end > addr, or NULL. */
struct vma *find_vma(struct mm *mm, u32 addr);
/* The same if it overlaps [start, end). */
struct vma *find_vma_intersection(struct mm *mm, u32 start, u32 end);
/* A new area in no mm, or NULL; vma_free for one that is in no mm (any more). */
struct vma *vma_alloc(struct mm *mm, u32 start, u32 end, u32 flags);
void vma_free(struct vma *v);
/* A copy of v in no list, with its references (file, anon object) held; or NULL. */
struct vma *vma_dup(const struct vma *v, struct mm *mm);
/* Into mm's list and tree and into its object's tree. The range must be free. */
void vma_insert(struct mm *mm, struct vma *v);
/* Out of them, and freed with its references. */
void vma_remove(struct mm *mm, struct vma *v);
/* Every area of mm, which may have been cloned in part only. */
void vma_remove_all(struct mm *mm);
/* New bounds (and pgoff) that keep the order; updates the trees. */
void vma_resize(struct vma *v, u32 start, u32 end, u32 pgoff);
/* Cuts v at addr; the new upper part is returned through *upper. 0 or -ENOMEM. */
int vma_split(struct vma *v, u32 addr, struct vma **upper);
/* Makes v and its neighbours one where all but the bounds are equal; returns what holds v now. */
struct vma *vma_merge(struct vma *v);
/* Sets the flags and what follows from them. */
void vma_set_flags(struct vma *v, u32 flags);
/* A clone of the whole list and tree into the empty child. 0 or -ENOMEM (child is then partly filled). */
int vma_clone_all(struct mm *child, struct mm *parent);

static inline bool vma_is_cow(const struct vma *v)
{
	return !(v->flags & VM_SHARED);
}
/* The page offset of addr in v's object. */
static inline u32 vma_pgoff(const struct vma *v, u32 addr)
{
	return v->pgoff + ((addr - v->start) >> PAGE_SHIFT);
}

/* A fault: what was wanted. The bits are those of the CPU's error code. */
#define FAULT_WRITE PF_WRITE
#define FAULT_EXEC  PF_FETCH
/*
 * Makes the page at addr usable for the access. 0; -EFAULT: no area or no right;
 * -EIO: behind the file's end; -ENOMEM. May sleep.
 */
int mm_fault(struct mm *mm, u32 addr, u32 access);
/* The same with the area known and the rights checked. */
int handle_mm_fault(struct mm *mm, struct vma *v, u32 addr, bool write);
/*
 * The page behind addr, readable or (write) private enough to be written, with a
 * reference: for exec's arguments and a debugger. NULL on any fault. May sleep.
 */
struct page *mm_get_page(struct mm *mm, u32 addr, bool write);

/* Gives back what mm_get_page gave. */
void mm_put_page(struct page *page);

/* Resident pages, by kind: the sum over mm's tables. */
void mm_rss(const struct mm *mm, u32 *anon, u32 *file);

/* mmap.c: the calls, in pages or bytes as Linux has them; all may sleep. */
#define MAP_SHARED          0x01u
#define MAP_PRIVATE         0x02u
#define MAP_TYPE            0x0fu
#define MAP_FIXED           0x10u
#define MAP_ANONYMOUS       0x20u
#define MAP_GROWSDOWN       0x0100u
#define MAP_POPULATE        0x8000u
#define MAP_NONBLOCK        0x10000u
#define MAP_STACK           0x20000u
#define MAP_FIXED_NOREPLACE 0x100000u

/*
 * Maps len bytes of mapping (NULL: anonymous) from page pgoff on. vm_flags are VM_*
 * rights and kind; flags are MAP_*. Returns the address or a negative errno.
 * Takes its own references on file. mm->lock is held.
 */
long do_mmap(struct mm *mm, u32 addr, u32 len, u32 vm_flags, u32 flags, struct address_space *mapping,
	     struct file *file, u32 pgoff);
/* Removes whatever is mapped in the range. 0, -EINVAL, -ENOMEM (nothing changed). mm->lock is held. */
int do_munmap(struct mm *mm, u32 start, u32 len);
/* Frees the tables of a range without areas, as far as no neighbour needs them. */
void free_unused_tables(struct mm *mm, u32 start, u32 end);
int do_mprotect(struct mm *mm, u32 start, u32 len, u32 vm_flags);
/* The new break if it could be set, else the old one. */
u32 do_brk(struct mm *mm, u32 brk);
long do_mremap(struct mm *mm, u32 addr, u32 old_len, u32 new_len, u32 flags, u32 new_addr);
int do_madvise_dontneed(struct mm *mm, u32 start, u32 len);
/* Lets the stack reach addr, if v is one, by its limit. 0 or -EFAULT/-ENOMEM. */
int expand_stack(struct vma *v, u32 addr);
/* Faults in all of [start, start+len). 0 or the first error. */
int populate_range(struct mm *mm, u32 start, u32 len);
/* A free range of len bytes below mmap_base, or 0. */
u32 find_free_range(struct mm *mm, u32 len);
