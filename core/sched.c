// SPDX-License-Identifier: MIT
/* core/sched.c: the run queue, the switch, sleeping and waking. */
#include "core/sched.h"
#include "arch/x86/cpu.h"
#include "core/account.h"
#include "core/count.h"
#include "core/entry.h"
#include "core/panic.h"
#include "lib/errno.h"
#include "lib/string.h"

struct task idle_task, *current;
struct list all_tasks = LIST_INIT(all_tasks);
u32 no_sleep_depth;
void (*switch_mm_hook)(struct task *next);

static struct list queue = LIST_INIT(queue);
static u32 running;

/* A turn: 100 ms at nice 0, 10 ms at 19, 200 ms at -20. */
static s32 turn_length(const struct task *t)
{
	u32 ms = 10 + 5 * (19 - t->nice);

	return max(1u, min(ms, 200u) * clock_hz / 1000);
}

void sched_init(void)
{
	strlcpy(idle_task.comm, "idle", sizeof(idle_task.comm));
	list_init(&idle_task.run);
	list_init(&idle_task.children);
	list_init(&idle_task.sibling);
	waitq_init(&idle_task.child_exit);
	idle_task.state = TASK_RUNNING;
	current = &idle_task;
}

u32 nr_running(void)
{
	return running + (current != &idle_task);
}

void might_sleep(void)
{
	BUG_ON(no_sleep_depth);
}

void make_runnable(struct task *t, bool first)
{
	u32 flags = irq_save();

	t->state = TASK_RUNNING;
	t->slice = turn_length(t);
	if (first)
		list_add(&queue, &t->run);
	else
		list_add_tail(&queue, &t->run);
	running++;
	if (current == &idle_task)
		current->work |= WORK_RESCHED;
	irq_restore(flags);
}

void wake_up_task(struct task *t)
{
	u32 flags = irq_save();

	if (t->state == TASK_RUNNING || t->state == TASK_ZOMBIE) {
		irq_restore(flags);
		return;
	}
	/* A task on its way to sleep has only to be marked awake again. */
	if (t == current)
		t->state = TASK_RUNNING;
	else
		make_runnable(t, false);
	irq_restore(flags);
}

static void switch_to(struct task *next)
{
	struct task *prev = current;

	account_switch(prev, next);
	count(switches);
	prev->nvcsw++;
	current = next;
	if (next->stack) {
		set_kernel_stack(next->stack + KSTACK_SIZE);
		switch_mm_hook(next);
	}
	cpu_switch_segments(&prev->cpu, &next->cpu);
	fpu_switch(&next->cpu);
	switch_stacks(&prev->esp, next->esp);
}

void schedule(void)
{
	struct task *next;
	u32 flags = irq_save();

	might_sleep();
	current->work &= ~WORK_RESCHED;
	if (current->state == TASK_RUNNING && current != &idle_task) {
		list_add_tail(&queue, &current->run);
		running++;
	}
	if (list_empty(&queue)) {
		next = &idle_task;
	} else {
		next = list_first(&queue, struct task, run);
		list_del(&next->run);
		running--;
	}
	if (next->slice <= 0)
		next->slice = turn_length(next);
	if (next != current)
		switch_to(next);
	irq_restore(flags);
}

void schedule_tail(struct regs *r)
{
	irq_enable();
	if (current->first_run)
		current->first_run();
	exit_to_user(r);
}

void sched_yield_turn(void)
{
	current->slice = 0;
	schedule();
}

void sched_tick(void)
{
	if (current == &idle_task)
		return;
	if (--current->slice <= 0)
		current->work |= WORK_RESCHED;
}

void idle_loop(void)
{
	/* The boot is nobody's time. */
	current->stime = -rdtsc();
	for (;;) {
		schedule();
		irq_disable();
		if (list_empty(&queue))
			cpu_idle_halt();
		irq_enable();
	}
}

void wait_prepare(struct waitq *q, struct waiter *w, bool interruptible)
{
	u32 flags = irq_save();

	w->task = current;
	list_add_tail(&q->waiters, &w->list);
	current->state = interruptible ? TASK_INTERRUPTIBLE : TASK_UNINTERRUPTIBLE;
	irq_restore(flags);
}

void wait_finish(struct waiter *w)
{
	u32 flags = irq_save();

	current->state = TASK_RUNNING;
	list_del(&w->list);
	irq_restore(flags);
}

void wake_up(struct waitq *q)
{
	struct waiter *w;
	u32 flags = irq_save();

	list_for_each_entry (w, &q->waiters, list)
		wake_up_task(w->task);
	irq_restore(flags);
}

void mutex_init(struct mutex *m)
{
	m->owner = NULL;
	waitq_init(&m->waiters);
}

void mutex_lock_slow(struct mutex *m)
{
	struct waiter w;

	might_sleep();
	BUG_ON(m->owner == current);
	while (m->owner) {
		wait_prepare(&m->waiters, &w, false);
		if (m->owner)
			schedule();
		wait_finish(&w);
	}
	m->owner = current;
}

static void wake_its_task(struct timer *t)
{
	wake_up_task(container_of(t, struct wake_timer, timer)->task);
}

void wake_timer_init(struct wake_timer *w)
{
	timer_init(&w->timer, wake_its_task);
	w->task = current;
}

int sleep_until(u64 when)
{
	struct wake_timer w;
	int err = 0;

	wake_timer_init(&w);
	while (clock_ns() < when) {
		current->state = TASK_INTERRUPTIBLE;
		if (signal_is_pending()) {
			err = -EINTR;
			break;
		}
		timer_start(&w.timer, when);
		schedule();
	}
	current->state = TASK_RUNNING;
	timer_stop(&w.timer);
	return err;
}
