/* SPDX-License-Identifier: MIT */
/* kernel/proc.h: the contents of /proc. */
#pragma once

#include "arch/x86/memlayout.h"
#include "fs/proc.h"

static inline u32 kib(u32 pages)
{
	return pages << (PAGE_SHIFT - 10);
}

/* All files, before proc_init. */
void proc_contents_init(void);
/* proc_pid.c: what stands in each task's directory. */
extern struct proc_node proc_pid_dir;
/* One line: every parameter with the value that holds. */
void policy_line(char *buf, size_t n);
