/*
 * patch - apply a unified diff
 *
 * usage: patch [-pN] [-R] [-s] [-b] [-E] [-f] [-F fuzz] [-d dir] [--dry-run] [-i patchfile] [file]
 *
 * A hunk that does not fit at its line is looked for further and further away,
 * then again with up to two lines of context left out at either end. Hunks that
 * fit nowhere go to FILE.rej. Status 1 if any did, 2 on trouble.
 */
#include "user/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	int strip, fuzz;
	bool reverse, silent, dry, backup, remove_empty;
	const char *only;
} opt = {.strip = -1, .fuzz = 2};

struct hunk {
	long old_start, old_count, new_start, new_count;
	const char **line; /* with their sign; `nonl[i]`: no newline at the end */
	bool *nonl;
	long n;
};

struct change {
	char *old_name, *new_name;
	struct hunk *hunks;
	long n;
};

static bool rejected, trouble;

/* ---- reading the patch ---- */

struct reader {
	struct lines l;
	size_t at;
};

static bool starts(const struct reader *r, const char *with)
{
	return r->at < r->l.n && !strncmp(r->l.line[r->at], with, strlen(with));
}

/* The name ends at a tab or at the end of the line. */
static char *name_of(const char *line)
{
	return xasprintf("%.*s", (int)strcspn(line + 4, "\t\r\n"), line + 4);
}

static bool parse_range(const char **s, long *from, long *count)
{
	char *end;

	*from = strtol(*s + 1, &end, 10);
	*count = 1;
	if (end == *s + 1)
		return false;
	if (*end == ',')
		*count = strtol(end + 1, &end, 10);
	*s = end + strspn(end, " ");
	return true;
}

static void add_line(struct hunk *h, const char *line)
{
	if ((h->n & (h->n + 1)) == 0) {
		h->line = xrealloc(h->line, (h->n * 2 + 2) * sizeof(*h->line));
		h->nonl = xrealloc(h->nonl, h->n * 2 + 2);
	}
	h->nonl[h->n] = false;
	h->line[h->n++] = line;
}

/* Lines are counted down; mail programs strip the blank of an empty context line. */
static bool parse_hunk(struct reader *r, struct hunk *h)
{
	const char *s = r->l.line[r->at++] + 3;
	long old, new;

	*h = (struct hunk){0};
	if (*s != '-' || !parse_range(&s, &h->old_start, &h->old_count) || *s != '+' ||
	    !parse_range(&s, &h->new_start, &h->new_count))
		return false;
	old = h->old_count;
	new = h->new_count;
	while ((old > 0 || new > 0) && r->at < r->l.n) {
		const char *line = r->l.line[r->at++];

		if (*line == '\\') {
			if (h->n)
				h->nonl[h->n - 1] = true;
			continue;
		}
		if (!strchr(" +-\n", *line))
			return false;
		old -= *line != '+';
		new -= *line != '-';
		add_line(h, *line == '\n' ? " \n" : line);
	}
	if (r->at < r->l.n && *r->l.line[r->at] == '\\') {
		h->nonl[h->n - 1] = true;
		r->at++;
	}
	return old == 0 && new == 0;
}

static bool next_change(struct reader *r, struct change *c)
{
	*c = (struct change){0};
	while (r->at + 1 < r->l.n && !(starts(r, "--- ") && !strncmp(r->l.line[r->at + 1], "+++ ", 4)))
		r->at++;
	if (r->at + 1 >= r->l.n)
		return false;
	c->old_name = name_of(r->l.line[r->at++]);
	c->new_name = name_of(r->l.line[r->at++]);
	while (starts(r, "@@ ")) {
		size_t line = r->at + 1;

		c->hunks = xrealloc(c->hunks, (c->n + 1) * sizeof(*c->hunks));
		if (!parse_hunk(r, &c->hunks[c->n++]))
			usage("malformed patch at line %zu", line);
	}
	return true;
}

