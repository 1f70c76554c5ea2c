/* SPDX-License-Identifier: MIT */
/* lib/printf.h: formatted text without floating point. */
#pragma once

#include <stdarg.h>
#include "lib/types.h"

/*
 * As C's vsnprintf for: %% %c %s %d %i %u %x %X %o %p, flags '-' '0', width and
 * precision (numbers or '*'), sizes h, l, ll, z. Always ends buf with NUL if
 * size > 0; returns the length the whole text would have.
 */
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap) __printf(3, 0);
int snprintf(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);
