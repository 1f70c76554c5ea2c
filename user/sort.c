/*
 * sort - put lines in order
 *
 * usage: sort [-nru] [-t char] [-k FROM[,TO][nr]]... [-o file] [file...]
 */
#include "user/lib.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct key {
	int from, to; /* fields, from 1; to 0: the end of the line */
	bool numeric, reverse, own;
};
struct item {
	char *text;
	size_t index;
};

static struct key keys[16];
static int nkeys;
static bool numeric, reverse, unique;
static char separator;

static const char *field(const char *s, int n)
{
	for (; n > 1 && *s; n--) {
		if (separator) {
			s += strcspn(s, (char[]){separator, 0});
			s += *s != 0;
		} else {
			s += strspn(s, " \t");
			s += strcspn(s, " \t");
		}
	}
	return s;
}

static char *key_text(const char *s, const struct key *k)
{
	const char *from = field(s, k->from), *to = from + strlen(from);

	if (k->to) {
		to = field(s, k->to + 1);
		if (separator && *to && to > from)
			to--;
	}
	return to > from ? xasprintf("%.*s", (int)(to - from), from) : xstrdup("");
}

static int compare_text(const char *a, const char *b, bool by_number)
{
	double x, y;

	if (!by_number)
		return strcmp(a, b);
	x = strtod(a, NULL);
	y = strtod(b, NULL);
	return (x > y) - (x < y);
}

static int compare_key(const char *a, const char *b, const struct key *k)
{
	char *x = key_text(a, k), *y = key_text(b, k);
	int c = compare_text(x, y, k->own ? k->numeric : numeric);

	free(x);
	free(y);
	return (k->own ? k->reverse : reverse) ? -c : c;
}

static int by_keys(const struct item *a, const struct item *b)
{
	int c = 0;

	for (int i = 0; i < nkeys && !c; i++)
		c = compare_key(a->text, b->text, &keys[i]);
	if (!nkeys) {
		c = compare_text(a->text, b->text, numeric);
		c = reverse ? -c : c;
	}
	return c;
}

static int compare(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;
	int c = by_keys(a, b);

	if (!c && !unique) {
		c = strcmp(a->text, b->text);
		c = reverse ? -c : c;
	}
	return c ? c : (a->index > b->index) - (a->index < b->index);
}

static void add_key(const char *s)
{
	struct key *k = &keys[nkeys++];
	char *end;

	if (nkeys > (int)ARRAY_SIZE(keys))
		usage("too many keys");
	k->from = strtol(s, &end, 10);
	if (k->from < 1)
		usage("%s: not a key", s);
	if (*end == '.')
		strtol(end + 1, &end, 10);
	for (; *end; end++) {
		if (*end == ',')
			k->to = strtol(end + 1, &end, 10);
		if (*end == 'n' || *end == 'r') {
			k->own = true;
			k->numeric |= *end == 'n';
			k->reverse |= *end == 'r';
		} else if (*end && *end != 'b') {
			usage("%s: not a key", s);
		}
		if (!*end)
			break;
	}
}

static void read_items(const char *path, struct item **items, size_t *n)
{
	FILE *f = open_in(path);
	struct buf line = {0};

	if (!f)
		exit(2);
	while (read_line(f, &line)) {
		if (line.s[line.len - 1] == '\n')
			line.s[line.len - 1] = 0;
		if ((*n & (*n + 1)) == 0)
			*items = xrealloc(*items, (*n * 2 + 2) * sizeof(**items));
		(*items)[*n] = (struct item){xstrdup(line.s), *n};
		++*n;
	}
	free(line.s);
	if (f != stdin)
		fclose(f);
}

int main(int argc, char **argv)
{
	struct item *items = NULL;
	const char *out = NULL;
	size_t n = 0;
	int c;

	start(argv);
	while ((c = option(argc, argv, "nruk:t:o:", "[-nru] [-t char] [-k key] [file...]")) >= 0)
		switch (c) {
		case 'n': numeric = true; break;
		case 'r': reverse = true; break;
		case 'u': unique = true; break;
		case 'k': add_key(optarg); break;
		case 't': separator = *optarg; break;
		case 'o': out = optarg; break;
		}
	for (int i = optind; i < argc || i == optind; i++)
		read_items(i < argc ? argv[i] : "-", &items, &n);
	if (n)
		qsort(items, n, sizeof(*items), compare);
	if (out && !freopen(out, "w", stdout))
		fail(out);
	for (size_t i = 0; i < n; i++)
		if (!unique || !i || by_keys(&items[i - 1], &items[i]))
			puts(items[i].text);
	return finish(0);
}
