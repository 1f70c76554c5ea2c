// SPDX-License-Identifier: MIT
/* mm/page_alloc.c: zones, buddy blocks, hot lists. */
#include "mm/page_alloc.h"
#include "core/count.h"
#include "core/log.h"
#include "core/panic.h"

struct zone {
	struct list free[MAX_ORDER];
	u32 nr_free; /* frames in buddy blocks */
	struct list hot;
	u32 nr_hot;
	u32 total;
};

enum { HOT_BATCH = 16, HOT_MAX = 96 };

struct page *mem_map, *zero_page, *highmem_start;
pfn_t max_pfn;

static struct zone zones[NR_ZONES];
static u32 (*shrinkers[8])(void);
static u32 nr_shrinkers;

static enum zone_id zone_of_pfn(pfn_t pfn)
{
	if (pfn < 16u << (20 - PAGE_SHIFT))
		return ZONE_DMA;
	return pfn < LOWMEM_MAX >> PAGE_SHIFT ? ZONE_NORMAL : ZONE_HIGHMEM;
}

static struct zone *page_zone(const struct page *p)
{
	return &zones[p->flags >> PG_ZONE_SHIFT];
}

static u32 buddy_order(const struct page *p)
{
	return p->flags >> PG_ORDER_SHIFT & 15;
}

static void put_block(struct zone *z, struct page *p, u32 order)
{
	p->flags = (p->flags & ~(15u << PG_ORDER_SHIFT)) | PG_BUDDY | order << PG_ORDER_SHIFT;
	list_add(&z->free[order], &p->list);
}

static void take_block(struct page *p)
{
	p->flags &= ~(PG_BUDDY | 15u << PG_ORDER_SHIFT);
	list_del(&p->list);
}

/* The free block of the same order that p can join, or NULL. */
static struct page *free_buddy(const struct page *p, u32 order)
{
	pfn_t pfn = page_to_pfn(p) ^ 1u << order;
	struct page *b = pfn_to_page(pfn);

	if (pfn >= max_pfn || !(b->flags & PG_BUDDY) || buddy_order(b) != order ||
	    page_zone(b) != page_zone(p))
		return NULL;
	return b;
}

static void free_block(struct zone *z, struct page *p, u32 order)
{
	struct page *b;

	z->nr_free += 1u << order;
	while (order < MAX_ORDER - 1 && (b = free_buddy(p, order))) {
		take_block(b);
		p = min(p, b);
		order++;
	}
	put_block(z, p, order);
}

static struct page *alloc_block(struct zone *z, u32 order)
{
	u32 o = order;
	struct page *p;

	while (o < MAX_ORDER && list_empty(&z->free[o]))
		o++;
	if (o == MAX_ORDER)
		return NULL;
	p = list_first(&z->free[o], struct page, list);
	take_block(p);
	while (o > order) {
		o--;
		put_block(z, p + (1u << o), o);
	}
	z->nr_free -= 1u << order;
	return p;
}

static bool refill_hot(struct zone *z)
{
	for (u32 i = 0; i < HOT_BATCH; i++) {
		struct page *p = alloc_block(z, 0);

		if (!p)
			break;
		list_add_tail(&z->hot, &p->list);
		z->nr_hot++;
	}
	return z->nr_hot;
}

static void drain_hot(struct zone *z, u32 keep)
{
	while (z->nr_hot > keep) {
		struct page *p = list_entry(z->hot.prev, struct page, list);

		list_del(&p->list);
		z->nr_hot--;
		free_block(z, p, 0);
	}
}

static noinline struct page *buffered_rmqueue(struct zone *z, u32 order)
{
	struct page *p;

	if (order == 0) {
		if (!z->nr_hot && !refill_hot(z))
			return NULL;
		p = list_first(&z->hot, struct page, list);
		list_del(&p->list);
		z->nr_hot--;
	} else {
		p = alloc_block(z, order);
		if (!p)
			return NULL;
	}
	p->count = 1;
	p->mapcount = 0;
	p->mapping = NULL;
	p->rmap = 0;
	count_add(pgalloc, 1u << order);
	return p;
}

static struct page *alloc_from_zones(gfp_t gfp, u32 order)
{
	struct page *p;

	for (int z = gfp == GFP_USER ? ZONE_HIGHMEM : ZONE_NORMAL; z >= ZONE_DMA; z--) {
		if (!zones[z].total)
			continue;
		p = buffered_rmqueue(&zones[z], order);
		if (p)
			return p;
	}
	return NULL;
}

