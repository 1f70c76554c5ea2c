// SPDX-License-Identifier: MIT
/*
 * mm/rmap_chain.c: rmap=chain, as 2.5: each page heads a chain of the ptes that
 * map it. A node is as large as a cache line was (`chain=32|64|128[,direct]`);
 * with `direct` a page mapped once holds the pte's name itself.
 *
 * Free places are only in the head node, filled from its end. Removal moves the
 * head's first name into the hole.
 */
#include "core/count.h"
#include "core/panic.h"
#include "core/param.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/pgtable.h"
#include "mm/rmap.h"
#include "mm/slab.h"

/* A name of 0 is an empty place: frame 0 is never a page table. */
struct pte_chain {
	struct pte_chain *next;
	u32 name[];
};

static u32 node_bytes = 32, per_node = 7;
static bool direct = true;
static struct kmem_cache chain_cache;

/* Nodes set aside by reserve, so that add cannot fail. */
static struct pte_chain *pool;
static u32 pool_size;

static const char *const sizes[] = {"32,direct", "64,direct", "128,direct", "32", "64", "128", NULL};
static u32 size;

static void choose_size(void)
{
	node_bytes = 32u << size % 3;
	per_node = node_bytes / 4 - 1;
	direct = size < 3;
}
PARAM_CHOICE(chain, size, sizes, choose_size, false);

static u32 chain_shrink(void)
{
	while (pool) {
		struct pte_chain *c = pool;

		pool = c->next;
		kmem_cache_free(&chain_cache, c);
	}
	pool_size = 0;
	return 0;
}

static void chain_init(void)
{
	kmem_cache_init(&chain_cache, "pte_chain", node_bytes, node_bytes);
	register_shrinker(chain_shrink);
}

static int chain_reserve(struct vma *v, u32 n)
{
	while (pool_size < n) {
		struct pte_chain *c = kmem_cache_alloc(&chain_cache);

		if (!c)
			return -ENOMEM;
		c->next = pool;
		pool = c;
		pool_size++;
	}
	return 0;
}

static struct pte_chain *node_alloc(void)
{
	struct pte_chain *c = pool;

	BUG_ON(!c);
	pool = c->next;
	pool_size--;
	memset(c, 0, node_bytes);
	rmap_account(1, node_bytes);
	return c;
}

static void node_free(struct pte_chain *c)
{
	rmap_account(-1, -(s32)node_bytes);
	if (pool_size < 64) {
		c->next = pool;
		pool = c;
		pool_size++;
	} else {
		kmem_cache_free(&chain_cache, c);
	}
}

static struct pte_chain *head_of(const struct page *page)
{
	return (struct pte_chain *)page->rmap;
}

/* Puts name in front: into the head's last free place, or into a new head. */
static void push(struct page *page, u32 name)
{
	struct pte_chain *head = head_of(page), *new;

	if (head && !head->name[0]) {
		u32 i = per_node - 1;

		while (head->name[i])
			i--;
		head->name[i] = name;
		return;
	}
	new = node_alloc();
	new->next = head;
	new->name[per_node - 1] = name;
	page->rmap = (u32) new;
}

static noinline void page_add_rmap(struct page *page, struct vma *v, u32 addr, struct page *table, u32 slot)
{
	u32 name = pte_name(table, slot), only;

	count(rmap_adds);
	if (direct && !page->rmap) {
		page->rmap = name;
		page->flags |= PG_DIRECT;
		return;
	}
	if (page->flags & PG_DIRECT) {
		only = page->rmap;
		page->rmap = 0;
		page->flags &= ~PG_DIRECT;
		push(page, only);
	}
	push(page, name);
}

/* The head's first name fills the hole; an empty head goes. */
static void fill_hole(struct page *page, u32 *hole)
{
	struct pte_chain *head = head_of(page);
	u32 first = 0;

	while (!head->name[first])
		first++;
	*hole = head->name[first];
	head->name[first] = 0;
	if (first == per_node - 1) {
		page->rmap = (u32)head->next;
		node_free(head);
	}
}

static noinline void page_remove_rmap(struct page *page, struct page *table, u32 slot)
{
	u32 name = pte_name(table, slot);

	count(rmap_removes);
	if (page->flags & PG_DIRECT) {
		BUG_ON(page->rmap != name);
		page->rmap = 0;
		page->flags &= ~PG_DIRECT;
		return;
	}
	for (struct pte_chain *c = head_of(page); c; c = c->next) {
		for (u32 i = per_node; i--;) {
			count(rmap_steps);
			if (c->name[i] == name) {
				fill_hole(page, &c->name[i]);
				return;
			}
		}
	}
	panic("rmap=chain: page %x is not mapped by slot %u of table %x", page_to_pfn(page), slot,
	      page_to_pfn(table));
}

static void chain_add_run(const pte_t *ptes, struct page *table, u32 slot, u32 n)
{
	struct page *page;

	for (u32 i = 0; i < n; i++)
		if (pte_counted_page(ptes[i], &page))
			page_add_rmap(page, NULL, 0, table, slot + i);
}

static void chain_remove_run(const pte_t *ptes, struct page *table, u32 slot, u32 n)
{
	struct page *page;

	for (u32 i = 0; i < n; i++)
		if (pte_counted_page(ptes[i], &page))
			page_remove_rmap(page, table, slot + i);
}

static bool visit_name(u32 name, rmap_visit visit, void *arg)
{
	struct rmap_hit hit = {.table = pte_name_table(name), .slot = pte_name_slot(name)};

	hit.mm = hit.table->mapping;
	return visit(&hit, arg);
}

static void chain_walk(struct page *page, rmap_visit visit, void *arg)
{
	if (page->flags & PG_DIRECT) {
		visit_name(page->rmap, visit, arg);
		return;
	}
	for (struct pte_chain *c = head_of(page); c; c = c->next)
		for (u32 i = 0; i < per_node; i++)
			if (c->name[i] && visit_name(c->name[i], visit, arg))
				return;
}

const struct rmap_ops rmap_chain = {
	.name = "chain",
	.answers = true,
	.reserve = chain_reserve,
	.add = page_add_rmap,
	.remove = page_remove_rmap,
	.add_run = chain_add_run,
	.remove_run = chain_remove_run,
	.walk = chain_walk,
	.init = chain_init,
};
