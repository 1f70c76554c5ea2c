/* SPDX-License-Identifier: MIT */
/*
 * tap.h: host tests. Each runs in a process of its own on a machine just booted, and
 * ends with the laws and the balance of everything that mm/ hands out (law 10).
 */
#pragma once

#include "lib/types.h"

struct test {
	const char *name;         /* says what holds */
	const char *const *words; /* boot lines to run it under, up to NULL */
	void (*fn)(void);
};

#define TEST_UNDER(id, lines, text)                                                             \
	static void test_##id(void);                                                            \
	static const struct test test_entry_##id                                                \
		__attribute__((used, section("tests"), aligned(4))) = {text, lines, test_##id}; \
	static void test_##id(void)

extern const char *const default_line[];   /* one: the defaults */
extern const char *const every_policy[];   /* rmap none, chain, object with ptshare off, fork, auto */
extern const char *const every_rmap[];     /* the three, ptshare=off */
extern const char *const sharing_policy[]; /* the three, ptshare=fork and auto */

/* TEST: once. TEST_EACH: under every policy. TEST_SHARING: where tables are shared. */
#define TEST(id, text)         TEST_UNDER(id, default_line, text)
#define TEST_EACH(id, text)    TEST_UNDER(id, every_policy, text)
#define TEST_SHARING(id, text) TEST_UNDER(id, sharing_policy, text)

/* The test has failed if cond does not hold; it ends there. */
#define CHECK(cond)                                                    \
	do {                                                           \
		if (!(cond))                                           \
			check_failed(__FILE__, __LINE__, #cond, 0, 0); \
	} while (0)
/* Says both values. */
#define CHECK_EQ(a, b)                                                                    \
	do {                                                                              \
		__typeof__(a) _a = (a), _b = (b);                                         \
		if (_a != _b)                                                             \
			check_failed(__FILE__, __LINE__, #a " == " #b, (u32)_a, (u32)_b); \
	} while (0)
/* All laws hold, tables shared or not, and no stale translation is remembered. */
#define LAWS() check_laws(__FILE__, __LINE__)

__noreturn void check_failed(const char *file, int line, const char *what, u32 a, u32 b);
void check_laws(const char *file, int line);

/* A number below n (n > 0), the same sequence in each run. */
u32 random_below(u32 n);
void random_seed(u32 seed);

/* log_warn says nothing: for tests that break laws on purpose. */
extern bool machine_quiet;
