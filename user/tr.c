/*
 * tr - change, delete or squeeze characters
 *
 * usage: tr [-c] [-d] [-s] set1 [set2]
 */
#include "user/lib.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

struct set {
	unsigned char c[512];
	int n;
};

static int one(const char **s)
{
	static const char from[] = "nrtabfv\\", to[] = "\n\r\t\a\b\f\v\\";
	int c = (unsigned char)*(*s)++, v = 0;
	const char *at;

	if (c != '\\' || !**s)
		return c;
	if ((at = strchr(from, **s))) {
		++*s;
		return to[at - from];
	}
	for (int i = 0; i < 3 && **s >= '0' && **s <= '7'; i++)
		v = v * 8 + *(*s)++ - '0';
	return v ? v : (unsigned char)*(*s)++;
}

static bool class(struct set *set, const char **s)
{
	static const struct {
		const char *name;
		int (*is)(int);
	} classes[] = {{"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum},  {"upper", isupper},
		       {"lower", islower}, {"space", isspace}, {"punct", ispunct},  {"print", isprint},
		       {"blank", isblank}, {"cntrl", iscntrl}, {"xdigit", isxdigit}};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		size_t n = strlen(classes[i].name);

		if (strncmp(*s, "[:", 2) || strncmp(*s + 2, classes[i].name, n) ||
		    strncmp(*s + 2 + n, ":]", 2))
			continue;
		for (int c = 0; c < 256; c++)
			if (classes[i].is(c))
				set->c[set->n++] = c;
		*s += n + 4;
		return true;
	}
	return false;
}

static void parse(struct set *set, const char *s)
{
	while (*s && set->n < 256) {
		int from, to;

		if (class(set, &s))
			continue;
		from = to = one(&s);
		if (s[0] == '-' && s[1]) {
			s++;
			to = one(&s);
		}
		for (; from <= to && set->n < 256; from++)
			set->c[set->n++] = from;
	}
}

static void invert(struct set *set)
{
	bool in[256] = {false};

	for (int i = 0; i < set->n; i++)
		in[set->c[i]] = true;
	set->n = 0;
	for (int c = 0; c < 256; c++)
		if (!in[c])
			set->c[set->n++] = c;
}

int main(int argc, char **argv)
{
	bool complement = false, delete = false, squeeze = false, in[256] = {false}, last[256] = {false};
	struct set a = {.n = 0}, b = {.n = 0};
	unsigned char map[256];
	int c, before = -1;

	start(argv);
	while ((c = option(argc, argv, "cCds", "[-cds] set1 [set2]")) >= 0) {
		complement |= c == 'c' || c == 'C';
		delete |= c == 'd';
		squeeze |= c == 's';
	}
	if (optind == argc || (argc - optind < 2 && !delete &&!squeeze))
		usage("needs %s", optind == argc ? "a set" : "two sets");
	parse(&a, argv[optind]);
	if (complement)
		invert(&a);
	if (optind + 1 < argc)
		parse(&b, argv[optind + 1]);
	for (int i = 0; i < 256; i++)
		map[i] = i;
	for (int i = 0; i < a.n; i++) {
		in[a.c[i]] = true;
		if (b.n)
			map[a.c[i]] = b.c[i < b.n ? i : b.n - 1];
	}
	for (int i = 0; i < (b.n ? b.n : a.n); i++)
		last[(b.n ? b.c : a.c)[i]] = true;
	while ((c = getchar()) != EOF) {
		if (delete &&in[c])
			continue;
		c = delete ? c : map[c];
		if (squeeze && c == before && last[c])
			continue;
		putchar(before = c);
	}
	return finish(0);
}
