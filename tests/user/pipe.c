/* Pipes, poll and select. */
#include "tests/user/tap.h"

#include <poll.h>
#include <sys/select.h>
#include <sys/uio.h>

static int p[2];

static void open_pipe(void)
{
	NEED(pipe(p) == 0);
}

static void end_of_file(void)
{
	char c;

	open_pipe();
	write(p[1], "ab", 2);
	close(p[1]);
	CHECK(read(p[0], &c, 1) == 1 && read(p[0], &c, 1) == 1);
	CHECK(read(p[0], &c, 1) == 0);
}

static void broken(void)
{
	open_pipe();
	close(p[0]);
	signal(SIGPIPE, SIG_IGN);
	CHECK(write(p[1], "x", 1) < 0 && errno == EPIPE);
}

static void writes_to_nobody(void)
{
	open_pipe();
	close(p[0]);
	write(p[1], "x", 1);
}

static void broken_kills(void)
{
	int st = in_child(writes_to_nobody);

	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGPIPE);
}

static void nonblocking(void)
{
	char c, chunk[PAGE] = {0};
	int n = 0;

	NEED(pipe2(p, O_NONBLOCK) == 0);
	CHECK(read(p[0], &c, 1) < 0 && errno == EAGAIN);
	while (write(p[1], chunk, sizeof(chunk)) == (ssize_t)sizeof(chunk))
		n++;
	CHECK(errno == EAGAIN);
	CHECK(n == 16);
}

static void full_blocks(void)
{
	enum { TOTAL = 1000000 };
	char chunk[7000];
	uint32_t sum = 0, sent = 0;
	ssize_t n;
	pid_t pid;

	open_pipe();
	pid = fork();
	if (pid == 0) {
		close(p[0]);
		for (int at = 0; at < TOTAL;) {
			int want = TOTAL - at < (int)sizeof(chunk) ? TOTAL - at : (int)sizeof(chunk);

			for (int i = 0; i < want; i++)
				chunk[i] = (at + i) % 251;
			if (write(p[1], chunk, want) != want)
				_exit(1);
			at += want;
		}
		_exit(0);
	}
	close(p[1]);
	while ((n = read(p[0], chunk, 3000)) > 0)
		for (int i = 0; i < n; i++, sent++)
			sum += (unsigned char)chunk[i] != sent % 251;
	CHECK(sent == TOTAL && sum == 0);
	CHECK(wait_child(pid) == 0);
}

static void small_writes_are_whole(void)
{
	enum { N = 200, SIZE = 100 };
	char chunk[SIZE];
	int torn = 0, got = 0;
	pid_t pid[4];

	open_pipe();
	for (int k = 0; k < 4; k++) {
		pid[k] = fork();
		if (pid[k] == 0) {
			memset(chunk, 'a' + k, SIZE);
			for (int i = 0; i < N; i++)
				write(p[1], chunk, SIZE);
			_exit(0);
		}
	}
	close(p[1]);
	for (;;) {
		int n = 0, r;

		while (n < SIZE && (r = read(p[0], chunk + n, SIZE - n)) > 0)
			n += r;
		if (!n)
			break;
		got++;
		for (int i = 1; i < SIZE; i++)
			torn += chunk[i] != chunk[0];
	}
	CHECK(got == 4 * N && torn == 0);
	for (int k = 0; k < 4; k++)
		wait_child(pid[k]);
}

static void dup_keeps_it_open(void)
{
	char c;
	int d;

	open_pipe();
	d = dup(p[1]);
	close(p[1]);
	CHECK(write(d, "x", 1) == 1 && read(p[0], &c, 1) == 1);
	CHECK(dup2(d, 50) == 50 && write(50, "y", 1) == 1);
	CHECK(fcntl(50, F_GETFD) == 0 && fcntl(d, F_DUPFD_CLOEXEC, 60) == 60);
	CHECK(fcntl(60, F_GETFD) == FD_CLOEXEC);
	CHECK(dup2(99, 3) < 0 && errno == EBADF);
}

