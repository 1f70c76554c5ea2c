/* Commands inside the shell: those that read, and those that look around. */
#include "user/sh/sh.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <unistd.h>

/* ---- read ---- */

/* A line with backslashes taken; quoted characters are flagged. False at the end. */
static bool get_line(struct xbuf *x, bool raw)
{
	bool escaped = false;
	char c;
	ssize_t n;

	for (;;) {
		n = read(0, &c, 1);
		if (n < 0 && errno == EINTR && !trap_pending)
			continue;
		if (n <= 0)
			return false;
		if (!c)
			continue;
		if (escaped) {
			escaped = false;
			if (c != '\n')
				x_add(x, &c, 1, X_QUOTED);
		} else if (c == '\\' && !raw) {
			escaped = true;
		} else if (c == '\n') {
			return true;
		} else {
			x_add(x, &c, 1, 0);
		}
	}
}

static bool is_ifs(const struct xbuf *x, size_t i, const char *ifs, bool space_only)
{
	char c = x->s.s[i];

	if (i >= x->s.len || x->f.s[i] & X_QUOTED || !strchr(ifs, c))
		return false;
	return !space_only || strchr(" \t\n", c);
}

static size_t skip_space(const struct xbuf *x, size_t i, const char *ifs)
{
	while (i < x->s.len && is_ifs(x, i, ifs, true))
		i++;
	return i;
}

static void assign_fields(const struct xbuf *x, char **names)
{
	const char *ifs = var_get("IFS");
	size_t i, end;

	ifs = ifs ? ifs : " \t\n";
	i = skip_space(x, 0, ifs);
	for (; names[0] && names[1]; names++) {
		for (end = i; end < x->s.len && !is_ifs(x, end, ifs, false);)
			end++;
		var_set(names[0], arena_strndup(&tmp, x->s.s + i, end - i), 0);
		i = skip_space(x, end, ifs);
		if (i < x->s.len && is_ifs(x, i, ifs, false))
			i = skip_space(x, i + 1, ifs);
	}
	for (end = x->s.len; end > i && is_ifs(x, end - 1, ifs, true);)
		end--;
	/* A lone delimiter after the last field belongs to it. */
	if (end > i && is_ifs(x, end - 1, ifs, false)) {
		size_t k = i;

		while (k < end - 1 && !is_ifs(x, k, ifs, false))
			k++;
		if (k == end - 1)
			end--;
	}
	var_set(names[0], arena_strndup(&tmp, x->s.s + i, end - i), 0);
}

int b_read(char **argv)
{
	char *reply[] = {"REPLY", NULL};
	struct xbuf x = {0};
	bool raw = false, whole;

	for (argv++; *argv && **argv == '-' && (*argv)[1]; argv++) {
		if (!strcmp(*argv, "-r")) {
			raw = true;
		} else if (!strcmp(*argv, "-p") && argv[1]) {
			fputs(*++argv, stderr);
		} else {
			warn_at("read: %s: no such option", *argv);
			return 2;
		}
	}
	fflush(stdout);
	buf_add(&x.s, "", 0);
	whole = get_line(&x, raw);
	assign_fields(&x, *argv ? argv : reply);
	free(x.s.s);
	free(x.f.s);
	return !whole;
}

/* ---- getopts ---- */

static int getopts_at, getopts_char;

static int getopts_done(const char *name, int index)
{
	char num[16];

	sprintf(num, "%d", index + 1);
	var_set("OPTIND", num, 0);
	var_set(name, "?", 0);
	getopts_char = 0;
	getopts_at = index + 1;
	return 1;
}

/* `found` is the letter, ':' (no argument) or '?' (unknown). */
static void getopts_result(const char *name, bool silent, char found, char letter, const char *arg)
{
	char value[2] = {found, 0}, bad[2] = {letter, 0};

	if (found != letter) {
		if (silent) {
			arg = bad;
		} else {
			value[0] = '?';
			fflush(stdout);
			fprintf(stderr, found == ':' ? "No arg for -%c option\n" : "Illegal option -%c\n",
				letter);
		}
	}
	var_set(name, value, 0);
	if (arg)
		var_set("OPTARG", arg, 0);
	else
		var_unset("OPTARG");
}

