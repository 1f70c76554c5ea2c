// SPDX-License-Identifier: MIT
/* kernel/signal.c: sending a signal, choosing one, and what it does. */
#include "kernel/signal.h"
#include "core/count.h"
#include "core/entry.h"
#include "core/log.h"
#include "core/sched.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

static struct kmem_cache sighand_cache;

#define STOP_SIGNALS (sigbit(SIGSTOP) | sigbit(SIGTSTP) | sigbit(SIGTTIN) | sigbit(SIGTTOU))
/* What a task brings on itself. */
#define OWN_FAULTS         (sigbit(SIGSEGV) | sigbit(SIGBUS) | sigbit(SIGILL) | sigbit(SIGFPE) | sigbit(SIGTRAP))
#define IGNORED_BY_DEFAULT (sigbit(SIGCHLD) | sigbit(SIGCONT) | sigbit(SIGURG) | sigbit(SIGWINCH))

struct sighand *sighand_alloc(void)
{
	struct sighand *s = kmem_cache_zalloc(&sighand_cache);

	if (s)
		s->count = 1;
	return s;
}

static struct sighand *sighand_dup(const struct sighand *from)
{
	struct sighand *s = kmem_cache_alloc(&sighand_cache);

	if (s) {
		*s = *from;
		s->count = 1;
		s->copy_on_write = false;
	}
	return s;
}

int sighand_own(void)
{
	struct sighand *s = current->sighand;

	if (likely(s->count == 1 || !s->copy_on_write))
		return 0;
	s = sighand_dup(s);
	if (!s)
		return -ENOMEM;
	current->sighand->count--;
	current->sighand = s;
	return 0;
}

struct sighand *sighand_for_child(bool shared)
{
	struct sighand *s = current->sighand;

	if (shared && sighand_own() < 0)
		return NULL;
	/* Those who share it really would see each other's changes, the child must not. */
	if (!shared && s->count > 1 && !s->copy_on_write)
		return sighand_dup(s);
	s = current->sighand;
	s->copy_on_write = !shared;
	s->count++;
	return s;
}

void sighand_put(struct sighand *s)
{
	if (s && --s->count == 0)
		kmem_cache_free(&sighand_cache, s);
}

int sighand_flush(struct task *t)
{
	struct sighand *s = t->sighand;

	if (s->count > 1) {
		s = sighand_dup(s);
		if (!s)
			return -ENOMEM;
		sighand_put(t->sighand);
		t->sighand = s;
	}
	for (u32 i = 0; i < NSIG; i++) {
		if (s->action[i].handler > SIG_IGN)
			s->action[i].handler = SIG_DFL;
		s->action[i].flags = 0;
		s->action[i].mask = 0;
	}
	return 0;
}

static bool is_ignored(const struct task *t, int sig)
{
	u32 handler = t->sighand->action[sig - 1].handler;

	return handler == SIG_IGN || (handler == SIG_DFL && (IGNORED_BY_DEFAULT & sigbit(sig)));
}

static bool is_ignored_or_blocked(const struct task *t, int sig)
{
	return t->sighand &&
	       (t->sighand->action[sig - 1].handler == SIG_IGN || (t->sig_blocked & sigbit(sig)));
}

bool ignores_children(const struct task *t)
{
	const struct sigaction *a = &t->sighand->action[SIGCHLD - 1];

	return a->handler == SIG_IGN || (a->flags & SA_NOCLDWAIT);
}

void recalc_signals(struct task *t)
{
	if (t->sig_pending & ~t->sig_blocked)
		t->work |= WORK_SIGNAL;
	else
		t->work &= ~WORK_SIGNAL;
}

void set_blocked(u64 mask)
{
	current->sig_blocked = mask & ~SIG_UNBLOCKABLE;
	recalc_signals(current);
}

static void continue_task(struct task *t)
{
	t->sig_pending &= ~STOP_SIGNALS;
	if (t->state != TASK_STOPPED)
		return;
	t->exit_code = 0xffff;
	t->stop_reported = false;
	wake_up_task(t);
	notify_parent(t, CLD_CONTINUED, SIGCONT);
}

