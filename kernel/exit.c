// SPDX-License-Identifier: MIT
/* kernel/exit.c: the end of a task, and waiting for it. */
#include "arch/x86/power.h"
#include "core/count.h"
#include "core/log.h"
#include "core/panic.h"
#include "core/sched.h"
#include "fs/file.h"
#include "fs/tty.h"
#include "kernel/signal.h"
#include "kernel/task.h"
#include "mm/uaccess.h"

#define WNOHANG    1u
#define WUNTRACED  2u
#define WCONTINUED 8u
#define WALL       0x40000000u
#define WCLONE     0x80000000u
#define WNOTHREAD  0x20000000u

#define STATUS_STOPPED(sig) ((sig) << 8 | 0x7f)
#define STATUS_CONTINUED    0xffff

void drop_mm(struct mm *mm)
{
	if (mm->users == 1 && mm->exe) {
		mm->exe->inode->runners--;
		put_file(mm->exe);
		mm->exe = NULL;
	}
	mm_put(mm);
}

static void release_vfork_parent(struct task *t)
{
	struct task *parent = t->vfork_parent;

	if (!parent)
		return;
	t->vfork_parent = NULL;
	parent->in_vfork = false;
	wake_up(&parent->child_exit);
}

void exit_mm(struct task *t)
{
	struct mm *mm = t->mm;

	if (!mm)
		return;
	if (t->clear_child_tid && mm->users > 1)
		put_user(t->clear_child_tid, 0);
	t->clear_child_tid = 0;
	t->mm = NULL;
	drop_mm(mm);
	release_vfork_parent(t);
}

void notify_parent(struct task *t, s32 code, s32 status)
{
	struct task *parent = t->parent;

	if (t->exit_signal && parent->sighand)
		send_signal_from(parent, t->exit_signal, code, t->pid, status);
	wake_up(&parent->child_exit);
}

/* Children of the dead go to init; those that are dead already, it is told of. */
static void give_children_away(void)
{
	struct task *init = find_task(1), *t, *next;

	list_for_each_entry_safe (t, next, &current->children, sibling) {
		list_del(&t->sibling);
		t->parent = init ? init : &idle_task;
		list_add_tail(&t->parent->children, &t->sibling);
		t->exit_signal = SIGCHLD;
		if (t->state == TASK_ZOMBIE && init)
			notify_parent(t, CLD_EXITED, t->exit_code);
	}
}

/* Nobody will wait for t: it is freed once it is off its stack. */
static bool is_unwanted(const struct task *t)
{
	return t->parent == &idle_task || !t->parent->sighand || ignores_children(t->parent);
}

void reap_unwanted(void)
{
	struct task *t, *next;

	list_for_each_entry_safe (t, next, &idle_task.children, sibling)
		if (t->state == TASK_ZOMBIE && t != current)
			release_task(t);
}

static void pass_to_idle(struct task *t)
{
	list_del(&t->sibling);
	t->parent = &idle_task;
	list_add_tail(&idle_task.children, &t->sibling);
}

static void init_has_ended(s32 status)
{
	log_warn("init has ended with status %x; power off\n", status);
	power_off();
}

void do_exit(s32 status)
{
	struct task *t = current;

	if (t->pid == 1)
		init_has_ended(status);
	count(exits);
	timer_stop(&t->alarm);
	exit_mm(t);
	files_put(t->files);
	fs_context_put(t->fs_context);
	t->files = NULL;
	t->fs_context = NULL;
	if (t->sid == t->pid)
		tty_leave(t);
	give_children_away();
	sighand_put(t->sighand);
	t->sighand = NULL;
	fpu_drop(&t->cpu);
	t->exit_code = status;
	t->state = TASK_ZOMBIE;
	if (is_unwanted(t)) {
		wake_up(&t->parent->child_exit);
		pass_to_idle(t);
	} else {
		notify_parent(t, status & 0x7f ? CLD_KILLED : CLD_EXITED,
			      status & 0x7f ? status & 0x7f : status >> 8);
	}
	schedule();
	panic("a dead task runs");
}

static bool matches(const struct task *t, s32 pid, u32 options)
{
	bool clone = t->exit_signal != SIGCHLD;

	if (!(options & WALL) && clone != !!(options & WCLONE))
		return false;
	if (pid > 0)
		return t->pid == pid;
	if (pid == 0)
		return t->pgrp == current->pgrp;
	return pid == -1 || t->pgrp == -pid;
}

static void put_timeval(u32 *tv, u64 ns)
{
	tv[0] = ns / NSEC_PER_SEC;
	tv[1] = (u32)(ns % NSEC_PER_SEC) / 1000;
}

int put_rusage(u32 to, const struct task *t, enum rusage_who who)
{
	u32 ru[18] = {0};
	bool self = who != RUSAGE_CHILDREN, children = who != RUSAGE_SELF;

	put_timeval(&ru[0], cycles_to_ns((self ? t->utime : 0) + (children ? t->child_utime : 0)));
	put_timeval(&ru[2], cycles_to_ns((self ? t->stime : 0) + (children ? t->child_stime : 0)));
	ru[8] = (self ? t->min_flt : 0) + (children ? t->child_min_flt : 0);
	ru[16] = self ? t->nvcsw : 0;
	return copy_to_user(to, ru, sizeof(ru));
}

/* The zombie t is done with: its times are its parent's. */
static long reap(struct task *t, u32 status, u32 rusage)
{
	s32 pid = t->pid;

	if ((status && put_user(status, t->exit_code) < 0) ||
	    (rusage && put_rusage(rusage, t, RUSAGE_BOTH) < 0))
		return -EFAULT;
	current->child_utime += t->utime + t->child_utime;
	current->child_stime += t->stime + t->child_stime;
	current->child_min_flt += t->min_flt + t->child_min_flt;
	release_task(t);
	return pid;
}

static long report_stop(struct task *t, u32 status, u32 rusage)
{
	s32 code = t->state == TASK_STOPPED ? STATUS_STOPPED(t->exit_code) : STATUS_CONTINUED;

	if ((status && put_user(status, code) < 0) || (rusage && put_rusage(rusage, t, RUSAGE_BOTH) < 0))
		return -EFAULT;
	t->stop_reported = true;
	return t->pid;
}

/* A child whose news is due: its pid; 0: there are children, without news; -ECHILD. */
static long look_at_children(s32 pid, u32 status, u32 options, u32 rusage)
{
	struct task *t;
	long result = -ECHILD;

	list_for_each_entry (t, &current->children, sibling) {
		if (!matches(t, pid, options))
			continue;
		result = 0;
		if (t->state == TASK_ZOMBIE)
			return reap(t, status, rusage);
		if ((options & WUNTRACED) && t->state == TASK_STOPPED && !t->stop_reported)
			return report_stop(t, status, rusage);
		if ((options & WCONTINUED) && t->exit_code == STATUS_CONTINUED && !t->stop_reported)
			return report_stop(t, status, rusage);
	}
	return result;
}

long do_wait4(s32 pid, u32 status, u32 options, u32 rusage)
{
	struct waiter w;
	long result;

	if (options & ~(WNOHANG | WUNTRACED | WCONTINUED | WALL | WCLONE | WNOTHREAD))
		return -EINVAL;
	result = look_at_children(pid, status, options, rusage);
	while (!result && !(options & WNOHANG)) {
		wait_prepare(&current->child_exit, &w, true);
		result = look_at_children(pid, status, options, rusage);
		if (!result && signal_is_pending())
			result = -ERESTARTSYS;
		if (!result)
			schedule();
		wait_finish(&w);
	}
	return result;
}
