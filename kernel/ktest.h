/* SPDX-License-Identifier: MIT */
/*
 * kernel/ktest.h: tests that run inside the kernel, in the first task before its program:
 * `ktest=all` or `ktest=NAME` runs them, prints KTAP, and ends the machine.
 */
#pragma once

#include "lib/types.h"

struct ktest {
	const char *name; /* says what holds */
	void (*fn)(void);
};

/* One test; the body uses KCHECK. Each ends with the balance of pages, tables and rmap objects (law 10). */
#define KTEST(id, text)                                                                     \
	static void ktest_##id(void);                                                       \
	static const struct ktest ktest_entry_##id                                          \
		__attribute__((used, section(".ktests"), aligned(4))) = {text, ktest_##id}; \
	static void ktest_##id(void)

/* Notes a failure and goes on. */
#define KCHECK(cond)                                             \
	do {                                                     \
		if (!(cond))                                     \
			ktest_failed(__FILE__, __LINE__, #cond); \
	} while (0)

void ktest_failed(const char *file, int line, const char *what);
/* Does nothing unless the boot line asks. */
void ktest_run(void);
