// SPDX-License-Identifier: MIT
/* core.c: the few things of core/ that need hardware, for one task that never sleeps. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "core/entry.h"
#include "core/log.h"
#include "core/panic.h"
#include "core/sched.h"

struct task idle_task;
struct task *current = &idle_task;
u32 no_sleep_depth;
void (*user_trap_hook)(struct regs *r);
bool machine_quiet;

void log_warn(const char *fmt, ...)
{
	va_list ap;

	if (machine_quiet)
		return;
	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	va_end(ap);
}

static __noreturn void die(const char *fmt, va_list ap)
{
	printf("# panic: ");
	vprintf(fmt, ap);
	printf("\n");
	fflush(stdout);
	abort();
}

void panic(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	die(fmt, ap);
}

void panic_regs(const struct regs *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	die(fmt, ap);
}

bool fixup_exception(struct regs *r)
{
	return false;
}

void mutex_init(struct mutex *m)
{
	m->owner = NULL;
	waitq_init(&m->waiters);
}

void mutex_lock_slow(struct mutex *m)
{
	panic("a lock is held already");
}

void wake_up(struct waitq *q)
{
}
