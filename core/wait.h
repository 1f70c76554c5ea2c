/* SPDX-License-Identifier: MIT */
/*
 * core/wait.h: sleeping until something is true. A waker changes the state first
 * and then wakes; a sleeper queues itself first and then looks. All on one CPU,
 * so interrupts are the only other player.
 */
#pragma once

#include "lib/list.h"
#include "lib/types.h"

struct task;

struct waitq {
	struct list waiters;
};

struct waiter {
	struct list list;
	struct task *task;
};

static inline void waitq_init(struct waitq *q)
{
	list_init(&q->waiters);
}

/* Queues w for the current task and marks it asleep, interruptible or not. Does not sleep yet. */
void wait_prepare(struct waitq *q, struct waiter *w, bool interruptible);
/* The current task runs on; takes w off its queue. */
void wait_finish(struct waiter *w);
/* Wakes everyone on q. May be called from an interrupt. */
void wake_up(struct waitq *q);

/* Sleeps until cond holds; 0, or -ERESTARTSYS if a signal came first. */
#define wait_event(q, cond)                                  \
	({                                                   \
		struct waiter _w;                            \
		int _err = 0;                                \
		while (!(cond)) {                            \
			wait_prepare(q, &_w, true);          \
			if (!(cond)) {                       \
				if (signal_is_pending())     \
					_err = -ERESTARTSYS; \
				else                         \
					schedule();          \
			}                                    \
			wait_finish(&_w);                    \
			if (_err)                            \
				break;                       \
		}                                            \
		_err;                                        \
	})

/* A lock that may be held across a sleep. Not recursive. */
struct mutex {
	struct task *owner;
	struct waitq waiters;
};

void mutex_init(struct mutex *m);
/* Slow halves of the two below. */
void mutex_lock_slow(struct mutex *m);

extern struct task *current;

/* May sleep. */
static inline void mutex_lock(struct mutex *m)
{
	if (likely(!m->owner))
		m->owner = current;
	else
		mutex_lock_slow(m);
}

static inline void mutex_unlock(struct mutex *m)
{
	m->owner = NULL;
	if (unlikely(!list_empty(&m->waiters.waiters)))
		wake_up(&m->waiters);
}
