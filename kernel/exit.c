// SPDX-License-Identifier: MIT
/* kernel/exit.c: the end of a task, and waiting for it. */
#include "arch/x86/power.h"
#include "core/account.h"
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
#define WEXITED    4u
#define WNOWAIT    0x01000000u
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

static void set_timeval(u32 *tv, u64 ns)
{
	tv[0] = ns / NSEC_PER_SEC;
	tv[1] = (u32)(ns % NSEC_PER_SEC) / 1000;
}

void get_rusage(struct rusage *ru, const struct task *t, enum rusage_who who)
{
	bool self = who != RUSAGE_CHILDREN, children = who != RUSAGE_SELF;

	*ru = (struct rusage){0};
	set_timeval(ru->utime, cycles_to_ns((self ? t->utime : 0) + (children ? t->child_utime : 0)));
	set_timeval(ru->stime, cycles_to_ns((self ? task_stime(t) : 0) + (children ? t->child_stime : 0)));
	ru->minflt = (self ? t->min_flt : 0) + (children ? t->child_min_flt : 0);
	ru->nvcsw = self ? t->nvcsw : 0;
}

/* What a wait asks for, and what it has found. */
struct wait_request {
	s32 pid; /* as wait4: a pid, 0 my group, -1 all, -group */
	u32 options;
	bool usage; /* rusage is wanted */
	s32 status; /* as wait4 reports it */
	s32 code;   /* as siginfo has it */
	s32 value;  /* the exit code or the signal */
	struct rusage rusage;
};

/* The zombie t is done with: its times are its parent's. */
static void reap(struct task *t)
{
	current->child_utime += t->utime + t->child_utime;
	current->child_stime += t->stime + t->child_stime;
	current->child_min_flt += t->min_flt + t->child_min_flt;
	release_task(t);
}

static bool is_news(const struct task *t, u32 options)
{
	if (t->state == TASK_ZOMBIE)
		return options & WEXITED;
	if (t->stop_reported)
		return false;
	if (t->state == TASK_STOPPED)
		return options & WUNTRACED;
	return (options & WCONTINUED) && t->exit_code == STATUS_CONTINUED;
}

static void tell(struct wait_request *w, const struct task *t)
{
	s32 signal = t->exit_code & 0x7f;

	if (w->usage)
		get_rusage(&w->rusage, t, RUSAGE_BOTH);
	if (t->state == TASK_ZOMBIE) {
		w->status = t->exit_code;
		w->code = signal ? CLD_KILLED : CLD_EXITED;
		w->value = signal ? signal : t->exit_code >> 8;
	} else if (t->state == TASK_STOPPED) {
		w->status = STATUS_STOPPED(t->exit_code);
		w->code = CLD_STOPPED;
		w->value = t->exit_code;
	} else {
		w->status = STATUS_CONTINUED;
		w->code = CLD_CONTINUED;
		w->value = SIGCONT;
	}
}

/* A child whose news is due: its pid; 0: there are children, without news; -ECHILD. */
static long look_at_children(struct wait_request *w)
{
	struct task *t;
	long result = -ECHILD;

	list_for_each_entry (t, &current->children, sibling) {
		if (!matches(t, w->pid, w->options))
			continue;
		result = 0;
		if (!is_news(t, w->options))
			continue;
		result = t->pid;
		tell(w, t);
		if (w->options & WNOWAIT)
			return result;
		if (t->state == TASK_ZOMBIE)
			reap(t);
		else
			t->stop_reported = true;
		return result;
	}
	return result;
}

static long do_wait(struct wait_request *r)
{
	struct waiter w;
	long result = look_at_children(r);

	while (!result && !(r->options & WNOHANG)) {
		wait_prepare(&current->child_exit, &w, true);
		result = look_at_children(r);
		if (!result && signal_is_pending())
			result = -ERESTARTSYS;
		if (!result)
			schedule();
		wait_finish(&w);
	}
	return result;
}

long do_wait4(s32 pid, u32 status, u32 options, u32 rusage)
{
	struct wait_request r = {.pid = pid, .options = options | WEXITED, .usage = rusage};
	long result;

	if (options & ~(WNOHANG | WUNTRACED | WCONTINUED | WALL | WCLONE | WNOTHREAD))
		return -EINVAL;
	result = do_wait(&r);
	if (result > 0 && ((status && put_user(status, r.status) < 0) ||
			   (rusage && copy_to_user(rusage, &r.rusage, sizeof(r.rusage)) < 0)))
		return -EFAULT;
	return result;
}

enum { P_ALL, P_PID, P_PGID };

long do_waitid(u32 kind, s32 id, u32 info, u32 options, u32 rusage)
{
	struct wait_request r = {.options = options | WALL, .usage = rusage};
	u32 si[32] = {0};
	long result;

	if (options & ~(WNOHANG | WUNTRACED | WEXITED | WCONTINUED | WNOWAIT | WALL | WCLONE | WNOTHREAD) ||
	    !(options & (WEXITED | WUNTRACED | WCONTINUED)) || kind > P_PGID || (kind != P_ALL && id <= 0))
		return -EINVAL;
	r.pid = kind == P_ALL ? -1 : kind == P_PID ? id : -id;
	result = do_wait(&r);
	if (result < 0)
		return result;
	/* signo, errno, code, pid, uid, status; all zero when WNOHANG found nothing. */
	if (result) {
		si[0] = SIGCHLD;
		si[2] = r.code;
		si[3] = result;
		si[5] = r.value;
	}
	if ((info && copy_to_user(info, si, sizeof(si)) < 0) ||
	    (result && rusage && copy_to_user(rusage, &r.rusage, sizeof(r.rusage)) < 0))
		return -EFAULT;
	return 0;
}
