/* SPDX-License-Identifier: MIT */
/* kernel/signal.h: actions, sending, delivery. */
#pragma once

#include "core/signal.h"

#define SIG_DFL 0u
#define SIG_IGN 1u

#define SA_NOCLDSTOP 0x00000001u
#define SA_NOCLDWAIT 0x00000002u
#define SA_SIGINFO   0x00000004u
#define SA_RESTORER  0x04000000u
#define SA_ONSTACK   0x08000000u
#define SA_RESTART   0x10000000u
#define SA_NODEFER   0x40000000u
#define SA_RESETHAND 0x80000000u

/* Codes of siginfo. */
#define SI_USER       0
#define SI_KERNEL     0x80
#define SI_TKILL      (-6)
#define CLD_EXITED    1
#define CLD_KILLED    2
#define CLD_STOPPED   5
#define CLD_CONTINUED 6
#define SEGV_MAPERR   1
#define SEGV_ACCERR   2
#define BUS_ADRERR    2
#define FPE_INTDIV    1
#define ILL_ILLOPN    2

/* As rt_sigaction passes it. */
struct sigaction {
	u32 handler, flags, restorer;
	u64 mask;
};
_Static_assert(sizeof(struct sigaction) == 20, "the C library's layout");

/*
 * Shared by CLONE_SIGHAND; fork shares it too, until one of them changes an action:
 * most children never do.
 */
struct sighand {
	s32 count;
	bool copy_on_write;
	struct sigaction action[NSIG];
};

#define sigbit(sig) (1ull << ((sig)-1))
/* Neither can be caught, blocked or ignored. */
#define SIG_UNBLOCKABLE (sigbit(SIGKILL) | sigbit(SIGSTOP))

void signal_init(void);
struct sighand *sighand_alloc(void);
/* What a child of the current task gets: really shared, or its own. NULL: no memory. */
struct sighand *sighand_for_child(bool shared);
void sighand_put(struct sighand *s);
/* Before the current task changes an action. 0 or -ENOMEM. */
int sighand_own(void);
/* exec: handlers become the default; what is ignored stays so. 0 or -ENOMEM. */
int sighand_flush(struct task *t);

/* Sends sig with where it came from. */
void send_signal_from(struct task *t, int sig, s32 code, s32 pid, s32 status);
/* Where t's signal came from; NULL: it is not known any more. */
const struct signal_origin *signal_origin(const struct task *t, int sig);
/* Sends a signal that the task itself caused: not to be blocked or ignored. */
void force_signal(int sig, s32 code);
/* True if the task does not want to wait for its children. */
bool ignores_children(const struct task *t);
/* Looks whether something may be delivered to t, after a change of mask or action. */
void recalc_signals(struct task *t);
/* The timer of alarm and setitimer. */
void signal_alarm(struct timer *t);
/* Changes the mask of the current task. */
void set_blocked(u64 mask);

/* sigframe.c: makes the frame on the user's stack. 0 or -EFAULT. */
int setup_frame(struct regs *r, int sig, const struct sigaction *a, u64 mask);
/* The calls that a handler returns by: the value for eax. */
long sys_sigreturn(void);
long sys_rt_sigreturn(void);
