// SPDX-License-Identifier: MIT
/* kernel/profile.c: the histogram. */
#include "kernel/profile.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/param.h"
#include "core/task.h"
#include "lib/string.h"
#include "mm/slab.h"

enum { DEFAULT_PROF_HZ = 20011 };

extern char _stext[], _etext[];

/* Entry 0 is the step in bytes; the last counts what lies outside the text. */
static u32 *histogram, entries, shift, prof_hz;

PARAM_NUMBER(profile, shift, 2, 12, false);
PARAM_NUMBER(prof_hz, prof_hz, 100, 100000, false);

static void profile_tick(const struct regs *r)
{
	u32 slot;

	if (from_user(r))
		return;
	slot = (r->eip - (u32)_stext) >> shift;
	histogram[1 + min(slot, entries - 2)]++;
}

void profile_init(void)
{
	if (!shift) {
		if (prof_hz)
			log_warn("boot line: prof_hz= without profile= has no effect\n");
		return;
	}
	entries = ((_etext - _stext) >> shift) + 2;
	histogram = kzalloc(entries * sizeof(u32));
	if (!histogram) {
		log_warn("profile: no memory for %u counters; no profile\n", entries);
		return;
	}
	histogram[0] = 1u << shift;
	clock_prof_hz = prof_hz ? prof_hz : DEFAULT_PROF_HZ;
	clock_profile_hook = profile_tick;
	log_info("profile: %u counters, %u samples a second\n", entries - 1, clock_prof_hz);
}

void profile_show(struct text *t, const struct proc_entry *e)
{
	if (histogram)
		text_write(t, histogram, entries * sizeof(u32));
}

long profile_write(const struct proc_entry *e, const char *buf, u32 n)
{
	if (!histogram)
		return -EINVAL;
	if (n == sizeof(u32)) {
		u32 multiplier;

		memcpy(&multiplier, buf, sizeof(multiplier));
		if (!multiplier || multiplier > 100000 / clock_hz)
			return -EINVAL;
		clock_set_prof_hz(clock_hz * multiplier);
	}
	memset(histogram + 1, 0, (entries - 1) * sizeof(u32));
	return n;
}
