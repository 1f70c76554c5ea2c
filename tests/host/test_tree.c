// SPDX-License-Identifier: MIT
/* test_tree.c: lib's trees against arrays. */
#include <stdlib.h>
#include "tap.h"
#include "lib/avl.h"
#include "lib/errno.h"
#include "lib/radix.h"

enum { KEYS = 300 };

struct key {
	u32 value, sum; /* sum: of the subtree */
	bool in;
	struct avl_node node;
};

static struct key keys[KEYS];

static struct key *key_of(const struct avl_node *n)
{
	return n ? container_of(n, struct key, node) : NULL;
}

static void sum_up(struct avl_node *n)
{
	struct key *k = key_of(n);

	k->sum = k->value;
	for (int side = 0; side < 2; side++)
		k->sum += n->child[side] ? key_of(n->child[side])->sum : 0;
}

static void insert(struct avl_tree *t, struct key *k)
{
	struct avl_node *parent = NULL, *n = t->root;
	int side = 0;

	while (n) {
		parent = n;
		side = k > key_of(n);
		n = n->child[side];
	}
	avl_insert(t, parent, side, &k->node);
	k->in = true;
}

/* Checks order, links, balance and sums below n; returns the height. */
static int check_subtree(struct avl_node *n, struct avl_node *parent)
{
	int l, r;
	u32 sum;

	if (!n)
		return 0;
	CHECK_EQ(n->parent, parent);
	l = check_subtree(n->child[0], n);
	r = check_subtree(n->child[1], n);
	CHECK(l - r <= 1 && r - l <= 1);
	CHECK_EQ(n->height, 1 + max(l, r));
	sum = key_of(n)->sum;
	sum_up(n);
	CHECK_EQ(sum, key_of(n)->sum);
	return n->height;
}

static void check_tree(const struct avl_tree *t)
{
	struct avl_node *n = avl_first(t);

	check_subtree(t->root, NULL);
	for (u32 i = 0; i < KEYS; i++) {
		if (!keys[i].in)
			continue;
		CHECK_EQ(key_of(n), &keys[i]);
		n = avl_next(n);
	}
	CHECK(!n);
}

TEST(avl, "an AVL tree keeps order, balance and summaries through random changes")
{
	struct avl_tree t = {.update = sum_up};

	for (u32 step = 0; step < 6000; step++) {
		struct key *k = &keys[random_below(step < 3000 ? KEYS : 1 + random_below(KEYS))];

		if (k->in && random_below(4) == 0) {
			k->value = random_below(1000);
			avl_refresh(&t, &k->node);
		} else if (k->in) {
			avl_erase(&t, &k->node);
			k->in = false;
		} else {
			k->value = random_below(1000);
			insert(&t, k);
		}
		if (step % 16 == 0)
			check_tree(&t);
	}
	check_tree(&t);
}

TEST(avl_order, "an AVL tree filled and emptied in order stays balanced")
{
	struct avl_tree t = {.update = sum_up};

	for (u32 i = 0; i < KEYS; i++) {
		insert(&t, &keys[i]);
		check_subtree(t.root, NULL);
	}
	for (u32 i = KEYS; i--;) {
		avl_erase(&t, &keys[i].node);
		keys[i].in = false;
		check_tree(&t);
	}
	CHECK(!t.root && !avl_first(&t));
}

/* Nodes of the radix trees: counted, and failing when asked. */
static u32 nodes, fail_in;

static struct radix_node *node_alloc(void)
{
	if (fail_in && !--fail_in)
		return NULL;
	nodes++;
	return calloc(1, sizeof(struct radix_node));
}
static void node_free(struct radix_node *n)
{
	nodes--;
	free(n);
}
static void use_counted_nodes(void)
{
	radix_node_alloc = node_alloc;
	radix_node_free = node_free;
}

static void *item(u32 index)
{
	return (void *)(index | 1);
}

TEST(radix_far, "an emptied radix tree has no nodes, however far the first index lay")
{
	static const u32 far[] = {0, 63, 64, 100, 4095, 4096, 262144, 1u << 24, 1u << 30, ~0u};
	struct radix_tree t = {0};

	use_counted_nodes();
	for (u32 i = 0; i < ARRAY_SIZE(far); i++) {
		CHECK_EQ(radix_insert(&t, far[i], item(far[i])), 0);
		CHECK_EQ(radix_insert(&t, far[i], item(0)), -EEXIST);
		CHECK_EQ(radix_lookup(&t, far[i]), item(far[i]));
		CHECK(!radix_lookup(&t, far[i] ^ 1) && !radix_lookup(&t, far[i] / 2 + 5));
		CHECK_EQ(radix_delete(&t, far[i]), item(far[i]));
		CHECK(!radix_delete(&t, far[i]));
		CHECK_EQ(nodes, 0u);
	}
}

TEST(radix_fail, "an insertion without memory leaves the radix tree and its nodes as they were")
{
	static const u32 at[] = {3, 70, 5000, 1u << 20, ~0u};

	use_counted_nodes();
	for (u32 first = 0; first < ARRAY_SIZE(at); first++) {
		for (u32 second = 0; second < ARRAY_SIZE(at); second++) {
			struct radix_tree t = {0};
			int err = -ENOMEM;

			CHECK_EQ(radix_insert(&t, at[first], item(1)), 0);
			for (u32 n = 1; err == -ENOMEM; n++) {
				fail_in = n;
				err = radix_insert(&t, at[second], item(2));
				CHECK_EQ(radix_lookup(&t, at[first]), item(1));
			}
			fail_in = 0;
			CHECK_EQ(err, first == second ? -EEXIST : 0);
			radix_delete(&t, at[second]);
			radix_delete(&t, at[first]);
			CHECK_EQ(nodes, 0u);
			for (u32 n = 1; n < 4; n++) {
				fail_in = n;
				if (radix_insert(&t, at[second], item(2)) == 0)
					radix_delete(&t, at[second]);
				fail_in = 0;
				CHECK_EQ(nodes, 0u);
			}
		}
	}
}

enum { SPREAD = 600 };

static u32 spread_index(u32 i)
{
	return i < 300 ? i : i < 450 ? i * 977 : ~0u - (600 - i) * 3;
}

TEST(radix_random, "a radix tree finds what an array says, one by one and in gangs")
{
	static bool in[SPREAD];
	struct radix_tree t = {0};
	void *got[7];

	use_counted_nodes();
	for (u32 step = 0; step < 5000; step++) {
		u32 i = random_below(SPREAD), index = spread_index(i), next = 0, n;

		if (in[i])
			CHECK_EQ(radix_delete(&t, index), item(index));
		else
			CHECK_EQ(radix_insert(&t, index, item(index)), 0);
		in[i] = !in[i];
		i = random_below(SPREAD);
		CHECK_EQ(radix_lookup(&t, spread_index(i)), in[i] ? item(spread_index(i)) : NULL);
		if (step % 50)
			continue;
		i = random_below(SPREAD);
		next = spread_index(i);
		do {
			n = radix_gang_lookup(&t, next, ARRAY_SIZE(got), got, &next);
			for (u32 k = 0; k < n; k++, i++) {
				while (!in[i])
					i++;
				CHECK_EQ(got[k], item(spread_index(i)));
			}
		} while (n == ARRAY_SIZE(got) && next);
		for (; i < SPREAD; i++)
			CHECK(!in[i]);
	}
	for (u32 i = 0; i < SPREAD; i++)
		if (in[i])
			radix_delete(&t, spread_index(i));
	CHECK_EQ(nodes, 0u);
}
