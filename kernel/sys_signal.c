// SPDX-License-Identifier: MIT
/* kernel/sys_signal.c: calls on signals. */
#include "core/sched.h"
#include "kernel/signal.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "mm/uaccess.h"

static bool valid(int sig)
{
	return sig >= 1 && sig <= NSIG;
}

static long send_to(struct task *t, int sig, s32 code)
{
	if (sig)
		send_signal_from(t, sig, code, current->pid, 0);
	return 0;
}

/* To every task but init and the caller, or to a group. */
static long send_to_many(s32 pgrp, int sig)
{
	struct task *t;
	long err = -ESRCH;

	for_each_task (t) {
		if (t->state == TASK_ZOMBIE || (pgrp ? t->pgrp != pgrp : t->pid == 1 || t == current))
			continue;
		err = send_to(t, sig, SI_USER);
	}
	return err;
}

long sys_kill(s32 pid, s32 sig)
{
	struct task *t;

	if (sig && !valid(sig))
		return -EINVAL;
	if (pid <= 0)
		return send_to_many(pid == 0 ? current->pgrp : pid == -1 ? 0 : -pid, sig);
	t = find_task(pid);
	return t ? send_to(t, sig, SI_USER) : -ESRCH;
}

long sys_tkill(s32 pid, s32 sig)
{
	struct task *t = pid > 0 ? find_task(pid) : NULL;

	if (pid <= 0 || (sig && !valid(sig)))
		return -EINVAL;
	return t ? send_to(t, sig, SI_TKILL) : -ESRCH;
}

long sys_tgkill(s32 tgid, s32 pid, s32 sig)
{
	return tgid != pid ? -ESRCH : sys_tkill(pid, sig);
}

/* What is ignored from now on is not pending any more. */
static void drop_ignored(int sig, const struct sigaction *a)
{
	if (a->handler == SIG_IGN || (a->handler == SIG_DFL && (sig == SIGCHLD || sig == SIGCONT))) {
		current->sig_pending &= ~sigbit(sig);
		recalc_signals(current);
	}
}

/* Sets what sig does now. */
static long set_action(int sig, const struct sigaction *new)
{
	struct sigaction *a;

	if (unlikely(sig == SIGKILL || sig == SIGSTOP))
		return -EINVAL;
	if (sighand_own() < 0)
		return -ENOMEM;
	a = &current->sighand->action[sig - 1];
	*a = *new;
	a->mask &= ~SIG_UNBLOCKABLE;
	if (unlikely(current->sig_pending))
		drop_ignored(sig, a);
	return 0;
}

/* posix_spawn asks and sets 61 of them: word by word costs least. */
static int get_action(struct sigaction *a, u32 from)
{
	u32 lo, hi;

	if (get_user(&a->handler, from) || get_user(&a->flags, from + 4) ||
	    get_user(&a->restorer, from + 8) || get_user(&lo, from + 12) || get_user(&hi, from + 16))
		return -EFAULT;
	a->mask = (u64)hi << 32 | lo;
	return 0;
}

static int put_action(u32 to, const struct sigaction *a)
{
	return put_user(to, a->handler) || put_user(to + 4, a->flags) || put_user(to + 8, a->restorer) ||
			       put_user(to + 12, a->mask) || put_user(to + 16, a->mask >> 32)
		       ? -EFAULT
		       : 0;
}

long sys_rt_sigaction(s32 sig, u32 new, u32 old, u32 size)
{
	struct sigaction in;

	if (!valid(sig) || size != 8)
		return -EINVAL;
	if (new &&get_action(&in, new) < 0)
		return -EFAULT;
	if (old && put_action(old, &current->sighand->action[sig - 1]) < 0)
		return -EFAULT;
	return new ? set_action(sig, &in) : 0;
}

/* The old layout: handler, 32 bits of mask, flags, restorer. */
long sys_sigaction(s32 sig, u32 new, u32 old)
{
	const struct sigaction *a = &current->sighand->action[sig - 1];
	u32 w[4] = {0};

	if (!valid(sig) || sig > 32)
		return -EINVAL;
	if (new &&copy_from_user(w, new, sizeof(w)) < 0)
		return -EFAULT;
	struct sigaction in = {w[0], w[2], w[3], w[1]};

	if (old) {
		u32 o[4] = {a->handler, a->mask, a->flags, a->restorer};

		if (copy_to_user(old, o, sizeof(o)) < 0)
			return -EFAULT;
	}
	return new ? set_action(sig, &in) : 0;
}

static long change_mask(u32 how, u64 set)
{
	u64 mask = current->sig_blocked;

	switch (how) {
	case 0: mask |= set; break;
	case 1: mask &= ~set; break;
	case 2: mask = set; break;
	default: return -EINVAL;
	}
	set_blocked(mask);
	return 0;
}

