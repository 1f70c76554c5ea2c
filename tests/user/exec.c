/* execve: what is handed over, what is refused. The program runs itself as "helper". */
#include "tests/user/tap.h"

#include <sys/auxv.h>

extern char **environ;

static int helper(int argc, char **argv)
{
	const char *what = argv[2];

	if (!strcmp(what, "args"))
		return argc == 6 && !strcmp(argv[3], "a b") && !*argv[4] && !strcmp(argv[5], "\"'\\") ? 0 : 1;
	if (!strcmp(what, "env"))
		return getenv("ONE") && !strcmp(getenv("ONE"), "1") && !environ[1] ? 0 : 1;
	if (!strcmp(what, "count"))
		return argc & 127;
	if (!strcmp(what, "fds"))
		return fcntl(20, F_GETFD) == 0 && fcntl(21, F_GETFD) < 0 && errno == EBADF ? 0 : 1;
	if (!strcmp(what, "handlers")) {
		struct sigaction a, b;

		sigaction(SIGUSR1, NULL, &a);
		sigaction(SIGUSR2, NULL, &b);
		return a.sa_handler == SIG_DFL && b.sa_handler == SIG_IGN ? 0 : 1;
	}
	if (!strcmp(what, "mask")) {
		sigset_t set;

		sigprocmask(SIG_BLOCK, NULL, &set);
		return sigismember(&set, SIGUSR1) && !sigismember(&set, SIGUSR2) ? 0 : 1;
	}
	if (!strcmp(what, "break"))
		return grow_break(PAGE) ? 0 : 1;
	if (!strcmp(what, "pid"))
		return atoi(argv[3]) == getpid() && atoi(argv[4]) == getppid() ? 0 : 1;
	if (!strcmp(what, "aux"))
		return getauxval(AT_PAGESZ) == PAGE && getauxval(AT_PHDR) && getauxval(AT_RANDOM) &&
				       getauxval(AT_ENTRY)
			       ? 0
			       : 1;
	return 99;
}

static void run_self(char *const more[], char *const env[])
{
	char *argv[16] = {"exec", "helper"};

	for (int i = 0; i < 13 && more[i]; i++)
		argv[i + 2] = more[i];
	execve("/proc/self/exe", argv, env);
	_exit(98);
}

static int helper_status(char *const more[])
{
	char *env[] = {"ONE=1", NULL};
	pid_t pid = fork();

	if (pid == 0)
		run_self(more, env);
	return wait_child(pid);
}

#define HELPER(...) helper_status((char *[]){__VA_ARGS__, NULL})

static void arguments(void)
{
	CHECK(HELPER("args", "a b", "", "\"'\\") == 0);
}

static void environment(void)
{
	CHECK(HELPER("env") == 0);
}

static void auxiliary(void)
{
	CHECK(HELPER("aux") == 0);
}

static void own_break(void)
{
	grow_break(100 * PAGE);
	CHECK(HELPER("break") == 0);
}

static void close_on_exec(void)
{
	int fd = open("/dev/null", O_RDONLY);

	dup2(fd, 20);
	dup3(fd, 21, O_CLOEXEC);
	CHECK(HELPER("fds") == 0);
	CHECK(fcntl(21, F_GETFD) == FD_CLOEXEC);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void signals_reset(void)
{
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, SIG_IGN);
	CHECK(HELPER("handlers") == 0);
}

static void mask_kept(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_SETMASK, &set, NULL);
	CHECK(HELPER("mask") == 0);
}

static void pid_kept(void)
{
	char mine[16], parent[16];
	pid_t pid = fork();

	if (pid == 0) {
		sprintf(mine, "%d", getpid());
		sprintf(parent, "%d", getppid());
		run_self((char *[]){"pid", mine, parent, NULL}, environ);
	}
	CHECK(wait_child(pid) == 0);
}

static void fails_with(const char *path, int error)
{
	char *argv[] = {"x", NULL};

	errno = 0;
	execve(path, argv, environ);
	CHECK(errno == error);
}

static void make_executable(const char *name, const char *text, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	CHECK(write(fd, text, n) == (ssize_t)n);
	close(fd);
}

static void bad_files(void)
{
	char elf[64] = "\177ELF\1\1\1";

	enter_scratch();
	fails_with("nofile", ENOENT);
	close(make_file("plain", "text"));
	chmod("plain", 0644);
	fails_with("plain", EACCES);
	make_executable("text", "no format\n", 10);
	fails_with("text", ENOEXEC);
	make_executable("empty", "", 0);
	fails_with("empty", ENOEXEC);
	mkdir("dir", 0755);
	fails_with("dir", EACCES);
	fails_with("plain/x", ENOTDIR);
	make_executable("cut", elf, 20);
	fails_with("cut", ENOEXEC);
	make_executable("odd", elf, 64);
	fails_with("odd", ENOEXEC);
	make_executable("lost", "#!/no/such/interpreter\n", 23);
	fails_with("lost", ENOENT);
	fails_with("", ENOENT);
}

