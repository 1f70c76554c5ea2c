// SPDX-License-Identifier: MIT
/* core/param.c: splits the boot line into words and hands each to its owner. */
#include "core/param.h"
#include "core/log.h"
#include "lib/errno.h"
#include "lib/printf.h"
#include "lib/string.h"

static u32 bad;

u32 params_bad(void)
{
	return bad;
}

const struct param *param_find(const char *name)
{
	for (const struct param *p = __start_params; p < __stop_params; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

static int set_choice(const struct param *p, const char *text)
{
	for (u32 i = 0; p->choices[i]; i++) {
		if (!strcmp(text, p->choices[i])) {
			*p->value = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_number(const struct param *p, const char *text)
{
	u32 v;
	const char *end = parse_u32(text, &v);

	if (!end || *end || v < p->lo || v > p->hi)
		return -EINVAL;
	*p->value = v;
	return 0;
}

int param_set(const struct param *p, const char *text)
{
	int err = p->set ? p->set(text) : p->choices ? set_choice(p, text) : set_number(p, text);

	if (!err && p->changed)
		p->changed();
	return err;
}

bool param_show(const struct param *p, char *buf, size_t n)
{
	if (p->show)
		p->show(buf, n);
	else if (p->choices)
		snprintf(buf, n, "%s", p->choices[*p->value]);
	else if (p->value)
		snprintf(buf, n, "%u", *p->value);
	else
		return false;
	return true;
}

static void take_word(char *word)
{
	char *value = strchr(word, '=');
	const struct param *p;

	if (!value) {
		log_warn("boot line: \"%s\" is not name=value; ignored\n", word);
		bad++;
		return;
	}
	*value++ = '\0';
	p = param_find(word);
	if (!p) {
		log_warn("boot line: there is no parameter \"%s\"; ignored\n", word);
		bad++;
	} else if (param_set(p, value) < 0) {
		log_warn("boot line: %s= does not know \"%s\"; the default holds\n", word, value);
		bad++;
	}
}

/* Copies the next word to `word` without its quotes; returns what follows it, NULL at the end. */
static const char *next_word(const char *s, char *word, u32 size)
{
	bool quoted = false;
	u32 n = 0;

	while (*s == ' ')
		s++;
	if (!*s)
		return NULL;
	for (; *s && (quoted || *s != ' '); s++) {
		if (*s == '"')
			quoted = !quoted;
		else if (n + 1 < size)
			word[n++] = *s;
	}
	word[n] = '\0';
	return s;
}

void params_read(const char *line)
{
	static char word[512];

	while ((line = next_word(line, word, sizeof(word))))
		take_word(word);
}