/* A place is free when its signal is no longer pending; a signal that finds none is told of without origin. */
static void keep_origin(struct task *t, const struct signal_origin *o)
{
	for (u32 i = 0; i < SIGNAL_ORIGINS; i++) {
		s32 there = t->sig_origin[i].sig;

		if (there == o->sig || !there || !(t->sig_pending & sigbit(there))) {
			t->sig_origin[i] = *o;
			return;
		}
	}
}

const struct signal_origin *signal_origin(const struct task *t, int sig)
{
	for (u32 i = 0; i < SIGNAL_ORIGINS; i++)
		if (t->sig_origin[i].sig == sig)
			return &t->sig_origin[i];
	return NULL;
}

void send_signal_from(struct task *t, int sig, s32 code, s32 pid, s32 status)
{
	if (t->state == TASK_ZOMBIE || !t->sighand || t->exit_signal == -1)
		return;
	if (sig == SIGCONT || sig == SIGKILL)
		continue_task(t);
	if (STOP_SIGNALS & sigbit(sig))
		t->sig_pending &= ~sigbit(SIGCONT);
	if (is_ignored(t, sig) && !(t->sig_blocked & sigbit(sig)))
		return;
	keep_origin(t, &(struct signal_origin){sig, code, pid, status, 0});
	t->sig_pending |= sigbit(sig);
	recalc_signals(t);
	if ((t->work & WORK_SIGNAL) && t->state == TASK_INTERRUPTIBLE)
		wake_up_task(t);
}

static void send_signal_plain(struct task *t, int sig)
{
	send_signal_from(t, sig, SI_KERNEL, 0, 0);
}

static void reset_action(int sig)
{
	if (sighand_own() < 0)
		do_exit(SIGKILL);
	current->sighand->action[sig - 1].handler = SIG_DFL;
}

void force_signal(int sig, s32 code)
{
	const struct sigaction *a = &current->sighand->action[sig - 1];

	/* One who ignores or blocks a fault cannot go on. */
	if (a->handler == SIG_IGN || (current->sig_blocked & sigbit(sig)))
		reset_action(sig);
	current->sig_blocked &= ~sigbit(sig);
	send_signal_from(current, sig, code, 0, 0);
}

void signal_alarm(struct timer *timer)
{
	struct task *t = container_of(timer, struct task, alarm);

	if (t->alarm_interval)
		timer_start(timer, timer->expires + t->alarm_interval);
	send_signal_plain(t, SIGALRM);
}

static void stop_current(int sig)
{
	current->exit_code = sig;
	current->stop_reported = false;
	current->state = TASK_STOPPED;
	if (current->parent->sighand && !(current->parent->sighand->action[SIGCHLD - 1].flags & SA_NOCLDSTOP))
		notify_parent(current, CLD_STOPPED, sig);
	else
		wake_up(&current->parent->child_exit);
	schedule();
}

static void default_action(int sig)
{
	if (IGNORED_BY_DEFAULT & sigbit(sig))
		return;
	if (STOP_SIGNALS & sigbit(sig)) {
		stop_current(sig);
		return;
	}
	/* init has no default: a signal it does not expect is not its end. */
	if (current->pid == 1 && !(sigbit(sig) & OWN_FAULTS))
		return;
	if (sigbit(sig) & OWN_FAULTS)
		log_info("task %d (%s) dies of signal %d: eip %08x, address %08x, error %x\n", current->pid,
			 current->comm, sig, current_regs()->eip, current->trap_addr, current->trap_error);
	do_exit(sig);
}

/* A system call that a signal has interrupted: once more, or EINTR. */
static void finish_call(struct regs *r, const struct sigaction *a)
{
	bool again;

	if (r->vector != VECTOR_SYSCALL)
		return;
	if (r->eax == (u32)-ERESTARTSYS)
		again = !a || (a->flags & SA_RESTART);
	else if (r->eax == (u32)-ERESTARTNOHAND)
		again = !a;
	else
		return;
	if (again) {
		r->eax = r->error;
		r->eip -= 2; /* int 0x80 */
	} else {
		r->eax = -EINTR;
	}
}

