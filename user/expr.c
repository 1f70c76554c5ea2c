/*
 * expr - evaluate an expression of arguments
 *
 * usage: expr expression
 *
 * Lowest first: |  &  = == > >= < <= !=  + -  * / %  :  and parentheses.
 */
#include "user/lib.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

static char **at;

static bool is_integer(const char *s)
{
	s += *s == '-';
	return *s && !s[strspn(s, "0123456789")];
}

static long long integer(const char *s)
{
	if (!is_integer(s))
		usage("non-integer argument: %s", s);
	return strtoll(s, NULL, 10);
}

static bool is_true(const char *s)
{
	return *s && !(is_integer(s) && !integer(s));
}

static char *text(long long n)
{
	return xasprintf("%lld", n);
}

static bool next_is(const char *op)
{
	if (!*at || strcmp(*at, op))
		return false;
	at++;
	return true;
}

static char *or_level(void);

static char *primary(void)
{
	char *v;

	if (!*at)
		usage("syntax error: missing argument");
	if (next_is("(")) {
		v = or_level();
		if (!next_is(")"))
			usage("syntax error: missing )");
		return v;
	}
	return *at++;
}

/* text : pattern - the group, or how much matched from the start. */
static char *match(const char *s, const char *pattern)
{
	char *anchored = xasprintf("^%s", pattern + (*pattern == '^'));
	regex_t re;
	regmatch_t m[2];

	if (regcomp(&re, anchored, 0))
		usage("bad pattern: %s", pattern);
	if (regexec(&re, s, 2, m, 0))
		return re.re_nsub ? "" : "0";
	if (re.re_nsub)
		return xasprintf("%.*s", (int)(m[1].rm_eo - m[1].rm_so), s + m[1].rm_so);
	return text(m[0].rm_eo);
}

static char *match_level(void)
{
	char *v = primary();

	while (next_is(":"))
		v = match(v, primary());
	return v;
}

static char *mul_level(void)
{
	char *v = match_level();

	while (*at && !at[0][1] && strchr("*/%", at[0][0]) && at[0][0]) {
		char op = *at++[0];
		long long a = integer(v), b = integer(match_level());

		if (op != '*' && b == 0)
			usage("division by zero");
		v = text(op == '*' ? a * b : op == '/' ? a / b : a % b);
	}
	return v;
}

static char *add_level(void)
{
	char *v = mul_level();

	for (;;)
		if (next_is("+")) {
			long long a = integer(v);

			v = text(a + integer(mul_level()));
		} else if (next_is("-")) {
			long long a = integer(v);

			v = text(a - integer(mul_level()));
		} else {
			return v;
		}
}

static int order(const char *a, const char *b)
{
	if (is_integer(a) && is_integer(b))
		return (integer(a) > integer(b)) - (integer(a) < integer(b));
	return strcmp(a, b);
}

static char *compare_level(void)
{
	static const char *const ops[] = {"=", "==", "!=", "<", "<=", ">", ">="};
	char *v = add_level();

	for (size_t i = 0; *at && i < ARRAY_SIZE(ops); i++) {
		int o;

		if (!next_is(ops[i]))
			continue;
		o = order(v, add_level());
		v = text(i < 2    ? o == 0
			 : i == 2 ? o != 0
			 : i == 3 ? o < 0
			 : i == 4 ? o <= 0
			 : i == 5 ? o > 0
				  : o >= 0);
		i = -1;
	}
	return v;
}

static char *and_level(void)
{
	char *v = compare_level();

	while (next_is("&")) {
		char *b = compare_level();

		v = is_true(v) && is_true(b) ? v : "0";
	}
	return v;
}

static char *or_level(void)
{
	char *v = and_level();

	while (next_is("|")) {
		char *b = and_level();

		v = is_true(v) ? v : b;
	}
	return v;
}

int main(int argc, char **argv)
{
	char *v;

	start(argv);
	if (argc < 2)
		usage("needs an expression");
	at = argv + 1;
	next_is("--");
	v = or_level();
	if (*at)
		usage("syntax error at '%s'", *at);
	puts(v);
	return finish(!is_true(v));
}
