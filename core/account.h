/* SPDX-License-Identifier: MIT */
/*
 * core/account.h: who used the CPU. Booked by the clock at each entry to and exit
 * from the kernel, not by the tick: the workload's processes live less than a tick.
 *
 * An account that is running has the clock's reading at its start taken off; when it
 * stops, the reading at its end is put on. So the running task's utime is whole while
 * it is in the kernel, and its stime lacks the clock's reading of now.
 */
#pragma once

#include "arch/x86/cpu.h"
#include "core/task.h"

/* Entering the kernel from user mode. */
static inline void account_from_user(void)
{
	u64 now = rdtsc();

	current->utime += now;
	current->stime -= now;
}

/* About to return to user mode. */
static inline void account_to_user(void)
{
	u64 now = rdtsc();

	current->stime += now;
	current->utime -= now;
}

/* Another task takes the CPU inside the kernel. */
static inline void account_switch(struct task *prev, struct task *next)
{
	u64 now = rdtsc();

	prev->stime += now;
	next->stime -= now;
}

/* The time t has spent in the kernel, also if t is the one that asks. */
static inline u64 task_stime(const struct task *t)
{
	return t == current ? t->stime + rdtsc() : t->stime;
}
