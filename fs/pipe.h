/* SPDX-License-Identifier: MIT */
/* fs/pipe.h: pipes and named pipes. */
#pragma once

#include "fs/vfs.h"

extern const struct file_ops fifo_file_ops;

/* The two ends of a new pipe, each with one reference. 0 or -ENOMEM. flags: O_NONBLOCK. */
int pipe_create(struct file **read_end, struct file **write_end, u32 flags);
