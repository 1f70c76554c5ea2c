/* fork: what the child gets, and what stays apart. */
#include "tests/user/tap.h"

static int global = 5;

static void sets_global(void)
{
	CHECK(global == 5);
	global = 6;
}

static void data_is_copied(void)
{
	CHECK(in_child(sets_global) == 0);
	CHECK(global == 5);
}

static void child_gets_zero(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		_exit(getppid() == parent && getpid() != parent ? 3 : 1);
	CHECK(pid > 0);
	CHECK(wait_child(pid) == 3 << 8);
}

static void descriptors_share_their_offset(void)
{
	char c[2];
	int fd;
	pid_t pid;

	enter_scratch();
	fd = make_file("f", "abcdef");
	lseek(fd, 0, SEEK_SET);
	pid = fork();
	if (pid == 0)
		_exit(read(fd, c, 2) != 2);
	CHECK(wait_child(pid) == 0);
	CHECK(read(fd, c, 2) == 2 && !memcmp(c, "cd", 2));
}

static void closing_in_the_child_does_not_close(void)
{
	int p[2];
	char c;
	pid_t pid;

	NEED(pipe(p) == 0);
	pid = fork();
	if (pid == 0) {
		close(p[0]);
		close(p[1]);
		_exit(0);
	}
	wait_child(pid);
	CHECK(write(p[1], "x", 1) == 1);
	CHECK(read(p[0], &c, 1) == 1);
}

static void many_children_at_once(void)
{
	enum { N = 60 };
	pid_t pid[N];
	int good = 0;

	for (int i = 0; i < N; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(i);
		NEED(pid[i] > 0);
	}
	for (int i = N - 1; i >= 0; i--)
		good += wait_child(pid[i]) == i << 8;
	CHECK(good == N);
}

static void thousand_in_a_row(void)
{
	int good = 0;

	for (int i = 0; i < 1000; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(i & 127);
		good += pid > 0 && wait_child(pid) == (i & 127) << 8;
	}
	CHECK(good == 1000);
}

static int depth_reached(int left)
{
	pid_t pid;

	if (!left)
		return 0;
	pid = fork();
	if (pid == 0)
		_exit(depth_reached(left - 1));
	return WEXITSTATUS(wait_child(pid)) + 1;
}

static void chain_of_thirty(void)
{
	CHECK(depth_reached(30) == 30);
}

static volatile sig_atomic_t forked_inside;

static void forks_in_handler(int sig)
{
	pid_t pid = fork();

	(void)sig;
	if (pid == 0)
		_exit(9);
	forked_inside = wait_child(pid) == 9 << 8;
}

static void in_a_signal_handler(void)
{
	signal(SIGUSR1, forks_in_handler);
	raise(SIGUSR1);
	CHECK(forked_inside);
}

static void with_a_sparse_map(void)
{
	enum { N = 200 };
	char *p[N];
	pid_t pid;

	for (int i = 0; i < N; i++) {
		p[i] = mmap((void *)(0x50000000ul + i * 4 * MIB), PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		NEED(p[i] != MAP_FAILED);
		*p[i] = i;
	}
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < N; i++)
			if (*p[i] != (char)i)
				_exit(1);
		_exit(0);
	}
	CHECK(wait_child(pid) == 0);
}

static void orphan_gets_a_new_parent(void)
{
	struct turn up, down;
	int answer[2], value = 0;
	pid_t pid;

	turn_init(&up);
	turn_init(&down);
	NEED(pipe(answer) == 0);
	pid = fork();
	if (pid == 0) {
		pid_t middle = getpid();

		if (fork() == 0) {
			turn_await(&down);
			value = getppid() != middle;
			write(answer[1], &value, sizeof(value));
			_exit(0);
		}
		_exit(0);
	}
	wait_child(pid);
	turn_give(&down);
	CHECK(read(answer[0], &value, sizeof(value)) == sizeof(value));
	CHECK(value == 1);
}

static void pending_alarm_is_not_inherited(void)
{
	pid_t pid;

	alarm(50);
	pid = fork();
	if (pid == 0)
		_exit(alarm(0));
	CHECK(wait_child(pid) == 0);
	CHECK(alarm(0) > 0);
}

static const struct test tests[] = {
	{child_gets_zero, "fork returns 0 in the child, whose parent is the caller"},
	{data_is_copied, "what the child writes the parent does not see"},
	{descriptors_share_their_offset, "parent and child share a file's offset"},
	{closing_in_the_child_does_not_close, "closing in the child leaves the parent's open"},
	{many_children_at_once, "sixty children at once give their own statuses"},
	{thousand_in_a_row, "a thousand forks in a row work"},
	{chain_of_thirty, "thirty generations of fork end in order"},
	{in_a_signal_handler, "fork works inside a signal handler"},
	{with_a_sparse_map, "fork copies two hundred areas each in a table of its own"},
	{orphan_gets_a_new_parent, "an orphan gets another parent"},
	{pending_alarm_is_not_inherited, "a pending alarm is the parent's alone"},
};

TAP_MAIN(tests)
