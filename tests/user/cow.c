/* Copy on write: who sees whose writes, in every order of writing and dying. */
#include "tests/user/tap.h"

#define SIZE (64 * MIB)

static void big_array_stays_apart(void)
{
	char *p = anon(SIZE);
	pid_t pid;

	fill_pages(p, SIZE, 1);
	pid = fork();
	if (pid == 0) {
		if (wrong_pages(p, SIZE, 1))
			_exit(1);
		fill_pages(p, SIZE, 2);
		_exit(wrong_pages(p, SIZE, 2) != 0);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, SIZE, 1) == 0);
	munmap(p, SIZE);
}

static void both_write_in_turns(void)
{
	size_t size = 2 * MIB;
	char *p = anon(size);
	struct turn a, b;
	pid_t pid;

	turn_init(&a);
	turn_init(&b);
	fill_pages(p, size, 1);
	pid = fork();
	if (pid == 0) {
		turn_await(&a);
		CHECK(wrong_pages(p, size, 1) == 0);
		fill_pages(p, size, 3);
		turn_give(&b);
		turn_await(&a);
		_exit(wrong_pages(p, size, 3) != 0 || tap_failures);
	}
	fill_pages(p, size, 2);
	turn_give(&a);
	turn_await(&b);
	CHECK(wrong_pages(p, size, 2) == 0);
	turn_give(&a);
	CHECK(wait_child(pid) == 0);
}

/* Three generations over the same pages; each writes a third and checks all. */
static void grandchild_writes(void)
{
	size_t size = 3 * MIB, third = MIB;
	char *p = anon(size);
	pid_t pid;

	fill_pages(p, size, 7);
	pid = fork();
	if (pid == 0) {
		pid_t inner;

		fill_pages(p, third, 8);
		inner = fork();
		if (inner == 0) {
			fill_pages(p + third, third, 9);
			CHECK(wrong_pages(p, third, 8) == 0);
			CHECK(wrong_pages(p + third, third, 9) == 0);
			_exit(tap_failures);
		}
		CHECK(wait_child(inner) == 0);
		CHECK(wrong_pages(p, third, 8) == 0);
		CHECK(wrong_pages(p + third, third, 7 + 256 * 2654435761u) == 0);
		_exit(tap_failures);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, size, 7) == 0);
}

/* Children wait for their turn to check and die, in the given order. */
static void die_in_order(const int *order, int n)
{
	char *p = anon(MIB);
	struct turn turn[8];
	pid_t pid[8];

	fill_pages(p, MIB, 1);
	for (int i = 0; i < n; i++) {
		turn_init(&turn[i]);
		pid[i] = fork();
		if (pid[i] == 0) {
			*(uint32_t *)(p + i * PAGE) = i;
			turn_await(&turn[i]);
			CHECK(*(uint32_t *)(p + i * PAGE) == (uint32_t)i);
			CHECK(wrong_pages(p + 8 * PAGE, MIB - 8 * PAGE, 1 + 8 * 2654435761u) == 0);
			_exit(tap_failures);
		}
	}
	for (int k = 0; k < n; k++) {
		turn_give(&turn[order[k]]);
		CHECK(wait_child(pid[order[k]]) == 0);
		CHECK(wrong_pages(p, MIB, 1) == 0);
	}
	fill_pages(p, MIB, 5);
	CHECK(wrong_pages(p, MIB, 5) == 0);
}

static void die_first_to_last(void)
{
	die_in_order((int[]){0, 1, 2, 3, 4, 5}, 6);
}

static void die_last_to_first(void)
{
	die_in_order((int[]){5, 4, 3, 2, 1, 0}, 6);
}

static void die_mixed(void)
{
	die_in_order((int[]){2, 5, 0, 4, 1, 3}, 6);
}

static void parent_dies_first(void)
{
	char *p = anon(MIB);
	struct turn go;
	int answer[2], ok = 0;
	pid_t pid;

	turn_init(&go);
	NEED(pipe(answer) == 0);
	fill_pages(p, MIB, 1);
	pid = fork();
	if (pid == 0) {
		fill_pages(p, MIB / 2, 2);
		if (fork() == 0) {
			turn_await(&go);
			ok = wrong_pages(p, MIB / 2, 2) == 0;
			fill_pages(p, MIB, 3);
			ok &= wrong_pages(p, MIB, 3) == 0;
			write(answer[1], &ok, sizeof(ok));
			_exit(0);
		}
		_exit(0);
	}
	wait_child(pid);
	turn_give(&go);
	CHECK(read(answer[0], &ok, sizeof(ok)) == sizeof(ok) && ok);
	CHECK(wrong_pages(p, MIB, 1) == 0);
}

