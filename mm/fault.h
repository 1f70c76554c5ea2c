/* SPDX-License-Identifier: MIT */
/* mm/fault.h: the page fault, from the exception to the page. */
#pragma once

#include "arch/x86/regs.h"
#include "mm/mm.h"

/* The exception's handler; enters with interrupts off. */
void do_page_fault(struct regs *r);

/*
 * Enters up to the whole of [start, end), under one table, from v's page cache: only
 * entries that are empty and pages that are there. Returns how many were entered.
 */
u32 filemap_populate(struct mm *mm, struct vma *v, u32 start, u32 end);
