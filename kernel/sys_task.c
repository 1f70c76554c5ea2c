// SPDX-License-Identifier: MIT
/* kernel/sys_task.c: calls on tasks: making, ending, identity, limits. */
#include "arch/x86/segment.h"
#include "core/log.h"
#include "core/sched.h"
#include "fs/dev.h"
#include "fs/file.h"
#include "kernel/signal.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/ptshare.h"
#include "mm/uaccess.h"

long sys_fork(void)
{
	return do_fork(SIGCHLD, 0, 0, 0, 0);
}
long sys_vfork(void)
{
	return do_fork(CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
}
long sys_clone(u32 flags, u32 stack, u32 parent_tid, u32 tls, u32 child_tid)
{
	return do_fork(flags, stack, parent_tid, tls, child_tid);
}

long sys_exit(u32 code)
{
	do_exit((code & 0xff) << 8);
}

static long execve(int dfd, u32 user, u32 argv, u32 envp)
{
	char *path = path_get(user);
	long err;

	if (IS_ERR(path))
		return PTR_ERR(path);
	err = do_execve(dfd, path, argv, envp, false);
	path_put(path);
	/* The new program's registers are set: its eax is 0 and stays so. */
	return err;
}
long sys_execve(u32 path, u32 argv, u32 envp)
{
	return execve(AT_FDCWD, path, argv, envp);
}
long sys_execveat(u32 dfd, u32 path, u32 argv, u32 envp, u32 flags)
{
	return flags ? -EINVAL : execve(dfd, path, argv, envp);
}

long sys_wait4(s32 pid, u32 status, u32 options, u32 rusage)
{
	return do_wait4(pid, status, options, rusage);
}
long sys_waitid(u32 kind, s32 id, u32 info, u32 options, u32 rusage)
{
	return do_waitid(kind, id, info, options, rusage);
}
long sys_waitpid(s32 pid, u32 status, u32 options)
{
	return do_wait4(pid, status, options, 0);
}

long sys_getpid(void)
{
	return current->pid;
}
long sys_getppid(void)
{
	return current->parent->pid;
}
long sys_getpgrp(void)
{
	return current->pgrp;
}

static struct task *task_or_self(s32 pid)
{
	struct task *t = pid ? find_task(pid) : current;

	return t && t->state != TASK_ZOMBIE ? t : NULL;
}
long sys_getpgid(s32 pid)
{
	struct task *t = task_or_self(pid);

	return t ? t->pgrp : -ESRCH;
}
long sys_getsid(s32 pid)
{
	struct task *t = task_or_self(pid);

	return t ? t->sid : -ESRCH;
}

static bool group_in_session(s32 pgrp, s32 sid)
{
	struct task *t;

	for_each_task (t)
		if (t->pgrp == pgrp && t->sid == sid)
			return true;
	return false;
}

long sys_setpgid(s32 pid, s32 pgrp)
{
	struct task *t = pid ? find_task(pid) : current;

	if (pgrp < 0)
		return -EINVAL;
	if (!t || (t != current && t->parent != current))
		return -ESRCH;
	pgrp = pgrp ? pgrp : t->pid;
	if (t->sid != current->sid || t->sid == t->pid)
		return -EPERM;
	if (t != current && t->has_execed)
		return -EACCES;
	if (pgrp != t->pid && !group_in_session(pgrp, t->sid))
		return -EPERM;
	t->pgrp = pgrp;
	return 0;
}

long sys_setsid(void)
{
	struct task *t;

	for_each_task (t)
		if (t->pgrp == current->pid)
			return -EPERM;
	current->pgrp = current->sid = current->pid;
	current->tty = NULL;
	return current->pid;
}

long sys_getuid(void)
{
	return current->uid;
}
long sys_getgid(void)
{
	return current->gid;
}
/* There is one user: to become it, or to stay, is all that can be asked for. */
long sys_setuid(u32 uid)
{
	return uid == current->uid || uid == ~0u ? 0 : -EPERM;
}
long sys_setreuid(u32 real, u32 effective)
{
	return sys_setuid(real) || sys_setuid(effective) ? -EPERM : 0;
}
long sys_getresuid(u32 real, u32 effective, u32 saved)
{
	return put_user(real, current->uid) || put_user(effective, current->uid) ||
			       put_user(saved, current->uid)
		       ? -EFAULT
		       : 0;
}
long sys_getgroups(void)
{
	return 0;
}
long sys_setgroups(void)
{
	return 0;
}

long sys_sched_yield(void)
{
	sched_yield_turn();
	return 0;
}

long sys_nice(s32 by)
{
	current->nice = max(-20, min(19, current->nice + by));
	return 0;
}
long sys_getpriority(u32 which, s32 who)
{
	struct task *t = which ? current : task_or_self(who);

	return t ? 20 - t->nice : -ESRCH;
}
long sys_setpriority(u32 which, s32 who, s32 nice)
{
	struct task *t = which ? NULL : task_or_self(who);

	if (which)
		return -EINVAL;
	if (!t)
		return -ESRCH;
	t->nice = max(-20, min(19, nice));
	return 0;
}

long sys_sched_getaffinity(s32 pid, u32 size, u32 to)
{
	u32 mask = 1;

	if (size < sizeof(mask))
		return -EINVAL;
	return copy_to_user(to, &mask, sizeof(mask)) < 0 ? -EFAULT : (long)sizeof(mask);
}

long sys_getcpu(u32 cpu, u32 node)
{
	return (cpu && put_user(cpu, 0) < 0) || (node && put_user(node, 0) < 0) ? -EFAULT : 0;
}

long sys_set_tid_address(u32 addr)
{
	current->clear_child_tid = addr;
	return current->pid;
}
long sys_set_robust_list(void)
{
	return 0;
}

/* One thread a process: nobody can have changed the word to wait for, and nobody waits. */
long sys_futex(u32 addr, u32 op, u32 value)
{
	u32 now;

	if (get_user(&now, addr) < 0)
		return -EFAULT;
	switch (op & 0x7f) {
	case 0: return now != value ? -EAGAIN : -ENOSYS; /* FUTEX_WAIT */
	case 1: return 0;                                /* FUTEX_WAKE */
	}
	return -ENOSYS;
}

long sys_set_thread_area(u32 user)
{
	struct user_desc u;
	u32 free = 0;
	int err;

	if (copy_from_user(&u, user, sizeof(u)) < 0)
		return -EFAULT;
	if (u.entry == ~0u) {
		while (free < GDT_TLS_COUNT && (current->cpu.tls[free].lo || current->cpu.tls[free].hi))
			free++;
		if (free == GDT_TLS_COUNT)
			return -ESRCH;
		u.entry = GDT_TLS + free;
		if (put_user(user, u.entry) < 0)
			return -EFAULT;
	}
	if (u.entry < GDT_TLS || u.entry >= GDT_TLS + GDT_TLS_COUNT)
		return -EINVAL;
	err = make_tls(&u, &current->cpu.tls[u.entry - GDT_TLS]);
	if (!err)
		load_tls(current->cpu.tls);
	return err;
}

long sys_get_thread_area(u32 user)
{
	u32 entry;
	struct descriptor d;

	if (get_user(&entry, user) < 0)
		return -EFAULT;
	if (entry < GDT_TLS || entry >= GDT_TLS + GDT_TLS_COUNT)
		return -EINVAL;
	d = current->cpu.tls[entry - GDT_TLS];
	u32 u[4] = {entry, d.lo >> 16 | (d.hi & 0xff) << 16 | (d.hi & 0xff000000),
		    (d.lo & 0xffff) | (d.hi & 0xf0000), (d.hi >> 22 & 1) | (d.hi >> 23 & 1) << 4 | 1 << 6};

	return copy_to_user(user, u, sizeof(u));
}

enum {
	RLIMIT_DATA = 2,
	RLIMIT_STACK = 3,
	RLIMIT_CORE = 4,
	RLIMIT_NPROC = 6,
	RLIMIT_NOFILE = 7,
	RLIM_COUNT = 16
};
#define RLIM_INFINITY ~0ull

/* Soft and hard. */
static void get_limit(u32 which, u64 limit[2])
{
	limit[0] = limit[1] = RLIM_INFINITY;
	switch (which) {
	case RLIMIT_STACK: limit[0] = current->rlim_stack; break;
	case RLIMIT_CORE: limit[0] = limit[1] = 0; break;
	case RLIMIT_NOFILE:
		limit[0] = current->rlim_nofile;
		limit[1] = FILES_MAX;
		break;
	}
}

static long set_limit(u32 which, u64 soft)
{
	switch (which) {
	case RLIMIT_STACK: current->rlim_stack = min(soft, (u64)TASK_SIZE / 2); return 0;
	case RLIMIT_NOFILE:
		if (soft > FILES_MAX)
			return -EPERM;
		current->rlim_nofile = soft;
		return 0;
	}
	return 0;
}

static u32 narrow(u64 v)
{
	return v > 0xffffffff ? 0xffffffff : v;
}

long sys_getrlimit(u32 which, u32 to)
{
	u64 limit[2];

	if (which >= RLIM_COUNT)
		return -EINVAL;
	get_limit(which, limit);
	u32 w[2] = {narrow(limit[0]), narrow(limit[1])};

	return copy_to_user(to, w, sizeof(w));
}

long sys_old_getrlimit(u32 which, u32 to)
{
	return sys_getrlimit(which, to);
}

long sys_setrlimit(u32 which, u32 from)
{
	u32 w[2];

	if (which >= RLIM_COUNT)
		return -EINVAL;
	if (copy_from_user(w, from, sizeof(w)) < 0)
		return -EFAULT;
	return w[0] > w[1] ? -EINVAL : set_limit(which, w[0] == ~0u ? RLIM_INFINITY : w[0]);
}

long sys_prlimit64(s32 pid, u32 which, u32 new, u32 old)
{
	u64 limit[2], want[2];

	if (which >= RLIM_COUNT || (pid && pid != current->pid))
		return which >= RLIM_COUNT ? -EINVAL : -ESRCH;
	get_limit(which, limit);
	if (new &&copy_from_user(want, new, sizeof(want)) < 0)
		return -EFAULT;
	if (old && copy_to_user(old, limit, sizeof(limit)) < 0)
		return -EFAULT;
	if (!new)
		return 0;
	return want[0] > want[1] ? -EINVAL : set_limit(which, want[0]);
}

#define PR_SET_NAME 15
#define PR_GET_NAME 16
/* Ours: the caller's next forks share page tables (1), copy them (2), or do as the policy says (0). */
#define PR_SET_PTSHARE 0x54460001

long sys_prctl(u32 option, u32 arg)
{
	switch (option) {
	case PR_SET_NAME:
		if (strncpy_from_user(current->comm, arg, sizeof(current->comm)) == -EFAULT)
			return -EFAULT;
		current->comm[sizeof(current->comm) - 1] = '\0';
		return 0;
	case PR_GET_NAME: return copy_to_user(arg, current->comm, sizeof(current->comm));
	case PR_SET_PTSHARE:
		if (arg > SHARE_NEVER)
			return -EINVAL;
		current->share_choice = arg;
		return 0;
	}
	return -EINVAL;
}

long sys_personality(u32 persona)
{
	return persona == ~0u || persona == 0 ? 0 : -EINVAL;
}

long sys_getrandom(u32 to, u32 n)
{
	return random_to_user(to, n);
}
