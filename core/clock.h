/* SPDX-License-Identifier: MIT */
/*
 * core/clock.h: time. The time-stamp counter is the clock; the timer interrupt
 * (`hz=`, or `prof_hz=` while profiling) drives timers, time slices and the profile.
 */
#pragma once

#include "arch/x86/cpu.h"
#include "arch/x86/regs.h"
#include "lib/list.h"
#include "lib/types.h"

#define NSEC_PER_SEC 1000000000ull

/* Calibrates and reads the CMOS clock. */
void clock_init(void);
/* Starts the timer interrupt. */
void clock_start(void);
/* Nanoseconds since boot. */
u64 clock_ns(void);
/* Nanoseconds since 1970, UTC. */
u64 clock_wall_ns(void);
/* Moves the wall clock, so that it is now `ns`. */
void clock_set_wall(u64 ns);
/* Clock ticks (rdtsc) in nanoseconds. */
u64 cycles_to_ns(u64 cycles);
/* Timer interrupts of the `hz=` rate since boot. */
extern u32 ticks;
/* What hz= says: 100 or 1000. */
extern u32 clock_hz;
/* Interrupts a second for the profile; 0: no profile. Set before clock_start. */
extern u32 clock_prof_hz;
/* Changes it while running. */
void clock_set_prof_hz(u32 hz);
/* Called at each timer interrupt with the interrupted registers, if set. */
extern void (*clock_profile_hook)(const struct regs *r);

/* A function to be called once, from the timer interrupt, when its time has come. */
struct timer {
	struct list list; /* empty: not running */
	u64 expires;      /* clock_ns() */
	void (*fn)(struct timer *t);
};

void timer_init(struct timer *t, void (*fn)(struct timer *t));
/* (Re)starts t to expire at clock_ns() == expires. */
void timer_start(struct timer *t, u64 expires);
void timer_stop(struct timer *t);

/* The timer interrupt: called by core/entry.c. */
void clock_tick(const struct regs *r);
