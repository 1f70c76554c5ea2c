/* SPDX-License-Identifier: MIT */
/*
 * fs/proc.h: /proc's machinery: a tree of nodes whose contents are made when they
 * are read. What the nodes say is kernel/proc*.c's.
 */
#pragma once

#include "fs/vfs.h"

/* A text that grows. Once memory is short it is cut, and `failed` says so. */
struct text {
	char *buf;
	u32 len, size;
	bool failed;
};

void text_printf(struct text *t, const char *fmt, ...) __printf(2, 3);
void text_write(struct text *t, const void *data, u32 n);

struct proc_node;

/* A node as it was reached: pid and n are the numbers on the way; 0. */
struct proc_entry {
	const struct proc_node *node;
	s32 pid;
	u32 n;
};

/*
 * A directory has `child`ren, and perhaps numbered entries (tasks, descriptors) that
 * all look like `numbered`.
 */
struct proc_node {
	const char *name;
	u32 mode;
	void (*show)(struct text *t, const struct proc_entry *e);
	/* Bytes taken, or an error; buf ends with NUL. */
	long (*write)(const struct proc_entry *e, const char *buf, u32 n);
	long (*readlink)(const struct proc_entry *e, char *buf, u32 size);
	/* With a reference; NULL: by readlink's text. */
	struct dentry *(*follow)(const struct proc_entry *e);
	/* The first number >= from, or -1. */
	s32 (*next_number)(const struct proc_entry *e, s32 from);
	const struct proc_node *numbered;
	bool number_is_pid;
	const void *arg; /* for the functions above */
	struct proc_node *child, *next;
};

extern struct proc_node proc_root;

/* Adds node below dir, behind those that are there. */
void proc_add(struct proc_node *dir, struct proc_node *node);
/* Boot: /proc appears in the root directory. */
void proc_init(void);