static void reverse(struct change *c)
{
	char *name = c->old_name;

	c->old_name = c->new_name;
	c->new_name = name;
	for (long i = 0; i < c->n; i++) {
		struct hunk *h = &c->hunks[i], was = *h;

		h->old_start = was.new_start;
		h->old_count = was.new_count;
		h->new_start = was.old_start;
		h->new_count = was.old_count;
		for (long k = 0; k < h->n; k++) {
			char *line = xasprintf("%.*s", (int)strcspn(h->line[k], "\n") + 1, h->line[k]);

			if (*line != ' ')
				*line = *line == '+' ? '-' : '+';
			h->line[k] = line;
		}
	}
}

/* ---- placing a hunk ---- */

struct text {
	const char **line;
	size_t *len;
	long n;
};

static size_t line_length(const char *s, bool nonl)
{
	size_t n = strcspn(s, "\n");

	return nonl ? n : n + 1;
}

/* Do the old lines of the hunk, without `top` and `bottom` of them, stand at `at`? */
static bool fits(const struct hunk *h, const struct text *t, long at, long top, long bottom)
{
	long seen = 0;

	for (long k = 0; k < h->n; k++) {
		const char *line = h->line[k] + 1;
		size_t len = line_length(line, h->nonl[k]);

		if (*h->line[k] == '+')
			continue;
		if (seen >= top && seen < h->old_count - bottom) {
			long i = at + seen;

			if (i < 0 || i >= t->n || t->len[i] != len || memcmp(t->line[i], line, len))
				return false;
		}
		seen++;
	}
	return true;
}

static long context_lines(const struct hunk *h, bool at_end)
{
	long n = 0;

	while (n < h->n && *h->line[at_end ? h->n - 1 - n : n] == ' ')
		n++;
	return n;
}

struct place {
	long at, top, bottom, fuzz;
};

/* Outwards from where it should be, not before what was patched already. */
static bool search(const struct hunk *h, const struct text *t, long expected, long first, struct place *p)
{
	for (long off = 0; off <= t->n + labs(expected); off++)
		for (int sign = 1; sign >= -1; sign -= 2) {
			long at = expected + sign * off;

			if (at < 0 || at + p->top < first || at + h->old_count - p->bottom > t->n)
				continue;
			if (fits(h, t, at, p->top, p->bottom)) {
				p->at = at;
				return true;
			}
		}
	return false;
}

/*
 * A hunk with less context before than after was cut off by the start of its
 * file, and belongs there while no fuzz makes up for it; the same at the end.
 */
static bool place(const struct hunk *h, const struct text *t, long expected, long first, struct place *p)
{
	long before = context_lines(h, false), after = context_lines(h, true);
	long most = before > after ? before : after;

	if (!h->old_count) {
		*p = (struct place){.at = expected < t->n ? expected : t->n};
		return p->at >= first;
	}
	for (long fuzz = 0; fuzz <= opt.fuzz && fuzz <= most; fuzz++) {
		long top = fuzz - (most - before), bottom = fuzz - (most - after);
		bool at_start = top < 0 && h->old_start <= 1, at_end = bottom < 0;

		*p = (struct place){0, top < 0 ? 0 : top, bottom < 0 ? 0 : bottom, fuzz};
		if (at_start && at_end && h->old_count != t->n)
			continue;
		if (at_start || at_end) {
			p->at = at_start ? 0 : t->n - h->old_count;
			if (p->at + p->top >= first && fits(h, t, p->at, p->top, p->bottom))
				return true;
		} else if (search(h, t, expected, first, p)) {
			return true;
		}
	}
	return false;
}

/* ---- applying ---- */

static void append_lines(struct buf *out, const struct text *t, long from, long to)
{
	for (; from < to; from++)
		buf_add(out, t->line[from], t->len[from]);
}

/* Context comes from the file, since fuzz may have let it differ. */
static void append_hunk(struct buf *out, const struct hunk *h, const struct text *t, const struct place *p)
{
	long i = p->at + p->top, seen = 0;

	for (long k = 0; k < h->n; k++) {
		char sign = *h->line[k];

		if (sign == '+') {
			buf_add(out, h->line[k] + 1, line_length(h->line[k] + 1, h->nonl[k]));
			continue;
		}
		if (seen >= p->top && seen < h->old_count - p->bottom) {
			if (sign == ' ')
				append_lines(out, t, i, i + 1);
			i++;
		}
		seen++;
	}
}

