/*
 * init - the first process
 *
 * With run=VALUE among the boot words (quotes may hold blanks) it runs VALUE,
 * a command or the name of a script, on the console. Afterwards everything
 * below /out goes to /dev/ttyS1 as a newc cpio archive, behind it a line
 * "exit N", and the machine is switched off. Without run= there is a shell on
 * every console. Orphans are reaped either way.
 */
#include "user/lib.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ---- the boot line ---- */

/* The value of a word `name=...`; malloced, NULL if there is none. */
static char *boot_word(const char *line, const char *name)
{
	size_t n = strlen(name);

	for (const char *s = line; *s;) {
		bool quoted = false;
		const char *from;

		s += strspn(s, " \t\n");
		from = s;
		for (; *s && (quoted || !isspace((unsigned char)*s)); s++)
			quoted ^= *s == '"';
		/* name="..." and "name=..." are both in use. */
		if (*from == '"')
			from++;
		if (strncmp(from, name, n) || from[n] != '=')
			continue;
		from += n + 1;
		if (*from == '"')
			from++;
		n = s - from;
		return xasprintf("%.*s", (int)(n && from[n - 1] == '"' ? n - 1 : n), from);
	}
	return NULL;
}

/* ---- the archive ---- */

static FILE *channel;
static unsigned archived;

static void align(unsigned long n)
{
	for (; n % 4; n++)
		putc(0, channel);
}

static void header(const char *name, const struct stat *st, unsigned long size)
{
	unsigned long length = strlen(name) + 1;

	fprintf(channel, "070701%08X%08X%08X%08X%08X%08X%08lX%08X%08X%08X%08X%08lX%08X", ++archived,
		(unsigned)st->st_mode, 0, 0, 1, (unsigned)st->st_mtime, size, 0, 0, 0, 0, length, 0);
	fwrite(name, 1, length, channel);
	align(110 + length);
}

static void archive_body(const char *path, const char *name, const struct stat *st)
{
	char target[4096];
	struct buf b = {0};
	ssize_t n;

	if (S_ISREG(st->st_mode)) {
		if (!read_all(path, &b))
			complain(path);
		header(name, st, b.len);
		if (b.len)
			fwrite(b.s, 1, b.len, channel);
		align(b.len);
		free(b.s);
	} else if (S_ISLNK(st->st_mode) && (n = readlink(path, target, sizeof(target))) >= 0) {
		header(name, st, n);
		fwrite(target, 1, n, channel);
		align(n);
	} else if (S_ISDIR(st->st_mode)) {
		header(name, st, 0);
	}
}

static void archive_dir(const char *dir, const char *prefix)
{
	char **names = list_dir(dir);

	for (char **p = names; p && *p; p++) {
		char *path = path_join(dir, *p);
		char *name = *prefix ? path_join(prefix, *p) : xstrdup(*p);
		struct stat st;

		if (lstat(path, &st) == 0) {
			archive_body(path, name, &st);
			if (S_ISDIR(st.st_mode))
				archive_dir(path, name);
		}
		free(path);
		free(name);
		free(*p);
	}
	free(names);
}

static void raw(int fd)
{
	struct termios t;

	if (tcgetattr(fd, &t))
		return;
	cfmakeraw(&t);
	cfsetspeed(&t, B115200);
	tcsetattr(fd, TCSANOW, &t);
}

static void report(int status)
{
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	struct stat none = {.st_mode = 0};

	if (fd < 0)
		return;
	raw(fd);
	channel = fdopen(fd, "w");
	if (access("/out", F_OK) == 0) {
		archive_dir("/out", "");
		header("TRAILER!!!", &none, 0);
	}
	fprintf(channel, "exit %d\n", status);
	fflush(channel);
	tcdrain(fd);
	fclose(channel);
}

/* ---- children ---- */

static _Noreturn void become(char **argv)
{
	char *fallback = xasprintf("/static%s", argv[0]);

	execv(argv[0], argv);
	execv(fallback, argv);
	complain(argv[0]);
	_exit(127);
}

/* In the child: a session of its own with this terminal in control. */
static void take_terminal(const char *path)
{
	int fd = path ? open(path, O_RDWR) : 0;

	setsid();
	if (fd < 0)
		_exit(1);
	ioctl(fd, TIOCSCTTY, 1);
	for (int i = 0; path && i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
}

static int wait_for(pid_t pid)
{
	int st;
	pid_t got;

	while ((got = wait(&st)) != pid)
		if (got < 0 && errno != EINTR)
			return 127;
	return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}

static int run(char *value)
{
	struct stat st;
	bool script = !stat(value, &st) && S_ISREG(st.st_mode) && access(value, X_OK);
	char *by_name[] = {"/bin/sh", value, NULL}, *by_text[] = {"/bin/sh", "-c", value, NULL};
	pid_t pid = fork();

	if (pid == 0) {
		take_terminal(NULL);
		become(script ? by_name : by_text);
	}
	return pid < 0 ? 127 : wait_for(pid);
}

struct console {
	const char *path;
	pid_t pid;
};

static bool works(const char *path)
{
	int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void start_shell(struct console *c)
{
	char *argv[] = {"/bin/sh", "-i", NULL};

	c->pid = fork();
	if (c->pid == 0) {
		take_terminal(c->path);
		become(argv);
	}
}

static _Noreturn void shells(void)
{
	struct console consoles[] = {{"/dev/ttyS0", 0}, {"/dev/tty1", 0}, {"/dev/console", 0}};
	bool any = false;

	for (int i = 0; i < 3; i++) {
		if ((i == 2 && any) || !works(consoles[i].path))
			continue;
		any = true;
		start_shell(&consoles[i]);
	}
	for (;;) {
		int st;
		pid_t pid = wait(&st);

		if (pid < 0)
			pause();
		for (int i = 0; i < 3; i++)
			if (pid > 0 && consoles[i].pid == pid) {
				/* A shell that cannot start must not keep the machine busy. */
				if (WIFEXITED(st) && WEXITSTATUS(st) == 127)
					sleep(1);
				start_shell(&consoles[i]);
			}
	}
}

/* ---- the start ---- */

static void prepare(void)
{
	if (access("/proc/cmdline", F_OK)) {
		mkdir("/proc", 0755);
		mount("proc", "/proc", "proc", 0, NULL);
	}
	if (access("/dev/null", F_OK)) {
		mkdir("/dev", 0755);
		mount("dev", "/dev", "devtmpfs", 0, NULL);
	}
	if (fcntl(0, F_GETFD) < 0) {
		open("/dev/console", O_RDWR);
		dup2(0, 1);
		dup2(0, 2);
	}
	chdir("/");
	clearenv();
	setenv("PATH", "/bin:/static/bin", 1);
	setenv("HOME", "/", 1);
	setenv("TERM", "linux", 1);
}

int main(int argc, char **argv)
{
	struct buf line = {0};
	char *value = NULL;
	int status;

	(void)argc;
	start(argv);
	if (getpid() != 1)
		usage("only the kernel starts this, as process 1");
	prepare();
	if (read_all("/proc/cmdline", &line))
		value = boot_word(line.s, "run");
	if (!value)
		shells();
	mkdir("/out", 0755);
	status = run(value);
	fflush(stdout);
	report(status);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}