int b_getopts(char **argv)
{
	const char *letters, *name, *word, *spec, *arg = NULL, *given;
	char **args, letter, found, num[16];
	int n = 0, index;
	bool silent;

	if (!argv[1] || !argv[2])
		shell_error("usage: getopts optstring var [arg]");
	letters = argv[1];
	name = argv[2];
	args = argv[3] ? argv + 3 : params.v;
	while (args[n])
		n++;
	silent = *letters == ':';
	given = var_get("OPTIND");
	index = (given ? atoi(given) : 1) - 1;
	if (index + 1 != getopts_at || index < 0)
		getopts_char = 0;
	if (index < 0 || index > n)
		index = 0;
	word = index < n ? args[index] : NULL;
	if (!getopts_char) {
		if (!word || word[0] != '-' || !word[1])
			return getopts_done(name, index);
		if (!strcmp(word, "--"))
			return getopts_done(name, index + 1);
		getopts_char = 1;
	}
	letter = found = word[getopts_char++];
	spec = letter == ':' ? NULL : strchr(letters + silent, letter);
	if (!spec)
		found = '?';
	if (!word[getopts_char] || (spec && spec[1] == ':')) {
		if (spec && spec[1] == ':') {
			arg = word[getopts_char] ? word + getopts_char : args[index + 1];
			if (!word[getopts_char] && arg)
				index++;
			if (!arg)
				found = ':';
		}
		index++;
		getopts_char = 0;
	}
	getopts_at = index + 1;
	sprintf(num, "%d", getopts_at);
	var_set("OPTIND", num, 0);
	getopts_result(name, silent, found, letter, arg);
	return 0;
}

/* ---- the current folder ---- */

static char *physical(void)
{
	char *cwd = getcwd(NULL, 0), *s;

	s = arena_strndup(&tmp, cwd ? cwd : "/", cwd ? strlen(cwd) : 1);
	free(cwd);
	return s;
}

void current_dir_init(void)
{
	const char *pwd = var_get("PWD");
	struct stat a, b;

	if (!pwd || *pwd != '/' || stat(pwd, &a) || stat(".", &b) || a.st_ino != b.st_ino ||
	    a.st_dev != b.st_dev)
		var_set("PWD", physical(), 0);
}

/* The path without . and .. , by its text: links keep their names. */
static char *logical(const char *path)
{
	const char *pwd = var_get("PWD");
	char *out = arena_alloc(&tmp, strlen(pwd ? pwd : "") + strlen(path) + 3);
	char *copy, *piece, *state;

	*out = 0;
	copy = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", pwd ? pwd : "", path);
	for (piece = strtok_r(copy, "/", &state); piece; piece = strtok_r(NULL, "/", &state)) {
		char *slash = strrchr(out, '/');

		if (!strcmp(piece, "..")) {
			if (slash)
				*slash = 0;
		} else if (strcmp(piece, ".")) {
			strcat(strcat(out, "/"), piece);
		}
	}
	free(copy);
	return *out ? out : strcpy(out, "/");
}

int b_cd(char **argv)
{
	bool by_link = false, print = false;
	const char *to, *old;
	char *path;

	for (argv++; *argv && (!strcmp(*argv, "-P") || !strcmp(*argv, "-L") || !strcmp(*argv, "--")); argv++)
		by_link = !strcmp(*argv, "-P");
	to = *argv ? *argv : var_get("HOME");
	if (to && !strcmp(to, "-")) {
		to = var_get("OLDPWD");
		print = true;
	}
	if (!to) {
		warn_at("cd: HOME or OLDPWD not set");
		return 1;
	}
	path = logical(to);
	if (chdir(path) && chdir(to)) {
		warn_at("cd: can't cd to %s: %s", to, strerror(errno));
		return 2;
	}
	old = var_get("PWD");
	if (old)
		var_set("OLDPWD", old, 0);
	var_set("PWD", by_link ? physical() : path, 0);
	if (print)
		puts(var_get("PWD"));
	return 0;
}

