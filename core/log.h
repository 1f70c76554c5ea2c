/* SPDX-License-Identifier: MIT */
/*
 * core/log.h: the kernel's log: a ring that dmesg reads, every line with the time
 * it was begun, and a copy to the console.
 */
#pragma once

#include "lib/types.h"

#define LOG_SIZE 65536u

/* Remembered, and shown on the console until user programs own it. */
void log_info(const char *fmt, ...) __printf(1, 2);
/* Remembered and always shown. */
void log_warn(const char *fmt, ...) __printf(1, 2);
/* Straight to the console, not remembered, no time: panics and kernel tests. */
void console_printf(const char *fmt, ...) __printf(1, 2);
/* One character to every console that `console=` chose. */
void console_put(char c);
/* From now on log_info is silent on the console. */
void log_user_mode(void);
/*
 * Copies the log's bytes from position *pos (counted from boot) to buf, at most
 * n; bytes that the ring has lost are skipped. Advances *pos; returns how many.
 */
u32 log_read(u64 *pos, char *buf, u32 n);
/* Position behind the last byte. */
u64 log_end(void);
/* console=ttyS0|tty0, may be given several times; default both. 0 or -EINVAL. */
int console_choose(const char *name);
bool console_uses_serial(void);
