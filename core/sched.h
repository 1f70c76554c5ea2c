/* SPDX-License-Identifier: MIT */
/*
 * core/sched.h: one CPU, one queue, round robin; nice decides how long a turn is.
 * The kernel is not preempted: a task gives up the CPU where it calls schedule(),
 * or on its way back to user mode.
 */
#pragma once

#include "core/task.h"

/* Makes the boot context the idle task. */
void sched_init(void);
/* Gives the CPU to the next runnable task; sleeps if current is not TASK_RUNNING. May sleep. */
void schedule(void);
/* A task that slept or is new becomes runnable: `first` puts it at the head of the queue. */
void wake_up_task(struct task *t);
void make_runnable(struct task *t, bool first);
/* Gives up the rest of the turn. */
void sched_yield_turn(void);
/* Called by the tick. */
void sched_tick(void);
/* Runs when there is nothing else; never returns. */
__noreturn void idle_loop(void);
/* A timer that wakes the task that made it. */
struct wake_timer {
	struct timer timer;
	struct task *task;
};
void wake_timer_init(struct wake_timer *w);
/* Sleeps until clock_ns() >= when; 0, or -EINTR if a signal came first. May sleep. */
int sleep_until(u64 when);
/* Tasks that want the CPU, without the idle task. */
u32 nr_running(void);
/* Asserted by whatever may sleep. */
void might_sleep(void);
/* Number of reasons why nothing may sleep now (kmap_atomic held). */
extern u32 no_sleep_depth;

/* Filled by mm/: switches to the page tables of next (mm may be NULL: keep what is loaded). */
extern void (*switch_mm_hook)(struct task *next);
/* Called first by a new task, from entry.asm. */
void schedule_tail(struct regs *r);

/* entry.asm */
void switch_stacks(u32 *save_esp, u32 load_esp);
