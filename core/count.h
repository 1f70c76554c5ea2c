/* SPDX-License-Identifier: MIT */
/*
 * core/count.h: what /proc/vmstat shows. Events only grow; gauges are what
 * there is now, and mm/verify.c recomputes them. One list, so that a name is
 * written once.
 */
#pragma once

#include "lib/types.h"

/* clang-format off */
#define COUNTERS(X)                                                          \
	/* gauges */                                                             \
	X(nr_anon_pages) X(nr_mapped) X(nr_file_pages) X(nr_slab_pages)          \
	X(nr_page_table_pages) X(nr_middle_table_pages) X(nr_kernel_stacks)      \
	X(nr_tasks) X(pt_tables_shared) X(rmap_objects) X(rmap_bytes) X(rmap_bytes_peak)            \
	/* events */                                                             \
	X(pgalloc) X(pgfree) X(pgfault)                                          \
	X(fault_anon_read) X(fault_anon_write) X(fault_file_read)                \
	X(fault_file_write) X(fault_cow_copy) X(fault_cow_reuse)                 \
	X(fault_cow_zero) X(fault_spurious) X(fault_stack_grow) \
	X(fault_kernel) X(fault_segv)                                            \
	X(forks) X(vforks) X(execs) X(exits) X(switches) X(syscalls)             \
	X(pt_alloc) X(pt_free) X(pt_shared) X(pt_copied_at_fork) X(pt_unshared)  \
	X(pt_unshare_copied) X(pt_unshare_last) X(pt_dropped)                    \
	X(pt_unshared_stack) X(pt_unshared_heap) X(pt_unshared_file)             \
	X(pt_unshared_anon) X(pt_unshared_by_parent) X(pt_unshared_by_child)     \
	X(ptes_copied) X(ptes_zapped) X(clear_pt_slots)                          \
	X(rmap_adds) X(rmap_removes) X(rmap_steps) X(kmap_atomics) X(tlb_flushes)\
	X(oom_kills)
/* clang-format on */

enum counter {
#define X(name) CNT_##name,
	COUNTERS(X)
#undef X
		NR_COUNTERS
};

extern u32 counters[NR_COUNTERS];
extern const char *const counter_names[NR_COUNTERS];

#define count(name)        (counters[CNT_##name]++)
#define count_add(name, n) (counters[CNT_##name] += (n))
#define count_dec(name)    (counters[CNT_##name]--)
