// SPDX-License-Identifier: MIT
/* tap.c: runs the tests of one program, each in a child process, and prints TAP. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tap.h"
#include "machine.h"
#include "core/count.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"
#include "mm/verify.h"

extern const struct test __start_tests[], __stop_tests[];

const char *const default_line[] = {"", NULL};
const char *const every_rmap[] = {"rmap=none", "rmap=chain", "rmap=object", NULL};
const char *const every_policy[] = {
	"rmap=none ptshare=off",    "rmap=none ptshare=fork",
	"rmap=none ptshare=auto",   "rmap=chain ptshare=off",
	"rmap=chain ptshare=fork",  "rmap=chain ptshare=auto",
	"rmap=object ptshare=off",  "rmap=object ptshare=fork",
	"rmap=object ptshare=auto", NULL,
};
const char *const sharing_policy[] = {
	"rmap=none ptshare=fork",
	"rmap=none ptshare=auto",
	"rmap=chain ptshare=fork",
	"rmap=chain ptshare=auto",
	"rmap=object ptshare=fork",
	"rmap=object ptshare=auto",
	NULL,
};

const char *__asan_default_options(void)
{
	return "detect_leaks=0:abort_on_error=0:exitcode=9";
}

static u32 seed = 1;

void random_seed(u32 s)
{
	seed = s * 2654435761u | 1;
}

u32 random_below(u32 n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (u32)((u64)seed * n >> 32);
}

void check_failed(const char *file, int line, const char *what, u32 a, u32 b)
{
	printf("# %s:%d: does not hold: %s", file, line, what);
	if (a != b)
		printf(" (%u = 0x%x, %u = 0x%x)", a, a, b, b);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

void check_laws(const char *file, int line)
{
	if (verify_laws())
		check_failed(file, line, "the laws", 0, 0);
	if (machine_stale_translations())
		check_failed(file, line, "every remembered translation is allowed", 0, 0);
}

/* Everything that mm/ hands out. */
struct balance {
	u32 free_pages, objects, counts[CNT_rmap_bytes + 1];
};

static struct balance balance_now(void)
{
	struct balance b = {0};
	struct kmem_cache *c;

	shrink_caches();
	b.free_pages = nr_free_pages();
	list_for_each_entry (c, &slab_caches, all)
		b.objects += c->nr_inuse;
	for (u32 i = 0; i <= CNT_rmap_bytes; i++)
		b.counts[i] = counters[i];
	return b;
}

static void check_balance(const struct balance *before)
{
	struct balance after = balance_now();
	struct kmem_cache *c;

	if (!memcmp(before, &after, sizeof(after)))
		return;
	printf("# free pages %u, were %u\n", after.free_pages, before->free_pages);
	list_for_each_entry (c, &slab_caches, all)
		if (c->nr_inuse)
			printf("# %u objects of %s\n", c->nr_inuse, c->name);
	for (u32 i = 0; i <= CNT_rmap_bytes; i++)
		if (after.counts[i] != before->counts[i])
			printf("# %s is %u\n", counter_names[i], after.counts[i]);
	check_failed("end", 0, "all is given back", 0, 0);
}

static __noreturn void run_in_child(const struct test *t, const char *words)
{
	struct balance before;

	alarm(60);
	machine_boot(words);
	random_seed(1);
	before = balance_now();
	t->fn();
	LAWS();
	check_balance(&before);
	fflush(stdout);
	_exit(0);
}

static bool run(const struct test *t, const char *words)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		run_in_child(t, words);
	if (waitpid(pid, &status, 0) != pid)
		return false;
	if (WIFSIGNALED(status))
		printf("# ended by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Arguments choose tests whose name holds one of them. */
static bool is_wanted(const char *name, char **wanted)
{
	if (!*wanted)
		return true;
	for (; *wanted; wanted++)
		for (const char *s = name; *s; s++)
			if (str_starts(s, *wanted))
				return true;
	return false;
}

int main(int argc, char **argv)
{
	u32 n = 0, number = 0, failed = 0;

	for (const struct test *t = __start_tests; t < __stop_tests; t++)
		for (const char *const *w = t->words; *w; w++)
			n += is_wanted(t->name, argv + 1);
	printf("1..%u\n", n);
	for (const struct test *t = __start_tests; t < __stop_tests; t++) {
		for (const char *const *w = t->words; *w; w++) {
			bool ok;

			if (!is_wanted(t->name, argv + 1))
				continue;
			ok = run(t, *w);
			failed += !ok;
			printf("%s %u - %s%s%s\n", ok ? "ok" : "not ok", ++number, t->name, **w ? ", " : "",
			       *w);
		}
	}
	return failed != 0;
}
