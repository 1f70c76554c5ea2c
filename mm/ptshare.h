/* SPDX-License-Identifier: MIT */
/*
 * mm/ptshare.h: sharing page tables. The policy (`ptshare=`) says what a fork
 * shares; the mechanism is the same under each.
 */
#pragma once

#include "mm/mm.h"

struct ptshare_ops {
	const char *name;
	/* Shall this fork share at all? */
	bool (*at_fork)(const struct mm *parent);
	/* Shall this fork share this table, which lies under v? Asked once a table, if at_fork said yes. */
	bool (*table_at_fork)(const struct mm *parent, const struct page *table, const struct vma *v);
};
extern const struct ptshare_ops *ptshare;
extern const struct ptshare_ops ptshare_off, ptshare_fork, ptshare_auto;

/* ptshare_min=: copy when the parent has no more than this many tables. */
extern u32 ptshare_min;

/* A process's own wish for its forks. */
enum share_choice { SHARE_DEFAULT, SHARE_ALWAYS, SHARE_NEVER };

/*
 * Lets the child use the table at `from`, the parent's entry for base, under v; copy-on-write unless the
 * table lies inside one shared mapping. 0 or -ENOMEM. The parent's translations
 * are to be flushed by the caller.
 */
int share_page_range(struct mm *child, pmd_t *from, u32 base, const struct vma *v);
/*
 * mm gets the table that covers addr for itself: a copy, or the table if it is the
 * last user. *table is the one to use now. 0 or -ENOMEM (nothing changed). Flushes.
 */
int pte_unshare(struct mm *mm, u32 addr, struct page **table);
/*
 * Before the set of areas over [start, end) changes: every shared table that the
 * range touches is mm's own afterwards. 0 or -ENOMEM.
 */
int unshare_range(struct mm *mm, u32 start, u32 end);
/* The same for the tables that the range covers only in part; whole ones can be dropped. */
int unshare_edges(struct mm *mm, u32 start, u32 end);
