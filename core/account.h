/* SPDX-License-Identifier: MIT */
/*
 * core/account.h: who used the CPU. Booked by the clock at each entry to and exit
 * from the kernel, not by the tick: the workload's processes live less than a tick.
 */
#pragma once

#include "arch/x86/cpu.h"
#include "core/task.h"

/* The clock at the last booking. */
extern u64 account_stamp;

/* Entering the kernel from user mode: what passed was user time. */
static inline void account_from_user(void)
{
	u64 now = rdtsc();

	current->utime += now - account_stamp;
	account_stamp = now;
}

/* About to return to user mode: what passed was system time. */
static inline void account_to_user(void)
{
	u64 now = rdtsc();

	current->stime += now - account_stamp;
	account_stamp = now;
}

/* Leaving the CPU to another task inside the kernel. */
static inline void account_switch(struct task *prev)
{
	u64 now = rdtsc();

	prev->stime += now - account_stamp;
	account_stamp = now;
}
