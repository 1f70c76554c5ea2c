/*
 * Small tests that print TAP, the same on Linux and in our kernel.
 *
 * A program holds a table of tests, each a function and the sentence that it
 * proves, and ends in TAP_MAIN(table). Every test runs in a process of its own,
 * so one that dies or hangs fails alone. With arguments only the tests whose
 * sentence holds one of them run.
 */
#ifndef TESTS_USER_TAP_H
#define TESTS_USER_TAP_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE     4096ul
#define TABLE    (2ul << 20) /* what one PAE page table maps */
#define KIB      1024ul
#define MIB      (1024ul * 1024)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct test {
	void (*run)(void);
	const char *holds;
};

static int tap_failures;
enum { TAP_SKIPPED = 77 };

#define CHECK(cond)                                                                                   \
	do {                                                                                          \
		if (!(cond)) {                                                                        \
			printf("# %s:%d: not so: %s (errno %d)\n", __FILE__, __LINE__, #cond, errno); \
			fflush(stdout);                                                               \
			tap_failures++;                                                               \
		}                                                                                     \
	} while (0)

/* Without it the rest of the test makes no sense. */
#define NEED(cond)                \
	do {                      \
		CHECK(cond);      \
		if (tap_failures) \
			_exit(1); \
	} while (0)

static inline __attribute__((noreturn)) void skip_test(void)
{
	_exit(TAP_SKIPPED);
}

/* ---- children ---- */

/* Runs fn in a child; the raw wait status. A failed CHECK there is exit status 1. */
static inline int in_child(void (*fn)(void))
{
	int st = -1;
	pid_t pid = fork();

	if (pid == 0) {
		tap_failures = 0;
		fn();
		_exit(tap_failures != 0);
	}
	while (pid > 0 && waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	return st;
}

static inline int wait_child(pid_t pid)
{
	int st = -1;

	while (waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	return st;
}

/* A pipe to hand the turn from one process to the other. */
struct turn {
	int fd[2];
};

static inline void turn_init(struct turn *t)
{
	NEED(pipe(t->fd) == 0);
}

static inline void turn_give(struct turn *t)
{
	CHECK(write(t->fd[1], "x", 1) == 1);
}

static inline void turn_await(struct turn *t)
{
	char c;

	CHECK(read(t->fd[0], &c, 1) == 1);
}

/* ---- memory ---- */

static inline char *anon(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	NEED(p != MAP_FAILED);
	return p;
}

static inline char *shared_anon(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	NEED(p != MAP_FAILED);
	return p;
}

/* `tables` whole page tables, at an address where a table begins. */
static inline char *whole_tables(size_t tables)
{
	char *p = anon((tables + 1) * TABLE), *start;

	start = (char *)(((uintptr_t)p + TABLE - 1) & ~(TABLE - 1));
	munmap(p, start - p);
	munmap(start + tables * TABLE, p + TABLE - start);
	return start;
}

/* One word a page, different for each page and each seed. */
static inline void fill_pages(char *p, size_t bytes, uint32_t seed)
{
	for (size_t at = 0; at < bytes; at += PAGE)
		*(volatile uint32_t *)(p + at) = seed + at / PAGE * 2654435761u;
}

static inline size_t wrong_pages(char *p, size_t bytes, uint32_t seed)
{
	size_t wrong = 0;

	for (size_t at = 0; at < bytes; at += PAGE)
		wrong += *(volatile uint32_t *)(p + at) != seed + (uint32_t)(at / PAGE * 2654435761u);
	return wrong;
}

static inline size_t nonzero_pages(char *p, size_t bytes)
{
	size_t n = 0;

	for (size_t at = 0; at < bytes; at += PAGE)
		n += *(volatile uint32_t *)(p + at) != 0;
	return n;
}

static sigjmp_buf tap_fault;
static void *volatile tap_fault_address;

static inline void tap_on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	tap_fault_address = info->si_addr;
	siglongjmp(tap_fault, sig);
}

/* The signal that reading or writing a byte brings; 0 for none. */
static inline int fault_of(volatile char *p, bool write)
{
	struct sigaction sa = {.sa_sigaction = tap_on_fault, .sa_flags = SA_SIGINFO}, segv, bus;
	int sig;

	sigaction(SIGSEGV, &sa, &segv);
	sigaction(SIGBUS, &sa, &bus);
	sig = sigsetjmp(tap_fault, 1);
	if (!sig) {
		char c = *p;

		if (write)
			*p = c;
	}
	sigaction(SIGSEGV, &segv, NULL);
	sigaction(SIGBUS, &bus, NULL);
	return sig;
}

static inline int read_fault(volatile char *p)
{
	return fault_of(p, false);
}

static inline int write_fault(volatile char *p)
{
	return fault_of(p, true);
}

/* musl's own sbrk does not grow anything; returns the break before. */
static inline char *grow_break(long bytes)
{
	char *now = (char *)syscall(SYS_brk, 0);

	if ((char *)syscall(SYS_brk, now + bytes) != now + bytes)
		return NULL;
	return now;
}

/* ---- files: in a folder of the test's own ---- */

static inline const char *scratch_of(pid_t pid)
{
	static char path[200];
	const char *tmp = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/tap.%d", tmp && *tmp ? tmp : "/tmp", (int)pid);
	return path;
}

/* The runner removes it when the test has ended. */
static inline void enter_scratch(void)
{
	NEED(mkdir(scratch_of(getpid()), 0755) == 0);
	NEED(chdir(scratch_of(getpid())) == 0);
}

static inline int scratch_remove(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

static inline int make_file(const char *name, const char *text)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);

	NEED(fd >= 0);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	return fd;
}

/* A file of pages that fill_pages would have written. */
static inline int make_page_file(const char *name, size_t bytes, uint32_t seed)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	char page[PAGE];

	NEED(fd >= 0);
	for (size_t at = 0; at < bytes; at += PAGE) {
		uint32_t word = seed + at / PAGE * 2654435761u;

		memset(page, 0, sizeof(page));
		memcpy(page, &word, 4);
		CHECK(write(fd, page, PAGE) == (ssize_t)PAGE);
	}
	return fd;
}