static long sigprocmask(u32 how, u32 new, u32 old, u32 size)
{
	u64 before = current->sig_blocked, set = 0;
	long err;

	if (new) {
		if (copy_from_user(&set, new, size) < 0)
			return -EFAULT;
		/* The old call knows only the first 32. */
		if (size == 4 && how == 2)
			set |= before & ~0xffffffffull;
		err = change_mask(how, set);
		if (err)
			return err;
	}
	return old ? copy_to_user(old, &before, size) : 0;
}

long sys_rt_sigprocmask(u32 how, u32 new, u32 old, u32 size)
{
	return size == 8 ? sigprocmask(how, new, old, 8) : -EINVAL;
}

long sys_sigprocmask(u32 how, u32 new, u32 old)
{
	return sigprocmask(how, new, old, 4);
}

long sys_rt_sigpending(u32 to, u32 size)
{
	u64 pending = current->sig_pending & current->sig_blocked;

	return size <= 8 ? copy_to_user(to, &pending, size) : -EINVAL;
}

long sys_sigpending(u32 to)
{
	return sys_rt_sigpending(to, 4);
}

long sys_pause(void)
{
	while (!signal_is_pending()) {
		current->state = TASK_INTERRUPTIBLE;
		if (!signal_is_pending())
			schedule();
		current->state = TASK_RUNNING;
	}
	return -ERESTARTNOHAND;
}

static long suspend_with(u64 mask)
{
	current->sig_saved_mask = current->sig_blocked;
	current->restore_mask = true;
	set_blocked(mask);
	return sys_pause();
}

long sys_rt_sigsuspend(u32 user, u32 size)
{
	u64 mask;

	if (size != sizeof(mask))
		return -EINVAL;
	return copy_from_user(&mask, user, sizeof(mask)) < 0 ? -EFAULT : suspend_with(mask);
}

/* The mask is the third argument of the old call. */
long sys_sigsuspend(u32 a, u32 b, u32 mask)
{
	return suspend_with(mask);
}

/* Takes a pending signal of the set: its number, or 0. */
static int take_signal(u64 set)
{
	for (int sig = 1; sig <= NSIG; sig++) {
		if (current->sig_pending & set & sigbit(sig)) {
			current->sig_pending &= ~sigbit(sig);
			return sig;
		}
	}
	return 0;
}

static long sigwait(u32 user, u32 info, u64 deadline)
{
	u64 set, blocked = current->sig_blocked;
	u32 si[32] = {0};
	int sig, err = 0;

	if (copy_from_user(&set, user, sizeof(set)) < 0)
		return -EFAULT;
	/* While asleep the set is let through, so that one of it ends the sleep. */
	while (!(sig = take_signal(set)) && !err && clock_ns() < deadline) {
		set_blocked(blocked & ~set);
		err = sleep_until(deadline);
		current->sig_blocked = blocked;
	}
	set_blocked(blocked);
	if (!sig)
		sig = take_signal(set);
	if (!sig)
		return err ? -EINTR : -EAGAIN;
	si[0] = sig;
	return info && copy_to_user(info, si, sizeof(si)) < 0 ? -EFAULT : sig;
}

long sys_rt_sigtimedwait(u32 set, u32 info, u32 timeout)
{
	u32 t[2] = {0};

	if (timeout && copy_from_user(t, timeout, sizeof(t)) < 0)
		return -EFAULT;
	return sigwait(set, info, timeout ? clock_ns() + t[0] * NSEC_PER_SEC + t[1] : ~0ull);
}

long sys_rt_sigtimedwait64(u32 set, u32 info, u32 timeout)
{
	u64 t[2] = {0};

	if (timeout && copy_from_user(t, timeout, sizeof(t)) < 0)
		return -EFAULT;
	return sigwait(set, info, timeout ? clock_ns() + t[0] * NSEC_PER_SEC + t[1] : ~0ull);
}

#define SS_ONSTACK 1u
#define SS_DISABLE 2u

long sys_sigaltstack(u32 new, u32 old)
{
	bool on = current_regs()->esp - current->altstack_sp < current->altstack_size;
	u32 was[3] = {current->altstack_sp,
		      !current->altstack_size ? SS_DISABLE
		      : on                    ? SS_ONSTACK
					      : 0,
		      current->altstack_size};
	u32 w[3];

	if (new) {
		if (copy_from_user(w, new, sizeof(w)) < 0)
			return -EFAULT;
		if (on)
			return -EPERM;
		if (w[1] & ~(SS_DISABLE | SS_ONSTACK))
			return -EINVAL;
		if (!(w[1] & SS_DISABLE) && w[2] < 2048)
			return -ENOMEM;
		current->altstack_sp = w[0];
		current->altstack_size = w[1] & SS_DISABLE ? 0 : w[2];
	}
	return old ? copy_to_user(old, was, sizeof(was)) : 0;
}
