/* SPDX-License-Identifier: MIT */
/* arch/x86/keyboard.h: the PS/2 keyboard, if a controller answers; US layout. */
#pragma once

#include "lib/types.h"

/* Looks for the controller, bounded in time, and empties it. */
void keyboard_init(void);
bool keyboard_present(void);
/*
 * The next character typed, or -1. Arrow keys come as ESC [ A..D, one character
 * a call; Ctrl makes 1..26.
 */
int keyboard_get(void);