static void run_handler(struct regs *r, int sig, const struct sigaction *a)
{
	u64 mask = current->restore_mask ? current->sig_saved_mask : current->sig_blocked;

	finish_call(r, a);
	if (setup_frame(r, sig, a, mask) < 0) {
		/* There is no stack to tell it on. */
		do_exit(SIGSEGV);
	}
	current->restore_mask = false;
	set_blocked(current->sig_blocked | a->mask | (a->flags & SA_NODEFER ? 0 : sigbit(sig)));
	if (a->flags & SA_RESETHAND)
		reset_action(sig);
}

/* Signals that the task itself has caused come first. */
static int next_signal(void)
{
	u64 ready = current->sig_pending & ~current->sig_blocked;

	if (ready & OWN_FAULTS)
		ready &= OWN_FAULTS;
	if (ready & sigbit(SIGKILL))
		return SIGKILL;
	if (!ready)
		return 0;
	return (u32)ready ? __builtin_ctz(ready) + 1 : __builtin_ctz(ready >> 32) + 33;
}

static void deliver_signals(struct regs *r)
{
	int sig;

	while ((sig = next_signal())) {
		const struct sigaction *a = &current->sighand->action[sig - 1];

		current->sig_pending &= ~sigbit(sig);
		recalc_signals(current);
		if (a->handler > SIG_IGN) {
			run_handler(r, sig, a);
			return;
		}
		if (a->handler == SIG_DFL)
			default_action(sig);
	}
	recalc_signals(current);
	finish_call(r, NULL);
	if (current->restore_mask) {
		current->restore_mask = false;
		set_blocked(current->sig_saved_mask);
	}
}

static void out_of_memory(void)
{
	count(oom_kills);
	log_warn("out of memory: task %d (%s) is killed\n", current->pid, current->comm);
	do_exit(SIGKILL);
}

static void page_fault_signal(void)
{
	count(fault_segv);
	switch (current->trap_errno) {
	case -ENOMEM: out_of_memory(); break;
	case -EIO: force_signal(SIGBUS, BUS_ADRERR); break;
	case -EACCES: force_signal(SIGSEGV, SEGV_ACCERR); break;
	default: force_signal(SIGSEGV, SEGV_MAPERR); break;
	}
}

static void user_trap(struct regs *r)
{
	current->trap_no = r->vector;
	if (r->vector != TRAP_PAGE_FAULT) {
		current->trap_error = r->error;
		current->trap_addr = r->eip;
	}
	switch (r->vector) {
	case TRAP_PAGE_FAULT: page_fault_signal(); break;
	case TRAP_DIVIDE: force_signal(SIGFPE, FPE_INTDIV); break;
	case TRAP_FPU:
	case TRAP_SIMD: force_signal(SIGFPE, SI_KERNEL); break;
	case TRAP_OPCODE: force_signal(SIGILL, ILL_ILLOPN); break;
	case TRAP_DEBUG:
	case TRAP_BREAKPOINT: force_signal(SIGTRAP, SI_KERNEL); break;
	case TRAP_SEGMENT:
	case TRAP_ALIGNMENT: force_signal(SIGBUS, SI_KERNEL); break;
	default: force_signal(SIGSEGV, SI_KERNEL); break;
	}
}

static void use_fpu(struct regs *r)
{
	if (!from_user(r))
		return;
	if (fpu_claim(&current->cpu) < 0)
		out_of_memory();
}

void signal_init(void)
{
	kmem_cache_init(&sighand_cache, "sighand", sizeof(struct sighand), 4);
	send_signal_hook = send_signal_plain;
	signal_is_ignored_hook = is_ignored_or_blocked;
	signal_hook = deliver_signals;
	user_trap_hook = user_trap;
	set_trap_handler(TRAP_NO_FPU, use_fpu);
}
