/*
 * ls - what is in a directory
 *
 * usage: ls [-l] [-a] [-1] [-d] [file...]
 */
#include "user/lib.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

static bool long_form, all, itself, one_a_line;

static void print_mode(mode_t m)
{
	static const char types[] = "?pc?d?b?-?l?s???";
	char s[11] = "-rwxrwxrwx";

	s[0] = types[m >> 12 & 15];
	for (int i = 0; i < 9; i++)
		if (!(m & 0400 >> i))
			s[i + 1] = '-';
	if (m & S_ISVTX)
		s[9] = m & 1 ? 't' : 'T';
	fputs(s, stdout);
}

static void print_owner(unsigned id)
{
	if (id)
		printf(" %-8u", id);
	else
		printf(" %-8s", "root");
}

static void print_time(time_t t)
{
	time_t age = time(NULL) - t;
	char s[20];

	strftime(s, sizeof(s), age > 180 * 86400 || age < -86400 ? "%b %e  %Y" : "%b %e %H:%M",
		 localtime(&t));
	printf(" %s", s);
}

static void print_long(const char *path, const char *name, const struct stat *st)
{
	char target[4096];
	ssize_t n;

	print_mode(st->st_mode);
	printf(" %4lu", (unsigned long)st->st_nlink);
	print_owner(st->st_uid);
	print_owner(st->st_gid);
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
		printf(" %4u,%4u", major(st->st_rdev), minor(st->st_rdev));
	else
		printf(" %9lld", (long long)st->st_size);
	print_time(st->st_mtime);
	printf(" %s", name);
	if (S_ISLNK(st->st_mode) && (n = readlink(path, target, sizeof(target))) >= 0)
		printf(" -> %.*s", (int)n, target);
	putchar('\n');
}

static int screen_width(void)
{
	struct winsize w;

	if (one_a_line || long_form || !isatty(1))
		return 0;
	return ioctl(1, TIOCGWINSZ, &w) || !w.ws_col ? 80 : w.ws_col;
}

static void print_columns(char **names, size_t n, int width)
{
	size_t widest = 0, columns, rows;

	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) > widest)
			widest = strlen(names[i]);
	columns = width / (widest + 2);
	columns = columns ? columns : 1;
	rows = (n + columns - 1) / columns;
	for (size_t r = 0; r < rows; r++, putchar('\n'))
		for (size_t i = r; i < n; i += rows)
			printf("%-*s", i + rows < n ? (int)widest + 2 : 0, names[i]);
}

static bool print_names(const char *dir, char **names)
{
	size_t n = 0;
	bool ok = true;

	while (names[n])
		n++;
	if (screen_width()) {
		print_columns(names, n, screen_width());
		return true;
	}
	for (; *names; names++) {
		char *path = dir ? path_join(dir, *names) : xstrdup(*names);
		struct stat st;

		if (!long_form) {
			puts(*names);
		} else if (lstat(path, &st)) {
			complain(path);
			ok = false;
		} else {
			print_long(path, *names, &st);
		}
		free(path);
	}
	return ok;
}

static bool list(const char *dir)
{
	char **names = list_dir(dir), **kept;
	size_t n = 0;

	if (!names) {
		complain(dir);
		return false;
	}
	while (names[n])
		n++;
	kept = xmalloc((n + 3) * sizeof(*kept));
	n = 0;
	if (all) {
		kept[n++] = ".";
		kept[n++] = "..";
	}
	for (char **p = names; *p; p++)
		if (all || **p != '.')
			kept[n++] = *p;
	kept[n] = NULL;
	return print_names(dir, kept);
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !itself && !(long_form ? lstat : stat)(path, &st) && S_ISDIR(st.st_mode);
}

int main(int argc, char **argv)
{
	char *here[] = {".", NULL}, **args, **plain;
	size_t n = 0, dirs = 0;
	bool ok = true;
	struct stat st;
	int c;

	start(argv);
	while ((c = option(argc, argv, "laA1d", "[-la1d] [file...]")) >= 0) {
		long_form |= c == 'l';
		all |= c == 'a';
		one_a_line |= c == '1';
		itself |= c == 'd';
	}
	args = optind < argc ? argv + optind : here;
	plain = xmalloc((argc + 1) * sizeof(*plain));
	for (char **p = args; *p; p++) {
		if (lstat(*p, &st)) {
			complain(*p);
			ok = false;
		} else if (is_dir(*p)) {
			dirs++;
		} else {
			plain[n++] = *p;
		}
	}
	plain[n] = NULL;
	if (n)
		ok &= print_names(NULL, plain);
	for (char **p = args; dirs && *p; p++) {
		if (!is_dir(*p))
			continue;
		if (args[1])
			printf("%s%s:\n", n++ ? "\n" : "", *p);
		ok &= list(*p);
	}
	return finish(!ok);
}
