// SPDX-License-Identifier: MIT
/* test_alloc.c: frames and slab objects: nothing is handed out twice, nothing is lost. */
#include "scene.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"

static u8 owner[MEMORY_MAX >> PAGE_SHIFT];

static void own(const struct page *p, u32 order, u8 from, u8 to)
{
	for (u32 i = 0; i < 1u << order; i++) {
		CHECK_EQ(owner[page_to_pfn(p) + i], from);
		owner[page_to_pfn(p) + i] = to;
	}
}

struct block {
	struct page *page;
	u32 order;
};

TEST(buddy, "blocks of random sizes never overlap, are aligned, and all come back")
{
	static struct block blocks[200];
	u32 before = nr_free_pages();

	for (u32 step = 0; step < 20000; step++) {
		struct block *b = &blocks[random_below(ARRAY_SIZE(blocks))];

		if (b->page) {
			own(b->page, b->order, 1, 0);
			free_pages(b->page, b->order);
			b->page = NULL;
			continue;
		}
		b->order = random_below(4) ? random_below(3) : random_below(MAX_ORDER);
		b->page = alloc_pages(random_below(2) ? GFP_USER : GFP_KERNEL, b->order);
		if (!b->page)
			continue;
		CHECK_EQ(page_to_pfn(b->page) & ((1u << b->order) - 1), 0u);
		CHECK_EQ(b->page->count, 1);
		own(b->page, b->order, 0, 1);
	}
	CHECK(page_alloc_verify());
	for (u32 i = 0; i < ARRAY_SIZE(blocks); i++)
		if (blocks[i].page)
			free_pages(blocks[i].page, blocks[i].order);
	CHECK_EQ(nr_free_pages(), before);
}

/* Takes all pages that gfp may have; they are chained through their lists. */
static u32 take_all(gfp_t gfp, struct list *taken)
{
	struct page *p;
	u32 n = 0;

	list_init(taken);
	while ((p = alloc_page(gfp))) {
		list_add(taken, &p->list);
		n++;
	}
	return n;
}

static void give_back(struct list *taken)
{
	struct page *p, *next;

	list_for_each_entry_safe (p, next, taken, list)
		put_page(p);
}

TEST(exhaustion, "without memory an allocation gives NULL, and every frame had been given")
{
	u32 all = nr_free_pages();
	struct list taken, user;

	CHECK_EQ(take_all(GFP_KERNEL, &taken), all - zone_total_pages(ZONE_HIGHMEM));
	CHECK_EQ(zone_free_pages(ZONE_DMA) + zone_free_pages(ZONE_NORMAL), 0u);
	CHECK(!kmalloc(32) && !alloc_pages(GFP_KERNEL, 3));
	CHECK_EQ(take_all(GFP_USER, &user), zone_total_pages(ZONE_HIGHMEM));
	CHECK_EQ(nr_free_pages(), 0u);
	give_back(&user);
	give_back(&taken);
	CHECK_EQ(nr_free_pages(), all);
	CHECK(page_alloc_verify());
}

TEST(zones, "the kernel gets lowmem only, a user page highmem first")
{
	struct page *k = alloc_page(GFP_KERNEL), *u = alloc_page(GFP_USER);

	CHECK(!page_is_highmem(k) && page_is_highmem(u));
	CHECK_EQ(zone_total_pages(ZONE_DMA), ((16u << 20) - 0x100000) >> PAGE_SHIFT);
	CHECK_EQ(zone_total_pages(ZONE_NORMAL), (LOWMEM_MAX - (16u << 20)) >> PAGE_SHIFT);
	CHECK_EQ(zone_total_pages(ZONE_HIGHMEM), (MEMORY_MAX - LOWMEM_MAX) >> PAGE_SHIFT);
	put_page(k);
	put_page(u);
}

TEST(coalesce, "pages freed one by one in any order make the largest block again")
{
	static struct page *page[1u << (MAX_ORDER - 1)];
	u32 n = ARRAY_SIZE(page);
	struct page *big = alloc_pages(GFP_KERNEL, MAX_ORDER - 1), *again;
	struct list rest;

	take_all(GFP_KERNEL, &rest);
	CHECK(!alloc_pages(GFP_KERNEL, 1));
	free_pages(big, MAX_ORDER - 1);
	for (u32 i = 0; i < n; i++)
		CHECK((page[i] = alloc_page(GFP_KERNEL)));
	for (u32 i = n; i; i--) {
		u32 k = random_below(i);

		put_page(page[k]);
		page[k] = page[i - 1];
	}
	again = alloc_pages(GFP_KERNEL, MAX_ORDER - 1);
	CHECK_EQ(again, big);
	free_pages(again, MAX_ORDER - 1);
	give_back(&rest);
}

struct object {
	u8 *mem;
	u32 size;
};

static bool filled_with(const struct object *o, u8 byte)
{
	for (u32 i = 0; i < o->size; i++)
		if (o->mem[i] != byte)
			return false;
	return true;
}

TEST(kmalloc, "blocks of random sizes keep what is written to them")
{
	static struct object object[300];

	for (u32 step = 0; step < 30000; step++) {
		u32 i = random_below(ARRAY_SIZE(object));
		struct object *o = &object[i];

		if (o->mem) {
			CHECK(filled_with(o, i));
			kfree(o->mem);
			o->mem = NULL;
			continue;
		}
		o->size = random_below(50) ? 1 + random_below(2500) : 1 + random_below(40000);
		o->mem = random_below(2) ? kzalloc(o->size) : kmalloc(o->size);
		if (o->mem)
			for (u32 k = 0; k < o->size; k++)
				o->mem[k] = i;
	}
	for (u32 i = 0; i < ARRAY_SIZE(object); i++)
		kfree(object[i].mem);
	kfree(NULL);
	CHECK(!kmalloc(2u << 20));
}

static struct kmem_cache odd_cache;

TEST(caches, "a cache of odd objects aligns them, runs dry with NULL, and counts them")
{
	static void *object[1u << 17];
	struct list rest;
	u32 n = 0;

	kmem_cache_init(&odd_cache, "odd", 148, 16);
	CHECK_EQ(odd_cache.size, 160u);
	for (; n < 1000; n++) {
		object[n] = kmem_cache_zalloc(&odd_cache);
		CHECK(object[n] && !(virt_to_phys(object[n]) & 15));
		CHECK_EQ(((u32 *)object[n])[30], 0u);
		((u32 *)object[n])[30] = 1;
	}
	take_all(GFP_KERNEL, &rest);
	while ((object[n] = kmem_cache_alloc(&odd_cache)))
		n++;
	CHECK_EQ(odd_cache.nr_inuse, n);
	give_back(&rest);
	CHECK((object[n++] = kmem_cache_alloc(&odd_cache)));
	while (n) {
		u32 k = random_below(n--);

		kmem_cache_free(&odd_cache, object[k]);
		object[k] = object[n];
	}
	shrink_caches();
	CHECK_EQ(odd_cache.nr_slabs, 0u);
	CHECK_EQ(odd_cache.nr_inuse, 0u);
	list_del(&odd_cache.all);
}
