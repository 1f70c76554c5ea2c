/* SPDX-License-Identifier: MIT */
/*
 * core/param.h: the words of the boot line. A file that owns a choice says
 * PARAM(name, set, show) once, and the word `name=value` reaches it.
 */
#pragma once

#include "lib/types.h"

struct param {
	const char *name;
	/* 0, or -EINVAL for a value that is not understood; the default then holds. */
	int (*set)(const char *value);
	/* Writes the value that holds, as it would be given. May be NULL. */
	void (*show)(char *buf, size_t n);
	/* May be set while running, through /proc/sys/vm/name. */
	bool runtime;
};

#define PARAM(name, set, show)                 \
	static const struct param param_##name \
		__attribute__((used, section("params"), aligned(4))) = {#name, set, show, false}
#define PARAM_RUNTIME(name, set, show)         \
	static const struct param param_##name \
		__attribute__((used, section("params"), aligned(4))) = {#name, set, show, true}

extern const struct param __start_params[], __stop_params[];

/*
 * Reads the whole boot line. An unknown word or value is named in a sentence and
 * counted. Values may be put in double quotes.
 */
void params_read(const char *line);
/* How many words were not understood. */
u32 params_bad(void);
const struct param *param_find(const char *name);

/* For the set functions: the index of value in names[], which ends with NULL; or -EINVAL. */
int param_choice(const char *value, const char *const names[]);
/* A decimal number within [lo, hi] into *out. 0 or -EINVAL. */
int param_number(const char *value, u32 lo, u32 hi, u32 *out);
