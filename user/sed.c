/*
 * sed - edit a stream of lines
 *
 * usage: sed [-nEi] [-e script]... [-f file] [script] [file...]
 *
 * Commands: s/re/text/[gpiN]  d  p  q  =  n  a text  i text  { } with the
 * addresses N, $, /re/, FIRST,LAST and a ! after them.
 */
#include "user/lib.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct address {
	enum { A_NONE, A_LINE, A_LAST, A_RE } type;
	unsigned long line;
	regex_t *re;
};

struct command {
	struct address from, to;
	bool inside, negated;
	unsigned long end; /* of the range being inside */
	char name;
	regex_t *re;
	char *text; /* replacement, or the text of a and i */
	bool global, print;
	int nth;
	size_t after; /* {: the command after its } */
};

static struct command *commands;
static size_t ncommands;
static bool quiet, in_place, extended;
static regex_t *last_re;

/* ---- the script ---- */

static void skip_space(const char **s, const char *what)
{
	while (**s && strchr(what, **s))
		++*s;
}

/* Up to the delimiter; \DELIM is DELIM, \n stays for regcomp's caller. */
static char *delimited(const char **sp, char delimiter, bool regex)
{
	const char *s = *sp;
	struct buf b = {0};
	bool bracket = false;

	buf_add(&b, "", 0);
	for (; *s && (*s != delimiter || bracket); s++) {
		if (*s == '\\' && s[1] == delimiter) {
			s++;
		} else if (*s == '\\' && s[1] == 'n' && regex) {
			buf_char(&b, '\n');
			s++;
			continue;
		} else if (*s == '\\' && s[1]) {
			buf_char(&b, *s++);
		} else if (regex && *s == '[' && !bracket) {
			bracket = true;
			buf_char(&b, *s);
			if (s[1] == '^')
				buf_char(&b, *++s);
			if (s[1] != ']')
				continue;
			s++;
		} else if (*s == ']') {
			bracket = false;
		}
		buf_char(&b, *s);
	}
	if (*s != delimiter)
		usage("unterminated %s", regex ? "pattern" : "replacement");
	*sp = s + 1;
	return b.s;
}

static regex_t *compile(const char *text, bool any_case)
{
	regex_t *re;
	char why[100];
	int e;

	if (!*text)
		return NULL;
	re = xmalloc(sizeof(*re));
	e = regcomp(re, text, (extended ? REG_EXTENDED : 0) | (any_case ? REG_ICASE : 0));
	if (e) {
		regerror(e, re, why, sizeof(why));
		usage("bad pattern '%s': %s", text, why);
	}
	return re;
}

static struct address parse_address(const char **s)
{
	struct address a = {A_NONE, 0, NULL};
	char *end;

	if (isdigit((unsigned char)**s)) {
		a.type = A_LINE;
		a.line = strtoul(*s, &end, 10);
		*s = end;
	} else if (**s == '$') {
		a.type = A_LAST;
		++*s;
	} else if (**s == '/' || (**s == '\\' && (*s)[1])) {
		char delimiter = **s == '/' ? '/' : *++*s;

		++*s;
		a.type = A_RE;
		a.re = compile(delimited(s, delimiter, true), false);
	}
	return a;
}

static void parse_substitution(struct command *c, const char **s)
{
	char delimiter = *(*s)++;
	char *pattern;
	bool any_case = false;

	if (!delimiter || delimiter == '\n' || delimiter == '\\')
		usage("s needs a delimiter");
	pattern = delimited(s, delimiter, true);
	c->text = delimited(s, delimiter, false);
	c->nth = 1;
	for (; **s && !strchr(";\n} ", **s); ++*s) {
		if (**s == 'g')
			c->global = true;
		else if (**s == 'p')
			c->print = true;
		else if (**s == 'i' || **s == 'I')
			any_case = true;
		else if (**s >= '1' && **s <= '9')
			c->nth = **s - '0';
		else
			usage("unknown flag '%c' after s", **s);
	}
	c->re = compile(pattern, any_case);
	free(pattern);
}

static void parse_text(struct command *c, const char **s)
{
	size_t n;

	skip_space(s, " \t");
	if (**s == '\\') {
		++*s;
		skip_space(s, " \t\n");
	}
	n = strcspn(*s, "\n");
	c->text = xasprintf("%.*s", (int)n, *s);
	*s += n;
}

