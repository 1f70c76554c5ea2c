/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/bootinfo.h: what the boot loader told, copied away before any memory
 * is handed out. Both Multiboot 1 and 2 end here.
 */
#pragma once

#include "lib/types.h"

/* What the loader leaves in EAX. */
#define MULTIBOOT1_MAGIC 0x2BADB002u
#define MULTIBOOT2_MAGIC 0x36D76289u

#define MAX_RANGES  64
#define MAX_MODULES 16

struct mem_range {
	paddr_t start, end; /* end is exclusive */
	u32 type;           /* 1: usable; anything else: reserved */
};

struct boot_module {
	u32 start, end; /* physical, end is exclusive */
};

struct boot_info {
	char cmdline[1024];
	char loader[64];
	struct mem_range range[MAX_RANGES];
	u32 nr_ranges;
	struct boot_module module[MAX_MODULES];
	u32 nr_modules;
};
extern struct boot_info boot_info;

/*
 * Reads the information block at physical address `info`, as `magic` says which
 * kind it is. Returns 0, or -EINVAL with an empty boot_info for an unknown magic.
 */
int bootinfo_read(u32 magic, u32 info);
