/* SPDX-License-Identifier: MIT */
/*
 * kernel/syscalls.h: the system calls, by number as Linux has them on i386 (its
 * arch/x86/entry/syscalls/syscall_32.tbl). X(number, function): one line a call;
 * a function serves several numbers where they ask for the same.
 * Arguments are what the program left in its registers; results are values or
 * negative errno. Contracts are those of the manual's section 2.
 */
#pragma once

#include "lib/types.h"

/* clang-format off */
#define SYSCALLS(X) \
	X(1, exit) X(2, fork) X(3, read) X(4, write) X(5, open) X(6, close) X(7, waitpid) X(8, creat) \
	X(9, link) X(10, unlink) X(11, execve) X(12, chdir) X(13, time) X(14, mknod) X(15, chmod) \
	X(16, lchown) X(19, lseek) X(20, getpid) X(21, mount) X(23, setuid) X(24, getuid) X(25, stime) \
	X(27, alarm) X(29, pause) X(30, utime) X(33, access) X(34, nice) X(36, sync) X(37, kill) \
	X(38, rename) X(39, mkdir) X(40, rmdir) X(41, dup) X(42, pipe) X(43, times) X(45, brk) \
	X(46, setuid) X(47, getgid) X(49, getuid) X(50, getgid) X(52, umount) X(54, ioctl) X(55, fcntl) \
	X(57, setpgid) X(60, umask) X(61, chroot) X(63, dup2) X(64, getppid) X(65, getpgrp) X(66, setsid) \
	X(67, sigaction) X(72, sigsuspend) X(73, sigpending) X(75, setrlimit) X(76, old_getrlimit) \
	X(77, getrusage) X(78, gettimeofday) X(79, settimeofday) X(82, old_select) X(83, symlink) \
	X(85, readlink) X(88, reboot) X(90, old_mmap) X(91, munmap) X(92, truncate) X(93, ftruncate) \
	X(94, fchmod) X(95, fchown) X(96, getpriority) X(97, setpriority) X(99, statfs) X(100, fstatfs) \
	X(103, syslog) X(104, setitimer) X(105, getitimer) X(106, stat) X(107, lstat) X(108, fstat) \
	X(114, wait4) X(116, sysinfo) X(118, fsync) X(119, sigreturn) X(120, clone) X(122, uname) \
	X(125, mprotect) X(126, sigprocmask) X(132, getpgid) X(133, fchdir) X(136, personality) \
	X(140, llseek) X(141, getdents) X(142, select) X(143, fsync) X(144, msync) X(145, readv) \
	X(146, writev) X(147, getsid) X(148, fsync) X(150, mlock) X(151, mlock) X(158, sched_yield) \
	X(162, nanosleep) X(163, mremap) X(168, poll) X(172, prctl) X(173, rt_sigreturn) \
	X(174, rt_sigaction) X(175, rt_sigprocmask) X(176, rt_sigpending) X(177, rt_sigtimedwait) \
	X(179, rt_sigsuspend) X(180, pread64) X(181, pwrite64) X(182, chown) X(183, getcwd) \
	X(186, sigaltstack) X(187, sendfile) X(190, vfork) X(191, getrlimit) X(192, mmap2) \
	X(193, truncate64) X(194, ftruncate64) X(195, stat64) X(196, lstat64) X(197, fstat64) \
	X(198, lchown) X(199, getuid) X(200, getgid) X(201, getuid) X(202, getgid) X(203, setreuid) \
	X(204, setreuid) X(205, getgroups) X(206, setgroups) X(207, fchown) X(208, setreuid) \
	X(209, getresuid) X(210, setreuid) X(211, getresuid) X(212, chown) X(213, setuid) X(214, setuid) \
	X(219, madvise) X(220, getdents64) X(221, fcntl) X(224, getpid) X(238, tkill) X(239, sendfile64) \
	X(240, futex) X(242, sched_getaffinity) X(243, set_thread_area) X(244, get_thread_area) \
	X(252, exit) X(258, set_tid_address) X(265, clock_gettime) X(266, clock_getres) \
	X(267, clock_nanosleep) X(268, statfs64) X(269, fstatfs64) X(270, tgkill) X(271, utimes) \
	X(272, fadvise) X(284, waitid) X(295, openat) X(296, mkdirat) X(297, mknodat) X(298, fchownat) X(300, fstatat64) \
	X(301, unlinkat) X(302, renameat) X(303, linkat) X(304, symlinkat) X(305, readlinkat) \
	X(306, fchmodat) X(307, faccessat) X(308, pselect6) X(309, ppoll) X(311, set_robust_list) \
	X(318, getcpu) X(320, utimensat) X(330, dup3) X(331, pipe2) X(340, prlimit64) X(353, renameat2) \
	X(355, getrandom) X(358, execveat) X(383, statx) X(403, clock_gettime64) X(404, clock_settime64) \
	X(406, clock_getres64) X(407, clock_nanosleep64) X(412, utimensat64) X(413, pselect6_64) \
	X(414, ppoll64) X(421, rt_sigtimedwait64) X(439, faccessat)
/* clang-format on */

enum { NR_SYSCALLS = 440 };

void syscall_init(void);
/* Copies a path from the program into a buffer that path_put frees; an error pointer. */
char *path_get(u32 user);
void path_put(char *path);
