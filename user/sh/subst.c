/* ${...}: what a parameter holds, and its operators. */
#include "user/sh/sh.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

const char *special_param(const char *name, char *num)
{
	if (isdigit((unsigned char)name[0])) {
		int i = atoi(name);

		if (i == 0)
			return arg0;
		return i <= params.n ? params.v[i - 1] : NULL;
	}
	switch (name[0]) {
	case '?': sprintf(num, "%d", status); return num;
	case '#': sprintf(num, "%d", params.n); return num;
	case '$': sprintf(num, "%d", (int)shell_pid); return num;
	case '!':
		if (!last_background)
			return NULL;
		sprintf(num, "%d", (int)last_background);
		return num;
	case '-': return option_letters();
	}
	if (!strcmp(name, "LINENO")) {
		sprintf(num, "%d", current_line);
		return num;
	}
	return var_get(name);
}

static char star_separator(void)
{
	const char *ifs = var_get("IFS");

	return ifs ? ifs[0] : ' ';
}

/* $@ and $*: a break between the fields, or the first of IFS between them where nothing is cut. */
static void all_params(struct xbuf *x, bool at, bool quoted)
{
	char sep = star_separator();

	for (int i = 0; i < params.n; i++) {
		size_t len = strlen(params.v[i]);

		if (i && (at || !quoted))
			x_add(x, &sep, 1, X_BREAK);
		else if (i && sep)
			x_add(x, &sep, 1, X_QUOTED);
		x_add(x, params.v[i], len, quoted ? X_QUOTED : X_SPLIT);
		if (quoted && !len)
			x_add(x, "", 1, X_EMPTY);
	}
	if (!at && quoted)
		x_add(x, "", 1, X_EMPTY);
}

static bool all_params_empty(void)
{
	return params.n == 0 || (params.n == 1 && !params.v[0][0]);
}

static void add_value(struct xbuf *x, const char *s, size_t n, bool quoted)
{
	x_add(x, s, n, quoted ? X_QUOTED : X_SPLIT);
	if (quoted && !n)
		x_add(x, "", 1, X_EMPTY);
}

/* How many leading bytes the pattern takes; 0 for none. */
static size_t match_prefix(const char *s, const char *pattern, bool longest)
{
	size_t len = strlen(s);
	char *copy = arena_strndup(&tmp, s, len);

	for (size_t k = 0; k <= len; k++) {
		size_t n = longest ? len - k : k;
		char c = copy[n];
		int r;

		copy[n] = 0;
		r = fnmatch(pattern, copy, 0);
		copy[n] = c;
		if (!r)
			return n;
	}
	return 0;
}

static size_t match_suffix(const char *s, const char *pattern, bool longest)
{
	size_t len = strlen(s);

	for (size_t k = 0; k <= len; k++) {
		size_t n = longest ? len - k : k;

		if (!fnmatch(pattern, s + len - n, 0))
			return n;
	}
	return 0;
}

static void trimmed(struct xbuf *x, struct part *p, const char *value, bool quoted)
{
	const char *pattern = expand_pattern(p->arg);
	size_t len = strlen(value), n;

	switch (p->op) {
	case OP_PRE:
	case OP_PRE_LONG:
		n = match_prefix(value, pattern, p->op == OP_PRE_LONG);
		add_value(x, value + n, len - n, quoted);
		break;
	default: n = match_suffix(value, pattern, p->op == OP_SUF_LONG); add_value(x, value, len - n, quoted);
	}
}

static void use_value(struct xbuf *x, struct part *p, const char *value, bool quoted)
{
	if (p->text[0] == '@' || p->text[0] == '*')
		all_params(x, p->text[0] == '@', quoted);
	else
		add_value(x, value ? value : "", value ? strlen(value) : 0, quoted);
}

static void use_arg(struct xbuf *x, struct part *p, bool quoted)
{
	expand_into(x, p->arg, quoted, true);
	if (quoted && !p->arg->parts)
		x_add(x, "", 1, X_EMPTY);
}

static void assign_default(struct xbuf *x, struct part *p, bool quoted)
{
	char *value = expand_one(p->arg);

	if (!name_length(p->text))
		shell_error("$%s: cannot assign", p->text);
	var_set(p->text, value, 0);
	add_value(x, value, strlen(value), quoted);
}

static char *joined_params(void)
{
	struct part star = {.type = P_PARAM, .text = "*", .quoted = true};
	struct word w = {.parts = &star};

	return expand_one(&w);
}

void expand_param(struct xbuf *x, struct part *p, bool quoted)
{
	char num[32];
	bool all = p->text[0] == '@' || p->text[0] == '*';
	const char *value = all ? NULL : special_param(p->text, num);
	bool set = all ? params.n > 0 : value != NULL;
	bool there = set && !(p->colon && (all ? all_params_empty() : !*value));

	if (!set && !all && opt.nounset && p->op < OP_ALT)
		shell_error("%s: parameter not set", p->text);
	switch (p->op) {
	case OP_NONE: use_value(x, p, value, quoted); break;
	case OP_LENGTH:
		sprintf(num, "%d", all ? params.n : value ? (int)strlen(value) : 0);
		add_value(x, num, strlen(num), quoted);
		break;
	case OP_DEFAULT: there ? use_value(x, p, value, quoted) : use_arg(x, p, quoted); break;
	case OP_ALT:
		if (there)
			use_arg(x, p, quoted);
		else if (quoted)
			x_add(x, "", 1, X_EMPTY);
		break;
	case OP_ASSIGN: there ? use_value(x, p, value, quoted) : assign_default(x, p, quoted); break;
	case OP_ERROR:
		if (!there) {
			const char *why = expand_one(p->arg);

			shell_error("%s: %s", p->text, *why ? why : "parameter not set");
		}
		use_value(x, p, value, quoted);
		break;
	default: trimmed(x, p, all ? joined_params() : value ? value : "", quoted);
	}
}
