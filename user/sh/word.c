/* One word of shell text, with its quotes and expansions, into parts. */
#include "user/sh/sh.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool is_name_char(int c, bool first)
{
	return c == '_' || isalpha(c) || (!first && isdigit(c));
}

size_t name_length(const char *s)
{
	size_t n = 0;

	while (s[n] && is_name_char((unsigned char)s[n], n == 0))
		n++;
	return n;
}

/* A word under construction: literal text gathers until a part closes it. */
struct builder {
	struct word *word;
	struct part **tail;
	struct buf lit;
	bool lit_quoted, lit_open;
};

static struct part *add_part(struct builder *b, enum part_type type, bool quoted)
{
	struct part *p = new_tree(sizeof(*p));

	p->type = type;
	p->quoted = quoted;
	*b->tail = p;
	b->tail = &p->next;
	return p;
}

static void close_lit(struct builder *b)
{
	if (b->lit_open) {
		struct part *p = add_part(b, P_LIT, b->lit_quoted);

		p->text = arena_strndup(tree, b->lit.s ? b->lit.s : "", b->lit.len);
	}
	b->lit.len = 0;
	b->lit_open = false;
}

static void open_lit(struct builder *b, bool quoted)
{
	if (b->lit_open && b->lit_quoted != quoted)
		close_lit(b);
	b->lit_open = true;
	b->lit_quoted = quoted;
}

static void lit(struct builder *b, int c, bool quoted)
{
	open_lit(b, quoted);
	buf_char(&b->lit, c);
}

static void single_quotes(struct builder *b)
{
	int c;

	open_lit(b, true);
	while ((c = next_char()) != '\'') {
		if (c < 0)
			syntax_error("unterminated quoted string");
		lit(b, c, true);
	}
}

/* `...`: the text with its own backslashes taken off is parsed apart. */
static struct node *backticks(bool quoted)
{
	struct buf text = {0};
	struct node *n;
	int c;

	buf_add(&text, "", 0);
	while ((c = next_char()) != '`') {
		if (c == '\\') {
			c = next_char();
			if (c != '`' && c != '\\' && c != '$' && !(quoted && c == '"'))
				buf_char(&text, '\\');
		}
		if (c < 0)
			syntax_error("unterminated `");
		buf_char(&text, c);
	}
	n = parse_text(text.s);
	free(text.s);
	return n;
}

/* After "$((": false, with the input put back, when it was "$( (...) ...)". */
static bool arithmetic(struct builder *b, bool quoted)
{
	size_t start = in->pos;
	int line = in->line;
	struct word *w = parse_word(Q_ARITH);

	if (next_char() == ')' && peek_char() == ')') {
		struct part *p = add_part(b, P_ARITH, quoted);

		next_char();
		p->arg = w;
		return true;
	}
	in->pos = start;
	in->line = line;
	return false;
}

static void read_param_name(struct buf *name)
{
	int c = next_char();

	if (is_name_char(c, true) || isdigit(c)) {
		bool digits = isdigit(c);

		while (c >= 0 && (digits ? isdigit(c) : is_name_char(c, false))) {
			buf_char(name, c);
			c = next_char();
		}
		back_char(c);
	} else if (c >= 0 && strchr("@*#?-$!", c)) {
		buf_char(name, c);
	} else {
		syntax_error("bad substitution");
	}
}

static enum param_op read_op(struct part *p)
{
	int c = next_char();

	if (c == ':') {
		p->colon = true;
		c = next_char();
		if (c < 0 || !strchr("-=?+", c))
			syntax_error("bad substitution");
		return c;
	}
	if (c == '#' || c == '%') {
		int twice = peek_char() == c;

		if (twice)
			next_char();
		return c == '#' ? (twice ? OP_PRE_LONG : OP_PRE) : (twice ? OP_SUF_LONG : OP_SUF);
	}
	if (c < 0 || !strchr("-=?+", c))
		syntax_error("bad substitution");
	return c;
}

