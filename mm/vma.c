// SPDX-License-Identifier: MIT
/* mm/vma.c: the areas of an address space: their list, their tree, split, merge, copy. */
#include "core/panic.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/mm.h"
#include "mm/rmap.h"
#include "mm/slab.h"

static struct kmem_cache vma_cache;

void vma_init(void)
{
	kmem_cache_init(&vma_cache, "vma", sizeof(struct vma), 4);
}

static struct vma *node_vma(const struct avl_node *n)
{
	return container_of(n, struct vma, node);
}

noinline struct vma *find_vma(struct mm *mm, u32 addr)
{
	struct vma *v = mm->cache, *best = NULL;
	struct avl_node *n = mm->areas.root;

	if (v && addr < v->end && addr >= v->start)
		return v;
	while (n) {
		v = node_vma(n);
		if (addr < v->end) {
			best = v;
			if (addr >= v->start)
				break;
			n = n->child[0];
		} else {
			n = n->child[1];
		}
	}
	if (best)
		mm->cache = best;
	return best;
}

struct vma *find_vma_intersection(struct mm *mm, u32 start, u32 end)
{
	struct vma *v = find_vma(mm, start);

	return v && v->start < end ? v : NULL;
}

void vma_set_flags(struct vma *v, u32 flags)
{
	v->flags = flags;
	/* A private page becomes writable by a fault that has looked who else has it. */
	v->prot = mmu_prot(flags & VM_READ, flags & VM_WRITE, flags & VM_EXEC);
}

struct vma *vma_alloc(struct mm *mm, u32 start, u32 end, u32 flags)
{
	struct vma *v = kmem_cache_zalloc(&vma_cache);

	if (!v)
		return NULL;
	v->mm = mm;
	v->start = start;
	v->end = end;
	v->pgoff = start >> PAGE_SHIFT;
	vma_set_flags(v, flags);
	return v;
}

void vma_free(struct vma *v)
{
	rmap_area_drop(v);
	if (v->mapping)
		mapping_close_area(v);
	kmem_cache_free(&vma_cache, v);
}

struct vma *vma_dup(const struct vma *old, struct mm *mm)
{
	struct vma *v = kmem_cache_alloc(&vma_cache);

	if (!v)
		return NULL;
	*v = *old;
	v->mm = mm;
	v->anon = NULL;
	rmap_area_dup(v, old);
	if (v->mapping)
		mapping_open_area(v);
	return v;
}

static void link_tree(struct mm *mm, struct vma *v)
{
	struct avl_node *parent = NULL, *n = mm->areas.root;
	int side = 0;

	while (n) {
		parent = n;
		side = v->start >= node_vma(n)->end;
		n = n->child[side];
	}
	avl_insert(&mm->areas, parent, side, &v->node);
}

static void link_list(struct mm *mm, struct vma *v, struct vma *prev)
{
	struct vma *next = prev ? prev->next : mm->first;

	v->prev = prev;
	v->next = next;
	if (prev)
		prev->next = v;
	else
		mm->first = v;
	if (next)
		next->prev = v;
}

static struct vma *last_before(struct mm *mm, u32 addr)
{
	struct avl_node *n = mm->areas.root;
	struct vma *best = NULL;

	while (n) {
		struct vma *v = node_vma(n);

		if (v->start < addr)
			best = v;
		n = n->child[v->start < addr];
	}
	return best;
}

void vma_insert(struct mm *mm, struct vma *v)
{
	link_list(mm, v, last_before(mm, v->start));
	link_tree(mm, v);
	if (v->mapping)
		mapping_link_area(v);
	mm->nr_areas++;
	mm->total_pages += (v->end - v->start) >> PAGE_SHIFT;
}

static void unlink_area(struct mm *mm, struct vma *v)
{
	if (v->prev)
		v->prev->next = v->next;
	else
		mm->first = v->next;
	if (v->next)
		v->next->prev = v->prev;
	avl_erase(&mm->areas, &v->node);
	if (mm->cache == v)
		mm->cache = NULL;
	mm->nr_areas--;
	mm->total_pages -= (v->end - v->start) >> PAGE_SHIFT;
}

void vma_remove(struct mm *mm, struct vma *v)
{
	unlink_area(mm, v);
	if (v->mapping)
		mapping_unlink_area(v);
	vma_free(v);
}

void vma_resize(struct vma *v, u32 start, u32 end, u32 pgoff)
{
	if (v->mapping)
		mapping_unlink_area(v);
	v->mm->total_pages += (s32)((end - start) - (v->end - v->start)) >> PAGE_SHIFT;
	v->start = start;
	v->end = end;
	v->pgoff = pgoff;
	if (v->mapping)
		mapping_link_area(v);
}

int vma_split(struct vma *v, u32 addr, struct vma **upper)
{
	struct vma *u = vma_dup(v, v->mm);

	if (!u)
		return -ENOMEM;
	u->start = addr;
	u->pgoff = vma_pgoff(v, addr);
	vma_resize(v, v->start, addr, v->pgoff);
	vma_insert(v->mm, u);
	if (upper)
		*upper = u;
	return 0;
}

static bool can_merge(const struct vma *a, const struct vma *b)
{
	return a->end == b->start && a->flags == b->flags && a->mapping == b->mapping && a->file == b->file &&
	       vma_pgoff(a, a->end) == b->pgoff && rmap_areas_mergeable(a, b);
}

/* b's range becomes a's. */
static struct vma *join(struct vma *a, struct vma *b)
{
	u32 end = b->end;

	rmap_area_merge(a, b);
	vma_remove(a->mm, b);
	vma_resize(a, a->start, end, a->pgoff);
	return a;
}

struct vma *vma_merge(struct vma *v)
{
	if (v->next && can_merge(v, v->next))
		join(v, v->next);
	if (v->prev && can_merge(v->prev, v))
		v = join(v->prev, v);
	return v;
}

void vma_remove_all(struct mm *mm)
{
	struct vma *v = mm->first, *next;

	/* The tree goes as a whole: nothing is balanced for areas that go next. */
	mm->areas.root = NULL;
	mm->first = mm->cache = NULL;
	mm->nr_areas = mm->total_pages = 0;
	for (; v; v = next) {
		next = v->next;
		if (v->mapping)
			mapping_unlink_area(v);
		vma_free(v);
	}
}

/* The tree's shape is copied with it; an in-order walk links the list. */
static struct avl_node *clone_tree(struct mm *child, const struct avl_node *from, struct avl_node *parent,
				   struct vma **last, int *err)
{
	struct vma *v;
	struct avl_node *left;

	if (!from || *err)
		return NULL;
	left = clone_tree(child, from->child[0], NULL, last, err);
	v = *err ? NULL : vma_dup(node_vma(from), child);
	if (!v) {
		*err = -ENOMEM;
		return left;
	}
	v->node.parent = parent;
	v->node.child[0] = left;
	if (left)
		left->parent = &v->node;
	link_list(child, v, *last);
	*last = v;
	if (v->mapping)
		mapping_link_area(v);
	child->nr_areas++;
	v->node.child[1] = clone_tree(child, from->child[1], &v->node, last, err);
	return &v->node;
}

int vma_clone_all(struct mm *child, struct mm *parent)
{
	struct vma *last = NULL;
	int err = 0;

	child->areas.root = clone_tree(child, parent->areas.root, NULL, &last, &err);
	child->total_pages = parent->total_pages;
	if (!err)
		return 0;
	vma_remove_all(child);
	return err;
}
