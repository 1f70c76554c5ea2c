/*
 * echo - print its arguments
 *
 * usage: echo [-n] [-e] [-E] [text...]
 */
#include "user/lib.h"

#include <string.h>

static bool is_options(const char *s)
{
	return s[0] == '-' && s[1] && s[1 + strspn(s + 1, "neE")] == 0;
}

/* One escape after the backslash; returns what follows, NULL for \c. */
static const char *escape(const char *s)
{
	static const char from[] = "abfnrtv\\", to[] = "\a\b\f\n\r\t\v\\";
	const char *at = *s ? strchr(from, *s) : NULL;
	int v = 0, n = 0;

	if (*s == 'c')
		return NULL;
	if (at) {
		putchar(to[at - from]);
		return s + 1;
	}
	if (*s != '0') {
		putchar('\\');
		return s;
	}
	for (s++; n < 3 && *s >= '0' && *s <= '7'; n++)
		v = v * 8 + *s++ - '0';
	putchar(v);
	return s;
}

int echo_main(int argc, char **argv)
{
	bool newline = true, escapes = false;
	int i = 1;

	for (; i < argc && is_options(argv[i]); i++)
		for (const char *s = argv[i] + 1; *s; s++) {
			newline &= *s != 'n';
			escapes = *s == 'e' ? true : *s == 'E' ? false : escapes;
		}
	for (int first = i; i < argc; i++) {
		if (i > first)
			putchar(' ');
		for (const char *s = argv[i]; *s;) {
			if (*s != '\\' || !escapes) {
				putchar(*s++);
			} else if (!(s = escape(s + 1))) {
				return 0;
			}
		}
	}
	if (newline)
		putchar('\n');
	return 0;
}

STANDALONE(echo_main)
