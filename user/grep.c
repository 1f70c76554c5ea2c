/*
 * grep - the lines that match
 *
 * usage: grep [-qvncilshHEFxwo] [-e pattern]... [pattern] [file...]
 */
#include "user/lib.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static struct {
	bool q, v, n, c, i, l, s, h, H, E, F, x, w, o;
} opt;

struct pattern {
	char *text;
	regex_t re;
};
static struct pattern *patterns;
static int npatterns;
static bool found, trouble;

/* A text of many lines is many patterns. */
static void add_patterns(const char *s)
{
	for (;;) {
		size_t n = strcspn(s, "\n");

		patterns = xrealloc(patterns, (npatterns + 1) * sizeof(*patterns));
		patterns[npatterns++].text = xasprintf("%.*s", (int)n, s);
		if (!s[n])
			return;
		s += n + 1;
	}
}

static void compile(struct pattern *p)
{
	int flags = (opt.E ? REG_EXTENDED : 0) | (opt.i ? REG_ICASE : 0), e;
	char why[100];

	if (opt.F)
		return;
	e = regcomp(&p->re, p->text, flags);
	if (e) {
		regerror(e, &p->re, why, sizeof(why));
		usage("bad pattern '%s': %s", p->text, why);
	}
}

static bool find_fixed(const struct pattern *p, const char *s, regmatch_t *m)
{
	size_t n = strlen(p->text);
	const char *at = s;

	for (;; at++) {
		if (opt.i ? !strncasecmp(at, p->text, n) : !strncmp(at, p->text, n))
			break;
		if (!*at)
			return false;
	}
	m->rm_so = at - s;
	m->rm_eo = at - s + n;
	return true;
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_';
}

/* The next match at or after `from` that -x and -w allow. */
static bool find(const struct pattern *p, const char *s, size_t from, regmatch_t *m)
{
	size_t len = strlen(s);

	while (from <= len) {
		if (opt.F ? !find_fixed(p, s + from, m)
			  : regexec(&p->re, s + from, 1, m, from ? REG_NOTBOL : 0))
			return false;
		m->rm_so += from;
		m->rm_eo += from;
		if (!opt.x && !opt.w)
			return true;
		if (opt.x && m->rm_so == 0 && m->rm_eo == (regoff_t)len)
			return true;
		if (opt.w && !(m->rm_so && is_word((unsigned char)s[m->rm_so - 1])) &&
		    !is_word((unsigned char)s[m->rm_eo]))
			return true;
		from = m->rm_so + 1;
	}
	return false;
}

static bool matches(const char *s, size_t from, regmatch_t *best)
{
	bool any = false;
	regmatch_t m;

	for (int i = 0; i < npatterns; i++)
		if (find(&patterns[i], s, from, &m)) {
			if (!any || m.rm_so < best->rm_so)
				*best = m;
			any = true;
		}
	return any;
}

static void print(const char *name, unsigned long number, const char *line)
{
	if (name)
		printf("%s:", name);
	if (opt.n)
		printf("%lu:", number);
	puts(line);
}

static void print_parts(const char *name, unsigned long number, char *line, regmatch_t m)
{
	do {
		char c = line[m.rm_eo];

		line[m.rm_eo] = 0;
		if (m.rm_eo > m.rm_so)
			print(name, number, line + m.rm_so);
		line[m.rm_eo] = c;
	} while (matches(line, m.rm_eo + (m.rm_eo == m.rm_so), &m));
}

static void grep(FILE *f, const char *name, const char *prefix)
{
	unsigned long number = 0, hits = 0;
	struct buf b = {0};
	regmatch_t m;

	while (read_line(f, &b)) {
		number++;
		if (b.s[b.len - 1] == '\n')
			b.s[b.len - 1] = 0;
		if (matches(b.s, 0, &m) == opt.v)
			continue;
		found = true;
		hits++;
		if (opt.q)
			exit(0);
		if (opt.l) {
			puts(name);
			break;
		}
		if (opt.c)
			continue;
		if (opt.o)
			print_parts(prefix, number, b.s, m);
		else
			print(prefix, number, b.s);
	}
	if (opt.c && !opt.l)
		printf("%s%s%lu\n", prefix ? prefix : "", prefix ? ":" : "", hits);
	free(b.s);
}

static bool set_option(int c)
{
	static const char letters[] = "qvncilshHEFxwo";
	const char *at = strchr(letters, c);

	if (at)
		((bool *)&opt)[at - letters] = true;
	return at;
}

int main(int argc, char **argv)
{
	const char *file;
	bool many;
	int c;

	start(argv);
	while ((c = option(argc, argv, "qvncilshHEFxwoe:", "[-qvncilEF] [-e] pattern [file...]")) >= 0)
		if (!set_option(c))
			add_patterns(optarg);
	if (!npatterns) {
		if (optind == argc)
			usage("needs a pattern");
		add_patterns(argv[optind++]);
	}
	for (int i = 0; i < npatterns; i++)
		compile(&patterns[i]);
	many = opt.H || (argc - optind > 1 && !opt.h);
	for (int i = optind; i < argc || i == optind; i++) {
		FILE *f;

		file = i < argc ? argv[i] : "-";
		f = strcmp(file, "-") ? fopen(file, "re") : stdin;
		if (!f) {
			trouble = true;
			if (!opt.s)
				complain(file);
			continue;
		}
		if (f == stdin)
			file = "(standard input)";
		grep(f, file, many ? file : NULL);
		if (f != stdin)
			fclose(f);
	}
	return finish(trouble ? 2 : !found);
}
