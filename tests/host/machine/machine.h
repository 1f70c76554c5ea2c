/* SPDX-License-Identifier: MIT */
/*
 * machine.h: a machine in software for lib/ and mm/, compiled unchanged: physical
 * memory, page tables walked as PAE does, a translation buffer, allocations that
 * fail when asked.
 */
#pragma once

#include "mm/mm.h"

/* Frees all memory to the allocator and starts mm/ with the words of a boot line. Once a process. */
void machine_boot(const char *words);

/*
 * A program of mm reads or writes the word at addr: by a translation that is
 * remembered, by a walk, or through mm_fault as often as it helps. 0 or mm_fault's error.
 */
int machine_read(struct mm *mm, u32 addr, u32 *value);
int machine_write(struct mm *mm, u32 addr, u32 value);
/* What is behind addr, without a fault; false if nothing may be read there. */
bool machine_peek(struct mm *mm, u32 addr, u32 *value);
/* Remembered translations that the tables no longer allow, each said with its address. */
u32 machine_stale_translations(void);
/* Touches no page of its own: a frame's first word, highmem or not. */
u32 machine_word(u32 paddr);
void machine_set_word(u32 paddr, u32 value);

/* The n-th allocation of pages or objects from now fails, n = 1 the next; 0: none does. */
void machine_fail_at(u32 n);
/* The n-th allocation from now first asks the shrinkers, as if memory were short. */
void machine_shrink_at(u32 n);
/* True if the allocation that was to fail or shrink has been asked for; ends the wish. */
bool machine_failed(void);
