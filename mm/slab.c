// SPDX-License-Identifier: MIT
/* mm/slab.c: object caches over pages. */
#include "mm/slab.h"
#include "core/count.h"
#include "core/panic.h"
#include "lib/string.h"
#include "mm/page_alloc.h"

struct list slab_caches = LIST_INIT(slab_caches);

#define KMALLOC_MIN_SHIFT 5
#define KMALLOC_MAX_SHIFT 11 /* larger blocks are pages of their own */

static struct kmem_cache kmalloc_caches[KMALLOC_MAX_SHIFT + 1];

void kmem_cache_init(struct kmem_cache *c, const char *name, u32 size, u32 align)
{
	*c = (struct kmem_cache){.name = name, .size = round_up(max(size, 8u), align)};
	/* At least eight objects a slab, so that little is lost at its end. */
	while (((PAGE_SIZE << c->order) / c->size) < 8 && c->order < 3)
		c->order++;
	c->per_slab = (PAGE_SIZE << c->order) / c->size;
	list_init(&c->partial);
	list_add_tail(&slab_caches, &c->all);
}

static struct page *new_slab(struct kmem_cache *c)
{
	struct page *slab = alloc_pages(GFP_KERNEL, c->order);
	char *obj;

	if (!slab)
		return NULL;
	obj = page_address(slab);
	slab->freelist = obj;
	for (u32 i = 1; i < c->per_slab; i++, obj += c->size)
		*(void **)obj = obj + c->size;
	*(void **)obj = NULL;
	/* Every frame of the slab knows its head, so that an object finds it. */
	for (u32 i = 0; i < 1u << c->order; i++) {
		slab[i].flags |= PG_SLAB;
		slab[i].mapping = c;
		slab[i].index = i;
	}
	slab->inuse = 0;
	list_init(&slab->list);
	c->nr_slabs++;
	count_add(nr_slab_pages, 1u << c->order);
	return slab;
}

static void free_slab(struct kmem_cache *c, struct page *slab)
{
	for (u32 i = 0; i < 1u << c->order; i++)
		slab[i].flags &= ~PG_SLAB;
	c->nr_slabs--;
	count_add(nr_slab_pages, -(1u << c->order));
	free_pages(slab, c->order);
}

/* The active slab is full: it leaves, and one with room takes its place. */
static noinline bool next_slab(struct kmem_cache *c)
{
	/* First: a shrinker, asked by new_slab, may free objects of the full slab, which so gets on the list. */
	c->active = NULL;
	if (list_empty(&c->partial)) {
		c->active = new_slab(c);
		if (c->active || list_empty(&c->partial))
			return c->active;
	}
	c->active = list_first(&c->partial, struct page, list);
	list_del_init(&c->active->list);
	return true;
}

noinline void *kmem_cache_alloc(struct kmem_cache *c)
{
	struct page *slab = c->active;
	void *obj;

	if (unlikely(!slab || !slab->freelist)) {
		if (!next_slab(c))
			return NULL;
		slab = c->active;
	}
	obj = slab->freelist;
	slab->freelist = *(void **)obj;
	slab->inuse++;
	c->nr_inuse++;
	return obj;
}

void *kmem_cache_zalloc(struct kmem_cache *c)
{
	void *obj = kmem_cache_alloc(c);

	return obj ? memset(obj, 0, c->size) : NULL;
}

noinline void kmem_cache_free(struct kmem_cache *c, void *obj)
{
	struct page *slab = virt_to_page(obj);

	BUG_ON(!(slab->flags & PG_SLAB) || slab->mapping != c);
	slab -= slab->index;
	if (!slab->freelist && slab != c->active)
		list_add(&c->partial, &slab->list);
	*(void **)obj = slab->freelist;
	slab->freelist = obj;
	c->nr_inuse--;
	if (--slab->inuse || slab == c->active)
		return;
	/* One empty slab is kept as the next active one; a second is given back. */
	if (c->active && !c->active->inuse) {
		list_del(&slab->list);
		free_slab(c, slab);
	}
}

static u32 cache_shrink(struct kmem_cache *c)
{
	struct page *slab, *next;
	u32 freed = 0;

	list_for_each_entry_safe (slab, next, &c->partial, list) {
		if (slab->inuse)
			continue;
		list_del(&slab->list);
		free_slab(c, slab);
		freed += 1u << c->order;
	}
	if (c->active && !c->active->inuse) {
		free_slab(c, c->active);
		c->active = NULL;
		freed += 1u << c->order;
	}
	return freed;
}

u32 slab_shrink(void)
{
	struct kmem_cache *c;
	u32 freed = 0;

	list_for_each_entry (c, &slab_caches, all)
		freed += cache_shrink(c);
	return freed;
}

static u32 kmalloc_shift(u32 size)
{
	u32 shift = KMALLOC_MIN_SHIFT;

	while (1u << shift < size)
		shift++;
	return shift;
}

void *kmalloc(u32 size)
{
	u32 shift = kmalloc_shift(size), order;
	struct page *p;

	if (shift <= KMALLOC_MAX_SHIFT)
		return kmem_cache_alloc(&kmalloc_caches[shift]);
	order = shift > PAGE_SHIFT ? shift - PAGE_SHIFT : 0;
	if (order > 8)
		return NULL;
	p = alloc_pages(GFP_KERNEL, order);
	if (!p)
		return NULL;
	p->index = order;
	return page_address(p);
}

void *kzalloc(u32 size)
{
	void *p = kmalloc(size);

	return p ? memset(p, 0, size) : NULL;
}

void kfree(void *obj)
{
	struct page *p;

	if (!obj)
		return;
	p = virt_to_page(obj);
	if (p->flags & PG_SLAB)
		kmem_cache_free(p->mapping, obj);
	else
		free_pages(p, p->index);
}

void slab_init(void)
{
	static const char *const names[] = {"kmalloc-32",  "kmalloc-64",   "kmalloc-128", "kmalloc-256",
					    "kmalloc-512", "kmalloc-1024", "kmalloc-2048"};

	for (u32 s = KMALLOC_MIN_SHIFT; s <= KMALLOC_MAX_SHIFT; s++)
		kmem_cache_init(&kmalloc_caches[s], names[s - KMALLOC_MIN_SHIFT], 1u << s, min(1u << s, 32u));
	register_shrinker(slab_shrink);
}
