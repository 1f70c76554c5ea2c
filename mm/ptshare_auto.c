// SPDX-License-Identifier: MIT
/*
 * mm/ptshare_auto.c: ptshare=auto, our answer: each table is judged by itself.
 *
 * Sharing a table costs a name in its list and, if anyone writes below it before
 * exec or exit, a fault and the copy after all. Copying costs by the entry. So a
 * table is shared when it holds many entries, never when it holds the stack, which
 * the child writes at once; a shell's three tables are copied, a big heap's
 * hundreds are shared. A table inside a shared mapping is never copied again
 * whoever writes, so there sharing wins from the first few entries on.
 */
#include "mm/pgtable.h"
#include "mm/ptshare.h"

/* Where copying and zapping the entries costs as much as sharing and dropping the table. */
enum { WORTH_SHARING = 96, WORTH_SHARING_RW = 16 };

static bool any(const struct mm *parent)
{
	return true;
}

static bool covers_table(const struct vma *v, const struct page *table)
{
	return v->start <= table->index && v->end - table->index >= PMD_SIZE;
}

static bool large_and_quiet(const struct mm *parent, const struct page *table, const struct vma *v)
{
	if ((v->flags & VM_SHARED) && covers_table(v, table))
		return pt_entries(table) >= WORTH_SHARING_RW;
	return pt_entries(table) >= WORTH_SHARING && !(v->flags & VM_GROWSDOWN);
}

const struct ptshare_ops ptshare_auto = {
	.name = "auto",
	.at_fork = any,
	.table_at_fork = large_and_quiet,
};
