/*
 * tail - the last lines of files
 *
 * usage: tail [-n [+]lines | -LINES | -c [+]bytes] [file...]
 */
#include "user/lib.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

struct wanted {
	long count;
	bool from_start, bytes;
};

static void set(struct wanted *w, const char *text, bool bytes)
{
	w->bytes = bytes;
	w->from_start = *text == '+';
	w->count = labs(number(text + w->from_start, "a number"));
}

static size_t start_of(const struct wanted *w, const struct buf *b)
{
	struct lines l;
	size_t n = w->count, total;

	if (w->bytes) {
		if (w->from_start)
			n = n ? n - 1 : 0;
		return w->from_start ? (n < b->len ? n : b->len) : (n < b->len ? b->len - n : 0);
	}
	split_lines(&l, b->s, b->len);
	total = l.n;
	if (w->from_start)
		n = n ? n - 1 : 0;
	else
		n = n < total ? total - n : 0;
	return l.line[n < total ? n : total] - b->s;
}

static bool tail(const char *path, const struct wanted *w)
{
	struct buf b = {0};
	size_t from;

	if (!read_all(path, &b)) {
		complain(path);
		return false;
	}
	from = start_of(w, &b);
	fwrite(b.s + from, 1, b.len - from, stdout);
	free(b.s);
	return true;
}

int main(int argc, char **argv)
{
	struct wanted w = {.count = 10};
	bool many, ok = true;
	int c;

	start(argv);
	if (argc > 1 && (argv[1][0] == '-' || argv[1][0] == '+') && isdigit((unsigned char)argv[1][1])) {
		set(&w, argv[1] + (argv[1][0] == '-'), false);
		argc--;
		argv++;
	}
	while ((c = option(argc, argv, "n:c:", "[-n lines | -c bytes] [file...]")) >= 0)
		set(&w, optarg, c == 'c');
	many = argc - optind > 1;
	for (int i = optind; i < argc || i == optind; i++) {
		if (many)
			printf("%s==> %s <==\n", i > optind ? "\n" : "", argv[i]);
		ok &= tail(i < argc ? argv[i] : "-", &w);
	}
	return finish(!ok);
}
