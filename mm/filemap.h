/* SPDX-License-Identifier: MIT */
/*
 * mm/filemap.h: the pages of an object that can be mapped: a file's page cache, or
 * anonymous memory that processes share. fs/ embeds an address_space in its inode.
 */
#pragma once

#include "lib/avl.h"
#include "lib/radix.h"
#include "mm/mm.h"

struct address_space_ops {
	/*
	 * The page at index with a reference, made if it is not there (a hole). NULL:
	 * no memory. May sleep.
	 */
	struct page *(*get_page)(struct address_space *m, u32 index);
	/* An area that maps the object begins or ends to exist; v->file is to be held or dropped. */
	void (*open_area)(struct vma *v);
	void (*close_area)(struct vma *v);
};

struct address_space {
	const struct address_space_ops *ops;
	struct radix_tree pages;
	struct avl_tree areas; /* who maps it, by page offset */
	u64 size;              /* bytes; beyond it a mapping has no pages */
	u32 nr_pages;
};

void mapping_init(struct address_space *m, const struct address_space_ops *ops);

/* The cached page with a reference, or NULL. */
static inline struct page *find_get_page(struct address_space *m, u32 index)
{
	struct page *p = radix_lookup(&m->pages, index);

	if (p)
		get_page(p);
	return p;
}
/* Up to n cached pages from *index on, each with a reference; *index goes behind the last. */
u32 find_get_pages(struct address_space *m, u32 *index, u32 n, struct page **pages);
/* Puts a new page, zeroed, at index; one reference is the cache's, one the caller's. NULL: no memory. */
struct page *add_zeroed_page(struct address_space *m, u32 index);
/* The same with whatever the frame held before: the caller fills or clears it before anyone can look. */
struct page *add_unset_page(struct address_space *m, u32 index);
/* The page at index, made if it is a hole; with a reference. NULL: no memory. */
struct page *filemap_get_page(struct address_space *m, u32 index);
/*
 * The object is to be `size` bytes: pages behind it leave the cache and every
 * mapping, the rest of its last page is zeroed.
 */
void truncate_mapping(struct address_space *m, u64 size);
/* Every page goes; nobody maps the object any more. */
void mapping_free_pages(struct address_space *m);

/* References and the tree of areas, as mm/vma.c needs them. */
static inline void mapping_open_area(struct vma *v)
{
	v->mapping->ops->open_area(v);
}
static inline void mapping_close_area(struct vma *v)
{
	v->mapping->ops->close_area(v);
}
void mapping_link_area(struct vma *v);
void mapping_unlink_area(struct vma *v);
/* The first area of m that holds page offset >= first and <= last, and the next one; NULL at the end. */
struct vma *mapping_first_area(struct address_space *m, u32 first, u32 last);
struct vma *mapping_next_area(struct vma *v, u32 first, u32 last);

/*
 * Anonymous memory that is shared: a new object of `len` bytes, held by its maker
 * until shmem_put, and by the areas that map it. NULL: no memory.
 */
struct address_space *shmem_create(u32 len);
void shmem_put(struct address_space *m);
