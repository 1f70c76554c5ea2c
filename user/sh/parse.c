/* Program text into trees, after the grammar in POSIX's chapter 2.10. */
#include "user/sh/sh.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum tok { T_EOF, T_NL, T_WORD, T_SEMI, T_DSEMI, T_AMP, T_AND, T_PIPE, T_OR, T_LP, T_RP, T_REDIR };

struct token {
	enum tok type;
	struct word *word;
	const char *lit; /* the word, if it is one unquoted literal */
	enum redir_type redir;
	int fd;
	bool here, strip;
};

static struct token tok;
static bool have_tok;

/* A here-document whose text starts after the next newline. */
struct here {
	struct here *next;
	struct redir *redir;
	char *end;
	bool strip, literal;
};
static struct here *pending, **pending_tail = &pending;

struct arena *tree;

void *new_tree(size_t n)
{
	return memset(arena_alloc(tree, n), 0, n);
}

void parse_reset(void)
{
	have_tok = false;
	pending = NULL;
	pending_tail = &pending;
}

void syntax_error(const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	current_line = in->line;
	parse_reset();
	shell_error("syntax error: %s", text);
}

static const char *as_literal(struct word *w)
{
	struct part *p = w->parts;

	return p && !p->next && p->type == P_LIT && !p->quoted ? p->text : NULL;
}

/* ---- here-documents ---- */

static void read_here_line(struct buf *line, bool strip)
{
	int c;

	line->len = 0;
	buf_add(line, "", 0);
	while (strip && peek_char() == '\t')
		next_char();
	while ((c = next_char()) >= 0) {
		buf_char(line, c);
		if (c == '\n')
			break;
	}
}

static bool is_here_end(const struct buf *line, const char *end)
{
	size_t n = strlen(end);

	return !strncmp(line->s, end, n) && (!line->s[n] || !strcmp(line->s + n, "\n"));
}

static void read_here(struct here *h)
{
	struct buf text = {0}, line = {0};

	buf_add(&text, "", 0);
	for (;;) {
		read_here_line(&line, h->strip);
		if (!line.len || is_here_end(&line, h->end))
			break;
		buf_add(&text, line.s, line.len);
	}
	if (h->literal) {
		struct part *p = new_tree(sizeof(*p));

		p->quoted = true;
		p->text = arena_strndup(tree, text.s, text.len);
		h->redir->word = new_tree(sizeof(struct word));
		h->redir->word->parts = p;
	} else {
		input_push_text(text.s, text.len);
		h->redir->word = parse_word(Q_HERE);
		input_pop();
	}
	free(text.s);
	free(line.s);
}

static void read_pending(void)
{
	struct here *h = pending;

	pending = NULL;
	pending_tail = &pending;
	for (; h; h = h->next)
		read_here(h);
}

/* The delimiter is not expanded; a quote anywhere in it makes the text literal. */
static void here_later(struct redir *r, struct word *w, bool strip)
{
	struct here *h = new_tree(sizeof(*h));
	struct buf end = {0};

	buf_add(&end, "", 0);
	for (struct part *p = w->parts; p; p = p->next) {
		h->literal |= p->quoted;
		if (p->type == P_PARAM)
			buf_char(&end, '$');
		buf_str(&end, p->text ? p->text : "");
	}
	h->redir = r;
	h->end = arena_strndup(tree, end.s, end.len);
	h->strip = strip;
	*pending_tail = h;
	pending_tail = &h->next;
	free(end.s);
}

/* ---- tokens ---- */

static int skip_blanks(void)
{
	int c;

	for (;;) {
		c = next_char();
		if (c == '\\' && peek_char() == '\n') {
			next_char();
		} else if (c == '#') {
			while ((c = next_char()) >= 0 && c != '\n')
				;
			return c;
		} else if (c != ' ' && c != '\t') {
			return c;
		}
	}
}

static bool follows(int c)
{
	if (peek_char() != c)
		return false;
	next_char();
	return true;
}

static struct token redir_token(int c, int fd)
{
	struct token t = {.type = T_REDIR, .fd = fd};

	if (c == '<') {
		t.redir = R_IN;
		if (follows('<')) {
			t.redir = R_HERE;
			t.here = true;
			t.strip = follows('-');
		} else if (follows('&')) {
			t.redir = R_DUP;
		} else if (follows('>')) {
			t.redir = R_RDWR;
		}
		t.fd = fd < 0 ? 0 : fd;
	} else {
		t.redir = follows('>') ? R_APPEND : follows('&') ? R_DUP : follows('|') ? R_CLOBBER : R_OUT;
		t.fd = fd < 0 ? 1 : fd;
	}
	return t;
}

static struct token word_token(int c)
{
	struct token t = {.type = T_WORD};

	back_char(c);
	t.word = parse_word(Q_NONE);
	t.lit = as_literal(t.word);
	c = peek_char();
	if (t.lit && isdigit((unsigned char)t.lit[0]) && !t.lit[1] && (c == '<' || c == '>'))
		return redir_token(next_char(), t.lit[0] - '0');
	return t;
}

