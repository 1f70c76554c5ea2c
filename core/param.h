/* SPDX-License-Identifier: MIT */
/*
 * core/param.h: the words of the boot line. A file that owns a choice says
 * PARAM_NUMBER, PARAM_CHOICE or PARAM once, and the word `name=value` reaches it.
 */
#pragma once

#include "lib/types.h"

struct param {
	const char *name;
	bool runtime;               /* may be set while running, through /proc/sys/vm/name */
	u32 *value;                 /* a number, or the index of a choice */
	u32 lo, hi;                 /* a number's bounds */
	const char *const *choices; /* end with NULL; NULL: a number */
	void (*changed)(void);      /* *value has been set; may be NULL */
	/* For what is neither number nor choice: 0 or -EINVAL; writes what holds (NULL: is not shown). */
	int (*set)(const char *value);
	void (*show)(char *buf, size_t n);
};

#define PARAM_ENTRY(id, ...)                 \
	static const struct param param_##id \
		__attribute__((used, section("params"), aligned(4))) = {.name = #id, __VA_ARGS__}
/* name=N with lo <= N <= hi, into the u32 var. */
#define PARAM_NUMBER(id, var, min, max, while_running) \
	PARAM_ENTRY(id, .runtime = while_running, .value = &(var), .lo = min, .hi = max)
/* name=one of names[], whose index goes into the u32 var; then fn (or NULL) is called. */
#define PARAM_CHOICE(id, var, names, fn, while_running) \
	PARAM_ENTRY(id, .runtime = while_running, .value = &(var), .choices = names, .changed = fn)
#define PARAM(id, set_fn, show_fn) PARAM_ENTRY(id, .set = set_fn, .show = show_fn)

extern const struct param __start_params[], __stop_params[];

/*
 * Reads the whole boot line. An unknown word or value is named in a sentence and
 * counted. Values may be put in double quotes.
 */
void params_read(const char *line);
/* How many words were not understood. */
u32 params_bad(void);
const struct param *param_find(const char *name);

/* Sets p from its text: 0, or -EINVAL for what is not understood; the value then stays. */
int param_set(const struct param *p, const char *text);
/* Writes the value that holds, as it would be given. False if p is not shown. */
bool param_show(const struct param *p, char *buf, size_t n);