static void report(long number, const struct place *p, long line, long offset)
{
	if (opt.silent || (!p->fuzz && !offset))
		return;
	printf("Hunk #%ld succeeded at %ld", number, line);
	if (p->fuzz)
		printf(" with fuzz %ld", p->fuzz);
	if (offset)
		printf(" (offset %ld line%s)", offset, offset == 1 || offset == -1 ? "" : "s");
	puts(".");
}

static void reject(struct buf *rejects, const struct change *c, const struct hunk *h)
{
	char *head;

	if (!rejects->len) {
		head = xasprintf("--- %s\n+++ %s\n", c->old_name, c->new_name);
		buf_str(rejects, head);
		free(head);
	}
	head = xasprintf("@@ -%ld,%ld +%ld,%ld @@\n", h->old_start, h->old_count, h->new_start, h->new_count);
	buf_str(rejects, head);
	free(head);
	for (long k = 0; k < h->n; k++)
		buf_add(rejects, h->line[k], strcspn(h->line[k], "\n") + 1);
}

/* The new text into `out`, what fitted nowhere into `rejects`; returns how many. */
static long apply(const struct change *c, const struct text *t, struct buf *out, struct buf *rejects)
{
	long done = 0, offset = 0, grown = 0, failed = 0;

	buf_add(out, "", 0);
	for (long i = 0; i < c->n; i++) {
		const struct hunk *h = &c->hunks[i];
		long start = h->old_count ? h->old_start - 1 : h->old_start;
		struct place p;

		if (!place(h, t, start + offset, done, &p)) {
			if (!opt.silent)
				printf("Hunk #%ld FAILED at %ld.\n", i + 1, h->old_start);
			reject(rejects, c, h);
			failed++;
			continue;
		}
		offset = p.at - start;
		report(i + 1, &p, p.at + grown + 1, offset);
		append_lines(out, t, done, p.at + p.top);
		append_hunk(out, h, t, &p);
		done = p.at + h->old_count - p.bottom;
		grown += h->new_count - h->old_count;
	}
	append_lines(out, t, done, t->n);
	return failed;
}

/* ---- files ---- */

static char *stripped(const char *name)
{
	int n = opt.strip;

	if (!strcmp(name, "/dev/null"))
		return NULL;
	if (n < 0) {
		const char *slash = strrchr(name, '/');

		return xstrdup(slash ? slash + 1 : name);
	}
	for (; n > 0; n--) {
		const char *slash = strchr(name, '/');

		if (!slash)
			return NULL;
		name = slash + strspn(slash, "/");
	}
	return xstrdup(name);
}

static char *choose_file(const struct change *c)
{
	char *old = stripped(c->old_name), *new = stripped(c->new_name);

	if (opt.only)
		return xstrdup(opt.only);
	if (new && (!access(new, F_OK) || !old || access(old, F_OK)))
		return new;
	return old;
}

static void make_parents(const char *path)
{
	char *copy = xstrdup(path);

	for (char *slash = copy; (slash = strchr(slash + 1, '/'));) {
		*slash = 0;
		mkdir(copy, 0777);
		*slash = '/';
	}
	free(copy);
}

static bool write_file(const char *path, const struct buf *b, mode_t mode)
{
	FILE *f;

	make_parents(path);
	f = fopen(path, "we");
	if (!f || (b->len && fwrite(b->s, 1, b->len, f) != b->len) || fclose(f)) {
		complain(path);
		trouble = true;
		return false;
	}
	if (mode)
		chmod(path, mode & 07777);
	return true;
}

static void remove_file(const char *path)
{
	char *copy = xstrdup(path), *slash;

	if (unlink(path) && errno != ENOENT)
		complain(path);
	while ((slash = strrchr(copy, '/')) && slash != copy) {
		*slash = 0;
		if (rmdir(copy))
			break;
	}
	free(copy);
}

static void back_up(const char *path, const struct buf *old, mode_t mode)
{
	char *orig = xasprintf("%s.orig", path);

	write_file(orig, old, mode);
	free(orig);
}

