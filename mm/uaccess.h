/* SPDX-License-Identifier: MIT */
/*
 * mm/uaccess.h: the only way to a user program's memory. A pointer from a program
 * may be anything: what cannot be read or written gives -EFAULT and does no harm.
 * Each may fault in pages and so sleep, unless a page is mapped by kmap_atomic:
 * then it fails early instead.
 */
#pragma once

#include "arch/x86/memlayout.h"
#include "lib/errno.h"

static inline bool access_ok(u32 addr, u32 n)
{
	return n <= TASK_SIZE && addr <= TASK_SIZE - n;
}

/* Bytes that could not be copied. The user's range has been checked by access_ok. */
u32 __copy_to_user(u32 to, const void *from, u32 n);
u32 __copy_from_user(void *to, u32 from, u32 n);
u32 __clear_user(u32 to, u32 n);

/* 0 or -EFAULT. */
static inline int copy_to_user(u32 to, const void *from, u32 n)
{
	return access_ok(to, n) && !__copy_to_user(to, from, n) ? 0 : -EFAULT;
}
static inline int copy_from_user(void *to, u32 from, u32 n)
{
	return access_ok(from, n) && !__copy_from_user(to, from, n) ? 0 : -EFAULT;
}
/* One word: a single instruction, resumed at `fault` if it cannot be done. */
static inline int put_user(u32 to, u32 value)
{
	if (unlikely(!access_ok(to, sizeof(value))))
		return -EFAULT;
	__asm__ goto("1:	movl %0, (%1)\n"
		     ".pushsection .ex_table, \"a\"\n"
		     "	.long 1b, %l2\n"
		     ".popsection"
		     :
		     : "r"(value), "r"(to)
		     : "memory"
		     : fault);
	return 0;
fault:
	return -EFAULT;
}
static inline int get_user(u32 *value, u32 from)
{
	u32 word;

	if (unlikely(!access_ok(from, sizeof(word))))
		return -EFAULT;
	__asm__ goto("1:	movl (%1), %0\n"
		     ".pushsection .ex_table, \"a\"\n"
		     "	.long 1b, %l2\n"
		     ".popsection"
		     : "=&r"(word)
		     : "r"(from)
		     : "memory"
		     : fault);
	*value = word;
	return 0;
fault:
	return -EFAULT;
}

/* Length of the string at addr without its NUL, at most max; -EFAULT. */
long strnlen_user(u32 addr, u32 max);
/* Copies the string with its NUL; its length, -EFAULT, or -ENAMETOOLONG if it does not fit in size. */
long strncpy_from_user(char *to, u32 from, u32 size);

struct page;
/*
 * Copies between a page, which may be in highmem, and user memory. 0, -EFAULT with
 * an unknown part copied. May sleep.
 */
int copy_page_to_user(u32 to, struct page *page, u32 off, u32 n);
int copy_page_from_user(struct page *page, u32 off, u32 from, u32 n);
