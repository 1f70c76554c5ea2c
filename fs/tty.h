/* SPDX-License-Identifier: MIT */
/*
 * fs/tty.h: terminals: line editing, echo, signals from keys, job control. Three of
 * them: two serial lines, and the screen with the keyboard.
 */
#pragma once

#include "fs/vfs.h"

extern const struct file_ops tty_file_ops;

/* Takes the interrupts of the lines and the keyboard. */
void tty_init(void);
/* False for the number of a terminal whose hardware did not answer. True for all other devices. */
bool tty_exists(u32 rdev);
/* The session loses its terminal (its leader has gone): SIGHUP to the foreground. */
void tty_leave(struct task *leader);
