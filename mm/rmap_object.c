// SPDX-License-Identifier: MIT
/*
 * mm/rmap_object.c: rmap=object, as Bligh and McCracken proposed: nothing is kept
 * for a pte; it is computed. A file page knows its file and offset, the file knows
 * its areas. A private page knows an anonymous object and an offset; the object
 * lists the areas that may hold its pages: the area that first had one and all
 * that came from it by fork and split.
 *
 * A list is as long as there are living areas: an area that goes leaves it, so
 * generations of forks do not lengthen it.
 */
#include "core/count.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/slab.h"

struct anon {
	struct list areas;
	u32 nr_areas;
};

static struct kmem_cache anon_cache;

static void object_init(void)
{
	kmem_cache_init(&anon_cache, "anon", sizeof(struct anon), 4);
}

static void join_object(struct anon *a, struct vma *v)
{
	v->anon = a;
	a->nr_areas++;
	list_add(&a->areas, &v->anon_areas);
}

/* A private area is about to get its first page of its own. */
static int object_reserve(struct vma *v, u32 n)
{
	struct anon *a;

	if (likely(v->anon) || !vma_is_cow(v))
		return 0;
	a = kmem_cache_alloc(&anon_cache);
	if (!a)
		return -ENOMEM;
	list_init(&a->areas);
	a->nr_areas = 0;
	join_object(a, v);
	rmap_account(1, sizeof(*a));
	return 0;
}

/* The first pte that maps a private page tells it its object and offset; later ones agree. */
static void page_add_rmap(struct page *page, struct vma *v, u32 addr, struct page *table, u32 slot)
{
	if ((page->flags & PG_ANON) && !page->mapping) {
		page->mapping = v->anon;
		page->index = vma_pgoff(v, addr);
	}
}

static void object_area_dup(struct vma *v, const struct vma *old)
{
	if (old->anon)
		join_object(old->anon, v);
}

static void object_area_drop(struct vma *v)
{
	struct anon *a = v->anon;

	if (!a)
		return;
	list_del(&v->anon_areas);
	v->anon = NULL;
	if (--a->nr_areas)
		return;
	kmem_cache_free(&anon_cache, a);
	rmap_account(-1, -(s32)sizeof(*a));
}

static bool object_mergeable(const struct vma *a, const struct vma *b)
{
	return a->anon == b->anon || !a->anon || !b->anon;
}

static void object_area_merge(struct vma *a, struct vma *b)
{
	if (!a->anon && b->anon)
		join_object(b->anon, a);
}

/* Visits the pte at addr of v if it maps page; of a shared table's users only the first reports. */
static bool visit_area(struct vma *v, u32 addr, struct page *page, rmap_visit visit, void *arg)
{
	struct page *table = pt_find(v->mm, addr);
	struct rmap_hit hit = {.table = table, .slot = pte_index(addr), .mm = v->mm};
	const pte_t *ptes;
	bool found;

	if (!table || table->mapping != v->mm)
		return false;
	ptes = pte_map_table(table, FIX_PTE_RMAP);
	found = pte_present(ptes[hit.slot]) && pte_pfn(ptes[hit.slot]) == page_to_pfn(page);
	pte_unmap_table(table, FIX_PTE_RMAP);
	return found && visit(&hit, arg);
}

/* True if v covers page offset index; *addr is where. */
static bool area_covers(const struct vma *v, u32 index, u32 *addr)
{
	if (index < v->pgoff || index - v->pgoff >= (v->end - v->start) >> PAGE_SHIFT)
		return false;
	*addr = v->start + ((index - v->pgoff) << PAGE_SHIFT);
	return true;
}

static void walk_anon(struct page *page, rmap_visit visit, void *arg)
{
	struct anon *a = page->mapping;
	struct vma *v;
	u32 addr;

	list_for_each_entry (v, &a->areas, anon_areas)
		if (area_covers(v, page->index, &addr) && visit_area(v, addr, page, visit, arg))
			return;
}

static void walk_file(struct page *page, rmap_visit visit, void *arg)
{
	u32 addr;

	for (struct vma *v = mapping_first_area(page->mapping, page->index, page->index); v;
	     v = mapping_next_area(v, page->index, page->index))
		if (area_covers(v, page->index, &addr) && visit_area(v, addr, page, visit, arg))
			return;
}

static void object_walk(struct page *page, rmap_visit visit, void *arg)
{
	if (!page->mapping)
		return;
	if (page->flags & PG_ANON)
		walk_anon(page, visit, arg);
	else
		walk_file(page, visit, arg);
}

const struct rmap_ops rmap_object = {
	.name = "object",
	.answers = true,
	.reserve = object_reserve,
	.add = page_add_rmap,
	.area_dup = object_area_dup,
	.area_drop = object_area_drop,
	.mergeable = object_mergeable,
	.area_merge = object_area_merge,
	.walk = object_walk,
	.init = object_init,
};