static struct command *parse_one(const char **s)
{
	struct command *c;

	commands = xrealloc(commands, (ncommands + 1) * sizeof(*commands));
	c = memset(&commands[ncommands++], 0, sizeof(*c));
	c->from = parse_address(s);
	if (**s == ',') {
		++*s;
		c->to = parse_address(s);
		if (c->to.type == A_NONE)
			usage("no address after ','");
	}
	skip_space(s, " \t");
	if (**s == '!') {
		c->negated = true;
		++*s;
		skip_space(s, " \t");
	}
	c->name = **s;
	if (!c->name || !strchr("sdpqnai={}", c->name))
		usage("unknown command '%s'", *s);
	++*s;
	if (c->name == 's')
		parse_substitution(c, s);
	else if (c->name == 'a' || c->name == 'i')
		parse_text(c, s);
	return c;
}

static void parse_script(const char *s)
{
	size_t open[20], depth = 0;

	for (skip_space(&s, "; \t\n"); *s; skip_space(&s, "; \t\n")) {
		struct command *c;

		if (*s == '#') {
			s += strcspn(s, "\n");
			continue;
		}
		c = parse_one(&s);
		if (c->name == '{' && depth < ARRAY_SIZE(open)) {
			open[depth++] = ncommands - 1;
		} else if (c->name == '}') {
			if (!depth)
				usage("unexpected '}'");
			commands[open[--depth]].after = ncommands;
		}
		skip_space(&s, " \t");
		if (*s && !strchr(";\n}#", *s) && c->name != '{')
			usage("extra characters after '%c': %s", c->name, s);
	}
	if (depth)
		usage("unmatched '{'");
}

/* ---- the stream ---- */

struct stream {
	char **files;
	FILE *f;
	struct buf line, ahead, appended;
	bool have_ahead, newline, quit;
	unsigned long number;
};
static bool trouble;

static bool fetch(struct stream *s)
{
	for (;;) {
		if (s->f && read_line(s->f, &s->ahead))
			return true;
		if (s->f && s->f != stdin)
			fclose(s->f);
		s->f = NULL;
		if (!*s->files)
			return false;
		s->f = open_in(*s->files++);
		trouble |= !s->f;
	}
}

static bool next_line(struct stream *s)
{
	struct buf t;

	if (!s->have_ahead && !(s->have_ahead = fetch(s)))
		return false;
	t = s->line;
	s->line = s->ahead;
	s->ahead = t;
	s->newline = s->line.s[s->line.len - 1] == '\n';
	if (s->newline)
		s->line.s[--s->line.len] = 0;
	s->number++;
	s->have_ahead = fetch(s);
	return true;
}

static void print_line(const struct stream *s)
{
	fwrite(s->line.s, 1, s->line.len, stdout);
	if (s->newline)
		putchar('\n');
}

static bool re_matches(const regex_t *re, const char *s)
{
	last_re = re ? (regex_t *)re : last_re;
	if (!last_re)
		usage("no previous pattern");
	return !regexec(last_re, s, 0, NULL, 0);
}

static bool at(const struct address *a, const struct stream *s)
{
	switch (a->type) {
	case A_LINE: return s->number == a->line;
	case A_LAST: return !s->have_ahead;
	case A_RE: return re_matches(a->re, s->line.s);
	default: return true;
	}
}

static bool in_range(struct command *c, const struct stream *s)
{
	if (c->to.type == A_NONE)
		return at(&c->from, s);
	if (c->inside) {
		if (c->to.type == A_LINE && s->number > c->to.line) {
			c->inside = false;
			return at(&c->from, s);
		}
		c->inside = !at(&c->to, s);
		return true;
	}
	if (!at(&c->from, s))
		return false;
	c->inside = c->to.type != A_LINE || c->to.line > s->number;
	return true;
}

static void add_replacement(struct buf *out, const char *text, const char *line, const regmatch_t *m)
{
	for (; *text; text++) {
		int group = *text == '&' ? 0 : -1;

		if (*text == '\\' && text[1]) {
			text++;
			if (isdigit((unsigned char)*text))
				group = *text - '0';
			else if (*text == 'n' || *text == 't') {
				buf_char(out, *text == 'n' ? '\n' : '\t');
				continue;
			}
		}
		if (group < 0)
			buf_char(out, *text);
		else if (m[group].rm_so >= 0)
			buf_add(out, line + m[group].rm_so, m[group].rm_eo - m[group].rm_so);
	}
}

