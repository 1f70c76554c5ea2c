// SPDX-License-Identifier: MIT
/* core/signal.c: the hooks by which a signal is sent from below. */
#include "core/signal.h"

void (*send_signal_hook)(struct task *t, int sig);
bool (*signal_is_ignored_hook)(const struct task *t, int sig);

int kill_pgrp(s32 pgrp, int sig)
{
	struct task *t;
	int n = 0;

	for_each_task (t) {
		if (t->pgrp != pgrp || t->state == TASK_ZOMBIE)
			continue;
		if (sig)
			send_signal(t, sig);
		n++;
	}
	return n;
}
