/*
 * Words into fields: every expansion is gathered with a flag beside each byte,
 * then cut at IFS, then matched against file names.
 */
#include "user/sh/sh.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

void x_add(struct xbuf *x, const char *s, size_t n, int flag)
{
	buf_add(&x->s, s, n);
	for (size_t i = 0; i < n; i++)
		buf_char(&x->f, flag);
}

static void x_free(struct xbuf *x)
{
	free(x->s.s);
	free(x->f.s);
}

void fields_add(struct fields *f, char *s)
{
	if (f->n + 2 > f->cap) {
		int cap = f->cap ? f->cap * 2 : 16;
		char **v = arena_alloc(&tmp, cap * sizeof(*v));

		if (f->n)
			memcpy(v, f->v, f->n * sizeof(*v));
		f->v = v;
		f->cap = cap;
	}
	f->v[f->n++] = s;
	f->v[f->n] = NULL;
}

static void expand_substitution(struct xbuf *x, struct node *cmd, bool quoted)
{
	struct buf out = {0};

	buf_add(&out, "", 0);
	capture(cmd, &out);
	while (out.len && out.s[out.len - 1] == '\n')
		out.len--;
	x_add(x, out.s, out.len, quoted ? X_QUOTED : X_SPLIT);
	if (quoted && !out.len)
		x_add(x, "", 1, X_EMPTY);
	free(out.s);
}

static char *flatten(struct xbuf *x);

static void expand_arith(struct xbuf *x, struct word *w, bool quoted)
{
	struct xbuf text = {0};
	char num[32];

	expand_into(&text, w, true, false);
	snprintf(num, sizeof(num), "%jd", arith(flatten(&text)));
	x_free(&text);
	x_add(x, num, strlen(num), quoted ? X_QUOTED : X_SPLIT);
}

static void expand_literal(struct xbuf *x, struct part *p, bool quoted, bool splitting)
{
	quoted |= p->quoted;
	if (*p->text)
		x_add(x, p->text, strlen(p->text), quoted ? X_QUOTED : splitting ? X_SPLIT : 0);
	else if (quoted)
		x_add(x, "", 1, X_EMPTY);
}

/* `quoted`: all of it stands in double quotes; `splitting`: it came out of ${x-...}. */
void expand_into(struct xbuf *x, struct word *w, bool quoted, bool splitting)
{
	for (struct part *p = w->parts; p; p = p->next)
		switch (p->type) {
		case P_LIT: expand_literal(x, p, quoted, splitting); break;
		case P_PARAM: expand_param(x, p, quoted || p->quoted); break;
		case P_CMD: expand_substitution(x, p->cmd, quoted || p->quoted); break;
		case P_ARITH: expand_arith(x, p->arg, quoted || p->quoted); break;
		}
}

/* A leading ~ is HOME; returns what is left of the literal. */
static const char *tilde(struct xbuf *x, const char *s, bool alone, bool assign)
{
	const char *home = var_get("HOME");

	if (s[0] != '~' || !home)
		return s;
	if (s[1] != '/' && !(s[1] == 0 && alone) && !(assign && s[1] == ':'))
		return s;
	x_add(x, home, strlen(home), X_QUOTED);
	return s + 1;
}

static void expand_top(struct xbuf *x, struct word *w)
{
	struct part *p = w->parts, first;
	struct word rest;

	if (p && p->type == P_LIT && !p->quoted && p->text[0] == '~') {
		first = *p;
		first.text = (char *)tilde(x, p->text, !p->next, false);
		rest.parts = *first.text ? &first : p->next;
		expand_into(x, &rest, false, false);
	} else {
		expand_into(x, w, false, false);
	}
}

/* The bytes without marks; a break becomes the separator it carries. */
static char *flatten(struct xbuf *x)
{
	char *out = arena_alloc(&tmp, x->s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < x->s.len; i++)
		if (x->s.s[i] && !(x->f.s[i] & X_EMPTY))
			out[n++] = x->s.s[i];
	out[n] = 0;
	return out;
}

static char *pattern_of(const char *s, const char *f, size_t len)
{
	char *out = arena_alloc(&tmp, 2 * len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (!s[i])
			continue;
		if (s[i] == '\\' ? f[i] & X_QUOTED : f[i] & X_QUOTED && strchr("*?[]-!^", s[i]))
			out[n++] = '\\';
		out[n++] = s[i];
	}
	out[n] = 0;
	return out;
}

