// SPDX-License-Identifier: MIT
/* lib/avl.c: the balancing of lib/avl.h; one loop upwards serves insertion and removal. */
#include "lib/avl.h"

static int height(const struct avl_node *n)
{
	return n ? n->height : 0;
}

static void refresh(struct avl_tree *t, struct avl_node *n)
{
	n->height = 1 + max(height(n->child[0]), height(n->child[1]));
	if (t->update)
		t->update(n);
}

/* Put `new` where `old` hangs below its parent. */
static void replace(struct avl_tree *t, struct avl_node *old, struct avl_node *new)
{
	struct avl_node *p = old->parent;

	if (!p)
		t->root = new;
	else
		p->child[p->child[1] == old] = new;
	if (new)
		new->parent = p;
}

static void adopt(struct avl_node *p, int side, struct avl_node *c)
{
	p->child[side] = c;
	if (c)
		c->parent = p;
}

/* Lift n's child on `side` above n; returns the new top of this subtree. */
static struct avl_node *rotate(struct avl_tree *t, struct avl_node *n, int side)
{
	struct avl_node *c = n->child[side];

	replace(t, n, c);
	adopt(n, side, c->child[!side]);
	adopt(c, !side, n);
	refresh(t, n);
	refresh(t, c);
	return c;
}

static struct avl_node *balance(struct avl_tree *t, struct avl_node *n)
{
	int diff = height(n->child[1]) - height(n->child[0]);
	int side = diff > 0;
	struct avl_node *c = n->child[side];

	if (diff >= -1 && diff <= 1)
		return n;
	if (height(c->child[!side]) > height(c->child[side]))
		rotate(t, c, !side);
	return rotate(t, n, side);
}

void avl_refresh(struct avl_tree *t, struct avl_node *n)
{
	for (; n; n = n->parent) {
		refresh(t, n);
		n = balance(t, n);
	}
}

void avl_insert(struct avl_tree *t, struct avl_node *parent, int side, struct avl_node *n)
{
	n->child[0] = n->child[1] = NULL;
	n->parent = parent;
	if (parent)
		parent->child[side] = n;
	else
		t->root = n;
	avl_refresh(t, n);
}

void avl_erase(struct avl_tree *t, struct avl_node *n)
{
	struct avl_node *from, *next;

	if (!n->child[0] || !n->child[1]) {
		from = n->parent;
		replace(t, n, n->child[0] ? n->child[0] : n->child[1]);
	} else {
		for (next = n->child[1]; next->child[0];)
			next = next->child[0];
		from = next->parent == n ? next : next->parent;
		replace(t, next, next->child[1]);
		adopt(next, 0, n->child[0]);
		adopt(next, 1, n->child[1]);
		replace(t, n, next);
	}
	avl_refresh(t, from);
}

struct avl_node *avl_first(const struct avl_tree *t)
{
	struct avl_node *n = t->root;

	while (n && n->child[0])
		n = n->child[0];
	return n;
}

struct avl_node *avl_next(const struct avl_node *n)
{
	if (n->child[1]) {
		for (n = n->child[1]; n->child[0];)
			n = n->child[0];
		return (struct avl_node *)n;
	}
	while (n->parent && n->parent->child[1] == n)
		n = n->parent;
	return n->parent;
}
