/* $((...)): C's integer expressions over shell variables, by precedence climbing. */
#include "user/sh/sh.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct calc {
	const char *p;
	int skipping; /* in the branch not taken: nothing is assigned, nothing divides */
	int depth;
};

static intmax_t assignment(struct calc *c);
static intmax_t ternary(struct calc *c);

static void skip_space(struct calc *c)
{
	while (isspace((unsigned char)*c->p))
		c->p++;
}

static _Noreturn void bad(struct calc *c)
{
	shell_error("arithmetic syntax error near '%s'", c->p);
}

static intmax_t value_of(struct calc *c, const char *name)
{
	const char *s = var_get(name);
	struct calc inner = {.p = s, .depth = c->depth + 1};
	intmax_t v;

	if (!s) {
		if (opt.nounset)
			shell_error("%s: parameter not set", name);
		return 0;
	}
	if (c->depth > 100)
		shell_error("%s: expression recurses", name);
	skip_space(&inner);
	if (!*inner.p)
		return 0;
	v = assignment(&inner);
	skip_space(&inner);
	if (*inner.p)
		bad(&inner);
	return v;
}

static void store(struct calc *c, const char *name, intmax_t v)
{
	char num[32];

	if (c->skipping)
		return;
	snprintf(num, sizeof(num), "%jd", v);
	var_set(name, num, 0);
}

/* A name at the cursor into the arena; NULL and no move if there is none. */
static char *take_name(struct calc *c)
{
	size_t n;

	skip_space(c);
	n = name_length(c->p);
	if (!n)
		return NULL;
	c->p += n;
	return arena_strndup(&tmp, c->p - n, n);
}

static intmax_t number_literal(struct calc *c)
{
	char *end;
	uintmax_t v = strtoumax(c->p, &end, 0);

	if (end == c->p || is_name_char((unsigned char)*end, false))
		bad(c);
	c->p = end;
	return (intmax_t)v;
}

static bool take_op(struct calc *c, const char *op)
{
	skip_space(c);
	if (strncmp(c->p, op, strlen(op)))
		return false;
	c->p += strlen(op);
	return true;
}

static intmax_t postfix(struct calc *c, const char *name)
{
	intmax_t v = c->skipping ? 0 : value_of(c, name);

	if (take_op(c, "++"))
		store(c, name, v + 1);
	else if (take_op(c, "--"))
		store(c, name, v - 1);
	return v;
}

static intmax_t step(struct calc *c, int by)
{
	char *name = take_name(c);
	intmax_t v;

	if (!name)
		bad(c);
	v = value_of(c, name) + by;
	store(c, name, v);
	return v;
}

static intmax_t unary(struct calc *c)
{
	char *name;
	intmax_t v;

	skip_space(c);
	if (take_op(c, "++"))
		return step(c, 1);
	if (take_op(c, "--"))
		return step(c, -1);
	switch (*c->p) {
	case '+': c->p++; return unary(c);
	case '-': c->p++; return -(uintmax_t)unary(c);
	case '~': c->p++; return ~unary(c);
	case '!': c->p++; return !unary(c);
	case '(':
		c->p++;
		v = assignment(c);
		while (take_op(c, ","))
			v = assignment(c);
		if (!take_op(c, ")"))
			bad(c);
		return v;
	}
	name = take_name(c);
	return name ? postfix(c, name) : number_literal(c);
}

static const struct binary {
	char op[3];
	int level;
} binaries[] = {
	{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"|", 3},
	{"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

static const struct binary *binary_at(struct calc *c)
{
	skip_space(c);
	for (size_t i = 0; i < ARRAY_SIZE(binaries); i++) {
		size_t n = strlen(binaries[i].op);

		if (strncmp(c->p, binaries[i].op, n))
			continue;
		/* "x += 1" is an assignment, not a sum. */
		if (c->p[n] == '=' && strchr("|^&+-*/%", c->p[0]))
			return NULL;
		if (c->p[n] == '=' && n == 2 && (c->p[1] == '<' || c->p[1] == '>'))
			return NULL;
		return &binaries[i];
	}
	return NULL;
}

static intmax_t divide(struct calc *c, char op, intmax_t a, intmax_t b)
{
	if (c->skipping)
		return 0;
	if (b == 0)
		shell_error("divide by zero");
	if (b == -1)
		return op == '/' ? -(uintmax_t)a : 0;
	return op == '/' ? a / b : a % b;
}

static intmax_t apply(struct calc *c, const char *op, intmax_t a, intmax_t b)
{
	uintmax_t ua = a, ub = b;

	switch (op[0]) {
	case '+': return ua + ub;
	case '-': return ua - ub;
	case '*': return ua * ub;
	case '/':
	case '%': return divide(c, op[0], a, b);
	case '|': return a | b;
	case '^': return a ^ b;
	case '&': return a & b;
	case '=': return a == b;
	case '!': return a != b;
	case '<': return op[1] == '<' ? (intmax_t)(ua << (b & 63)) : op[1] ? a <= b : a < b;
	case '>': return op[1] == '>' ? a >> (b & 63) : op[1] ? a >= b : a > b;
	}
	return 0;
}

static intmax_t binary(struct calc *c, int least)
{
	intmax_t a = unary(c), b;
	const struct binary *op;

	while ((op = binary_at(c)) && op->level >= least) {
		c->p += strlen(op->op);
		if (op->level <= 2) {
			bool decided = op->level == 1 ? a != 0 : a == 0;

			c->skipping += decided;
			b = binary(c, op->level + 1);
			c->skipping -= decided;
			a = op->level == 1 ? a || b : a && b;
		} else {
			b = binary(c, op->level + 1);
			a = apply(c, op->op, a, b);
		}
	}
	return a;
}

static intmax_t ternary(struct calc *c)
{
	intmax_t test = binary(c, 1), yes, no;

	if (!take_op(c, "?"))
		return test;
	c->skipping += !test;
	yes = assignment(c);
	c->skipping -= !test;
	if (!take_op(c, ":"))
		bad(c);
	c->skipping += !!test;
	no = assignment(c);
	c->skipping -= !!test;
	return test ? yes : no;
}

/* `name op= value`, else an expression without assignment. */
static intmax_t assignment(struct calc *c)
{
	static const char *const ops[] = {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="};
	const char *start = c->p;
	char *name = take_name(c);
	intmax_t v;

	if (name) {
		skip_space(c);
		if (c->p[0] == '=' && c->p[1] != '=') {
			c->p++;
			v = assignment(c);
			store(c, name, v);
			return v;
		}
		for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
			if (take_op(c, ops[i])) {
				intmax_t old = c->skipping ? 0 : value_of(c, name);

				v = apply(c, ops[i], old, assignment(c));
				store(c, name, v);
				return v;
			}
	}
	c->p = start;
	return ternary(c);
}

intmax_t arith(const char *s)
{
	struct calc c = {.p = s};
	intmax_t v;

	skip_space(&c);
	if (!*c.p)
		return 0;
	v = assignment(&c);
	while (take_op(&c, ","))
		v = assignment(&c);
	skip_space(&c);
	if (*c.p)
		bad(&c);
	return v;
}
