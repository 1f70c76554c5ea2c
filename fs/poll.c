// SPDX-License-Identifier: MIT
/* fs/poll.c: one loop under poll, ppoll, select and pselect. */
#include "fs/poll.h"
#include "core/clock.h"
#include "core/sched.h"
#include "fs/file.h"
#include "mm/slab.h"

void poll_wait(struct waitq *q, struct poll_table *pt)
{
	if (pt && pt->used < pt->max)
		wait_prepare(q, &pt->waiters[pt->used++], true);
}

static u32 file_events(struct file *f, struct poll_table *pt)
{
	if (f->ops->poll)
		return f->ops->poll(f, pt);
	return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
}

static int scan(struct pollfd *fds, u32 n, struct poll_table *pt)
{
	int ready = 0;

	for (u32 i = 0; i < n; i++) {
		struct file *f = fds[i].fd < 0 ? NULL : fd_file(fds[i].fd);

		if (fds[i].fd < 0)
			fds[i].revents = 0;
		else if (!f)
			fds[i].revents = POLLNVAL;
		else
			fds[i].revents = file_events(f, pt) & (fds[i].events | POLLERR | POLLHUP);
		ready += fds[i].revents != 0;
	}
	return ready;
}

static int wait_round(struct pollfd *fds, u32 n, u64 deadline, struct poll_table *pt)
{
	struct wake_timer w;
	int ready;

	wake_timer_init(&w);
	pt->used = 0;
	/* Asleep before looking: a wake-up between look and schedule is not lost. */
	current->state = TASK_INTERRUPTIBLE;
	ready = scan(fds, n, pt);
	if (!ready && signal_is_pending())
		ready = -EINTR;
	if (!ready && clock_ns() < deadline) {
		if (deadline != ~0ull)
			timer_start(&w.timer, deadline);
		schedule();
	}
	current->state = TASK_RUNNING;
	timer_stop(&w.timer);
	while (pt->used)
		wait_finish(&pt->waiters[--pt->used]);
	return ready;
}

int do_poll(struct pollfd *fds, u32 n, u64 deadline)
{
	struct poll_table pt = {.max = 2 * n};
	int ready = scan(fds, n, NULL);

	if (ready || !deadline)
		return ready;
	pt.waiters = kmalloc(max(1u, pt.max) * sizeof(struct waiter));
	if (!pt.waiters)
		return -ENOMEM;
	while (!(ready = wait_round(fds, n, deadline, &pt)) && clock_ns() < deadline)
		;
	kfree(pt.waiters);
	return ready;
}
