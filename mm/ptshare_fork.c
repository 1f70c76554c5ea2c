// SPDX-License-Identifier: MIT
/*
 * mm/ptshare_fork.c: ptshare=fork, McCracken's and Phillips's patch: a fork shares
 * every table, if the parent has more than ptshare_min of them.
 */
#include "mm/ptshare.h"

static bool large_enough(const struct mm *parent)
{
	return parent->nr_tables > ptshare_min;
}

static bool every_table(const struct mm *parent, const struct page *table, const struct vma *v)
{
	return true;
}

const struct ptshare_ops ptshare_fork = {
	.name = "fork",
	.at_fork = large_enough,
	.table_at_fork = every_table,
};
