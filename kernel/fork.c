// SPDX-License-Identifier: MIT
/* kernel/fork.c: fork, vfork, clone, and the first task. */
#include "arch/x86/segment.h"
#include "arch/x86/trap.h"
#include "core/count.h"
#include "core/panic.h"
#include "core/param.h"
#include "core/sched.h"
#include "fs/file.h"
#include "kernel/signal.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/kstack.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

enum { PID_MAX = 32768, TASKS_MAX = 4096 };

static struct kmem_cache task_cache;
static s32 last_pid;
static u32 child_first;

static const char *const forkfirst_names[] = {"parent", "child", NULL};
PARAM_CHOICE(forkfirst, child_first, forkfirst_names, NULL, true);

struct task *find_task(s32 pid)
{
	struct task *t;

	for_each_task (t)
		if (t->pid == pid)
			return t;
	return NULL;
}

s32 next_pid_in_use(s32 from)
{
	struct task *t;
	s32 best = -1;

	for_each_task (t)
		if (t->pid >= from && (best < 0 || t->pid < best))
			best = t->pid;
	return best;
}

static bool pid_is_used(s32 pid)
{
	struct task *t;

	for_each_task (t)
		if (t->pid == pid || t->pgrp == pid || t->sid == pid)
			return true;
	return false;
}

static s32 new_pid(void)
{
	static bool wrapped;

	do {
		if (++last_pid >= PID_MAX) {
			last_pid = 300;
			wrapped = true;
		}
	} while (wrapped && pid_is_used(last_pid));
	return last_pid;
}

/* The first half of release_task, for a task that was never seen by anybody. */
static void task_free(struct task *t)
{
	fpu_drop(&t->cpu);
	kstack_free(t->stack);
	kmem_cache_free(&task_cache, t);
	count_dec(nr_tasks);
}

void release_task(struct task *t)
{
	list_del(&t->all);
	list_del(&t->sibling);
	task_free(t);
}

static struct task *task_alloc(const struct task *from)
{
	struct task *t = kmem_cache_alloc(&task_cache);
	u32 stack = t ? kstack_alloc() : 0;

	if (!stack) {
		if (t)
			kmem_cache_free(&task_cache, t);
		return NULL;
	}
	*t = *from;
	t->stack = stack;
	t->cpu.fpu = NULL;
	list_init(&t->run);
	list_init(&t->children);
	list_init(&t->sibling);
	waitq_init(&t->child_exit);
	timer_init(&t->alarm, signal_alarm);
	t->state = TASK_UNINTERRUPTIBLE;
	t->work = 0;
	t->mm = NULL;
	t->files = NULL;
	t->fs_context = NULL;
	t->sighand = NULL;
	t->sig_pending = 0;
	t->restore_mask = false;
	t->first_run = NULL;
	t->clear_child_tid = t->set_child_tid = 0;
	t->exit_code = 0;
	t->has_execed = t->stop_reported = t->in_vfork = false;
	t->vfork_parent = NULL;
	t->alarm_interval = 0;
	t->utime = t->stime = t->child_utime = t->child_stime = 0;
	t->min_flt = t->child_min_flt = t->nvcsw = 0;
	t->start_ns = clock_ns();
	count(nr_tasks);
	return t;
}

static int copy_mm(struct task *t, u32 flags)
{
	struct mm *old = current->mm;
	int err;

	if (flags & CLONE_VM) {
		t->mm = old;
		old->users++;
		return 0;
	}
	t->mm = mm_alloc();
	if (!t->mm)
		return -ENOMEM;
	mutex_lock(&old->lock);
	err = dup_mm(t->mm, old, current->share_choice);
	mutex_unlock(&old->lock);
	if (err) {
		drop_mm(t->mm);
		t->mm = NULL;
		return err;
	}
	t->mm->exe = old->exe;
	if (old->exe) {
		get_file(old->exe);
		old->exe->inode->runners++;
	}
	return 0;
}

static int copy_parts(struct task *t, u32 flags)
{
	int err;

	if (flags & CLONE_FILES) {
		t->files = current->files;
		t->files->count++;
	} else if (!(t->files = files_dup(current->files))) {
		return -ENOMEM;
	}
	if (flags & CLONE_FS) {
		t->fs_context = current->fs_context;
		t->fs_context->count++;
	} else if (!(t->fs_context = fs_context_dup(current->fs_context))) {
		return -ENOMEM;
	}
	t->sighand = sighand_for_child(flags & CLONE_SIGHAND);
	if (!t->sighand)
		return -ENOMEM;
	err = fpu_dup(&t->cpu, &current->cpu);
	return err ? err : copy_mm(t, flags);
}

static void drop_parts(struct task *t)
{
	files_put(t->files);
	fs_context_put(t->fs_context);
	sighand_put(t->sighand);
	task_free(t);
}

