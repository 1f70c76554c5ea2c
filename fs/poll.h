/* SPDX-License-Identifier: MIT */
/* fs/poll.h: waiting for several files at once. */
#pragma once

#include "core/wait.h"
#include "lib/types.h"

#define POLLIN     0x001u
#define POLLPRI    0x002u
#define POLLOUT    0x004u
#define POLLERR    0x008u
#define POLLHUP    0x010u
#define POLLNVAL   0x020u
#define POLLRDNORM 0x040u
#define POLLWRNORM 0x100u

/* Linux's struct pollfd. */
struct pollfd {
	s32 fd;
	u16 events, revents;
};

/* Where a poller stands in queues: as many places as it has files, twice (a file may have two queues). */
struct poll_table {
	u32 used, max;
	struct waiter *waiters;
};

/* A file's poll operation queues the current task on q; nothing if pt is NULL. */
void poll_wait(struct waitq *q, struct poll_table *pt);
/*
 * Waits until one of n entries has an event or clock_ns() >= deadline (0: does not
 * wait; ~0: for ever). Fills revents; how many entries have some; -EINTR, -ENOMEM.
 */
int do_poll(struct pollfd *fds, u32 n, u64 deadline);
