// SPDX-License-Identifier: MIT
/* kernel/syscall.c: from the number in EAX to the function. */
#include "kernel/syscalls.h"
#include "core/account.h"
#include "core/count.h"
#include "core/entry.h"
#include "core/log.h"
#include "lib/errno.h"
#include "mm/verify.h"

/*
 * Every handler is called with six arguments and takes what it knows: the first
 * three come in registers, the rest on a stack that the caller clears.
 */
typedef long (*syscall_fn)(u32 a, u32 b, u32 c, u32 d, u32 e, u32 f);

#define X(nr, name) extern char sys_##name[];
SYSCALLS(X)
#undef X

static void *const table[NR_SYSCALLS] = {
#define X(nr, name) [nr] = sys_##name,
	SYSCALLS(X)
#undef X
};

/* Each unknown call is named in the log once. */
static long unknown_call(u32 nr)
{
	static u32 named[NR_SYSCALLS / 32 + 1];

	if (nr >= NR_SYSCALLS || !(named[nr / 32] & 1u << nr % 32))
		log_info("system call %u is not there (%s)\n", nr, current->comm);
	if (nr < NR_SYSCALLS)
		named[nr / 32] |= 1u << nr % 32;
	return -ENOSYS;
}

static void do_syscall(struct regs *r)
{
	u32 nr = r->eax;

	account_from_user();
	count(syscalls);
	if (unlikely(verify_every))
		verify_tick();
	if (likely(nr < NR_SYSCALLS && table[nr]))
		r->eax = ((syscall_fn)table[nr])(r->ebx, r->ecx, r->edx, r->esi, r->edi, r->ebp);
	else
		r->eax = unknown_call(nr);
	exit_to_user(r);
}

void syscall_init(void)
{
	syscall_hook = do_syscall;
}
