// SPDX-License-Identifier: MIT
/* tests/kernel/crash.c: tests that must end in a panic; each runs only by its own name. */
#include "core/panic.h"
#include "kernel/ktest.h"

static volatile bool deeper = true;

static noinline u32 overflow(u32 n)
{
	volatile u32 frame[64];

	frame[n % 64] = n;
	return deeper ? overflow(n + 1) + frame[n % 64] : 0;
}

KTEST(crash_stack, "crash-stack: a kernel stack overflow is a double fault that names the stack")
{
	KCHECK(overflow(0));
}

KTEST(crash_null, "crash-null: the kernel does not read address 0")
{
	volatile u32 address = 4;

	KCHECK(*(volatile u32 *)address == 0);
}

KTEST(crash_law, "crash-law: a broken law is named with its place")
{
	BUG_ON(1);
}
