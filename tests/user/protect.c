/* mprotect, mremap, the stack. */
#include "tests/user/tap.h"

#include <sys/resource.h>

static void read_only(void)
{
	char *p = anon(4 * PAGE);

	fill_pages(p, 4 * PAGE, 1);
	CHECK(mprotect(p + PAGE, 2 * PAGE, PROT_READ) == 0);
	CHECK(write_fault(p + PAGE) == SIGSEGV && write_fault(p + 2 * PAGE) == SIGSEGV);
	CHECK(!write_fault(p) && !write_fault(p + 3 * PAGE));
	CHECK(wrong_pages(p, 4 * PAGE, 1) == 0);
}

static void many_pages(size_t n)
{
	char *p = anon(n * PAGE);
	size_t faults = 0;

	fill_pages(p, n * PAGE, 1);
	CHECK(mprotect(p, n * PAGE, PROT_READ) == 0);
	for (size_t i = 0; i < n; i++)
		faults += write_fault(p + i * PAGE) == SIGSEGV;
	CHECK(faults == n);
}

static void at_once_1(void)
{
	many_pages(1);
}

static void at_once_33(void)
{
	many_pages(33);
}

static void at_once_512(void)
{
	many_pages(512);
}

static void split_and_merge(void)
{
	char *p = anon(16 * PAGE);

	fill_pages(p, 16 * PAGE, 1);
	for (int i = 0; i < 16; i += 2)
		CHECK(mprotect(p + i * PAGE, PAGE, PROT_READ) == 0);
	for (int i = 0; i < 16; i++)
		CHECK(write_fault(p + i * PAGE) == (i % 2 ? 0 : SIGSEGV));
	CHECK(mprotect(p, 16 * PAGE, PROT_READ | PROT_WRITE) == 0);
	for (int i = 0; i < 16; i++)
		CHECK(!write_fault(p + i * PAGE));
	CHECK(wrong_pages(p, 16 * PAGE, 1) == 0);
}

static void none_keeps_data(void)
{
	char *p = anon(4 * PAGE);

	fill_pages(p, 4 * PAGE, 1);
	CHECK(mprotect(p, 4 * PAGE, PROT_NONE) == 0);
	CHECK(read_fault(p) == SIGSEGV);
	CHECK(mprotect(p, 4 * PAGE, PROT_READ) == 0);
	CHECK(wrong_pages(p, 4 * PAGE, 1) == 0);
}

static void hole_is_an_error(void)
{
	char *p = anon(4 * PAGE);

	munmap(p + 2 * PAGE, PAGE);
	CHECK(mprotect(p, 4 * PAGE, PROT_READ) < 0 && errno == ENOMEM);
	/* musl's mprotect would round. */
	CHECK(syscall(SYS_mprotect, p + 1, PAGE, PROT_READ) < 0 && errno == EINVAL);
}

static void read_only_then_private_write(void)
{
	char *p, c;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 2 * PAGE, 1);
	p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	CHECK(wrong_pages(p, 2 * PAGE, 1) == 0);
	CHECK(mprotect(p, 2 * PAGE, PROT_READ | PROT_WRITE) == 0);
	p[9] = 'q';
	CHECK(pread(fd, &c, 1, 9) == 1 && c == 0);
}

static void zero_page_then_write(void)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;

	CHECK(nonzero_pages(p, 2 * PAGE) == 0);
	CHECK(mprotect(p, 2 * PAGE, PROT_READ | PROT_WRITE) == 0);
	fill_pages(p, 2 * PAGE, 1);
	q = anon(PAGE);
	CHECK(nonzero_pages(q, PAGE) == 0);
}

/* ---- mremap ---- */

static void grow_in_place(void)
{
	char *p = anon(8 * PAGE);

	fill_pages(p, 4 * PAGE, 1);
	munmap(p + 4 * PAGE, 4 * PAGE);
	CHECK(mremap(p, 4 * PAGE, 8 * PAGE, 0) == p);
	CHECK(wrong_pages(p, 4 * PAGE, 1) == 0);
	CHECK(nonzero_pages(p + 4 * PAGE, 4 * PAGE) == 0);
	CHECK(!write_fault(p + 7 * PAGE));
}

static void grow_refused(void)
{
	char *p = anon(8 * PAGE);

	mprotect(p + 4 * PAGE, PAGE, PROT_READ);
	CHECK(mremap(p, 4 * PAGE, 6 * PAGE, 0) == MAP_FAILED && errno == ENOMEM);
}

static void grow_by_moving(void)
{
	char *p = anon(8 * PAGE), *q;

	fill_pages(p, 4 * PAGE, 1);
	mprotect(p + 4 * PAGE, 4 * PAGE, PROT_READ);
	q = mremap(p, 4 * PAGE, 64 * PAGE, MREMAP_MAYMOVE);
	NEED(q != MAP_FAILED && q != p);
	CHECK(wrong_pages(q, 4 * PAGE, 1) == 0);
	CHECK(nonzero_pages(q + 4 * PAGE, 60 * PAGE) == 0);
	CHECK(read_fault(p) == SIGSEGV && !read_fault(p + 4 * PAGE));
}

