// SPDX-License-Identifier: MIT
/* core/param.c: splits the boot line into words and hands each to its owner. */
#include "core/param.h"
#include "core/log.h"
#include "lib/errno.h"
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

int param_choice(const char *value, const char *const names[])
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(value, names[i]))
			return i;
	return -EINVAL;
}

int param_number(const char *value, u32 lo, u32 hi, u32 *out)
{
	u32 v;
	const char *end = parse_u32(value, &v);

	if (!end || *end || v < lo || v > hi)
		return -EINVAL;
	*out = v;
	return 0;
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
	} else if (p->set(value) < 0) {
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
