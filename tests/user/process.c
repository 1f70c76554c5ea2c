/* wait, process groups, vfork, posix_spawn, clone, threads' storage, limits. */
#include "tests/user/tap.h"

#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

extern char **environ;

static void statuses(void)
{
	pid_t pid;

	for (int code = 0; code < 256; code += 51) {
		pid = fork();
		if (pid == 0)
			_exit(code);
		CHECK(wait_child(pid) == code << 8);
	}
}

static void nobody_to_wait_for(void)
{
	CHECK(wait(NULL) < 0 && errno == ECHILD);
	CHECK(waitpid(1, NULL, 0) < 0 && errno == ECHILD);
}

static void without_hanging(void)
{
	struct turn go;
	int st;
	pid_t pid;

	turn_init(&go);
	pid = fork();
	if (pid == 0) {
		turn_await(&go);
		_exit(4);
	}
	CHECK(waitpid(pid, &st, WNOHANG) == 0);
	turn_give(&go);
	CHECK(waitpid(pid, &st, 0) == pid && st == 4 << 8);
	CHECK(waitpid(pid, &st, WNOHANG) < 0 && errno == ECHILD);
}

static void any_child(void)
{
	pid_t a = fork(), b, got;

	if (a == 0)
		_exit(0);
	b = fork();
	if (b == 0)
		_exit(0);
	got = wait(NULL);
	CHECK(got == a || got == b);
	CHECK(wait(NULL) == a + b - got);
}

static void by_group(void)
{
	int st;
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		_exit(3);
	}
	setpgid(pid, pid);
	CHECK(waitpid(0, &st, WNOHANG) < 0 && errno == ECHILD);
	CHECK(waitpid(-pid, &st, 0) == pid && st == 3 << 8);
}

static void waitid_says_all(void)
{
	siginfo_t i = {0};
	pid_t pid = fork();

	if (pid == 0)
		_exit(21);
	CHECK(waitid(P_PID, pid, &i, WEXITED | WNOWAIT) == 0);
	CHECK(i.si_pid == pid && i.si_status == 21 && i.si_code == CLD_EXITED);
	CHECK(wait_child(pid) == 21 << 8);
}

static void burns(void)
{
	clock_t until = clock() + CLOCKS_PER_SEC / 20;

	while (clock() < until)
		;
}

static void usage_of_children(void)
{
	struct rusage u;
	int st;
	pid_t pid = fork();

	if (pid == 0) {
		burns();
		fill_pages(anon(MIB), MIB, 1);
		_exit(0);
	}
	CHECK(wait4(pid, &st, 0, &u) == pid);
	CHECK(u.ru_utime.tv_usec + u.ru_stime.tv_usec + u.ru_utime.tv_sec * 1000000 > 30000);
	CHECK(u.ru_minflt >= 200);
	getrusage(RUSAGE_CHILDREN, &u);
	CHECK(u.ru_minflt >= 200);
}

static void groups_and_sessions(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		CHECK(setsid() == getpid() && getpgrp() == getpid() && getsid(0) == getpid());
		CHECK(setsid() < 0 && errno == EPERM);
		_exit(tap_failures);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(getpgid(getpid()) == getpgrp());
	CHECK(setpgid(1, 1) < 0);
}

static void vfork_shares_memory(void)
{
	volatile int seen = 0;
	pid_t pid = vfork();

	if (pid == 0) {
		seen = 1;
		_exit(6);
	}
	CHECK(seen == 1);
	CHECK(wait_child(pid) == 6 << 8);
}

static void vfork_then_exec(void)
{
	char *argv[] = {"process", "helper", NULL};
	pid_t pid = vfork();

	if (pid == 0) {
		execve("/proc/self/exe", argv, environ);
		_exit(1);
	}
	CHECK(wait_child(pid) == 55 << 8);
}

static void spawns(void)
{
	char *argv[] = {"process", "helper", NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int p[2];
	char c = 0;

	NEED(pipe(p) == 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, p[1], 30);
	CHECK(posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ) == 0);
	CHECK(wait_child(pid) == 55 << 8);
	CHECK(read(p[0], &c, 1) == 1 && c == 'h');
	CHECK(posix_spawn(&pid, "/no/such/file", NULL, NULL, argv, environ) == ENOENT);
}

static int shared_value;

static int clone_body(void *arg)
{
	shared_value = *(int *)arg;
	return 8;
}

static int run_clone(int flags)
{
	static char stack[16 * KIB] __attribute__((aligned(16)));
	int value = 11;

	shared_value = 0;
	return wait_child(clone(clone_body, stack + sizeof(stack), flags | SIGCHLD, &value));
}

