/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/regs.h: the registers as arch/x86/entry.asm leaves them on the kernel
 * stack when an interrupt, an exception or a system call comes in.
 * esp and ss are there only when the CPU came from user mode.
 */
#pragma once

#include "lib/types.h"

struct regs {
	u32 ebx, ecx, edx, esi, edi, ebp, eax;
	u32 ds, es;
	u32 vector;
	u32 error; /* the CPU's error code; for a system call: its number (orig_eax) */
	u32 eip, cs, eflags;
	u32 esp, ss;
};

static inline bool from_user(const struct regs *r)
{
	return r->cs & 3;
}
