// SPDX-License-Identifier: MIT
/* core/log.c: the log ring and the console behind it. */
#include <stdarg.h>
#include "core/log.h"
#include "arch/x86/uart.h"
#include "arch/x86/vga.h"
#include "core/clock.h"
#include "core/param.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"

static char ring[LOG_SIZE];
static u64 end;
static bool user_mode, line_open;
static bool use_serial = true, use_vga = true, chosen;

int console_choose(const char *name)
{
	bool serial = str_starts(name, "ttyS0"), vga = !strcmp(name, "tty0") || !strcmp(name, "tty");

	if (!serial && !vga)
		return -EINVAL;
	if (!chosen)
		use_serial = use_vga = false;
	chosen = true;
	use_serial |= serial;
	use_vga |= vga;
	return 0;
}
static void console_show(char *buf, size_t n)
{
	snprintf(buf, n, "%s%s%s", use_serial ? "ttyS0" : "", use_serial && use_vga ? "," : "",
		 use_vga ? "tty0" : "");
}
PARAM(console, console_choose, console_show);

bool console_uses_serial(void)
{
	return use_serial && uart_present(0);
}

void console_put(char c)
{
	if (use_serial) {
		if (c == '\n')
			uart_put(0, '\r');
		uart_put(0, c);
	}
	if (use_vga)
		vga_put(c);
}

static void emit(const char *text, bool show)
{
	for (; *text; text++) {
		ring[end++ % LOG_SIZE] = *text;
		if (show)
			console_put(*text);
	}
}

static void log_text(const char *fmt, va_list ap, bool show)
{
	char text[512], stamp[32];
	u64 us;

	vsnprintf(text, sizeof(text), fmt, ap);
	if (!line_open) {
		us = clock_ns() / 1000;
		snprintf(stamp, sizeof(stamp), "[%5llu.%06u] ", us / 1000000, (u32)(us % 1000000));
		emit(stamp, show);
	}
	emit(text, show);
	line_open = text[0] && text[strlen(text) - 1] != '\n';
}

void log_info(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_text(fmt, ap, !user_mode);
	va_end(ap);
}

void log_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_text(fmt, ap, true);
	va_end(ap);
}

void console_printf(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (const char *p = text; *p; p++)
		console_put(*p);
}

void log_user_mode(void)
{
	user_mode = true;
}

u64 log_end(void)
{
	return end;
}

u32 log_read(u64 *pos, char *buf, u32 n)
{
	u32 got = 0;

	if (end - *pos > LOG_SIZE)
		*pos = end - LOG_SIZE;
	while (got < n && *pos < end)
		buf[got++] = ring[(*pos)++ % LOG_SIZE];
	return got;
}
