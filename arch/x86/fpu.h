/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/fpu.h: floating-point and SSE registers, switched lazily: they stay in
 * the CPU until another task touches them, which traps (CR0.TS).
 */
#pragma once

#include "arch/x86/segment.h"
#include "lib/types.h"

/* What FXSAVE (or FNSAVE on a CPU without it) stores. */
struct fpu_area {
	u8 bytes[512];
} __aligned(16);

/* Allocators of memory management, set at boot. alloc returns NULL without memory. */
extern struct fpu_area *(*fpu_area_alloc)(void);
extern void (*fpu_area_free)(struct fpu_area *a);

/* The CPU's part of a task, beyond the frame on its stack. */
struct cpu_context {
	u16 fs, gs;
	struct descriptor tls[GDT_TLS_COUNT];
	struct fpu_area *fpu; /* NULL: never used it */
};

void fpu_init(void);
/* c is about to run: its next use of the FPU traps unless the registers are its own. */
void fpu_switch(const struct cpu_context *c);
/* The trap: loads c's registers. -ENOMEM if there is no place to keep them. */
int fpu_claim(struct cpu_context *c);
/* Writes c's registers to its area, if the CPU holds them. */
void fpu_save(struct cpu_context *c);
/* Gives the child a copy of the parent's registers. 0 or -ENOMEM. */
int fpu_dup(struct cpu_context *child, struct cpu_context *parent);
/* Forgets c's registers (exec, exit). */
void fpu_drop(struct cpu_context *c);
/* c's area has been written: the CPU's copy is void (signal return). */
void fpu_reload(struct cpu_context *c);
/* Selectors that are not part of the frame: saves prev's FS and GS, loads next's and its TLS. */
void cpu_switch_segments(struct cpu_context *prev, struct cpu_context *next);
/* Loads GS or FS, or null if the CPU refuses the selector. */
void load_gs(u16 sel);
void load_fs(u16 sel);
