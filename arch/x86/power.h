/* SPDX-License-Identifier: MIT */
/* arch/x86/power.h: the ways out: a verdict for the emulator, power-off, reset. */
#pragma once

#include "lib/types.h"

/* Verdicts for QEMU's isa-debug-exit at port F4; its exit status is 2v+1. */
enum { VERDICT_OFF = 0x10, VERDICT_PANIC = 0x11 };

/* Tells the emulator, if there is one; returns on a real machine. */
void emulator_exit(u32 verdict);
/* Ends with VERDICT_OFF, or halts for ever where nothing can switch the power. */
__noreturn void power_off(void);
/* Resets by the keyboard controller, then by a triple fault. */
__noreturn void machine_reset(void);
/* Interrupts off, halted for ever. */
__noreturn void halt_forever(void);
