// SPDX-License-Identifier: MIT
/* core/clock.c: time-stamp counter to nanoseconds, wall clock, timers, the tick. */
#include "core/clock.h"
#include "arch/x86/pic.h"
#include "arch/x86/timer.h"
#include "core/log.h"
#include "core/param.h"
#include "core/sched.h"
#include "lib/errno.h"
#include "lib/string.h"

#define SCALE_SHIFT 22

u32 ticks, clock_hz = 100, clock_prof_hz;
void (*clock_profile_hook)(const struct regs *r);

static u32 khz;
static u32 scale; /* nanoseconds a cycle, << SCALE_SHIFT */
static u64 boot_cycles;
static s64 wall_offset;
static struct list timers = LIST_INIT(timers);

PARAM_NUMBER(hz, clock_hz, 20, 10000, false);

u64 cycles_to_ns(u64 c)
{
	u64 lo = (u64)(u32)c * scale, hi = (c >> 32) * scale;

	return (lo >> SCALE_SHIFT) + (hi << (32 - SCALE_SHIFT));
}

u64 clock_ns(void)
{
	return scale ? cycles_to_ns(rdtsc() - boot_cycles) : 0;
}

u64 clock_wall_ns(void)
{
	return clock_ns() + wall_offset;
}

void clock_set_wall(u64 ns)
{
	wall_offset = ns - clock_ns();
}

void clock_init(void)
{
	khz = tsc_calibrate();
	scale = (u32)((1000000ull << SCALE_SHIFT) / (khz ? khz : 1000000));
	boot_cycles = rdtsc();
	clock_set_wall(rtc_read() * NSEC_PER_SEC);
	log_info("clock: time-stamp counter at %u.%03u MHz\n", khz / 1000, khz % 1000);
}

void clock_start(void)
{
	pit_start(clock_prof_hz ? clock_prof_hz : clock_hz);
	pic_unmask(0);
}

void clock_set_prof_hz(u32 hz)
{
	clock_prof_hz = hz;
	clock_start();
}

void timer_init(struct timer *t, void (*fn)(struct timer *t))
{
	list_init(&t->list);
	t->fn = fn;
}

void timer_start(struct timer *t, u64 expires)
{
	struct timer *pos;
	u32 flags = irq_save();

	list_del_init(&t->list);
	t->expires = expires;
	list_for_each_entry (pos, &timers, list)
		if (pos->expires > expires)
			break;
	list_add_tail(&pos->list, &t->list);
	irq_restore(flags);
}

void timer_stop(struct timer *t)
{
	u32 flags = irq_save();

	list_del_init(&t->list);
	irq_restore(flags);
}

static void run_timers(void)
{
	while (!list_empty(&timers)) {
		struct timer *t = list_first(&timers, struct timer, list);

		if (t->expires > clock_ns())
			return;
		list_del_init(&t->list);
		t->fn(t);
	}
}

/* While profiling, the tick is every (prof_hz / hz)-th interrupt, kept exact by the remainder. */
static bool tick_is_due(void)
{
	static u32 acc;

	if (!clock_prof_hz)
		return true;
	acc += clock_hz;
	if (acc < clock_prof_hz)
		return false;
	acc -= clock_prof_hz;
	return true;
}

void clock_tick(const struct regs *r)
{
	if (clock_profile_hook)
		clock_profile_hook(r);
	if (!tick_is_due())
		return;
	ticks++;
	run_timers();
	sched_tick();
}
