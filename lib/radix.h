/* SPDX-License-Identifier: MIT */
/*
 * lib/radix.h: a tree from a 32-bit index to a pointer, 64 ways a node; the page
 * cache of a file is one. Nodes come from the owner's allocator, since the
 * library is below memory management.
 */
#pragma once

#include "lib/types.h"

#define RADIX_BITS 6
#define RADIX_WAYS (1u << RADIX_BITS)

struct radix_node {
	void *slot[RADIX_WAYS];
	u32 used; /* slots that are not NULL */
};

struct radix_tree {
	struct radix_node *root;
	u32 height; /* levels of nodes; 0: empty */
};

/* Set by memory management at boot: how nodes are had and given back. alloc returns a zeroed node or NULL. */
extern struct radix_node *(*radix_node_alloc)(void);
extern void (*radix_node_free)(struct radix_node *n);

/* 0, -EEXIST if the index is taken, -ENOMEM (the tree then maps what it mapped before). */
int radix_insert(struct radix_tree *t, u32 index, void *item);
/* The item at index, or NULL. */
void *radix_lookup(const struct radix_tree *t, u32 index);
/* Takes out and returns the item at index, or NULL. */
void *radix_delete(struct radix_tree *t, u32 index);
/* Up to n items with index >= start, in order, into items[]; returns how many. *next is the index after the last. */
u32 radix_gang_lookup(const struct radix_tree *t, u32 start, u32 n, void **items, u32 *next);