/* After "${". ${#x} is a length, but ${#}, ${#-x} and the like are of $#. */
static void braced(struct builder *b, bool quoted)
{
	struct part *p = add_part(b, P_PARAM, quoted);
	struct buf name = {0};

	if (peek_char() == '#') {
		int c;

		next_char();
		c = peek_char();
		if (is_name_char(c, false) || (c >= 0 && strchr("@*?$!#-", c))) {
			size_t pos = in->pos;

			read_param_name(&name);
			if (next_char() == '}') {
				p->op = OP_LENGTH;
				p->text = arena_strndup(tree, name.s, name.len);
				return;
			}
			in->pos = pos;
			name.len = 0;
		}
		buf_char(&name, '#');
	} else {
		read_param_name(&name);
	}
	p->text = arena_strndup(tree, name.s, name.len);
	if (peek_char() == '}') {
		next_char();
		return;
	}
	p->op = read_op(p);
	p->arg = parse_word(quoted && p->op >= OP_ALT ? Q_BRACE_DOUBLE : Q_BRACE);
	if (next_char() != '}')
		syntax_error("missing '}'");
}

static void dollar(struct builder *b, bool quoted)
{
	int c = peek_char();
	struct buf name = {0};
	struct part *p;

	if (c != '(' && c != '{' && !is_name_char(c, false) && !(c >= 0 && strchr("@*#?-$!", c))) {
		lit(b, '$', quoted);
		return;
	}
	close_lit(b);
	if (c == '{') {
		next_char();
		braced(b, quoted);
		return;
	}
	if (c == '(') {
		next_char();
		if (peek_char() == '(') {
			next_char();
			if (arithmetic(b, quoted))
				return;
			back_char('(');
		}
		p = add_part(b, P_CMD, quoted);
		p->cmd = parse_list_until_paren();
		return;
	}
	p = add_part(b, P_PARAM, quoted);
	if (isdigit(c)) {
		next_char();
		buf_char(&name, c);
	} else {
		read_param_name(&name);
	}
	p->text = arena_strndup(tree, name.s, name.len);
	free(name.s);
}

static void double_quotes(struct builder *b);

/* A backslash: which characters it quotes depends on what stands around it. */
static void backslash(struct builder *b, enum quoting q)
{
	int c = next_char();
	bool quotes = q == Q_NONE || q == Q_BRACE || (c >= 0 && strchr("$`\\", c)) ||
		      (c == '"' && q != Q_HERE && q != Q_ARITH) || (c == '}' && q == Q_BRACE_DOUBLE);

	if (c == '\n')
		return;
	if (!quotes || c < 0)
		lit(b, '\\', true);
	if (c >= 0)
		lit(b, c, true);
}

/* One character's worth; false when it ends the word. */
static bool word_char(struct builder *b, int c, enum quoting q, int *depth)
{
	bool quoted = q == Q_DOUBLE || q == Q_HERE || q == Q_BRACE_DOUBLE || q == Q_ARITH;

	switch (c) {
	case '\\': backslash(b, q); return true;
	case '$': dollar(b, quoted); return true;
	case '`':
		close_lit(b);
		add_part(b, P_CMD, quoted)->cmd = backticks(q == Q_DOUBLE);
		return true;
	case '\'':
		if (quoted)
			break;
		single_quotes(b);
		return true;
	case '"':
		if (q == Q_DOUBLE)
			return false;
		if (q == Q_HERE || q == Q_ARITH)
			break;
		double_quotes(b);
		return true;
	case '}':
		if (q == Q_BRACE || q == Q_BRACE_DOUBLE)
			return false;
		break;
	case '(': *depth += q == Q_ARITH; break;
	case ')':
		if (q == Q_ARITH && (*depth)-- == 0)
			return false;
		break;
	}
	if (q == Q_NONE && strchr(" \t\n;&|<>()", c))
		return false;
	lit(b, c, quoted);
	return true;
}

static void double_quotes(struct builder *b)
{
	struct part **before = b->tail;
	int c, depth = 0;

	while ((c = next_char()) != '"') {
		if (c < 0)
			syntax_error("unterminated quoted string");
		word_char(b, c, Q_DOUBLE, &depth);
	}
	/* "" is a word, but "$@" may be none. */
	if (b->tail == before)
		open_lit(b, true);
}

/* Up to what ends a word in this context, which is left unread. */
struct word *parse_word(enum quoting q)
{
	struct builder b = {0};
	int c, depth = 0;

	b.word = new_tree(sizeof(*b.word));
	b.tail = &b.word->parts;
	while ((c = next_char()) >= 0)
		if (!word_char(&b, c, q, &depth)) {
			back_char(c);
			break;
		}
	if (c < 0 && (q == Q_BRACE || q == Q_BRACE_DOUBLE || q == Q_ARITH))
		syntax_error("unexpected end of file in a substitution");
	close_lit(&b);
	free(b.lit.s);
	return b.word;
}