static bool substitute(struct command *c, struct stream *s)
{
	const char *p = s->line.s, *taken = NULL;
	struct buf out = {0};
	regmatch_t m[10];
	int n = 0;
	bool done = false;

	last_re = c->re ? c->re : last_re;
	if (!last_re)
		usage("no previous pattern");
	buf_add(&out, "", 0);
	while (!regexec(last_re, p, 10, m, p > s->line.s ? REG_NOTBOL : 0)) {
		bool empty = m[0].rm_so == m[0].rm_eo;

		buf_add(&out, p, m[0].rm_so);
		/* Nothing does not match right behind something that did. */
		if (empty && p + m[0].rm_so == taken) {
			/* left as it is */
		} else if (++n >= c->nth && (c->global || !done)) {
			add_replacement(&out, c->text, p, m);
			done = true;
		} else {
			buf_add(&out, p + m[0].rm_so, m[0].rm_eo - m[0].rm_so);
		}
		p += m[0].rm_eo;
		taken = empty ? taken : p;
		/* An empty match takes one character along, or it would match for ever. */
		if (empty && *p)
			buf_char(&out, *p++);
		else if (!*p)
			break;
		if (done && !c->global)
			break;
	}
	if (done) {
		buf_str(&out, p);
		free(s->line.s);
		s->line = out;
	} else {
		free(out.s);
	}
	return done;
}

static void flush_appended(struct stream *s)
{
	if (s->appended.len)
		fwrite(s->appended.s, 1, s->appended.len, stdout);
	s->appended.len = 0;
}

/* Runs one command; false when the line is done with. */
static bool run(struct command *c, struct stream *s, bool *deleted)
{
	switch (c->name) {
	case 's':
		if (substitute(c, s) && c->print)
			print_line(s);
		break;
	case 'd': *deleted = true; return false;
	case 'p': print_line(s); break;
	case 'q': s->quit = true; return false;
	case '=': printf("%lu\n", s->number); break;
	case 'i': puts(c->text); break;
	case 'a':
		buf_str(&s->appended, c->text);
		buf_char(&s->appended, '\n');
		break;
	case 'n':
		if (!quiet)
			print_line(s);
		flush_appended(s);
		if (!next_line(s)) {
			s->quit = *deleted = true;
			return false;
		}
		break;
	}
	return true;
}

static void edit(char **files)
{
	struct stream s = {.files = files};

	while (!s.quit && next_line(&s)) {
		bool deleted = false;

		for (size_t i = 0; i < ncommands; i++) {
			struct command *c = &commands[i];

			if (in_range(c, &s) == c->negated) {
				if (c->name == '{')
					i = c->after - 1;
				continue;
			}
			if (!run(c, &s, &deleted))
				break;
		}
		if (!deleted && !quiet)
			print_line(&s);
		flush_appended(&s);
	}
}

static void edit_in_place(char *file)
{
	char *temp = xasprintf("%s.sedXXXXXX", file), *one[] = {file, NULL};
	struct stat st;
	int fd, saved = dup(1);

	if (stat(file, &st) || (fd = mkstemp(temp)) < 0)
		fail(file);
	fchmod(fd, st.st_mode & 07777);
	fflush(stdout);
	dup2(fd, 1);
	close(fd);
	edit(one);
	if (finish(0))
		exit(1);
	dup2(saved, 1);
	close(saved);
	if (rename(temp, file))
		fail(file);
	free(temp);
}

int main(int argc, char **argv)
{
	char *input[] = {"-", NULL};
	struct buf script = {0};
	int c;

	start(argv);
	while ((c = option(argc, argv, "nErie:f:", "[-nEi] [-e script] [script] [file...]")) >= 0)
		switch (c) {
		case 'n': quiet = true; break;
		case 'i': in_place = true; break;
		case 'e':
			buf_str(&script, optarg);
			buf_char(&script, '\n');
			break;
		case 'f':
			if (!read_all(optarg, &script))
				fail(optarg);
			break;
		default: extended = true;
		}
	if (!script.s) {
		if (optind == argc)
			usage("needs a script");
		buf_str(&script, argv[optind++]);
	}
	parse_script(script.s);
	if (!in_place)
		edit(optind < argc ? argv + optind : input);
	for (; in_place && optind < argc; optind++)
		edit_in_place(argv[optind]);
	return finish(trouble);
}
