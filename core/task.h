/* SPDX-License-Identifier: MIT */
/*
 * core/task.h: a task: what the scheduler switches between. Layers above hang
 * their own parts on it by pointers whose types only they know.
 */
#pragma once

#include "arch/x86/memlayout.h"
#include "arch/x86/regs.h"
#include "arch/x86/fpu.h"
#include "core/clock.h"
#include "core/wait.h"
#include "lib/list.h"
#include "lib/types.h"

enum task_state {
	TASK_RUNNING,         /* on the run queue, or current */
	TASK_INTERRUPTIBLE,   /* a wake-up or a signal ends it */
	TASK_UNINTERRUPTIBLE, /* only a wake-up does */
	TASK_STOPPED,
	TASK_ZOMBIE,
};

/* Reasons to look twice on the way back to user mode. */
#define WORK_RESCHED 1u
#define WORK_SIGNAL  2u

/* Where a signal came from, for a handler that asks (SA_SIGINFO). */
enum { SIGNAL_ORIGINS = 4 };
struct signal_origin {
	s32 sig, code, pid, status;
	u32 uid;
};

struct task {
	/* scheduler */
	struct list run;
	enum task_state state;
	u32 work;
	s32 slice; /* ticks left */
	s32 nice;
	u32 esp;   /* saved kernel stack pointer */
	u32 stack; /* lowest address of the kernel stack; 0 for the idle task */

	/* the CPU's part */
	struct cpu_context cpu;
	u32 trap_no, trap_error, trap_addr; /* of the last exception from user mode */
	s32 trap_errno;                     /* a page fault's: why it could not be met */

	/* identity */
	s32 pid, pgrp, sid;
	u32 uid, gid;
	char comm[16];
	struct task *parent;
	struct list children, sibling;
	struct list all;

	/* owned by mm/, fs/, kernel/ */
	struct mm *mm; /* NULL: no user memory */
	struct files *files;
	struct fs_context *fs_context;
	struct sighand *sighand;
	u64 sig_pending, sig_blocked, sig_saved_mask;
	bool restore_mask;
	struct signal_origin
		sig_origin[SIGNAL_ORIGINS]; /* of pending signals, as many as there is room for */
	u32 altstack_sp, altstack_size;
	struct tty *tty;
	u32 clear_child_tid; /* user address, or 0 */
	s32 exit_code;       /* as wait() reports it */
	s32 exit_signal;
	bool has_execed, stop_reported;
	struct task *vfork_parent; /* waits in vfork until mm is given back */
	bool in_vfork;             /* this task waits so */
	void (*first_run)(void);   /* called in the task before its first user mode; may be NULL */
	u32 set_child_tid;         /* user address that gets the pid when the task first runs, or 0 */
	struct waitq child_exit;   /* this task's wait4 sleeps here */
	struct timer alarm;
	u64 alarm_interval;
	u32 rlim_stack, rlim_nofile; /* soft limits */
	u32 share_choice;            /* for this task's forks: 0 policy's, 1 share, 2 copy */

	/* accounts, in clock cycles and events */
	u64 utime, stime, child_utime, child_stime;
	u32 min_flt, child_min_flt, nvcsw;
	u64 start_ns;
};

extern struct task *current;
extern struct list all_tasks;
extern struct task idle_task;

#define for_each_task(t) list_for_each_entry (t, &all_tasks, all)

/* The registers that current came into the kernel with. */
static inline struct regs *current_regs(void)
{
	return (struct regs *)(current->stack + KSTACK_SIZE) - 1;
}

static inline bool signal_is_pending(void)
{
	return current->work & WORK_SIGNAL;
}