static struct token read_token(void)
{
	int c = skip_blanks();

	switch (c) {
	case -1: return (struct token){.type = T_EOF};
	case '\n': read_pending(); return (struct token){.type = T_NL};
	case ';': return (struct token){.type = follows(';') ? T_DSEMI : T_SEMI};
	case '&': return (struct token){.type = follows('&') ? T_AND : T_AMP};
	case '|': return (struct token){.type = follows('|') ? T_OR : T_PIPE};
	case '(': return (struct token){.type = T_LP};
	case ')': return (struct token){.type = T_RP};
	case '<':
	case '>': return redir_token(c, -1);
	}
	return word_token(c);
}

static struct token *peek(void)
{
	if (!have_tok) {
		struct token t = read_token();

		tok = t;
		have_tok = true;
	}
	return &tok;
}

static struct token take(void)
{
	struct token t = *peek();

	have_tok = false;
	return t;
}

static void unexpected(void)
{
	static const char *const names[] = {"end of file", "newline", "word", ";", ";;", "&",
					    "&&",          "|",       "||",   "(", ")",  "redirection"};
	struct token *t = peek();

	syntax_error("unexpected %s", t->type == T_WORD && t->lit ? t->lit : names[t->type]);
}

static bool is_word(const char *s)
{
	return peek()->type == T_WORD && tok.lit && !strcmp(tok.lit, s);
}

static bool take_word(const char *s)
{
	if (!is_word(s))
		return false;
	have_tok = false;
	return true;
}

static void expect_word(const char *s)
{
	if (!take_word(s))
		unexpected();
}

static void expect(enum tok type)
{
	if (take().type != type) {
		have_tok = true;
		unexpected();
	}
}

static void skip_newlines(void)
{
	while (peek()->type == T_NL)
		have_tok = false;
}

/* ---- the grammar ---- */

static struct node *new_node(enum node_type type)
{
	struct node *n = new_tree(sizeof(*n));

	n->type = type;
	n->line = in->line;
	return n;
}

static struct node *and_or(void);

static bool ends_list(void)
{
	static const char *const closers[] = {"then", "else", "elif", "fi", "do", "done", "esac", "}"};
	struct token *t = peek();

	if (t->type == T_EOF || t->type == T_RP || t->type == T_DSEMI)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(closers); i++)
		if (is_word(closers[i]))
			return true;
	return false;
}

static struct node *join(struct node *left, struct node *right)
{
	struct node *n;

	if (!left)
		return right;
	n = new_node(N_SEQ);
	n->a = left;
	n->b = right;
	return n;
}

/* and_or with what separates it from the next; a newline is left unread. */
static struct node *list_item(void)
{
	struct node *n = and_or(), *bg;

	if (peek()->type == T_AMP) {
		take();
		bg = new_node(N_BG);
		bg->a = n;
		return bg;
	}
	if (peek()->type == T_SEMI)
		take();
	else if (peek()->type != T_NL && !ends_list())
		unexpected();
	return n;
}

/* A list over many lines, up to a word or token that closes it. */
static struct node *compound_list(bool may_be_empty)
{
	struct node *n = NULL;

	for (skip_newlines(); !ends_list(); skip_newlines())
		n = join(n, list_item());
	if (!n && !may_be_empty)
		unexpected();
	return n;
}

static void add_redir(struct redir ***tail)
{
	struct token t = take(), w;
	struct redir *r = new_tree(sizeof(*r));

	r->type = t.redir;
	r->fd = t.fd;
	w = take();
	if (w.type != T_WORD) {
		have_tok = true;
		unexpected();
	}
	if (t.here)
		here_later(r, w.word, t.strip);
	else
		r->word = w.word;
	**tail = r;
	*tail = &r->next;
}

static void redirs(struct node *n)
{
	struct redir **tail = &n->redir;

	while (peek()->type == T_REDIR)
		add_redir(&tail);
}

static struct node *if_rest(void)
{
	struct node *n = new_node(N_IF);

	n->a = compound_list(false);
	expect_word("then");
	n->b = compound_list(false);
	if (take_word("elif"))
		n->c = if_rest();
	else if (take_word("else"))
		n->c = compound_list(false);
	return n;
}

static struct node *loop_rest(enum node_type type)
{
	struct node *n = new_node(type);

	n->a = compound_list(false);
	expect_word("do");
	n->b = compound_list(false);
	expect_word("done");
	return n;
}

static struct node *for_rest(void)
{
	struct node *n = new_node(N_FOR);
	struct token t = take();
	struct word **tail = &n->words;

	if (t.type != T_WORD || !t.lit || t.lit[name_length(t.lit)])
		syntax_error("bad for loop variable");
	n->name = (char *)t.lit;
	skip_newlines();
	if (take_word("in")) {
		n->in_given = true;
		while (peek()->type == T_WORD) {
			*tail = take().word;
			tail = &(*tail)->next;
		}
	}
	if (peek()->type == T_SEMI)
		take();
	skip_newlines();
	expect_word("do");
	n->b = compound_list(false);
	expect_word("done");
	return n;
}