static void zero_page_is_never_written(void)
{
	char *p = anon(MIB), *q = anon(MIB);
	pid_t pid;

	CHECK(nonzero_pages(p, MIB) == 0);
	pid = fork();
	if (pid == 0) {
		fill_pages(p, MIB, 4);
		_exit(nonzero_pages(q, MIB) != 0);
	}
	fill_pages(p + PAGE, PAGE, 5);
	CHECK(wait_child(pid) == 0);
	CHECK(nonzero_pages(q, MIB) == 0);
	CHECK(nonzero_pages(p, PAGE) == 0);
	CHECK(nonzero_pages(p + 2 * PAGE, MIB - 2 * PAGE) == 0);
}

/* The kernel's own write is the first after fork, in the child and in the parent. */
static void kernel_writes_first(void)
{
	char *p = anon(4 * PAGE);
	int io[2];
	pid_t pid;

	NEED(pipe(io) == 0);
	memset(p, 'a', 4 * PAGE);
	NEED(write(io[1], "cccccccc", 8) == 8);
	pid = fork();
	if (pid == 0) {
		CHECK(read(io[0], p, 4) == 4);
		CHECK(!memcmp(p, "cccca", 5));
		CHECK(getcwd(p + PAGE, 100) && p[PAGE] == '/');
		_exit(tap_failures);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(p[0] == 'a' && p[PAGE] == 'a');
	CHECK(read(io[0], p + 2 * PAGE, 4) == 4);
	CHECK(!memcmp(p + 2 * PAGE, "cccca", 5));
}

/* The translation is hot in the parent when fork takes the right to write away. */
static void hot_translation(void)
{
	volatile char *p = anon(PAGE);
	struct turn go;
	int bad = 0;

	turn_init(&go);
	for (int i = 0; i < 50; i++) {
		pid_t pid;

		*p = 1;
		pid = fork();
		if (pid == 0) {
			turn_await(&go);
			_exit(*p != 1);
		}
		*p = 2;
		turn_give(&go);
		bad += wait_child(pid) != 0;
	}
	CHECK(bad == 0);
}

static void generations_each_touch_a_page(void)
{
	size_t size = MIB;
	char *p = anon(size);

	fill_pages(p, size, 1);
	for (int generation = 0; generation < 100; generation++) {
		pid_t pid = fork();

		NEED(pid >= 0);
		if (pid) {
			int st = wait_child(pid);

			if (generation)
				_exit(WIFEXITED(st) ? WEXITSTATUS(st) : 1);
			CHECK(st == 0);
			return;
		}
		*(uint32_t *)(p + generation * PAGE) = generation;
	}
	for (uint32_t g = 0; g < 100; g++)
		CHECK(*(uint32_t *)(p + g * PAGE) == g);
	CHECK(wrong_pages(p + 100 * PAGE, size - 100 * PAGE, 1 + 100 * 2654435761u) == 0);
	_exit(tap_failures != 0);
}

static char bss[256 * KIB], data[64 * KIB] = {1};

static void data_bss_and_stack(void)
{
	char stack[64 * KIB];
	pid_t pid;

	memset(stack, 's', sizeof(stack));
	memset(bss, 'b', sizeof(bss));
	pid = fork();
	if (pid == 0) {
		memset(stack, 'S', sizeof(stack));
		memset(bss, 'B', sizeof(bss));
		memset(data, 'D', sizeof(data));
		_exit(stack[100] != 'S' || bss[9999] != 'B' || data[50000] != 'D');
	}
	CHECK(wait_child(pid) == 0);
	CHECK(stack[100] == 's' && bss[9999] == 'b' && data[0] == 1 && data[50000] == 0);
}

static const struct test tests[] = {
	{big_array_stays_apart, "64 MiB written by the child stay as they were in the parent"},
	{both_write_in_turns, "parent and child write the same pages in turns and stay apart"},
	{grandchild_writes, "parent, child and grandchild each see their own pages"},
	{die_first_to_last, "six children that die in order of birth leave the parent's pages whole"},
	{die_last_to_first, "six children that die in reverse leave the parent's pages whole"},
	{die_mixed, "six children that die in mixed order leave the parent's pages whole"},
	{parent_dies_first, "a child whose parent died first keeps and may write its pages"},
	{zero_page_is_never_written, "pages only read stay zero for everybody"},
	{kernel_writes_first, "a system call's write after fork stays in its process"},
	{hot_translation, "a parent's write right after fork does not reach the child"},
	{generations_each_touch_a_page, "a hundred generations each keep the page they wrote"},
	{data_bss_and_stack, "data, bss and stack are copied too"},
};

TAP_MAIN(tests)
