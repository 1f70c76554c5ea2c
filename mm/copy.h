/* SPDX-License-Identifier: MIT */
/* mm/copy.h: copying entries from one page table to another: fork's work, and unshare's. */
#pragma once

#include "mm/mm.h"

/*
 * Copies the entries for [start, end) under v, which lies in one table, from `from`
 * to `to`, empty there. Private pages lose the right to write on both sides; rmap
 * has reserved. The source's translations are to be flushed by the caller.
 */
void copy_pte_range(struct page *from, struct page *to, const struct vma *v, u32 start, u32 end);
