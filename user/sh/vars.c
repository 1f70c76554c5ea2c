/* Variables with their scopes, positional parameters, functions, arenas. */
#include "user/sh/sh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- arenas ---- */

struct chunk {
	struct chunk *below;
	size_t used, size;
	char bytes[] __attribute__((aligned(8)));
};

struct arena tmp;

void *arena_alloc(struct arena *a, size_t n)
{
	struct chunk *c = a->top;
	void *p;

	n = (n + 7) & ~(size_t)7;
	if (!c || c->used + n > c->size) {
		size_t size = n > 2000 ? n : 2000;

		c = xmalloc(sizeof(*c) + size);
		*c = (struct chunk){.below = a->top, .size = size};
		a->top = c;
	}
	p = c->bytes + c->used;
	c->used += n;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (n)
		memcpy(p, s, n);
	p[n] = 0;
	return p;
}

struct mark arena_mark(struct arena *a)
{
	return (struct mark){a->top, a->top ? a->top->used : 0};
}

void arena_release(struct arena *a, struct mark m)
{
	while (a->top != m.chunk) {
		struct chunk *below = a->top->below;

		free(a->top);
		a->top = below;
	}
	if (a->top)
		a->top->used = m.used;
}

/* ---- variables ---- */

#define BUCKETS 64
static struct var *table[BUCKETS];
struct params params;
const char *arg0 = "sh";

static struct var **bucket(const char *name)
{
	unsigned h = 0;

	while (*name)
		h = h * 31 + (unsigned char)*name++;
	return &table[h % BUCKETS];
}

struct var *var_find(const char *name)
{
	struct var *v = *bucket(name);

	while (v && strcmp(v->name, name))
		v = v->next;
	return v;
}

const char *var_get(const char *name)
{
	struct var *v = var_find(name);

	return v ? v->value : NULL;
}

static struct var *var_make(const char *name)
{
	struct var *v = var_find(name), **b = bucket(name);

	if (v)
		return v;
	v = xmalloc(sizeof(*v) + strlen(name) + 1);
	*v = (struct var){.next = *b};
	strcpy(v->name, name);
	*b = v;
	return v;
}

/* A NULL value changes the flags only. */
void var_set(const char *name, const char *value, int flags)
{
	struct var *v = var_make(name);

	if (value) {
		char *old = v->value;

		if (v->flags & V_READONLY)
			shell_error("%s: is read only", name);
		v->value = xstrdup(value);
		free(old);
		if (opt.allexport)
			v->flags |= V_EXPORT;
	}
	v->flags |= flags;
}

bool var_unset(const char *name)
{
	struct var *v = var_find(name), **p = bucket(name);

	if (!v)
		return true;
	if (v->flags & V_READONLY) {
		warn_at("%s: is read only", name);
		return false;
	}
	while (*p != v)
		p = &(*p)->next;
	*p = v->next;
	free(v->value);
	free(v);
	return true;
}

static int var_by_name(const void *a, const void *b)
{
	return strcmp((*(struct var *const *)a)->name, (*(struct var *const *)b)->name);
}

void var_for_each(void (*fn)(struct var *v))
{
	struct var **all = NULL;
	size_t n = 0;

	for (int i = 0; i < BUCKETS; i++)
		for (struct var *v = table[i]; v; v = v->next) {
			all = xrealloc(all, (n + 1) * sizeof(*all));
			all[n++] = v;
		}
	if (all)
		qsort(all, n, sizeof(*all), var_by_name);
	for (size_t i = 0; i < n; i++)
		fn(all[i]);
	free(all);
}

char **var_environ(void)
{
	size_t n = 0;
	char **env;

	for (int i = 0; i < BUCKETS; i++)
		for (struct var *v = table[i]; v; v = v->next)
			n += v->value && (v->flags & V_EXPORT);
	env = arena_alloc(&tmp, (n + 1) * sizeof(*env));
	n = 0;
	for (int i = 0; i < BUCKETS; i++)
		for (struct var *v = table[i]; v; v = v->next) {
			if (!v->value || !(v->flags & V_EXPORT))
				continue;
			env[n] = arena_alloc(&tmp, strlen(v->name) + strlen(v->value) + 2);
			strcpy(stpcpy(stpcpy(env[n++], v->name), "="), v->value);
		}
	env[n] = NULL;
	return env;
}

