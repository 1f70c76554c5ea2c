/* SPDX-License-Identifier: MIT */
/* mm/zap.h: taking pages out of page tables. */
#pragma once

#include "mm/mm.h"

struct address_space;

/*
 * Empties mm's entries in [start, end). A table that is shared must lie wholly in
 * the range: mm's use of it is dropped, its entries stay for the others. Returns how
 * many entries or tables went; the caller flushes before anything else may run.
 */
u32 zap_page_range(struct mm *mm, u32 start, u32 end);
/* Page offsets >= first of m leave every page table, private copies too. Acts for all users of a shared table. */
void unmap_mapping_from(struct address_space *m, u32 first);
