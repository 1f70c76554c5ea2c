// SPDX-License-Identifier: MIT
/* arch/x86/keyboard.c: i8042 controller and scan code set 1 (as translated by the controller). */
#include "arch/x86/keyboard.h"
#include "arch/x86/cpu.h"

enum { DATA = 0x60, STATUS = 0x64, OUTPUT_FULL = 1, FROM_MOUSE = 0x20 };
enum {
	KEY_CTRL = 0x1d,
	KEY_LSHIFT = 0x2a,
	KEY_RSHIFT = 0x36,
	KEY_CAPS = 0x3a,
	RELEASED = 0x80,
	EXTENDED = 0xe0
};

static bool present, shift, ctrl, caps, extended;
static const char *pending = "";

static const char plain[] = "\0\0331234567890-=\177\tqwertyuiop[]\n\0asdfghjkl;'`\0\\zxcvbnm,./\0*\0 ";
static const char shifted[] = "\0\033!@#$%^&*()_+\177\tQWERTYUIOP{}\n\0ASDFGHJKL:\"~\0|ZXCVBNM<>?\0*\0 ";

void keyboard_init(void)
{
	/* Nothing behind the port reads as all ones. */
	if (inb(STATUS) == 0xff)
		return;
	for (u32 i = 0; i < 64 && inb(STATUS) & OUTPUT_FULL; i++)
		inb(DATA);
	present = !(inb(STATUS) & OUTPUT_FULL);
}

bool keyboard_present(void)
{
	return present;
}

static int extended_key(u8 code)
{
	static const struct {
		u8 code;
		const char *text;
	} keys[] = {{0x48, "[A"}, {0x50, "[B"}, {0x4d, "[C"}, {0x4b, "[D"}, {0x47, "[H"}, {0x4f, "[F"}};

	if (code == 0x1c)
		return '\n';
	if (code == 0x35)
		return '/';
	for (u32 i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i].code == code) {
			pending = keys[i].text;
			return 27;
		}
	}
	return -1;
}

static int translate(u8 code)
{
	char c;

	if (code >= sizeof(plain) - 1)
		return -1;
	c = shift ? shifted[code] : plain[code];
	if (caps && ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
		c ^= 0x20;
	if (ctrl)
		c &= 0x1f;
	return c ? c : -1;
}

static int decode(u8 code)
{
	bool down = !(code & RELEASED), was_extended = extended;

	extended = code == EXTENDED;
	if (extended)
		return -1;
	switch (code & 0x7f) {
	case KEY_CTRL: ctrl = down; return -1;
	case KEY_LSHIFT:
	case KEY_RSHIFT:
		if (!was_extended)
			shift = down;
		return -1;
	case KEY_CAPS: caps ^= down; return -1;
	}
	if (!down)
		return -1;
	return was_extended ? extended_key(code) : translate(code);
}

int keyboard_get(void)
{
	if (*pending)
		return *pending++;
	while (present && inb(STATUS) & OUTPUT_FULL) {
		bool mouse = inb(STATUS) & FROM_MOUSE;
		int c = decode(inb(DATA));

		if (!mouse && c >= 0)
			return c;
	}
	return -1;
}
