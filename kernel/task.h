/* SPDX-License-Identifier: MIT */
/* kernel/task.h: making, replacing and ending tasks. */
#pragma once

#include "core/task.h"
#include "mm/mm.h"

#define CSIGNAL              0x000000ffu
#define CLONE_VM             0x00000100u
#define CLONE_FS             0x00000200u
#define CLONE_FILES          0x00000400u
#define CLONE_SIGHAND        0x00000800u
#define CLONE_VFORK          0x00004000u
#define CLONE_PARENT         0x00008000u
#define CLONE_THREAD         0x00010000u
#define CLONE_SETTLS         0x00080000u
#define CLONE_PARENT_SETTID  0x00100000u
#define CLONE_CHILD_CLEARTID 0x00200000u
#define CLONE_CHILD_SETTID   0x01000000u

/* The task with that pid, or NULL. Zombies too. */
struct task *find_task(s32 pid);
/* The first pid >= from that is in use, or -1. */
s32 next_pid_in_use(s32 from);

/*
 * A copy of the current task, as clone(2) says; stack 0: the parent's. tls is a user
 * address of a struct user_desc. The child's pid, or -EAGAIN, -ENOMEM, -EINVAL.
 */
long do_fork(u32 flags, u32 stack, u32 parent_tid, u32 tls, u32 child_tid);
/* Boot: the first task, which begins with start and goes on as what that execs. Never fails. */
void make_init(void (*start)(void));
void fork_init(void);

/* The task ends, with a status as wait() reports it. */
__noreturn void do_exit(s32 status);
/* Drops what a dead task left: stack, struct. It must be in no queue. */
void release_task(struct task *t);
/* Frees tasks that ended while nobody wanted to wait for them. */
void reap_unwanted(void);
/* Tells the parent that t has stopped, continued or ended. */
void notify_parent(struct task *t, s32 code, s32 status);
/* wait4(2): options are WNOHANG and so on; status and rusage are user addresses or 0. */
long do_wait4(s32 pid, u32 status, u32 options, u32 rusage);
/* waitid(2): info is the address of a struct siginfo, or 0. */
long do_waitid(u32 kind, s32 id, u32 info, u32 options, u32 rusage);

/* Gives back the task's memory; a parent in vfork runs on. */
void exit_mm(struct task *t);
/* mm_put, and what mm holds of fs. */
void drop_mm(struct mm *mm);

/*
 * Replaces the program of the current task. path is the kernel's copy; argv and
 * envp are user addresses of NULL-ended arrays, or with `kernel` set kernel arrays.
 * 0: the registers are the new program's. An error leaves everything as it was.
 */
int do_execve(int dfd, const char *path, u32 argv, u32 envp, bool kernel);

/* Linux's struct rusage. */
struct rusage {
	u32 utime[2], stime[2]; /* seconds, microseconds */
	u32 maxrss, ixrss, idrss, isrss, minflt, majflt, nswap, inblock, oublock, msgsnd, msgrcv, nsignals,
		nvcsw, nivcsw;
};
/* For t, its dead children, or both. */
enum rusage_who { RUSAGE_SELF = 0, RUSAGE_CHILDREN = -1, RUSAGE_BOTH = 1 };
void get_rusage(struct rusage *ru, const struct task *t, enum rusage_who who);
