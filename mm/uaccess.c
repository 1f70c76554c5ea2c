// SPDX-License-Identifier: MIT
/*
 * mm/uaccess.c: copies to and from user memory. The instruction that may fault has
 * an entry in the exception table; do_page_fault brings the page in, or resumes at
 * the fix-up.
 */
#include "mm/uaccess.h"
#include "core/task.h"
#include "mm/highmem.h"
#include "mm/mm.h"

/* Words, then what is left of bytes. ecx holds what was not done when either faults. */
#define COPY(to, from, n)                                                        \
	({                                                                       \
		u32 _left, _d, _s;                                               \
		__asm__ volatile("1:	rep movsl\n"                                \
				 "	movl %3, %%ecx\n"                             \
				 "2:	rep movsb\n"                                \
				 "3:\n"                                          \
				 ".pushsection .text.fixup, \"ax\"\n"            \
				 "4:	leal (%3, %%ecx, 4), %%ecx\n"               \
				 "	jmp 3b\n"                                     \
				 ".popsection\n"                                 \
				 ".pushsection .ex_table, \"a\"\n"               \
				 "	.long 1b, 4b, 2b, 3b\n"                       \
				 ".popsection"                                   \
				 : "=&c"(_left), "=&D"(_d), "=&S"(_s)            \
				 : "r"((n)&3), "0"((n) >> 2), "1"(to), "2"(from) \
				 : "memory");                                    \
		_left;                                                           \
	})

noinline u32 __copy_to_user(u32 to, const void *from, u32 n)
{
	return COPY(to, from, n);
}

noinline u32 __copy_from_user(void *to, u32 from, u32 n)
{
	return COPY(to, from, n);
}

noinline u32 __clear_user(u32 to, u32 n)
{
	u32 left;

	__asm__ volatile("1:	rep stosb\n"
			 "2:\n"
			 ".pushsection .ex_table, \"a\"\n"
			 "	.long 1b, 2b\n"
			 ".popsection"
			 : "=c"(left), "+D"(to)
			 : "0"(n), "a"(0)
			 : "memory");
	return left;
}

/* One byte, or -EFAULT. */
static inline int get_byte(u32 addr)
{
	int value;

	__asm__ volatile("1:	movzbl (%1), %0\n"
			 "2:\n"
			 ".pushsection .text.fixup, \"ax\"\n"
			 "3:	movl %2, %0\n"
			 "	jmp 2b\n"
			 ".popsection\n"
			 ".pushsection .ex_table, \"a\"\n"
			 "	.long 1b, 3b\n"
			 ".popsection"
			 : "=&r"(value)
			 : "r"(addr), "i"(-EFAULT)
			 : "memory");
	return value;
}

noinline long strnlen_user(u32 addr, u32 max)
{
	for (u32 n = 0; n < max; n++) {
		int c = addr + n < TASK_SIZE ? get_byte(addr + n) : -EFAULT;

		if (c <= 0)
			return c ? c : (long)n;
	}
	return max;
}

noinline long strncpy_from_user(char *to, u32 from, u32 size)
{
	for (u32 n = 0; n < size; n++) {
		int c = from + n < TASK_SIZE ? get_byte(from + n) : -EFAULT;

		if (c < 0)
			return c;
		to[n] = c;
		if (!c)
			return n;
	}
	return -ENAMETOOLONG;
}

/* The user page at addr can be used afterwards, if nothing takes it away again. */
static int fault_in(u32 addr, bool write)
{
	return mm_fault(current->mm, addr, write ? FAULT_WRITE : 0) < 0 ? -EFAULT : 0;
}

int copy_page_to_user(u32 to, struct page *page, u32 off, u32 n)
{
	if (!access_ok(to, n))
		return -EFAULT;
	for (;;) {
		u32 left = __copy_to_user(to, (char *)page_map(page, FIX_PAGE0) + off, n);

		page_unmap(page, FIX_PAGE0);
		if (!left)
			return 0;
		to += n - left;
		off += n - left;
		n = left;
		/* With a window open the fault could not be met: do it now, and go round again. */
		if (!page_is_highmem(page) || fault_in(to, true) < 0)
			return -EFAULT;
	}
}

int copy_page_from_user(struct page *page, u32 off, u32 from, u32 n)
{
	if (!access_ok(from, n))
		return -EFAULT;
	for (;;) {
		u32 left = __copy_from_user((char *)page_map(page, FIX_PAGE0) + off, from, n);

		page_unmap(page, FIX_PAGE0);
		if (!left)
			return 0;
		from += n - left;
		off += n - left;
		n = left;
		if (!page_is_highmem(page) || fault_in(from, false) < 0)
			return -EFAULT;
	}
}