static void clone_with_and_without_vm(void)
{
	CHECK(run_clone(0) == 8 << 8 && shared_value == 0);
	CHECK(run_clone(CLONE_VM) == 8 << 8 && shared_value == 11);
	CHECK(run_clone(CLONE_VM | CLONE_VFORK) == 8 << 8 && shared_value == 11);
}

static int opens(void *arg)
{
	(void)arg;
	return dup2(2, 40) == 40 ? chdir("/") : 1;
}

static void clone_shares_files(void)
{
	static char stack[16 * KIB] __attribute__((aligned(16)));
	char cwd[100];

	enter_scratch();
	CHECK(wait_child(clone(opens, stack + sizeof(stack), CLONE_FILES | CLONE_FS | SIGCHLD, NULL)) == 0);
	CHECK(fcntl(40, F_GETFD) == 0);
	CHECK(!strcmp(getcwd(cwd, sizeof(cwd)), "/"));
	close(40);
	CHECK(wait_child(clone(opens, stack + sizeof(stack), SIGCHLD, NULL)) == 0);
	CHECK(fcntl(40, F_GETFD) < 0);
}

static void clone_writes_ids(void)
{
	int parent = 0, *child = (int *)shared_anon(PAGE);
	pid_t pid =
		syscall(SYS_clone, CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | SIGCHLD, 0, &parent, 0, child);

	if (pid == 0)
		_exit(*child != getpid());
	CHECK(parent == pid);
	CHECK(wait_child(pid) == 0);
	CHECK(*child == pid);
}

static __thread int storage = 3, zeroed;

static void thread_storage(void)
{
	pid_t pid;

	CHECK(storage == 3 && zeroed == 0);
	storage = 4;
	pid = fork();
	if (pid == 0) {
		CHECK(storage == 4);
		storage = 5;
		_exit(tap_failures);
	}
	CHECK(wait_child(pid) == 0 && storage == 4);
}

/* Two processes whose storage differs run in turns: %gs must follow. */
static void thread_storage_switches(void)
{
	pid_t pid;
	int bad = 0;

	storage = 1;
	pid = fork();
	if (pid == 0)
		storage = 2;
	for (int i = 0; i < 200; i++) {
		sched_yield();
		bad += storage != (pid ? 1 : 2);
	}
	if (pid == 0)
		_exit(bad != 0);
	CHECK(wait_child(pid) == 0 && bad == 0);
}

static void limits(void)
{
	struct rlimit r;
	int fd = -1;

	CHECK(getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur >= 64);
	r.rlim_cur = 20;
	CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
	for (int i = 0; i < 30; i++)
		if ((fd = dup(0)) < 0)
			break;
	CHECK(fd < 0 && errno == EMFILE);
}

static void times_count(void)
{
	struct tms t;

	burns();
	CHECK(times(&t) != (clock_t)-1);
	CHECK(t.tms_utime + t.tms_stime >= 2);
}

static void exit_is_not_seen_twice(void)
{
	siginfo_t i;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	wait_child(pid);
	CHECK(kill(pid, 0) < 0 && errno == ESRCH);
	CHECK(waitid(P_PID, pid, &i, WEXITED) < 0 && errno == ECHILD);
}

static const struct test tests[] = {
	{statuses, "exit statuses from 0 to 255 arrive"},
	{nobody_to_wait_for, "without children wait is ECHILD"},
	{without_hanging, "WNOHANG does not hang"},
	{any_child, "wait takes any child, each once"},
	{by_group, "waitpid waits by process group"},
	{waitid_says_all, "waitid says all and may leave the child"},
	{usage_of_children, "wait4 and getrusage have the child's time and faults"},
	{groups_and_sessions, "setsid makes a session and a group"},
	{vfork_shares_memory, "vfork shares memory until the child ends"},
	{vfork_then_exec, "vfork and exec"},
	{spawns, "posix_spawn runs with its file actions and reports errors"},
	{clone_with_and_without_vm, "clone shares memory with CLONE_VM alone"},
	{clone_shares_files, "clone shares descriptors and folder with CLONE_FILES and CLONE_FS alone"},
	{clone_writes_ids, "clone writes the ids that it is asked for"},
	{thread_storage, "thread-local storage is copied by fork"},
	{thread_storage_switches, "thread-local storage follows the switch of processes"},
	{limits, "the limit of open files holds"},
	{times_count, "times counts"},
	{exit_is_not_seen_twice, "a child waited for is gone"},
};

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "helper")) {
		write(30, "h", 1);
		return 55;
	}
	return tap_main(tests, COUNT(tests), argc, argv);
}