static void failure_leaves_all(void)
{
	char *p = anon(MIB);

	enter_scratch();
	fill_pages(p, MIB, 1);
	make_executable("text", "no format\n", 10);
	fails_with("text", ENOEXEC);
	CHECK(wrong_pages(p, MIB, 1) == 0);
}

static void script(void)
{
	char self[200], text[300];
	char *argv[] = {"script", "x", "y", NULL};
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	pid_t pid;

	NEED(n > 0);
	self[n] = 0;
	if (n > 100)
		skip_test();
	enter_scratch();
	/* Linux hands over all that follows the interpreter as one argument. */
	sprintf(text, "#! %s helper\n", self);
	make_executable("s", text, strlen(text));
	pid = fork();
	if (pid == 0) {
		execve("./s", argv, environ);
		_exit(97);
	}
	/* argv: self helper ./s x y; "./s" is no helper's word. */
	CHECK(wait_child(pid) == 99 << 8);
}

static void too_many_bytes(void)
{
	size_t n = 40000;
	char **argv = calloc(n + 2, sizeof(*argv)), *word = malloc(1000);

	memset(word, 'w', 999);
	word[999] = 0;
	for (size_t i = 0; i < n; i++)
		argv[i] = word;
	execve("/proc/self/exe", argv, environ);
	CHECK(errno == E2BIG);
}

static void one_too_long(void)
{
	char *word = malloc(200000), *argv[] = {"x", word, NULL};

	memset(word, 'w', 199999);
	word[199999] = 0;
	execve("/proc/self/exe", argv, environ);
	CHECK(errno == E2BIG);
}

static void many_arguments(void)
{
	enum { N = 3000 };
	char **argv = calloc(N + 1, sizeof(*argv));
	pid_t pid;

	argv[0] = "exec";
	argv[1] = "helper";
	argv[2] = "count";
	for (int i = 3; i < N; i++)
		argv[i] = "0123456789012345678901234567890";
	pid = fork();
	if (pid == 0) {
		execve("/proc/self/exe", argv, environ);
		_exit(98);
	}
	CHECK(wait_child(pid) == (N & 127) << 8);
}

static void bad_pointers(void)
{
	/* Behind volatile, so that the compiler does not warn. */
	void *volatile bad = (void *)1;
	char *argv[] = {"x", bad, NULL};

	CHECK(execve(bad, argv, environ) < 0 && errno == EFAULT);
	CHECK(execve("/proc/self/exe", argv, environ) < 0 && errno == EFAULT);
	CHECK(execve("/proc/self/exe", bad, environ) < 0 && errno == EFAULT);
}

static void hundred_in_a_row(void)
{
	int good = 0;

	for (int i = 0; i < 100; i++)
		good += HELPER("env") == 0;
	CHECK(good == 100);
}

static void while_shared(void)
{
	size_t size = 4 * MIB;
	char *p = anon(size);

	fill_pages(p, size, 1);
	for (int i = 0; i < 5; i++)
		CHECK(HELPER("env") == 0);
	CHECK(wrong_pages(p, size, 1) == 0);
}

static const struct test tests[] = {
	{arguments, "arguments arrive with blanks, quotes and empty ones"},
	{environment, "the environment arrives"},
	{auxiliary, "the auxiliary vector has page size, headers, entry and random bytes"},
	{own_break, "the new program has a break of its own"},
	{close_on_exec, "descriptors stay open but for close-on-exec"},
	{signals_reset, "handlers are reset, ignored signals stay ignored"},
	{mask_kept, "the signal mask is kept"},
	{pid_kept, "pid and parent are kept"},
	{bad_files, "bad files are refused with the right errors"},
	{failure_leaves_all, "a failed exec leaves the caller as it was"},
	{script, "#! runs the interpreter with one argument and the script"},
	{too_many_bytes, "forty megabytes of arguments are E2BIG"},
	{one_too_long, "an argument beyond 128 KiB is E2BIG"},
	{many_arguments, "three thousand arguments arrive"},
	{bad_pointers, "bad pointers are EFAULT"},
	{hundred_in_a_row, "a hundred execs in a row work"},
	{while_shared, "exec in a child leaves the parent's four megabytes whole"},
};

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "helper"))
		return helper(argc, argv);
	return tap_main(tests, COUNT(tests), argc, argv);
}