static struct arm *case_arm(void)
{
	struct arm *a = new_tree(sizeof(*a));
	struct word **tail = &a->patterns;

	if (peek()->type == T_LP)
		take();
	for (;;) {
		if (peek()->type != T_WORD)
			unexpected();
		*tail = take().word;
		tail = &(*tail)->next;
		if (peek()->type != T_PIPE)
			break;
		take();
	}
	expect(T_RP);
	a->body = compound_list(true);
	return a;
}

static struct node *case_rest(void)
{
	struct node *n = new_node(N_CASE);
	struct arm **tail = &n->arms;

	if (peek()->type != T_WORD)
		unexpected();
	n->words = take().word;
	skip_newlines();
	expect_word("in");
	for (skip_newlines(); !is_word("esac"); skip_newlines()) {
		*tail = case_arm();
		tail = &(*tail)->next;
		if (peek()->type == T_DSEMI)
			take();
		else if (!is_word("esac"))
			unexpected();
	}
	take();
	return n;
}

static struct node *compound(void)
{
	struct node *n = NULL;

	if (peek()->type == T_LP) {
		take();
		n = new_node(N_SUB);
		n->a = compound_list(false);
		expect(T_RP);
	} else if (take_word("{")) {
		n = new_node(N_BRACE);
		n->a = compound_list(false);
		expect_word("}");
	} else if (take_word("if")) {
		n = if_rest();
		expect_word("fi");
	} else if (take_word("while")) {
		n = loop_rest(N_WHILE);
	} else if (take_word("until")) {
		n = loop_rest(N_UNTIL);
	} else if (take_word("for")) {
		n = for_rest();
	} else if (take_word("case")) {
		n = case_rest();
	}
	if (n)
		redirs(n);
	return n;
}

static struct node *function(const char *name)
{
	struct node *n = new_node(N_FUNC);

	expect(T_RP);
	skip_newlines();
	n->name = (char *)name;
	n->a = compound();
	if (!n->a)
		unexpected();
	tree->keep = true;
	return n;
}

static struct node *simple(void)
{
	struct node *n = new_node(N_CMD);
	struct word **assigns = &n->assigns, **words = &n->words;
	struct redir **tail = &n->redir;

	for (;;) {
		struct token *t = peek();

		if (t->type == T_REDIR) {
			add_redir(&tail);
		} else if (t->type == T_WORD && !n->words && is_assignment(t->word)) {
			*assigns = take().word;
			assigns = &(*assigns)->next;
		} else if (t->type == T_WORD) {
			const char *name = t->lit;

			*words = take().word;
			words = &(*words)->next;
			if (name && n->words && !n->words->next && peek()->type == T_LP) {
				take();
				return function(name);
			}
		} else {
			break;
		}
	}
	if (!n->words && !n->assigns && !n->redir)
		unexpected();
	return n;
}

static struct node *command(void)
{
	struct node *n = compound();

	if (n)
		return n;
	if (ends_list() || is_word("!"))
		unexpected();
	return simple();
}

static struct node *pipeline(void)
{
	bool negated = take_word("!");
	struct node *first, *n, **tail;

	first = command();
	if (peek()->type == T_PIPE) {
		n = new_node(N_PIPE);
		n->a = first;
		tail = &first->next;
		while (peek()->type == T_PIPE) {
			take();
			skip_newlines();
			*tail = command();
			tail = &(*tail)->next;
		}
		first = n;
	}
	if (!negated)
		return first;
	n = new_node(N_NOT);
	n->a = first;
	return n;
}

static struct node *and_or(void)
{
	struct node *left = pipeline();

	while (peek()->type == T_AND || peek()->type == T_OR) {
		struct node *n = new_node(take().type == T_AND ? N_AND : N_OR);

		skip_newlines();
		n->a = left;
		n->b = pipeline();
		left = n;
	}
	return left;
}

struct node *parse_command(bool *eof)
{
	struct node *n = NULL;

	have_tok = false;
	*eof = false;
	if (peek()->type == T_EOF) {
		*eof = true;
		return NULL;
	}
	while (peek()->type != T_NL && peek()->type != T_EOF) {
		if (ends_list())
			unexpected();
		n = join(n, list_item());
	}
	if (peek()->type == T_EOF)
		read_pending();
	have_tok = false;
	return n;
}

/* Parsing inside a token: the outer parser's look-ahead is put aside. */
static struct node *nested(enum tok end)
{
	struct here *saved = pending, **saved_tail = pending_tail;
	struct node *n;

	parse_reset();
	n = compound_list(true);
	expect(end);
	if (pending)
		read_pending();
	parse_reset();
	pending = saved;
	pending_tail = saved ? saved_tail : &pending;
	return n;
}

struct node *parse_text(const char *s)
{
	struct node *n;

	input_push_text(s, strlen(s));
	n = nested(T_EOF);
	input_pop();
	return n;
}

struct node *parse_list_until_paren(void)
{
	return nested(T_RP);
}
