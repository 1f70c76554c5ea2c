// SPDX-License-Identifier: MIT
/* lib/radix.c: the tree of lib/radix.h. */
#include "lib/radix.h"
#include "lib/errno.h"

struct radix_node *(*radix_node_alloc)(void);
void (*radix_node_free)(struct radix_node *n);

/* The largest index that a tree of this height can hold. */
static u32 max_index(u32 height)
{
	return height * RADIX_BITS >= 32 ? UINT32_MAX : (1u << height * RADIX_BITS) - 1;
}

static u32 way(u32 index, u32 level)
{
	return index >> level * RADIX_BITS & (RADIX_WAYS - 1);
}

/* Makes the tree high enough for index; an empty one gets its one node at that height. */
static int grow(struct radix_tree *t, u32 index)
{
	u32 height = max(t->height, 1u);

	while (index > max_index(height))
		height++;
	while (t->height < height) {
		struct radix_node *n = radix_node_alloc();

		if (!n)
			return -ENOMEM;
		if (t->root) {
			n->slot[0] = t->root;
			n->used = 1;
			t->height++;
		} else {
			t->height = height;
		}
		t->root = n;
	}
	return 0;
}

/* Frees the nodes on the way to index that hold nothing; path[level] is there from level `from` on. */
static void free_empty(struct radix_tree *t, struct radix_node **path, u32 index, u32 from)
{
	for (u32 level = from; level < t->height; level++) {
		if (path[level]->used)
			return;
		radix_node_free(path[level]);
		if (level + 1 < t->height) {
			path[level + 1]->slot[way(index, level + 1)] = NULL;
			path[level + 1]->used--;
		}
	}
	*t = (struct radix_tree){0};
}

int radix_insert(struct radix_tree *t, u32 index, void *item)
{
	struct radix_node *path[6], *n;
	int err = grow(t, index);

	if (err)
		return err;
	n = path[t->height - 1] = t->root;
	for (u32 level = t->height - 1; level; level--) {
		void **slot = &n->slot[way(index, level)];

		if (!*slot) {
			*slot = radix_node_alloc();
			if (!*slot) {
				free_empty(t, path, index, level);
				return -ENOMEM;
			}
			n->used++;
		}
		n = path[level - 1] = *slot;
	}
	if (n->slot[way(index, 0)])
		return -EEXIST;
	n->slot[way(index, 0)] = item;
	n->used++;
	return 0;
}

void *radix_lookup(const struct radix_tree *t, u32 index)
{
	struct radix_node *n = t->root;
	u32 shift = t->height * RADIX_BITS;

	if (!n || (shift < 32 && index >> shift))
		return NULL;
	while (n && (shift -= RADIX_BITS))
		n = n->slot[index >> shift & (RADIX_WAYS - 1)];
	return n ? n->slot[index & (RADIX_WAYS - 1)] : NULL;
}

void *radix_delete(struct radix_tree *t, u32 index)
{
	struct radix_node *path[6], *n = t->root;
	void *item;
	u32 level;

	if (!n || index > max_index(t->height))
		return NULL;
	for (level = t->height - 1; level; level--) {
		path[level] = n;
		n = n->slot[way(index, level)];
		if (!n)
			return NULL;
	}
	path[0] = n;
	item = n->slot[way(index, 0)];
	if (!item)
		return NULL;
	n->slot[way(index, 0)] = NULL;
	n->used--;
	/* Empty nodes go at once, so that an emptied file holds nothing. */
	free_empty(t, path, index, 0);
	return item;
}

/* The first item at or after *index below n; leaves its index in *index. */
static void *first_from(const struct radix_node *n, u32 level, u32 *index)
{
	for (u32 w = way(*index, level); w < RADIX_WAYS; w++) {
		u32 span = level * RADIX_BITS, behind = ((*index >> span) + 1) << span;

		if (n->slot[w]) {
			void *item = level ? first_from(n->slot[w], level - 1, index) : n->slot[w];

			if (item)
				return item;
		}
		/* On to the beginning of the next slot of this level; the levels below have moved it too. */
		*index = behind;
	}
	return NULL;
}

u32 radix_gang_lookup(const struct radix_tree *t, u32 start, u32 n, void **items, u32 *next)
{
	u32 found = 0;

	*next = start;
	while (found < n && t->root && *next <= max_index(t->height)) {
		u32 index = *next;
		void *item = first_from(t->root, t->height - 1, &index);

		if (!item || index < *next)
			break;
		items[found++] = item;
		*next = index + 1;
		if (!*next)
			break;
	}
	return found;
}
