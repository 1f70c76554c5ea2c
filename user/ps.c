/*
 * ps - the processes
 *
 * usage: ps
 */
#include "user/lib.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* /proc/PID/stat: the name stands in parentheses and may hold any of them itself. */
static void print(const char *pid)
{
	unsigned long utime = 0, stime = 0, vsize = 0, seconds;
	long rss = 0, hz = sysconf(_SC_CLK_TCK);
	char *path = xasprintf("/proc/%s/stat", pid), *name, *end, state = '?';
	struct buf b = {0};
	int ppid = 0;

	if (!read_all(path, &b) || !(name = strchr(b.s, '(')) || !(end = strrchr(b.s, ')')))
		return;
	sscanf(end + 1,
	       " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d "
	       "%*u %lu %ld",
	       &state, &ppid, &utime, &stime, &vsize, &rss);
	seconds = (utime + stime) / (hz ? hz : 100);
	printf("%5s %5d %c %7lu %6ld %3lu:%02lu %.*s\n", pid, ppid, state, vsize / 1024, rss * 4,
	       seconds / 60, seconds % 60, (int)(end - name - 1), name + 1);
	free(b.s);
	free(path);
}

static int by_number(const void *a, const void *b)
{
	return atoi(*(char *const *)a) - atoi(*(char *const *)b);
}

int main(int argc, char **argv)
{
	char **names;
	size_t n = 0;

	start(argv);
	while (option(argc, argv, "", "") >= 0)
		;
	names = list_dir("/proc");
	if (!names)
		fail("/proc");
	while (names[n])
		n++;
	qsort(names, n, sizeof(*names), by_number);
	puts("  PID  PPID S     VSZ    RSS   TIME COMMAND");
	for (; *names; names++)
		if (isdigit((unsigned char)**names))
			print(*names);
	return finish(0);
}
