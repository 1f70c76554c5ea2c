/* SPDX-License-Identifier: MIT */
/*
 * lib/errno.h: error numbers with Linux's i386 values, and the one idiom for
 * pointers that can be an error: a pointer in the last page of the address
 * space is a negative errno.
 */
#pragma once

#include "lib/types.h"

#define EPERM        1
#define ENOENT       2
#define ESRCH        3
#define EINTR        4
#define EIO          5
#define ENXIO        6
#define E2BIG        7
#define ENOEXEC      8
#define EBADF        9
#define ECHILD       10
#define EAGAIN       11
#define ENOMEM       12
#define EACCES       13
#define EFAULT       14
#define EBUSY        16
#define EEXIST       17
#define EXDEV        18
#define ENODEV       19
#define ENOTDIR      20
#define EISDIR       21
#define EINVAL       22
#define ENFILE       23
#define EMFILE       24
#define ENOTTY       25
#define ETXTBSY      26
#define EFBIG        27
#define ENOSPC       28
#define ESPIPE       29
#define EROFS        30
#define EMLINK       31
#define EPIPE        32
#define ERANGE       34
#define ENAMETOOLONG 36
#define ENOSYS       38
#define ENOTEMPTY    39
#define ELOOP        40
#define EOVERFLOW    75
#define ETIMEDOUT    110

/* Inside the kernel only: start the system call again after the signal. */
#define ERESTARTSYS    512
#define ERESTARTNOHAND 514

#define MAX_ERRNO 4095

static inline void *ERR_PTR(long err)
{
	return (void *)err;
}

static inline long PTR_ERR(const void *p)
{
	return (long)p;
}

static inline bool IS_ERR(const void *p)
{
	return (uintptr_t)p >= (uintptr_t)-MAX_ERRNO;
}
