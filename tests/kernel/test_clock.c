// SPDX-License-Identifier: MIT
/* tests/kernel/test_clock.c: time goes on, and timers come when they should. */
#include "arch/x86/cpu.h"
#include "core/clock.h"
#include "kernel/ktest.h"

#define MS 1000000ull

static struct timer timer[3];
static u32 order;
static u64 fired_at[3];

static void note(struct timer *t)
{
	u32 i = t - timer;

	order = order * 10 + i + 1;
	fired_at[i] = clock_ns();
}

/* Lets interrupts come for so long. */
static void wait(u64 ns)
{
	u64 end = clock_ns() + ns;

	while (clock_ns() < end)
		cpu_idle_halt();
	irq_disable();
}

KTEST(timers, "clock: timers fire in the order of their times, none early, a stopped one not at all")
{
	static const u64 after[] = {60 * MS, 20 * MS, 40 * MS};
	u64 now = clock_ns();
	u32 flags = irq_save();

	order = 0;
	for (u32 i = 0; i < 3; i++) {
		timer_init(&timer[i], note);
		timer_start(&timer[i], now + after[i]);
	}
	wait(100 * MS);
	KCHECK(order == 231);
	for (u32 i = 0; i < 3; i++)
		KCHECK(fired_at[i] >= now + after[i] && fired_at[i] < now + after[i] + 25 * MS);
	order = 0;
	for (u32 i = 0; i < 3; i++)
		timer_start(&timer[i], clock_ns() + 20 * MS);
	timer_stop(&timer[1]);
	timer_start(&timer[0], clock_ns() + 40 * MS);
	wait(80 * MS);
	KCHECK(order == 31);
	irq_restore(flags);
}

KTEST(clock, "clock: it never goes back, and ticks come at the rate that hz= says")
{
	u64 last = clock_ns();
	u32 flags = irq_save(), before = ticks, n;

	for (u32 i = 0; i < 10000; i++) {
		u64 now = clock_ns();

		KCHECK(now >= last);
		last = now;
	}
	wait(100 * MS);
	n = ticks - before;
	KCHECK(n >= clock_hz / 10 - 2 && n <= clock_hz / 10 + clock_hz / 50 + 2);
	irq_restore(flags);
}
