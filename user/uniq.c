/*
 * uniq - drop lines that repeat the one before
 *
 * usage: uniq [-c] [-d] [-u] [file]
 */
#include "user/lib.h"

#include <string.h>
#include <unistd.h>

static bool counted, repeated, single;

static void print(const struct buf *b, unsigned n)
{
	if (!n || (repeated && n < 2) || (single && n > 1))
		return;
	if (counted)
		printf("%7u ", n);
	puts(b->s);
}

int main(int argc, char **argv)
{
	struct buf last = {0}, line = {0};
	unsigned n = 0;
	FILE *f;
	int c;

	start(argv);
	while ((c = option(argc, argv, "cdu", "[-cdu] [file]")) >= 0) {
		counted |= c == 'c';
		repeated |= c == 'd';
		single |= c == 'u';
	}
	f = open_in(optind < argc ? argv[optind] : "-");
	if (!f)
		return 1;
	while (read_line(f, &line)) {
		if (line.s[line.len - 1] == '\n')
			line.s[--line.len] = 0;
		if (n && !strcmp(last.s, line.s)) {
			n++;
			continue;
		}
		print(&last, n);
		last.len = 0;
		buf_add(&last, line.s, line.len);
		n = 1;
	}
	print(&last, n);
	return finish(0);
}
