/* SPDX-License-Identifier: MIT */
/*
 * mm/kstack.h: kernel stacks, each KSTACK_SIZE bytes above a guard page that is
 * never mapped: an overflow is a double fault, not a silent corruption.
 */
#pragma once

#include "lib/types.h"

/* Lowest address of a stack, or 0 without memory. A stack given back stays mapped for the next. */
u32 kstack_alloc(void);
void kstack_free(u32 stack);