/* ---- the runner ---- */

static inline bool tap_chosen(const struct test *t, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(t->holds, argv[i]))
			return true;
	return argc < 2;
}

static inline int tap_run_one(const struct test *t)
{
	pid_t pid;
	int st;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(60);
		tap_failures = 0;
		t->run();
		fflush(stdout);
		_exit(tap_failures != 0);
	}
	st = pid < 0 ? 1 : wait_child(pid);
	nftw(scratch_of(pid), scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
	if (WIFSIGNALED(st))
		printf("# died of signal %d\n", WTERMSIG(st));
	return WIFEXITED(st) ? WEXITSTATUS(st) : 1;
}

static inline int tap_main(const struct test *tests, size_t n, int argc, char **argv)
{
	size_t chosen = 0, number = 0, failed = 0;

	for (size_t i = 0; i < n; i++)
		chosen += tap_chosen(&tests[i], argc, argv);
	printf("1..%zu\n", chosen);
	for (size_t i = 0; i < n; i++) {
		int code;

		if (!tap_chosen(&tests[i], argc, argv))
			continue;
		code = tap_run_one(&tests[i]);
		failed += code && code != TAP_SKIPPED;
		printf("%sok %zu - %s%s\n", code && code != TAP_SKIPPED ? "not " : "", ++number,
		       tests[i].holds, code == TAP_SKIPPED ? " # SKIP" : "");
		fflush(stdout);
	}
	return failed != 0;
}

#define TAP_MAIN(table)                                           \
	int main(int argc, char **argv)                           \
	{                                                         \
		return tap_main(table, COUNT(table), argc, argv); \
	}

#endif
