/* SPDX-License-Identifier: MIT */
/*
 * mm/slab.h: caches of objects of one size. A slab is 2^order frames in lowmem,
 * described by its struct page; free objects hold the list of free objects.
 * Never sleeps.
 */
#pragma once

#include "mm/page.h"

struct kmem_cache {
	const char *name;
	u32 size, order, per_slab;
	struct page *active; /* where the next object comes from; may be NULL */
	struct list partial; /* others with room */
	u32 nr_slabs, nr_inuse;
	struct list all;
};

/* Sets up c for objects of `size` bytes, aligned to `align` (a power of two, at least 4). */
void kmem_cache_init(struct kmem_cache *c, const char *name, u32 size, u32 align);
/* An object with undefined contents, or NULL. */
void *kmem_cache_alloc(struct kmem_cache *c);
/* The same, zeroed. */
void *kmem_cache_zalloc(struct kmem_cache *c);
void kmem_cache_free(struct kmem_cache *c, void *obj);
/* Gives empty slabs of all caches back; returns how many frames. */
u32 slab_shrink(void);

/* A block of any size up to 1 MiB, or NULL; kzalloc zeroes it. kfree(NULL) is nothing. */
void *kmalloc(u32 size);
void *kzalloc(u32 size);
void kfree(void *p);

/* The caches, for /proc/slabinfo. */
extern struct list slab_caches;
void slab_init(void);
