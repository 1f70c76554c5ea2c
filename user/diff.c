/*
 * diff - how two files or trees differ, in the unified form
 *
 * usage: diff [-u] [-U lines] [-N] [-r] [-q] [-L label] old new
 *
 * Shortest edit scripts after Myers, "An O(ND) difference algorithm" (1986).
 */
#include "user/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool absent_is_empty, recurse, brief;
static int context = 3;
static const char *labels[2];
static int nlabels;

struct side {
	struct buf text;
	struct lines l;
	bool *changed;
};

/* ---- the edit script ---- */

static bool same(const struct side *a, long i, const struct side *b, long k)
{
	size_t n = a->l.line[i + 1] - a->l.line[i];

	return n == (size_t)(b->l.line[k + 1] - b->l.line[k]) && !memcmp(a->l.line[i], b->l.line[k], n);
}

/* Beyond this many edits the middle counts as replaced whole. */
#define MOST_EDITS 3000

struct window {
	struct side *a, *b;
	long a0, a1, b0, b1;
};

static void mark_all(struct window *w)
{
	for (long i = w->a0; i < w->a1; i++)
		w->a->changed[i] = true;
	for (long k = w->b0; k < w->b1; k++)
		w->b->changed[k] = true;
}

/* Back along the furthest points kept for each number of edits. */
static void trace_back(struct window *w, long **kept, long d)
{
	long x = w->a1 - w->a0, y = w->b1 - w->b0;

	for (; d > 0; d--) {
		long *v = kept[d - 1] + d, k = x - y, from;

		/* v[k] is valid for -(d-1)..d-1. */
		bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);

		from = down ? v[k + 1] : v[k - 1];
		if (down)
			w->b->changed[w->b0 + from - (k + 1)] = true;
		else
			w->a->changed[w->a0 + from] = true;
		x = from;
		y = from - (down ? k + 1 : k - 1);
	}
}

static long *furthest(struct window *w, const long *before, long d, bool *done)
{
	long n = w->a1 - w->a0, m = w->b1 - w->b0;
	long *v = (long *)xmalloc((2 * d + 3) * sizeof(*v)) + d + 1;

	v[-d - 1] = v[d + 1] = -1;
	for (long k = -d; k <= d; k += 2) {
		long x, y;

		if (d == 0)
			x = 0;
		else if (k == -d || (k != d && before[k - 1] < before[k + 1]))
			x = before[k + 1];
		else
			x = before[k - 1] + 1;
		y = x - k;
		while (x < n && y < m && same(w->a, w->a0 + x, w->b, w->b0 + y))
			x++, y++;
		v[k] = x;
		if (x == n && y == m)
			*done = true;
	}
	return v - d - 1;
}

static void compare(struct side *a, struct side *b)
{
	struct window w = {a, b, 0, a->l.n, 0, b->l.n};
	static long *kept[MOST_EDITS + 1];
	bool done = false;
	long d;

	while (w.a0 < w.a1 && w.b0 < w.b1 && same(a, w.a0, b, w.b0))
		w.a0++, w.b0++;
	while (w.a0 < w.a1 && w.b0 < w.b1 && same(a, w.a1 - 1, b, w.b1 - 1))
		w.a1--, w.b1--;
	if (w.a0 == w.a1 || w.b0 == w.b1) {
		mark_all(&w);
		return;
	}
	for (d = 0; d <= MOST_EDITS && !done; d++)
		kept[d] = furthest(&w, d ? kept[d - 1] + d : NULL, d, &done);
	if (done)
		trace_back(&w, kept, d - 1);
	else
		mark_all(&w);
	while (d > 0)
		free(kept[--d]);
}

/* ---- output ---- */

