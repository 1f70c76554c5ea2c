/* SPDX-License-Identifier: MIT */
/* arch/x86/vga.h: the 80x25 text screen at B8000. */
#pragma once

#include "lib/types.h"

/* Looks whether there is text memory, and clears it. */
void vga_init(void);
bool vga_present(void);
/* Writes one character; knows \n \r \t \b and the ANSI sequences ESC[...m, ESC[J, ESC[K, ESC[H (others are swallowed). */
void vga_put(char c);