int b_pwd(char **argv)
{
	const char *pwd = var_get("PWD");

	puts(argv[1] && !strcmp(argv[1], "-P") ? physical() : pwd ? pwd : physical());
	return 0;
}

/* ---- the process ---- */

int b_umask(char **argv)
{
	char *end;
	mode_t mask = umask(0);
	long given;

	umask(mask);
	if (!argv[1]) {
		printf("%04o\n", (unsigned)mask);
		return 0;
	}
	given = strtol(argv[1], &end, 8);
	if (*end || given < 0 || given > 0777) {
		warn_at("umask: illegal mode: %s", argv[1]);
		return 1;
	}
	umask(given);
	return 0;
}

static void print_time(clock_t ticks, char end)
{
	long hz = sysconf(_SC_CLK_TCK);

	printf("%ldm%ld.%02lds%c", ticks / hz / 60, ticks / hz % 60, ticks % hz * 100 / hz, end);
}

int b_times(char **argv)
{
	struct tms t;

	(void)argv;
	times(&t);
	print_time(t.tms_utime, ' ');
	print_time(t.tms_stime, '\n');
	print_time(t.tms_cutime, ' ');
	print_time(t.tms_cstime, '\n');
	return 0;
}

static const struct limit {
	char letter;
	int resource, unit;
} limits[] = {
	{'f', RLIMIT_FSIZE, 512}, {'s', RLIMIT_STACK, 1024}, {'n', RLIMIT_NOFILE, 1},
	{'d', RLIMIT_DATA, 1024}, {'c', RLIMIT_CORE, 512},   {'v', RLIMIT_AS, 1024},
	{'t', RLIMIT_CPU, 1},     {'p', RLIMIT_NPROC, 1},
};

int b_ulimit(char **argv)
{
	const struct limit *l = &limits[0];
	struct rlimit r;
	rlim_t v;

	for (argv++; *argv && **argv == '-'; argv++)
		for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
			if (limits[i].letter == (*argv)[1])
				l = &limits[i];
	if (getrlimit(l->resource, &r)) {
		warn_at("ulimit: %s", strerror(errno));
		return 1;
	}
	if (!*argv) {
		if (r.rlim_cur == RLIM_INFINITY)
			puts("unlimited");
		else
			printf("%llu\n", (unsigned long long)r.rlim_cur / l->unit);
		return 0;
	}
	v = strcmp(*argv, "unlimited") ? strtoull(*argv, NULL, 10) * l->unit : RLIM_INFINITY;
	r.rlim_cur = v;
	r.rlim_max = v;
	if (setrlimit(l->resource, &r)) {
		warn_at("ulimit: %s", strerror(errno));
		return 1;
	}
	return 0;
}

/* ---- names ---- */

int b_command_v(char **argv, bool verbose)
{
	static const char *const words[] = {"if",   "then",  "else",  "elif", "fi", "do", "done", "case",
					    "esac", "while", "until", "for",  "{",  "}",  "!",    "in"};
	const struct builtin *b = builtin_find(*argv);
	const char *path, *name = *argv;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], name)) {
			printf(verbose ? "%s is a shell keyword\n" : "%s\n", name);
			return 0;
		}
	if (func_find(name)) {
		printf(verbose ? "%s is a function\n" : "%s\n", name);
	} else if (b) {
		printf(!verbose               ? "%s\n"
		       : b->flags & B_SPECIAL ? "%s is a special shell builtin\n"
					      : "%s is a shell builtin\n",
		       name);
	} else if ((path = find_in_path(name))) {
		if (verbose)
			printf("%s is ", name);
		puts(path);
	} else {
		if (verbose)
			printf("%s: not found\n", name);
		return 127;
	}
	return 0;
}

int b_type(char **argv)
{
	int result = 0;

	for (argv++; *argv; argv++)
		result |= b_command_v(argv, true);
	return result;
}

/* Nothing is remembered, so there is nothing to forget. */
int b_hash(char **argv)
{
	(void)argv;
	return 0;
}
