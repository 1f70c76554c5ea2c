/* SPDX-License-Identifier: MIT */
/*
 * core/signal.h: the numbers of signals, and how the layers below kernel/ send
 * one. Linux's i386 values.
 */
#pragma once

#include "core/task.h"

#define SIGHUP   1
#define SIGINT   2
#define SIGQUIT  3
#define SIGILL   4
#define SIGTRAP  5
#define SIGABRT  6
#define SIGBUS   7
#define SIGFPE   8
#define SIGKILL  9
#define SIGUSR1  10
#define SIGSEGV  11
#define SIGUSR2  12
#define SIGPIPE  13
#define SIGALRM  14
#define SIGTERM  15
#define SIGCHLD  17
#define SIGCONT  18
#define SIGSTOP  19
#define SIGTSTP  20
#define SIGTTIN  21
#define SIGTTOU  22
#define SIGURG   23
#define SIGWINCH 28
#define NSIG     64

/* Filled by kernel/signal.c. Makes sig pending for t and wakes it; may be called from an interrupt. */
extern void (*send_signal_hook)(struct task *t, int sig);
/* True if the task ignores or blocks sig: a background read then fails instead of stopping it. */
extern bool (*signal_is_ignored_hook)(const struct task *t, int sig);

static inline void send_signal(struct task *t, int sig)
{
	send_signal_hook(t, sig);
}
/* To every task of the process group; how many there are. */
int kill_pgrp(s32 pgrp, int sig);