static void shrink(void)
{
	char *p = anon(8 * PAGE);

	fill_pages(p, 8 * PAGE, 1);
	CHECK(mremap(p, 8 * PAGE, 3 * PAGE, 0) == p);
	CHECK(wrong_pages(p, 3 * PAGE, 1) == 0);
	CHECK(read_fault(p + 3 * PAGE) == SIGSEGV);
}

static void move_over(void)
{
	char *p = anon(4 * PAGE), *q = anon(4 * PAGE);

	fill_pages(p, 4 * PAGE, 1);
	fill_pages(q, 4 * PAGE, 2);
	CHECK(mremap(p, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q) == q);
	CHECK(wrong_pages(q, 4 * PAGE, 1) == 0);
	CHECK(read_fault(p) == SIGSEGV);
}

static void move_file(void)
{
	char *p, *q;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 4 * PAGE, 1);
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	q = anon(4 * PAGE);
	CHECK(mremap(p + PAGE, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q) == q);
	CHECK(wrong_pages(q, 3 * PAGE, 1 + 2654435761u) == 0);
	CHECK(!read_fault(p) && read_fault(p + PAGE) == SIGSEGV && !read_fault(p + 3 * PAGE));
	q[3] = 'm';
	CHECK(pread(fd, p, 1, PAGE + 3) == 1 && *p == 'm');
}

static void bad_moves(void)
{
	char *p = anon(4 * PAGE);

	CHECK(mremap(p + 1, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
	CHECK(mremap(p, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p + PAGE) == MAP_FAILED &&
	      errno == EINVAL);
	munmap(p + PAGE, PAGE);
	CHECK(mremap(p, 3 * PAGE, 5 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED && errno == EFAULT);
}

static void move_and_write_loop(void)
{
	char *a = anon(2 * PAGE), *b = anon(2 * PAGE);

	for (uint32_t i = 0; i < 200; i++) {
		fill_pages(a, 2 * PAGE, i);
		NEED(mremap(a, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, b) == b);
		CHECK(wrong_pages(b, 2 * PAGE, i) == 0);
		NEED(mmap(a, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			  0) == a);
		CHECK(nonzero_pages(a, 2 * PAGE) == 0);
	}
}

static void moved_after_fork(void)
{
	char *p = anon(8 * PAGE), *q = anon(8 * PAGE);
	pid_t pid;

	fill_pages(p, 8 * PAGE, 1);
	pid = fork();
	if (pid == 0) {
		CHECK(mremap(p, 8 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q) == q);
		fill_pages(q, 4 * PAGE, 2);
		_exit(wrong_pages(q, 4 * PAGE, 2) || tap_failures);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, 8 * PAGE, 1) == 0 && nonzero_pages(q, 8 * PAGE) == 0);
}

/* ---- the stack ---- */

static int __attribute__((noinline)) deep(int levels)
{
	volatile char frame[PAGE];

	frame[0] = levels;
	return levels ? deep(levels - 1) + (frame[0] == (char)levels) : 0;
}

static void stack_grows(void)
{
	CHECK(deep(1000) == 1000);
}

static void overflow_is_a_fault(void)
{
	static char handler_stack[64 * KIB];
	stack_t alt = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)};
	struct sigaction sa = {.sa_sigaction = tap_on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct rlimit r = {256 * KIB, 256 * KIB};

	CHECK(setrlimit(RLIMIT_STACK, &r) == 0);
	sigaltstack(&alt, NULL);
	sigaction(SIGSEGV, &sa, NULL);
	if (sigsetjmp(tap_fault, 1) == 0) {
		deep(10000);
		CHECK(!"came back");
	}
}

static void limit_is_the_childs_alone(void)
{
	struct rlimit r, before;

	getrlimit(RLIMIT_STACK, &before);
	CHECK(in_child(overflow_is_a_fault) == 0);
	getrlimit(RLIMIT_STACK, &r);
	CHECK(r.rlim_cur == before.rlim_cur);
}

static const struct test tests[] = {
	{read_only, "a read-only middle faults on writing, its neighbours do not"},
	{at_once_1, "one page made read-only faults at once"},
	{at_once_33, "thirty-three pages made read-only all fault at once"},
	{at_once_512, "a whole table made read-only faults at once, page by page"},
	{split_and_merge, "areas split into sixteen and merge again"},
	{none_keeps_data, "PROT_NONE and back keeps the data"},
	{hole_is_an_error, "mprotect over a hole is ENOMEM, off a page EINVAL"},
	{read_only_then_private_write, "a private file page made writable is copied"},
	{zero_page_then_write, "a zero page made writable is copied"},
	{grow_in_place, "mremap grows in place"},
	{grow_refused, "mremap does not grow over a neighbour"},
	{grow_by_moving, "mremap grows by moving, and the old place is gone"},
	{shrink, "mremap shrinks"},
	{move_over, "mremap moves over another area"},
	{move_file, "mremap moves and grows a part of a file mapping"},
	{bad_moves, "mremap refuses odd addresses, overlaps and holes"},
	{move_and_write_loop, "two hundred moves never show an old page"},
	{moved_after_fork, "an area moved by the child stays put in the parent"},
	{stack_grows, "the stack grows by four megabytes"},
	{overflow_is_a_fault, "a stack over its limit is SIGSEGV on the other stack"},
	{limit_is_the_childs_alone, "a limit set in the child is the child's"},
};

TAP_MAIN(tests)
