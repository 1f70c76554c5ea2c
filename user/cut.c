/*
 * cut - parts of lines
 *
 * usage: cut -f LIST [-d char] [-s] [file...]    cut -c LIST [file...]
 */
#include "user/lib.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wanted[1024], to_end;
static int last;

static void parse(const char *s)
{
	while (*s) {
		char *end;
		long from = strtol(s, &end, 10), to = from;

		if (*end == '-') {
			from = from ? from : 1;
			to = strtol(end + 1, &end, 10);
			if (!to) {
				to_end = true;
				to = last = from;
			}
		}
		if (from < 1 || to >= (long)ARRAY_SIZE(wanted) || (*end && *end != ','))
			usage("%s: not a list", s);
		for (; from <= to; from++)
			wanted[from] = true;
		s = *end ? end + 1 : end;
	}
}

static bool is_wanted(int i)
{
	return (to_end && i >= last) || (i < (int)ARRAY_SIZE(wanted) && wanted[i]);
}

static void cut_fields(char *s, char delimiter, bool only)
{
	bool first = true;

	if (!strchr(s, delimiter)) {
		if (!only)
			puts(s);
		return;
	}
	for (int i = 1; s; i++) {
		char *end = strchr(s, delimiter);

		if (is_wanted(i)) {
			if (!first)
				putchar(delimiter);
			printf("%.*s", (int)(end ? end - s : (long)strlen(s)), s);
			first = false;
		}
		s = end ? end + 1 : NULL;
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	bool fields = false, only = false, ok = true;
	struct buf b = {0};
	char delimiter = '\t';
	int c;

	start(argv);
	while ((c = option(argc, argv, "f:c:b:d:s", "-f list [-d char] [-s] | -c list [file...]")) >= 0)
		switch (c) {
		case 'd': delimiter = *optarg; break;
		case 's': only = true; break;
		default: fields = c == 'f'; parse(optarg);
		}
	for (int i = optind; i < argc || i == optind; i++) {
		FILE *f = open_in(i < argc ? argv[i] : "-");

		ok &= f != NULL;
		while (f && read_line(f, &b)) {
			if (b.s[b.len - 1] == '\n')
				b.s[--b.len] = 0;
			if (fields) {
				cut_fields(b.s, delimiter, only);
				continue;
			}
			for (int k = 0; b.s[k]; k++)
				if (is_wanted(k + 1))
					putchar(b.s[k]);
			putchar('\n');
		}
	}
	return finish(!ok);
}
