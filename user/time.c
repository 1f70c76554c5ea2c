/*
 * time - run a command and say what it took
 *
 * usage: time [-l label] command [arg...]
 *
 * With a label it is one line: user, system and elapsed seconds, page faults,
 * forks and execs. The last two are the machine's, not the command's alone:
 * from /proc/vmstat, or forks from /proc/stat where that does not have them.
 */
#include "user/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The number behind a name at the start of a line; -1 if the file has none. */
static long long counter(const char *path, const char *name)
{
	struct buf b = {0};
	size_t n = strlen(name);
	long long value = -1;

	if (!read_all(path, &b))
		return -1;
	for (char *s = b.s; s && value < 0; s = (s = strchr(s, '\n')) ? s + 1 : NULL)
		if (!strncmp(s, name, n) && s[n] == ' ')
			value = atoll(s + n);
	free(b.s);
	return value;
}

static long long forks(void)
{
	long long n = counter("/proc/vmstat", "forks"), v = counter("/proc/vmstat", "vforks");

	if (n < 0)
		return counter("/proc/stat", "processes");
	return n + (v > 0 ? v : 0);
}

static long long execs(void)
{
	return counter("/proc/vmstat", "execs");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static int run(char **argv, struct rusage *usage)
{
	int st;
	pid_t pid = fork();

	if (pid < 0)
		fail("can't fork");
	if (pid == 0) {
		execvp(argv[0], argv);
		complain(argv[0]);
		_exit(errno == ENOENT ? 127 : 126);
	}
	while (wait4(pid, &st, 0, usage) < 0)
		if (errno != EINTR)
			fail("wait");
	return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}

static const char *figure(long long before, long long after)
{
	return before < 0 || after < 0 ? "?" : xasprintf("%lld", after - before);
}

int main(int argc, char **argv)
{
	const char *label = NULL, *f, *e;
	long long forks0, execs0;
	struct rusage u;
	double t0, elapsed;
	int status;

	start(argv);
	while (option(argc, argv, "l:p", "[-l label] command [arg...]") == 'l')
		label = optarg;
	if (optind == argc)
		usage("needs a command");
	forks0 = forks();
	execs0 = execs();
	t0 = now();
	status = run(argv + optind, &u);
	elapsed = now() - t0;
	f = figure(forks0, forks());
	e = figure(execs0, execs());
	if (label)
		fprintf(stderr, "%s  %.3fs user %.3fs system %.3f elapsed %ld faults %s forks %s execs\n",
			label, seconds(u.ru_utime), seconds(u.ru_stime), elapsed, u.ru_minflt + u.ru_majflt,
			f, e);
	else
		fprintf(stderr, "real %.3f\nuser %.3f\nsys %.3f\nfaults %ld\nforks %s\nexecs %s\n", elapsed,
			seconds(u.ru_utime), seconds(u.ru_stime), u.ru_minflt + u.ru_majflt, f, e);
	return status;
}