/* What switch_stacks pops, below the frame for user mode. */
struct first_frame {
	u32 ebp, edi, esi, ebx, eip;
	struct regs regs;
};

static int set_child_registers(struct task *t, u32 flags, u32 stack, u32 tls)
{
	struct first_frame *f = (struct first_frame *)(t->stack + KSTACK_SIZE) - 1;
	struct user_desc desc;

	*f = (struct first_frame){.eip = (u32)ret_from_fork, .regs = *current_regs()};
	f->regs.eax = 0;
	if (stack)
		f->regs.esp = stack;
	t->esp = (u32)f;
	__asm__("mov %%fs, %0" : "=r"(t->cpu.fs));
	__asm__("mov %%gs, %0" : "=r"(t->cpu.gs));
	if (!(flags & CLONE_SETTLS))
		return 0;
	if (copy_from_user(&desc, tls, sizeof(desc)) < 0)
		return -EFAULT;
	if (desc.entry < GDT_TLS || desc.entry >= GDT_TLS + GDT_TLS_COUNT)
		return -EINVAL;
	return make_tls(&desc, &t->cpu.tls[desc.entry - GDT_TLS]);
}

static void set_family(struct task *t, u32 flags)
{
	t->parent = flags & CLONE_PARENT ? current->parent : current;
	list_add_tail(&t->parent->children, &t->sibling);
	list_add_tail(&all_tasks, &t->all);
}

/* The parent waits until the child has given its memory back. */
static void wait_for_vfork_child(void)
{
	struct waiter w;

	while (current->in_vfork) {
		wait_prepare(&current->child_exit, &w, false);
		if (current->in_vfork)
			schedule();
		wait_finish(&w);
	}
}

static void start_child(struct task *t, u32 flags)
{
	if (flags & CLONE_VFORK) {
		count(vforks);
		t->vfork_parent = current;
		current->in_vfork = true;
		make_runnable(t, true);
		wait_for_vfork_child();
		return;
	}
	count(forks);
	make_runnable(t, child_first);
	if (child_first)
		current->work |= WORK_RESCHED;
}

static int check_flags(u32 flags)
{
	/* One thread a process: threads share what here belongs to the task. */
	if (flags & CLONE_THREAD)
		return -EINVAL;
	if ((flags & CLONE_SIGHAND) && !(flags & CLONE_VM))
		return -EINVAL;
	return (flags & CSIGNAL) > NSIG ? -EINVAL : 0;
}

static void put_child_tid(void)
{
	put_user(current->set_child_tid, current->pid);
}

long do_fork(u32 flags, u32 stack, u32 parent_tid, u32 tls, u32 child_tid)
{
	int err = check_flags(flags);
	struct task *t;
	s32 pid;

	if (err)
		return err;
	reap_unwanted();
	if (counters[CNT_nr_tasks] >= TASKS_MAX)
		return -EAGAIN;
	t = task_alloc(current);
	if (!t)
		return -ENOMEM;
	err = set_child_registers(t, flags, stack, tls);
	if (!err)
		err = copy_parts(t, flags);
	if (err) {
		drop_parts(t);
		return err;
	}
	t->pid = pid = new_pid();
	t->exit_signal = flags & CSIGNAL;
	if (flags & CLONE_CHILD_CLEARTID)
		t->clear_child_tid = child_tid;
	if (flags & CLONE_CHILD_SETTID) {
		t->set_child_tid = child_tid;
		t->first_run = put_child_tid;
	}
	if (flags & CLONE_PARENT_SETTID)
		put_user(parent_tid, pid);
	set_family(t, flags);
	start_child(t, flags);
	return pid;
}

static void switch_mm(struct task *next)
{
	if (next->mm)
		mmu_switch(next->mm->pgd);
}

void fork_init(void)
{
	kmem_cache_init(&task_cache, "task", sizeof(struct task), 4);
	switch_mm_hook = switch_mm;
}

void make_init(void (*start)(void))
{
	struct task *t = task_alloc(&idle_task);
	struct first_frame *f;

	if (t) {
		t->files = files_alloc();
		t->fs_context = fs_context_alloc();
		t->sighand = sighand_alloc();
	}
	if (!t || !t->files || !t->fs_context || !t->sighand)
		panic("no memory for the first task");
	f = (struct first_frame *)(t->stack + KSTACK_SIZE) - 1;
	*f = (struct first_frame){.eip = (u32)ret_from_fork};
	t->esp = (u32)f;
	t->first_run = start;
	t->pid = t->pgrp = t->sid = new_pid();
	t->rlim_stack = 8u << 20;
	t->rlim_nofile = FILES_MAX;
	strlcpy(t->comm, "init", sizeof(t->comm));
	t->parent = &idle_task;
	list_add_tail(&idle_task.children, &t->sibling);
	list_add_tail(&all_tasks, &t->all);
	make_runnable(t, false);
}
