/* SPDX-License-Identifier: MIT */
/* fs/dev.h: character devices: which code stands behind a number. */
#pragma once

#include "fs/vfs.h"

#define MKDEV(major, minor) ((major) << 8 | (minor))

/* An inode of a device: open looks the number up and hands the file over. */
extern const struct file_ops device_file_ops;

/* Devices get their names under /dev, with Linux's numbers. */
void dev_init(void);
/* Fills buf with pseudo-random bytes: fast and repeatable under icount, not for secrets. */
void random_bytes(void *buf, u32 n);
/* The same to user memory: how many, or -EFAULT. */
long random_to_user(u32 to, u32 n);
