/*
 * test, [ - check files, strings and numbers
 *
 * usage: test expression    [ expression ]
 */
#include "user/lib.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **at;
static int left;
static jmp_buf wrong;

static _Noreturn void bad(const char *what, const char *arg)
{
	fflush(stdout);
	fprintf(stderr, "%s: test: %s: %s\n", progname, arg, what);
	longjmp(wrong, 1);
}

static long long integer(const char *s)
{
	char *end;
	long long v = strtoll(s, &end, 10);

	while (*end == ' ' || *end == '\t')
		end++;
	if (end == s || *end)
		bad("bad number", s);
	return v;
}

static bool file_test(char op, const char *path)
{
	struct stat st;

	switch (op) {
	case 'r': return !access(path, R_OK);
	case 'w': return !access(path, W_OK);
	case 'x': return !access(path, X_OK);
	case 'h':
	case 'L': return !lstat(path, &st) && S_ISLNK(st.st_mode);
	case 't': return isatty(atoi(path));
	}
	if (stat(path, &st))
		return false;
	switch (op) {
	case 'e': return true;
	case 'f': return S_ISREG(st.st_mode);
	case 'd': return S_ISDIR(st.st_mode);
	case 'b': return S_ISBLK(st.st_mode);
	case 'c': return S_ISCHR(st.st_mode);
	case 'p': return S_ISFIFO(st.st_mode);
	case 'S': return S_ISSOCK(st.st_mode);
	case 's': return st.st_size > 0;
	case 'u': return st.st_mode & S_ISUID;
	case 'g': return st.st_mode & S_ISGID;
	case 'k': return st.st_mode & S_ISVTX;
	case 'O': return st.st_uid == geteuid();
	case 'G': return st.st_gid == getegid();
	}
	return false;
}

static bool is_unary(const char *s)
{
	return s[0] == '-' && s[1] && !s[2] && strchr("bcdefghknprstuwxzLOGS", s[1]);
}

static bool unary(char op, const char *arg)
{
	if (op == 'n')
		return *arg;
	if (op == 'z')
		return !*arg;
	return file_test(op, arg);
}

static const char *const binaries[] = {"=",   "==",  "!=",  "<",   ">",   "-eq", "-ne",
				       "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};

static bool is_binary(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(binaries); i++)
		if (!strcmp(binaries[i], s))
			return true;
	return false;
}

static bool file_binary(const char *a, char op, const char *b)
{
	struct stat x, y;
	bool hx = !stat(a, &x), hy = !stat(b, &y);

	if (op == 'f')
		return hx && hy && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
	if (op == 't')
		return false;
	if (op == 'o')
		return file_binary(b, 'n', a);
	if (!hx || !hy)
		return hx;
	return x.st_mtim.tv_sec != y.st_mtim.tv_sec ? x.st_mtim.tv_sec > y.st_mtim.tv_sec
						    : x.st_mtim.tv_nsec > y.st_mtim.tv_nsec;
}

static bool binary(const char *a, const char *op, const char *b)
{
	long long x, y;

	if (op[0] != '-') {
		int order = strcmp(a, b);

		return op[0] == '=' ? !order : op[0] == '!' ? order : op[0] == '<' ? order < 0 : order > 0;
	}
	if (!strcmp(op, "-nt") || !strcmp(op, "-ot"))
		return file_binary(a, op[1], b);
	if (!strcmp(op, "-ef"))
		return file_binary(a, 'f', b);
	x = integer(a);
	y = integer(b);
	switch (op[1] * 256 + op[2]) {
	case 'e' * 256 + 'q': return x == y;
	case 'n' * 256 + 'e': return x != y;
	case 'l' * 256 + 't': return x < y;
	case 'l' * 256 + 'e': return x <= y;
	case 'g' * 256 + 't': return x > y;
	}
	return x >= y;
}

static char *take(void)
{
	if (!left)
		bad("argument expected", at[-1]);
	left--;
	return *at++;
}

static bool or_expr(void);

static bool primary(void)
{
	char *a = take();

	if (left >= 2 && is_binary(at[0])) {
		char *op = take();

		return binary(a, op, take());
	}
	if (!strcmp(a, "!") && left)
		return !primary();
	if (!strcmp(a, "(") && left) {
		bool v = or_expr();

		if (!left || strcmp(take(), ")"))
			bad("closing paren expected", a);
		return v;
	}
	if (is_unary(a) && left && strcmp(at[0], "-a") && strcmp(at[0], "-o"))
		return unary(a[1], take());
	return *a;
}

static bool and_expr(void)
{
	bool v = primary();

	while (left && !strcmp(at[0], "-a")) {
		take();
		v &= primary();
	}
	return v;
}

static bool or_expr(void)
{
	bool v = and_expr();

	while (left && !strcmp(at[0], "-o")) {
		take();
		v |= and_expr();
	}
	return v;
}

/* With up to four arguments the count decides, whatever they look like. */
static bool by_count(void)
{
	char **v = at;

	switch (left) {
	case 0: return false;
	case 1: return *v[0];
	case 2:
		if (!strcmp(v[0], "!"))
			return !*v[1];
		break;
	case 3:
		if (is_binary(v[1]))
			return binary(v[0], v[1], v[2]);
		break;
	case 4:
		if (!strcmp(v[0], "!")) {
			at++;
			left--;
			return !by_count();
		}
		break;
	}
	bool result = or_expr();
	if (left)
		bad("unknown operand", at[0]);
	return result;
}

int test_main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	if (!strcmp(slash ? slash + 1 : argv[0], "[")) {
		if (strcmp(argv[--argc], "]")) {
			say("missing ]");
			return 2;
		}
	}
	at = argv + 1;
	left = argc - 1;
	if (setjmp(wrong))
		return 2;
	return !by_count();
}

STANDALONE(test_main)
