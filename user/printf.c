/*
 * printf - print by a format, again while arguments are left
 *
 * usage: printf format [argument...]
 */
#include "user/lib.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char **args;
static int bad;

static const char *next_arg(void)
{
	return *args ? *args++ : "";
}

static intmax_t integer(const char *s)
{
	char *end;
	intmax_t v;

	if (*s == '\'' || *s == '"')
		return (unsigned char)s[1];
	if (!*s)
		return 0;
	errno = 0;
	v = strtoimax(s, &end, 0);
	if (errno == ERANGE && *s != '-')
		v = (intmax_t)strtoumax(s, &end, 0);
	if (*end) {
		say("invalid number '%s'", s);
		bad = 1;
		return end == s ? 0 : v;
	}
	return v;
}

/* One escape after the backslash into the buffer; false for \c. */
static bool escape(const char **sp, struct buf *out, bool zero_first)
{
	static const char from[] = "abfnrtv\\\"", to[] = "\a\b\f\n\r\t\v\\\"";
	const char *s = *sp, *at = *s ? strchr(from, *s) : NULL;
	int v = 0, n = 0;

	if (*s == 'c')
		return false;
	if (at) {
		buf_char(out, to[at - from]);
		*sp = s + 1;
		return true;
	}
	if (*s < '0' || *s > '7') {
		buf_char(out, '\\');
		return true;
	}
	if (zero_first && *s == '0')
		s++;
	for (; n < 3 && *s >= '0' && *s <= '7'; n++)
		v = v * 8 + *s++ - '0';
	buf_char(out, v);
	*sp = s;
	return true;
}

/* The argument of %b; false when \c ends all output. */
static bool escaped_arg(const char *s, struct buf *out)
{
	buf_add(out, "", 0);
	while (*s)
		if (*s != '\\')
			buf_char(out, *s++);
		else if (s++, !escape(&s, out, true))
			return false;
	return true;
}

static const char *star(const char *s, char *spec)
{
	sprintf(spec + strlen(spec), "%d", (int)integer(next_arg()));
	return s + 1;
}

/* "%...": copies flags, width and precision into spec; returns the letter's place. */
static const char *parse_spec(const char *s, char *spec)
{
	strcpy(spec, "%");
	while (*s && strchr("-+ #0123456789.*", *s) && strlen(spec) < 40)
		if (*s == '*')
			s = star(s, spec);
		else
			strncat(spec, s++, 1);
	return s;
}

static bool convert(char letter, char *spec)
{
	struct buf text = {0};
	bool go_on = true;

	switch (letter) {
	case 'd':
	case 'i': printf(strcat(spec, "jd"), integer(next_arg())); break;
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		strcat(spec, "j");
		printf(strncat(spec, &letter, 1), (uintmax_t)integer(next_arg()));
		break;
	case 'e':
	case 'f':
	case 'g': printf(strncat(spec, &letter, 1), strtod(next_arg(), NULL)); break;
	case 'c': printf(strcat(spec, "c"), *next_arg()); break;
	case 's': printf(strcat(spec, "s"), next_arg()); break;
	case 'b':
		go_on = escaped_arg(next_arg(), &text);
		printf(strcat(spec, "s"), text.s);
		free(text.s);
		break;
	default: say("%%%c: invalid format", letter); bad = 1;
	}
	return go_on && !(bad && !strchr("diouxXefgcsb", letter));
}

static bool run_format(const char *s)
{
	char spec[64];
	struct buf one = {0};

	while (*s) {
		if (*s == '\\') {
			s++;
			one.len = 0;
			if (!escape(&s, &one, false))
				return false;
			fwrite(one.s, 1, one.len, stdout);
		} else if (*s == '%' && s[1] == '%') {
			putchar('%');
			s += 2;
		} else if (*s == '%') {
			s = parse_spec(s + 1, spec);
			if (!convert(*s, spec))
				return false;
			s += *s != 0;
		} else {
			putchar(*s++);
		}
	}
	free(one.s);
	return true;
}

int printf_main(int argc, char **argv)
{
	char **before;

	bad = 0;
	if (argc > 1 && !strcmp(argv[1], "--"))
		argc--, argv++;
	if (argc < 2) {
		say("usage: printf format [argument...]");
		return 2;
	}
	args = argv + 2;
	do {
		before = args;
	} while (run_format(argv[1]) && *args && args != before);
	return bad;
}

STANDALONE(printf_main)