static void text_of(struct text *t, const struct buf *b, struct lines *l)
{
	split_lines(l, b->s, b->len);
	t->n = l->n;
	t->line = l->line;
	t->len = xmalloc((l->n + 1) * sizeof(*t->len));
	for (size_t i = 0; i < l->n; i++)
		t->len[i] = l->line[i + 1] - l->line[i];
}

/* Does the patch say that the file is to be gone? */
static bool removes(const struct change *c)
{
	return !strcmp(c->new_name, "/dev/null") || opt.remove_empty;
}

static void store(const struct change *c, const char *path, const struct buf *old, const struct buf *new,
		  mode_t mode)
{
	if (opt.backup)
		back_up(path, old, mode);
	if (!new->len && removes(c))
		remove_file(path);
	else
		write_file(path, new, mode);
}

static void save_rejects(const struct change *c, const char *path, const struct buf *b, long failed)
{
	char *rej = xasprintf("%s.rej", path);

	if (!opt.silent || failed)
		printf("%ld out of %ld hunk%s FAILED%s%s\n", failed, c->n, c->n == 1 ? "" : "s",
		       opt.dry ? "" : " -- saving rejects to file ", opt.dry ? "" : rej);
	if (!opt.dry)
		write_file(rej, b, 0);
	rejected = true;
	free(rej);
}

static void patch_file(struct change *c)
{
	struct buf old = {0}, new = {0}, rejects = {0};
	struct stat st = {.st_mode = 0};
	struct text t;
	struct lines l;
	char *path;
	long failed;

	if (opt.reverse)
		reverse(c);
	path = choose_file(c);
	if (!path) {
		say("can't find file to patch: %s", c->new_name);
		rejected = true;
		return;
	}
	if (!opt.silent)
		printf("%s file %s\n", opt.dry ? "checking" : "patching", path);
	if (!read_all(path, &old)) {
		if (errno != ENOENT) {
			complain(path);
			trouble = true;
			return;
		}
		buf_add(&old, "", 0);
	} else {
		stat(path, &st);
	}
	text_of(&t, &old, &l);
	failed = apply(c, &t, &new, &rejects);
	if (!opt.dry && failed < c->n)
		store(c, path, &old, &new, st.st_mode);
	if (failed)
		save_rejects(c, path, &rejects, failed);
	free(old.s);
	free(new.s);
	free(rejects.s);
	free(t.len);
	free(l.line);
	free(path);
}

/* getopt knows letters only. */
static int take_long_options(int argc, char **argv)
{
	int n = 1;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--dry-run"))
			opt.dry = true;
		else
			argv[n++] = argv[i];
	}
	argv[n] = NULL;
	return n;
}

int main(int argc, char **argv)
{
	const char *input = "-", *dir = NULL;
	struct buf text = {0};
	struct reader r = {.at = 0};
	struct change c;
	bool any = false;
	int o;

	start(argv);
	argc = take_long_options(argc, argv);
	while ((o = option(argc, argv, "p:Ri:sbEfNtF:d:", "[-pN] [-Rsb] [--dry-run] [-i patch]")) >= 0)
		switch (o) {
		case 'p': opt.strip = number(optarg, "a number of components"); break;
		case 'R': opt.reverse = true; break;
		case 'i': input = optarg; break;
		case 's': opt.silent = true; break;
		case 'b': opt.backup = true; break;
		case 'E': opt.remove_empty = true; break;
		case 'F': opt.fuzz = number(optarg, "a number of lines"); break;
		case 'd': dir = optarg; break;
		}
	if (optind < argc)
		opt.only = argv[optind];
	if (!read_all(input, &text)) {
		complain(input);
		return 2;
	}
	if (dir && chdir(dir)) {
		complain(dir);
		return 2;
	}
	split_lines(&r.l, text.s, text.len);
	while (next_change(&r, &c)) {
		any = true;
		patch_file(&c);
	}
	if (!any && text.len)
		usage("only garbage was found in the patch input");
	return finish(trouble ? 2 : rejected);
}