static void wrong_ends(void)
{
	char c;

	open_pipe();
	CHECK(read(p[1], &c, 1) < 0 && errno == EBADF);
	CHECK(write(p[0], &c, 1) < 0 && errno == EBADF);
	CHECK(lseek(p[0], 0, SEEK_CUR) < 0 && errno == ESPIPE);
}

static void scattered(void)
{
	char a[3], b[5];
	struct iovec out[] = {{"ab", 2}, {"cdefgh", 6}}, in[] = {{a, 3}, {b, 5}};

	open_pipe();
	CHECK(writev(p[1], out, 2) == 8);
	CHECK(readv(p[0], in, 2) == 8 && !memcmp(a, "abc", 3) && !memcmp(b, "defgh", 5));
}

static void poll_sees(void)
{
	struct pollfd f[2];

	open_pipe();
	f[0] = (struct pollfd){p[0], POLLIN, 0};
	f[1] = (struct pollfd){p[1], POLLOUT, 0};
	CHECK(poll(f, 2, 0) == 1 && f[1].revents == POLLOUT);
	CHECK(poll(f, 1, 10) == 0);
	write(p[1], "x", 1);
	CHECK(poll(f, 1, 1000) == 1 && f[0].revents == POLLIN);
	close(p[1]);
	CHECK(poll(f, 1, 0) == 1 && f[0].revents & POLLHUP);
	f[1].fd = 99;
	CHECK(poll(f + 1, 1, 0) == 1 && f[1].revents == POLLNVAL);
}

static void poll_wakes(void)
{
	struct pollfd f;
	pid_t pid;

	open_pipe();
	f = (struct pollfd){p[0], POLLIN, 0};
	pid = fork();
	if (pid == 0) {
		usleep(20000);
		write(p[1], "x", 1);
		_exit(0);
	}
	CHECK(poll(&f, 1, 5000) == 1);
	wait_child(pid);
}

static void select_sees(void)
{
	struct timeval t = {0, 10000};
	fd_set r, w;

	open_pipe();
	FD_ZERO(&r);
	FD_ZERO(&w);
	FD_SET(p[0], &r);
	FD_SET(p[1], &w);
	CHECK(select(p[1] + 1, &r, &w, NULL, &t) == 1 && FD_ISSET(p[1], &w) && !FD_ISSET(p[0], &r));
	FD_ZERO(&r);
	FD_SET(p[0], &r);
	CHECK(select(p[0] + 1, &r, NULL, NULL, &t) == 0);
}

static void turns(void)
{
	struct turn a, b;
	pid_t pid;

	turn_init(&a);
	turn_init(&b);
	pid = fork();
	for (int i = 0; i < 500; i++)
		if (pid == 0) {
			turn_await(&a);
			turn_give(&b);
		} else {
			turn_give(&a);
			turn_await(&b);
		}
	if (pid == 0)
		_exit(tap_failures != 0);
	CHECK(wait_child(pid) == 0);
}

static const struct test tests[] = {
	{end_of_file, "a pipe without writers ends"},
	{broken, "a pipe without readers is EPIPE"},
	{broken_kills, "and SIGPIPE kills"},
	{nonblocking, "a full or empty pipe is EAGAIN without blocking, and holds 64 KiB"},
	{full_blocks, "a million bytes pass through a full pipe"},
	{small_writes_are_whole, "small writes of four writers are not torn"},
	{dup_keeps_it_open, "dup, dup2 and fcntl make further descriptors"},
	{wrong_ends, "the wrong end is EBADF, seeking ESPIPE"},
	{scattered, "readv and writev gather and scatter"},
	{poll_sees, "poll sees what is ready, hung up and invalid"},
	{poll_wakes, "poll wakes when something comes"},
	{select_sees, "select sees what is ready and times out"},
	{turns, "two processes take turns five hundred times"},
};

TAP_MAIN(tests)
