/* SPDX-License-Identifier: MIT */
/* arch/x86/timer.h: the 8254 interval timer, the CPU's time-stamp counter, and the CMOS clock. */
#pragma once

#include "lib/types.h"

#define PIT_HZ 1193182u

/* Interrupt 0 comes `hz` times a second from now on (19 <= hz <= PIT_HZ). */
void pit_start(u32 hz);
/*
 * The time-stamp counter's rate in kHz, measured against the interval timer for
 * some 10 ms. Every wait is bounded: a dead timer gives the guess of 1 GHz.
 */
u32 tsc_calibrate(void);
/* Seconds since 1970 by the CMOS clock, UTC assumed; 0 if it cannot be read. */
u64 rtc_read(void);
