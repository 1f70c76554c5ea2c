/* SPDX-License-Identifier: MIT */
/*
 * lib/avl.h: a height-balanced tree of nodes that live inside their owners.
 * The owner finds the place (it knows its key); the tree balances, and calls
 * `update` bottom-up for each node whose subtree has changed, so that a node
 * may hold a summary of its subtree (an interval tree's largest end).
 */
#pragma once

#include "lib/types.h"

struct avl_node {
	struct avl_node *child[2]; /* smaller, larger */
	struct avl_node *parent;
	int height; /* of the subtree; a leaf has 1 */
};

struct avl_tree {
	struct avl_node *root;
	void (*update)(struct avl_node *n); /* may be NULL */
};

/* Link n as child[side] of parent (NULL: as root of an empty tree) and rebalance. */
void avl_insert(struct avl_tree *t, struct avl_node *parent, int side, struct avl_node *n);
/* Take n out of the tree and rebalance. */
void avl_erase(struct avl_tree *t, struct avl_node *n);
/* The summary of n itself has changed: bring those above up to date. */
void avl_refresh(struct avl_tree *t, struct avl_node *n);
/* The first node in order, and the next after n; NULL at the end. */
struct avl_node *avl_first(const struct avl_tree *t);
struct avl_node *avl_next(const struct avl_node *n);