char *expand_one(struct word *w)
{
	struct xbuf x = {0};
	char *s;

	expand_top(&x, w);
	s = flatten(&x);
	x_free(&x);
	return s;
}

char *expand_pattern(struct word *w)
{
	struct xbuf x = {0};
	char *s;

	expand_top(&x, w);
	s = pattern_of(x.s.s, x.f.s, x.s.len);
	x_free(&x);
	return s;
}

bool is_assignment(struct word *w)
{
	struct part *p = w->parts;
	size_t n;

	if (!p || p->type != P_LIT || p->quoted)
		return false;
	n = name_length(p->text);
	return n && p->text[n] == '=';
}

/* ~ counts after = and after every colon that is not quoted. */
static void assign_literal(struct xbuf *x, const char *s, bool last)
{
	for (;;) {
		const char *colon;

		s = tilde(x, s, last, true);
		colon = strchr(s, ':');
		if (!colon)
			break;
		x_add(x, s, colon + 1 - s, 0);
		s = colon + 1;
	}
	x_add(x, s, strlen(s), 0);
}

char *expand_assign(struct word *w, char **name)
{
	struct part *p = w->parts;
	size_t n = name_length(p->text);
	struct word rest = {.parts = p->next};
	struct xbuf x = {0};
	char *value;

	*name = arena_strndup(&tmp, p->text, n);
	assign_literal(&x, p->text + n + 1, !p->next);
	expand_into(&x, &rest, false, false);
	value = flatten(&x);
	x_free(&x);
	return value;
}

/* ---- splitting and file names ---- */

struct splitter {
	struct fields *out;
	struct xbuf field;
	bool active, after_space;
};

static bool has_wildcard(const struct xbuf *x)
{
	for (size_t i = 0; i < x->s.len; i++)
		if (!(x->f.s[i] & X_QUOTED) && x->s.s[i] && strchr("*?[", x->s.s[i]))
			return true;
	return false;
}

static bool add_matches(struct fields *out, const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return false;
	for (size_t i = 0; i < g.gl_pathc; i++)
		fields_add(out, arena_strndup(&tmp, g.gl_pathv[i], strlen(g.gl_pathv[i])));
	globfree(&g);
	return true;
}

static void emit(struct splitter *sp)
{
	struct xbuf *x = &sp->field;

	if (opt.noglob || !has_wildcard(x) || !add_matches(sp->out, pattern_of(x->s.s, x->f.s, x->s.len)))
		fields_add(sp->out, flatten(x));
	x->s.len = x->f.len = 0;
	sp->active = false;
}

static void ifs_char(struct splitter *sp, char c)
{
	bool space = c == ' ' || c == '\t' || c == '\n';

	if (sp->active) {
		emit(sp);
		sp->after_space = space;
	} else if (!space) {
		/* One delimiter may have spaces before it. */
		if (!sp->after_space)
			emit(sp);
		sp->after_space = false;
	}
}

static void split(struct xbuf *x, struct fields *out)
{
	struct splitter sp = {.out = out};
	const char *ifs = var_get("IFS");

	if (!ifs)
		ifs = " \t\n";
	for (size_t i = 0; i < x->s.len; i++) {
		char c = x->s.s[i];
		int f = x->f.s[i];

		if (f & X_BREAK) {
			if (sp.active)
				emit(&sp);
			sp.after_space = false;
		} else if (f & X_EMPTY) {
			sp.active = true;
		} else if (f & X_SPLIT && strchr(ifs, c)) {
			ifs_char(&sp, c);
		} else {
			sp.active = true;
			x_add(&sp.field, &c, 1, f);
		}
	}
	if (sp.active)
		emit(&sp);
	x_free(&sp.field);
}

void expand_words(struct word *w, struct fields *out)
{
	for (; w; w = w->next) {
		struct part *p = w->parts;
		struct xbuf x = {0};

		/* Most words are plain. */
		if (p && !p->next && p->type == P_LIT && (p->quoted || !strpbrk(p->text, "*?[~"))) {
			fields_add(out, p->text);
			continue;
		}
		expand_top(&x, w);
		split(&x, out);
		x_free(&x);
	}
	if (!out->v) {
		fields_add(out, NULL);
		out->n = 0;
	}
}