static noinline struct page *alloc_when_short(gfp_t gfp, u32 order)
{
	/* Singles that wait in the hot lists may join to larger blocks. */
	for (u32 z = 0; z < NR_ZONES; z++)
		drain_hot(&zones[z], 0);
	shrink_caches();
	return alloc_from_zones(gfp, order);
}

struct page *alloc_pages(gfp_t gfp, u32 order)
{
	struct page *p = alloc_from_zones(gfp, order);

	return likely(p) ? p : alloc_when_short(gfp, order);
}

static void check_free(const struct page *p)
{
	if (unlikely(p->flags & (PG_RESERVED | PG_BUDDY | PG_TABLE | PG_SLAB) || p->mapcount))
		panic("freeing page %x: flags %x, count %d, mapcount %d", page_to_pfn(p), p->flags, p->count,
		      p->mapcount);
}

noinline void free_hot_cold_page(struct page *p)
{
	struct zone *z = page_zone(p);

	check_free(p);
	p->flags &= 3u << PG_ZONE_SHIFT;
	count(pgfree);
	list_add(&z->hot, &p->list);
	if (++z->nr_hot > HOT_MAX)
		drain_hot(z, HOT_MAX - HOT_BATCH);
}

void free_pages(struct page *p, u32 order)
{
	p->count = 0;
	if (!order) {
		free_hot_cold_page(p);
		return;
	}
	check_free(p);
	p->flags &= 3u << PG_ZONE_SHIFT;
	count_add(pgfree, 1u << order);
	free_block(page_zone(p), p, order);
}

void register_shrinker(u32 (*shrink)(void))
{
	BUG_ON(nr_shrinkers == ARRAY_SIZE(shrinkers));
	shrinkers[nr_shrinkers++] = shrink;
}

u32 shrink_caches(void)
{
	u32 n = 0;

	/* Who came later gives objects back to who came first: slabs go last. */
	for (u32 i = nr_shrinkers; i--;)
		n += shrinkers[i]();
	return n;
}

u32 zone_free_pages(enum zone_id z)
{
	return zones[z].nr_free + zones[z].nr_hot;
}

u32 zone_total_pages(enum zone_id z)
{
	return zones[z].total;
}

u32 nr_free_pages(void)
{
	return zone_free_pages(ZONE_DMA) + zone_free_pages(ZONE_NORMAL) + zone_free_pages(ZONE_HIGHMEM);
}

u32 nr_total_pages(void)
{
	return zones[ZONE_DMA].total + zones[ZONE_NORMAL].total + zones[ZONE_HIGHMEM].total;
}

/* The largest block that begins at pfn, is aligned to its size and ends by `end`, within one zone. */
static u32 boot_order(pfn_t pfn, pfn_t end)
{
	u32 order = 0;

	while (order < MAX_ORDER - 1 && !(pfn & ((2u << order) - 1)) && pfn + (2u << order) <= end &&
	       zone_of_pfn(pfn) == zone_of_pfn(pfn + (2u << order) - 1))
		order++;
	return order;
}

void free_boot_range(pfn_t pfn, pfn_t end)
{
	while (pfn < end) {
		u32 order = boot_order(pfn, end), n = 1u << order;
		enum zone_id z = zone_of_pfn(pfn);

		for (u32 i = 0; i < n; i++)
			pfn_to_page(pfn + i)->flags = (u32)z << PG_ZONE_SHIFT;
		zones[z].total += n;
		free_block(&zones[z], pfn_to_page(pfn), order);
		pfn += n;
	}
}

void page_alloc_init(void)
{
	for (u32 z = 0; z < NR_ZONES; z++) {
		list_init(&zones[z].hot);
		for (u32 o = 0; o < MAX_ORDER; o++)
			list_init(&zones[z].free[o]);
	}
}

static bool zone_verify(struct zone *z)
{
	struct page *p;
	u32 blocks = 0, hot = 0;

	for (u32 o = 0; o < MAX_ORDER; o++)
		list_for_each_entry (p, &z->free[o], list)
			blocks += 1u << o;
	list_for_each_entry (p, &z->hot, list)
		hot++;
	return blocks == z->nr_free && hot == z->nr_hot;
}

bool page_alloc_verify(void)
{
	for (u32 z = 0; z < NR_ZONES; z++)
		if (!zone_verify(&zones[z]))
			return false;
	return true;
}
