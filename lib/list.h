/* SPDX-License-Identifier: MIT */
/* lib/list.h: a circular doubly linked list whose head is a node too. */
#pragma once

#include "lib/types.h"

struct list {
	struct list *next, *prev;
};

#define LIST_INIT(name)          \
	{                        \
		&(name), &(name) \
	}

static inline void list_init(struct list *l)
{
	l->next = l->prev = l;
}

static inline bool list_empty(const struct list *l)
{
	return l->next == l;
}

/* Put n right behind at; with at the head, n becomes the first. */
static inline void list_add(struct list *at, struct list *n)
{
	n->next = at->next;
	n->prev = at;
	at->next->prev = n;
	at->next = n;
}

static inline void list_add_tail(struct list *head, struct list *n)
{
	list_add(head->prev, n);
}

static inline void list_del(struct list *n)
{
	n->prev->next = n->next;
	n->next->prev = n->prev;
}

/* Leaves n empty, so that it may be removed again. */
static inline void list_del_init(struct list *n)
{
	list_del(n);
	list_init(n);
}

#define list_entry(p, type, member)    container_of(p, type, member)
#define list_first(head, type, member) list_entry((head)->next, type, member)

#define list_for_each_entry(pos, head, member)                                         \
	for (pos = list_first(head, __typeof__(*pos), member); &pos->member != (head); \
	     pos = list_first(&pos->member, __typeof__(*pos), member))

/* The body may remove pos. */
#define list_for_each_entry_safe(pos, n, head, member)              \
	for (pos = list_first(head, __typeof__(*pos), member),      \
	    n = list_first(&pos->member, __typeof__(*pos), member); \
	     &pos->member != (head); pos = n, n = list_first(&n->member, __typeof__(*n), member))
