// SPDX-License-Identifier: MIT
/* mm/filemap.c: page cache, the interval tree of the areas that map an object, truncation, shared anonymous memory. */
#include "mm/filemap.h"
#include "core/count.h"
#include "core/panic.h"
#include "lib/errno.h"
#include "mm/highmem.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"
#include "mm/zap.h"

static struct kmem_cache radix_cache;

static struct radix_node *node_alloc(void)
{
	return kmem_cache_zalloc(&radix_cache);
}
static void node_free(struct radix_node *n)
{
	kmem_cache_free(&radix_cache, n);
}

void filemap_init(void)
{
	kmem_cache_init(&radix_cache, "radix_node", sizeof(struct radix_node), 4);
	radix_node_alloc = node_alloc;
	radix_node_free = node_free;
}

static struct vma *i_node_vma(const struct avl_node *n)
{
	return n ? container_of(n, struct vma, i_node) : NULL;
}

static u32 last_pgoff(const struct vma *v)
{
	return v->pgoff + ((v->end - v->start) >> PAGE_SHIFT) - 1;
}

static void update_last(struct avl_node *n)
{
	struct vma *v = i_node_vma(n);

	v->i_last = last_pgoff(v);
	for (int side = 0; side < 2; side++)
		if (n->child[side])
			v->i_last = max(v->i_last, i_node_vma(n->child[side])->i_last);
}

void mapping_init(struct address_space *m, const struct address_space_ops *ops)
{
	*m = (struct address_space){.ops = ops, .areas.update = update_last};
}

void mapping_link_area(struct vma *v)
{
	struct avl_tree *t = &v->mapping->areas;
	struct avl_node *parent = NULL, *n = t->root;
	int side = 0;

	while (n) {
		parent = n;
		side = v->pgoff >= i_node_vma(n)->pgoff;
		n = n->child[side];
	}
	avl_insert(t, parent, side, &v->i_node);
}

void mapping_unlink_area(struct vma *v)
{
	avl_erase(&v->mapping->areas, &v->i_node);
}

/* The leftmost area below n that overlaps [first, last]. */
static struct vma *first_overlap(struct avl_node *n, u32 first, u32 last)
{
	while (n) {
		struct avl_node *left = n->child[0];

		if (left && i_node_vma(left)->i_last >= first) {
			n = left;
			continue;
		}
		if (i_node_vma(n)->pgoff > last)
			return NULL;
		if (last_pgoff(i_node_vma(n)) >= first)
			return i_node_vma(n);
		n = n->child[1];
	}
	return NULL;
}

struct vma *mapping_first_area(struct address_space *m, u32 first, u32 last)
{
	return first_overlap(m->areas.root, first, last);
}

struct vma *mapping_next_area(struct vma *v, u32 first, u32 last)
{
	for (struct avl_node *n = avl_next(&v->i_node); n; n = avl_next(n)) {
		if (i_node_vma(n)->pgoff > last)
			return NULL;
		if (last_pgoff(i_node_vma(n)) >= first)
			return i_node_vma(n);
	}
	return NULL;
}

u32 find_get_pages(struct address_space *m, u32 *index, u32 n, struct page **pages)
{
	u32 got = radix_gang_lookup(&m->pages, *index, n, (void **)pages, index);

	for (u32 i = 0; i < got; i++)
		get_page(pages[i]);
	return got;
}

struct page *add_unset_page(struct address_space *m, u32 index)
{
	struct page *p = alloc_page(GFP_USER);

	if (!p)
		return NULL;
	if (radix_insert(&m->pages, index, p) < 0) {
		put_page(p);
		return NULL;
	}
	p->mapping = m;
	p->index = index;
	m->nr_pages++;
	count(nr_file_pages);
	get_page(p);
	return p;
}

struct page *add_zeroed_page(struct address_space *m, u32 index)
{
	struct page *p = add_unset_page(m, index);

	if (p)
		clear_highpage(p);
	return p;
}

struct page *filemap_get_page(struct address_space *m, u32 index)
{
	struct page *p = find_get_page(m, index);

	return likely(p) ? p : m->ops->get_page(m, index);
}

static void remove_from_cache(struct address_space *m, struct page *p)
{
	radix_delete(&m->pages, p->index);
	p->mapping = NULL;
	m->nr_pages--;
	count_dec(nr_file_pages);
	put_page(p);
}

static void remove_pages_from(struct address_space *m, u32 index)
{
	struct page *batch[16];
	u32 n;

	while ((n = find_get_pages(m, &index, ARRAY_SIZE(batch), batch))) {
		for (u32 i = 0; i < n; i++) {
			remove_from_cache(m, batch[i]);
			put_page(batch[i]);
		}
	}
}

static void zero_tail(struct address_space *m, u64 size)
{
	u32 off = size & (PAGE_SIZE - 1);
	struct page *p = off ? find_get_page(m, size >> PAGE_SHIFT) : NULL;

	if (!p)
		return;
	memset((char *)page_map(p, FIX_PAGE0) + off, 0, PAGE_SIZE - off);
	page_unmap(p, FIX_PAGE0);
	put_page(p);
}

void truncate_mapping(struct address_space *m, u64 size)
{
	u32 first = (size + PAGE_SIZE - 1) >> PAGE_SHIFT;

	if (size < m->size) {
		m->size = size;
		unmap_mapping_from(m, first);
		remove_pages_from(m, first);
		zero_tail(m, size);
	}
	m->size = size;
}

void mapping_free_pages(struct address_space *m)
{
	BUG_ON(m->areas.root);
	remove_pages_from(m, 0);
}

/* Shared anonymous memory: an object that lives as long as an area maps it. */
struct shmem {
	struct address_space mapping;
	u32 holders; /* areas, and whoever made it */
};

static void shmem_open(struct vma *v)
{
	container_of(v->mapping, struct shmem, mapping)->holders++;
}

void shmem_put(struct address_space *m)
{
	struct shmem *s = container_of(m, struct shmem, mapping);

	if (--s->holders)
		return;
	mapping_free_pages(&s->mapping);
	kfree(s);
}

static void shmem_close(struct vma *v)
{
	shmem_put(v->mapping);
}

static const struct address_space_ops shmem_ops = {
	.get_page = add_zeroed_page,
	.open_area = shmem_open,
	.close_area = shmem_close,
};

struct address_space *shmem_create(u32 len)
{
	struct shmem *s = kzalloc(sizeof(*s));

	if (!s)
		return NULL;
	mapping_init(&s->mapping, &shmem_ops);
	s->mapping.size = len;
	s->holders = 1;
	return &s->mapping;
}
