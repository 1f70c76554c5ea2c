/* See lib.h. */
#include "user/lib.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char *progname = "?";

void start(char **argv)
{
	const char *slash = argv[0] ? strrchr(argv[0], '/') : NULL;

	if (argv[0])
		progname = slash ? slash + 1 : argv[0];
}

static void vsay(const char *fmt, va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", progname);
	vfprintf(stderr, fmt, ap);
}

void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

void complain(const char *what)
{
	say("%s: %s", what, strerror(errno));
}

void fail(const char *what)
{
	complain(what);
	exit(1);
}

int option(int argc, char **argv, const char *letters, const char *synopsis)
{
	int c = getopt(argc, argv, letters);

	if (c == '?') {
		fprintf(stderr, "usage: %s %s\n", progname, synopsis);
		exit(2);
	}
	return c;
}

long number(const char *text, const char *what)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (end == text || *end || errno)
		usage("%s: not %s", text, what);
	return n;
}

int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		complain("write error");
		/* The shell goes on: what failed is told once. */
		clearerr(stdout);
		return 1;
	}
	return status;
}

void *xmalloc(size_t n)
{
	return xrealloc(NULL, n);
}

void *xrealloc(void *p, size_t n)
{
	p = realloc(p, n ? n : 1);
	if (!p) {
		say("out of memory");
		exit(1);
	}
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		fail("out of memory");
	va_end(ap);
	return s;
}

char *path_join(const char *dir, const char *name)
{
	size_t n = strlen(dir);

	return xasprintf("%s%s%s", dir, n && dir[n - 1] == '/' ? "" : "/", name);
}

void buf_add(struct buf *b, const char *s, size_t n)
{
	if (b->len + n + 1 > b->cap) {
		b->cap = (b->len + n + 1) * 2;
		if (b->cap < 64)
			b->cap = 64;
		b->s = xrealloc(b->s, b->cap);
	}
	memcpy(b->s + b->len, s, n);
	b->len += n;
	b->s[b->len] = 0;
}

void buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

bool read_line(FILE *f, struct buf *b)
{
	ssize_t n = getline(&b->s, &b->cap, f);

	b->len = n > 0 ? n : 0;
	return n > 0;
}

bool read_all(const char *path, struct buf *b)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char chunk[4096];
	size_t n;

	if (!f)
		return false;
	buf_add(b, "", 0);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(b, chunk, n);
	n = ferror(f);
	if (f != stdin) {
		int keep = errno;

		fclose(f);
		errno = keep;
	}
	return !n;
}

void split_lines(struct lines *l, const char *text, size_t len)
{
	size_t cap = 64;

	l->n = 0;
	l->line = xmalloc(cap * sizeof(*l->line));
	l->line[0] = text;
	for (const char *p = text, *end = text + len; p < end;) {
		const char *nl = memchr(p, '\n', end - p);

		p = nl ? nl + 1 : end;
		if (l->n + 2 > cap) {
			cap *= 2;
			l->line = xrealloc(l->line, cap * sizeof(*l->line));
		}
		l->line[++l->n] = p;
	}
}

FILE *open_in(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;

	if (!f)
		complain(path);
	return f;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **list_dir(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	char **names = NULL;
	size_t n = 0;

	if (!d)
		return NULL;
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		names = xrealloc(names, (n + 2) * sizeof(*names));
		names[n++] = xstrdup(e->d_name);
	}
	closedir(d);
	if (!names)
		names = xmalloc(sizeof(*names));
	qsort(names, n, sizeof(*names), by_name);
	names[n] = NULL;
	return names;
}

static const char *const signames[] = {
	[0] = "EXIT",         [SIGHUP] = "HUP",   [SIGINT] = "INT",       [SIGQUIT] = "QUIT",
	[SIGILL] = "ILL",     [SIGTRAP] = "TRAP", [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",
	[SIGFPE] = "FPE",     [SIGKILL] = "KILL", [SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV",
	[SIGUSR2] = "USR2",   [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM",     [SIGTERM] = "TERM",
	[16] = "STKFLT",      [SIGCHLD] = "CHLD", [SIGCONT] = "CONT",     [SIGSTOP] = "STOP",
	[SIGTSTP] = "TSTP",   [SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU",     [SIGURG] = "URG",
	[SIGXCPU] = "XCPU",   [SIGXFSZ] = "XFSZ", [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF",
	[SIGWINCH] = "WINCH", [SIGIO] = "POLL",   [SIGPWR] = "PWR",       [SIGSYS] = "SYS",
};

int signal_number(const char *name)
{
	char *end;
	long n = strtol(name, &end, 10);

	if (*name && !*end)
		return n >= 0 && n < 65 ? (int)n : -1;
	if (!strncasecmp(name, "SIG", 3))
		name += 3;
	for (int i = 0; i < (int)ARRAY_SIZE(signames); i++)
		if (signames[i] && !strcasecmp(signames[i], name))
			return i;
	return -1;
}

const char *signal_name(int sig)
{
	static char other[16];

	if (sig >= 0 && sig < (int)ARRAY_SIZE(signames) && signames[sig])
		return signames[sig];
	snprintf(other, sizeof(other), "%d", sig);
	return other;
}