void vars_init(char **env)
{
	for (; env && *env; env++) {
		size_t n = name_length(*env);
		char *name = strndup(*env, n);

		if (n && (*env)[n] == '=')
			var_set(name, *env + n + 1, V_EXPORT);
		free(name);
	}
	var_set("IFS", " \t\n", 0);
	var_set("OPTIND", "1", 0);
	if (!var_get("PATH"))
		var_set("PATH", "/bin:/static/bin:/usr/bin", 0);
	if (!var_get("PS1"))
		var_set("PS1", getuid() ? "$ " : "# ", 0);
	if (!var_get("PS2"))
		var_set("PS2", "> ", 0);
	if (!var_get("PS4"))
		var_set("PS4", "+ ", 0);
	var_set("PPID", xasprintf("%d", (int)getppid()), 0);
}

/* ---- scopes: what `local` and a command's own assignments hide ---- */

struct hidden {
	struct hidden *next;
	char *value;
	int flags;
	bool existed;
	char name[];
};
struct scope {
	struct scope *outer;
	struct hidden *hidden;
};
static struct scope *scope;

void *scope_top(void)
{
	return scope;
}

void scope_enter(void)
{
	struct scope *s = xmalloc(sizeof(*s));

	*s = (struct scope){.outer = scope};
	scope = s;
}

void scope_save(const char *name)
{
	struct var *v = var_find(name);
	struct hidden *h;

	for (h = scope->hidden; h; h = h->next)
		if (!strcmp(h->name, name))
			return;
	h = xmalloc(sizeof(*h) + strlen(name) + 1);
	*h = (struct hidden){.next = scope->hidden, .existed = v};
	strcpy(h->name, name);
	if (v) {
		h->flags = v->flags;
		h->value = v->value ? xstrdup(v->value) : NULL;
	}
	scope->hidden = h;
}

static void unhide(struct hidden *h)
{
	struct var *v = var_make(h->name);

	v->flags = h->flags;
	free(v->value);
	v->value = h->value;
	if (!h->existed)
		var_unset(h->name);
	free(h);
}

void scope_leave(void)
{
	struct scope *s = scope;

	while (s->hidden) {
		struct hidden *h = s->hidden;

		s->hidden = h->next;
		unhide(h);
	}
	scope = s->outer;
	free(s);
}

/* After an error: leave what was entered since. */
void scope_unwind(void *to)
{
	while (scope && scope != to)
		scope_leave();
}

/* ---- positional parameters ---- */

void params_set(char **v, int n)
{
	char **copy = xmalloc((n + 1) * sizeof(*copy));

	for (int i = 0; i < n; i++)
		copy[i] = xstrdup(v[i]);
	copy[n] = NULL;
	params = (struct params){n, copy};
}

void params_replace(char **v, int n)
{
	struct params old = params;

	params_set(v, n);
	for (int i = 0; i < old.n; i++)
		free(old.v[i]);
	free(old.v);
}

/* ---- functions ---- */

static struct func *funcs;

struct func *func_find(const char *name)
{
	struct func *f = funcs;

	while (f && strcmp(f->name, name))
		f = f->next;
	return f;
}

void func_define(const char *name, struct node *body)
{
	struct func *f = func_find(name);

	if (!f) {
		f = xmalloc(sizeof(*f) + strlen(name) + 1);
		f->next = funcs;
		strcpy(f->name, name);
		funcs = f;
	}
	f->body = body;
}

bool func_unset(const char *name)
{
	for (struct func **p = &funcs; *p; p = &(*p)->next)
		if (!strcmp((*p)->name, name)) {
			struct func *f = *p;

			*p = f->next;
			free(f);
			return true;
		}
	return false;
}
