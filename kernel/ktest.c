// SPDX-License-Identifier: MIT
/* kernel/ktest.c: the runner of in-kernel tests (KTAP version 1). */
#include "kernel/ktest.h"
#include "arch/x86/power.h"
#include "core/count.h"
#include "core/log.h"
#include "core/param.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/kstack.h"
#include "mm/page_alloc.h"
#include "mm/verify.h"

extern const struct ktest __ktests[], __ktests_end[];

static char wanted[64];
static u32 failures;

static int set_ktest(const char *v)
{
	return strlcpy(wanted, v, sizeof(wanted)) < sizeof(wanted) ? 0 : -EINVAL;
}
PARAM(ktest, set_ktest, NULL);

void ktest_failed(const char *file, int line, const char *what)
{
	failures++;
	console_printf("# %s:%d: does not hold: %s\n", file, line, what);
}

/* Law 10: what the test took, it has given back. */
struct balance {
	u32 free_pages, tables, rmap_objects, anon, files;
};

static struct balance balance_now(void)
{
	shrink_caches();
	return (struct balance){nr_free_pages(), counters[CNT_nr_page_table_pages],
				counters[CNT_rmap_objects], counters[CNT_nr_anon_pages],
				counters[CNT_nr_file_pages]};
}

static void run_one(const struct ktest *t, u32 number)
{
	struct balance before = balance_now(), after;

	failures = 0;
	t->fn();
	KCHECK(verify_laws() == 0);
	after = balance_now();
	KCHECK(after.free_pages == before.free_pages);
	KCHECK(after.tables == before.tables);
	KCHECK(after.rmap_objects == before.rmap_objects);
	KCHECK(after.anon == before.anon);
	KCHECK(after.files == before.files);
	console_printf("%s %u %s\n", failures ? "not ok" : "ok", number, t->name);
}

/* "all" leaves out those that end in a panic. */
static bool is_wanted(const struct ktest *t)
{
	if (!strcmp(wanted, "all"))
		return !str_starts(t->name, "crash-");
	return str_starts(t->name, wanted);
}

void ktest_run(void)
{
	u32 n = 0, number = 0;

	if (!wanted[0])
		return;
	/* A kernel stack stays mapped for the next task: no test is to pay for the first one. */
	kstack_free(kstack_alloc());
	for (const struct ktest *t = __ktests; t < __ktests_end; t++)
		n += is_wanted(t);
	console_printf("KTAP version 1\n1..%u\n", n);
	for (const struct ktest *t = __ktests; t < __ktests_end; t++)
		if (is_wanted(t))
			run_one(t, ++number);
	power_off();
}
