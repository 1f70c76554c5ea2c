/*
 * wc - count lines, words and bytes
 *
 * usage: wc [-lwc] [file...]
 */
#include "user/lib.h"

#include <ctype.h>
#include <unistd.h>

struct counts {
	unsigned long lines, words, bytes;
};

static struct counts count(FILE *f)
{
	struct counts n = {0};
	bool inside = false;
	int c;

	while ((c = getc(f)) != EOF) {
		n.bytes++;
		n.lines += c == '\n';
		n.words += !isspace(c) && !inside;
		inside = !isspace(c);
	}
	return n;
}

/* One figure alone stands at the margin, several in columns. */
static void print(const struct counts *n, unsigned which, const char *name)
{
	const unsigned long values[] = {n->lines, n->words, n->bytes};
	bool alone = !(which & (which - 1)), first = true;

	for (int i = 0; i < 3; i++)
		if (which & 1u << i) {
			printf(alone ? "%s%lu" : "%s%9lu", first ? "" : " ", values[i]);
			first = false;
		}
	printf("%s%s\n", *name ? " " : "", name);
}

int main(int argc, char **argv)
{
	struct counts total = {0};
	unsigned which = 0;
	bool ok = true;
	int c;

	start(argv);
	while ((c = option(argc, argv, "lwc", "[-lwc] [file...]")) >= 0)
		which |= c == 'l' ? 1 : c == 'w' ? 2 : 4;
	which = which ? which : 7;
	for (int i = optind; i < argc || i == optind; i++) {
		FILE *f = open_in(i < argc ? argv[i] : "-");
		struct counts n;

		if (!f) {
			ok = false;
			continue;
		}
		n = count(f);
		total.lines += n.lines;
		total.words += n.words;
		total.bytes += n.bytes;
		print(&n, which, i < argc ? argv[i] : "");
		if (f != stdin)
			fclose(f);
	}
	if (argc - optind > 1)
		print(&total, which, "total");
	return finish(!ok);
}
