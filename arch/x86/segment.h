/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/segment.h: the descriptor table. Segments are flat; three entries
 * are each task's own for thread-local storage (set_thread_area), at Linux's
 * places, since a C library knows the selectors.
 */
#pragma once

#include "lib/types.h"

#define GDT_TLS       6 /* 6, 7, 8 */
#define GDT_TLS_COUNT 3
#define GDT_KERNEL_CS 12
#define GDT_KERNEL_DS 13
#define GDT_USER_CS   14
#define GDT_USER_DS   15
#define GDT_TSS       16
#define GDT_DF_TSS    31
#define GDT_ENTRIES   32

#define KERNEL_CS (GDT_KERNEL_CS * 8)
#define KERNEL_DS (GDT_KERNEL_DS * 8)
#define USER_CS   (GDT_USER_CS * 8 + 3)
#define USER_DS   (GDT_USER_DS * 8 + 3)

struct descriptor {
	u32 lo, hi;
};

/* Linux's struct user_desc, as set_thread_area passes it. */
struct user_desc {
	u32 entry, base, limit, flags;
};

/* Loads the GDT, the task state segment and the one for double faults. */
void segment_init(void);
/* The stack that the next entry from user mode starts on. */
void set_kernel_stack(u32 esp0);
/* Puts the three TLS descriptors of a task into the GDT. */
void load_tls(const struct descriptor tls[GDT_TLS_COUNT]);
/* Translates u into a descriptor that is a data segment of user privilege. 0 or -EINVAL. */
int make_tls(const struct user_desc *u, struct descriptor *d);
