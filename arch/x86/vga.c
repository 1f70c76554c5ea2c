// SPDX-License-Identifier: MIT
/* arch/x86/vga.c: text mode 3: memory of character and attribute, and the CRT controller's cursor. */
#include "arch/x86/vga.h"
#include "arch/x86/cpu.h"
#include "arch/x86/memlayout.h"
#include "lib/string.h"

enum { COLS = 80, ROWS = 25, BLANK = 0x0720, CRTC = 0x3d4 };

static volatile u16 *screen;
static u32 row, col;
static bool present;

static enum { PLAIN, ESCAPE, BRACKET } state;

void vga_init(void)
{
	screen = phys_to_virt(0xb8000);
	/* No memory answers behind a machine without a display: it does not remember. */
	screen[0] = 0x0741;
	screen[1] = 0x0742;
	present = screen[0] == 0x0741 && screen[1] == 0x0742;
	for (u32 i = 0; i < COLS * ROWS; i++)
		screen[i] = BLANK;
}

bool vga_present(void)
{
	return present;
}

static void move_cursor(void)
{
	u32 pos = row * COLS + col;

	outb(CRTC, 14);
	outb(CRTC + 1, pos >> 8);
	outb(CRTC, 15);
	outb(CRTC + 1, pos);
}

static void clear_from(u32 first, u32 last)
{
	for (u32 i = first; i < last; i++)
		screen[i] = BLANK;
}

static void new_line(void)
{
	col = 0;
	if (++row < ROWS)
		return;
	row = ROWS - 1;
	memmove((void *)screen, (void *)(screen + COLS), COLS * (ROWS - 1) * 2);
	clear_from(COLS * (ROWS - 1), COLS * ROWS);
}

static void put_plain(char c)
{
	switch (c) {
	case '\n': new_line(); break;
	case '\r': col = 0; break;
	case '\b': col -= col > 0; break;
	case '\t': col = min(round_down(col + 8, 8), (u32)COLS - 1); break;
	case '\a': break;
	default:
		if (col == COLS)
			new_line();
		screen[row * COLS + col++] = 0x0700 | (u8)c;
	}
}

/* Consumes an ANSI control sequence; true while c belongs to one. */
static bool control_sequence(char c)
{
	if (state == PLAIN) {
		if (c == 27)
			state = ESCAPE;
		return c == 27;
	}
	if (state == ESCAPE) {
		state = c == '[' ? BRACKET : PLAIN;
		return true;
	}
	if ((c >= '0' && c <= '9') || c == ';' || c == '?')
		return true;
	state = PLAIN;
	if (c == 'J')
		clear_from(row * COLS + col, ROWS * COLS);
	else if (c == 'K')
		clear_from(row * COLS + col, (row + 1) * COLS);
	else if (c == 'H')
		row = col = 0;
	return true;
}

void vga_put(char c)
{
	if (!present)
		return;
	if (!control_sequence(c))
		put_plain(c);
	move_cursor();
}