static void print_line(char sign, const struct side *s, long i)
{
	size_t n = s->l.line[i + 1] - s->l.line[i];

	putchar(sign);
	fwrite(s->l.line[i], 1, n, stdout);
	if (s->l.line[i][n - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", stdout);
}

static void print_range(char sign, long from, long n)
{
	if (n == 1)
		printf("%c%ld", sign, from + 1);
	else
		printf("%c%ld,%ld", sign, n ? from + 1 : from, n);
}

struct hunk {
	long a0, a1, b0, b1;
};

static void print_hunk(const struct side *a, const struct side *b, const struct hunk *h)
{
	long i = h->a0, k = h->b0;

	fputs("@@ ", stdout);
	print_range('-', h->a0, h->a1 - h->a0);
	putchar(' ');
	print_range('+', h->b0, h->b1 - h->b0);
	puts(" @@");
	while (i < h->a1 || k < h->b1)
		if (i < h->a1 && a->changed[i]) {
			print_line('-', a, i++);
		} else if (k < h->b1 && b->changed[k]) {
			print_line('+', b, k++);
		} else {
			print_line(' ', a, i++);
			k++;
		}
}

/* The next hunk from lines (*i, *k): changes closer than twice the context are one. */
static bool next_hunk(const struct side *a, const struct side *b, long *i, long *k, struct hunk *h)
{
	long na = a->l.n, nb = b->l.n, quiet = 0;

	while (*i < na && *k < nb && !a->changed[*i] && !b->changed[*k])
		++*i, ++*k;
	if (*i >= na && *k >= nb)
		return false;
	h->a0 = *i > context ? *i - context : 0;
	h->b0 = *k - (*i - h->a0);
	if (h->b0 < 0) {
		h->a0 -= h->b0;
		h->b0 = 0;
	}
	while ((*i < na || *k < nb) && quiet <= 2 * context) {
		if (*i < na && a->changed[*i]) {
			++*i;
			quiet = 0;
		} else if (*k < nb && b->changed[*k]) {
			++*k;
			quiet = 0;
		} else {
			++*i;
			++*k;
			quiet++;
		}
	}
	if (quiet > context) {
		*i -= quiet - context;
		*k -= quiet - context;
	}
	h->a1 = *i;
	h->b1 = *k;
	return true;
}

static bool load(const char *path, struct side *s)
{
	if (!read_all(path, &s->text)) {
		if (errno != ENOENT || !absent_is_empty) {
			complain(path);
			return false;
		}
		buf_add(&s->text, "", 0);
	}
	split_lines(&s->l, s->text.s, s->text.len);
	s->changed = memset(xmalloc(s->l.n + 1), 0, s->l.n + 1);
	return true;
}

static void unload(struct side *s)
{
	free(s->text.s);
	free(s->l.line);
	free(s->changed);
}

static void print_differences(const char *pa, const char *pb, struct side *a, struct side *b)
{
	struct hunk h;
	long i = 0, k = 0;

	printf("--- %s\n+++ %s\n", labels[0] ? labels[0] : pa, labels[1] ? labels[1] : pb);
	compare(a, b);
	while (next_hunk(a, b, &i, &k, &h))
		print_hunk(a, b, &h);
}

static int diff_files(const char *pa, const char *pb)
{
	struct side a = {.text = {0}}, b = {.text = {0}};
	int result = 2;

	if (load(pa, &a) & load(pb, &b)) {
		result = a.text.len != b.text.len || memcmp(a.text.s, b.text.s, a.text.len);
		if (result && (brief || strlen(a.text.s) != a.text.len || strlen(b.text.s) != b.text.len))
			printf("Files %s and %s differ\n", pa, pb);
		else if (result)
			print_differences(pa, pb, &a, &b);
	}
	unload(&a);
	unload(&b);
	return result;
}

/* ---- trees ---- */

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int diff_any(const char *pa, const char *pb);

static int only_in(const char *dir, const char *name)
{
	printf("Only in %s: %s\n", dir, name);
	return 1;
}

static int diff_entry(const char *da, const char *db, const char *name, int side)
{
	char *pa = path_join(da, name), *pb = path_join(db, name);
	int result;

	if (side && !absent_is_empty)
		result = only_in(side < 0 ? da : db, name);
	else if (is_dir(pa) && is_dir(pb) && !recurse)
		result = 0 * printf("Common subdirectories: %s and %s\n", pa, pb);
	else
		result = diff_any(pa, pb);
	free(pa);
	free(pb);
	return result;
}

static int diff_dirs(const char *da, const char *db)
{
	char *none[] = {NULL}, **a = list_dir(da), **b = list_dir(db);
	int result = 0;

	a = a ? a : none;
	b = b ? b : none;
	while (*a || *b) {
		int order = !*a ? 1 : !*b ? -1 : strcmp(*a, *b);
		int r = diff_entry(da, db, order <= 0 ? *a : *b, order);

		result = r > result ? r : result;
		a += order <= 0;
		b += order >= 0;
	}
	return result;
}

static int diff_any(const char *pa, const char *pb)
{
	bool da = is_dir(pa), db = is_dir(pb);

	if ((da && db) || (absent_is_empty && (da || db) && (access(pa, F_OK) || access(pb, F_OK))))
		return diff_dirs(pa, pb);
	if (da != db) {
		char *base = base_name(da ? pb : pa), *in = path_join(da ? pa : pb, base);
		int r = da ? diff_files(in, pb) : diff_files(pa, in);

		free(base);
		free(in);
		return r;
	}
	return diff_files(pa, pb);
}

int main(int argc, char **argv)
{
	int c;

	start(argv);
	while ((c = option(argc, argv, "uU:Nrqpa L:", "[-uNrq] [-U lines] old new")) >= 0)
		switch (c) {
		case 'N': absent_is_empty = true; break;
		case 'r': recurse = true; break;
		case 'q': brief = true; break;
		case 'U': context = number(optarg, "a number of lines"); break;
		case 'L':
			if (nlabels < 2)
				labels[nlabels++] = optarg;
			break;
		}
	if (argc - optind != 2)
		usage("needs two files or directories");
	return finish(diff_any(argv[optind], argv[optind + 1]));
}
