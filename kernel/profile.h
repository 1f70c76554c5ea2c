/* SPDX-License-Identifier: MIT */
/*
 * kernel/profile.h: where the kernel's time goes, by sampling: a counter for every
 * 2^shift bytes of text, raised at each profiling interrupt (`profile=shift`,
 * `prof_hz=`). /proc/profile is the array that readprofile(8) reads.
 */
#pragma once

#include "fs/proc.h"

/* Boot: takes memory for the counters if the boot line wants a profile. */
void profile_init(void);
void profile_show(struct text *t, const struct proc_entry *e);
/* Any write resets; four bytes set a rate multiplier, as Linux has it. */
long profile_write(const struct proc_entry *e, const char *buf, u32 n);
