// SPDX-License-Identifier: MIT
/* core/count.c: the counters' storage and names. */
#include "core/count.h"

u32 counters[NR_COUNTERS];

const char *const counter_names[NR_COUNTERS] = {
#define X(name) #name,
	COUNTERS(X)
#undef X
};
