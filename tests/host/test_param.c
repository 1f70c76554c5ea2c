// SPDX-License-Identifier: MIT
/* test_param.c: the boot line. */
#include "tap.h"
#include "core/param.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/ptshare.h"
#include "mm/rmap.h"

static char given[64];

static int set_given(const char *v)
{
	return strlcpy(given, v, sizeof(given)) < sizeof(given) ? 0 : -EINVAL;
}
PARAM(given, set_given, NULL);

TEST(words, "words reach their owners, in quotes with blanks, the last of two holding")
{
	params_read("  given=one  given=\"two words\" ptshare_min=7 ");
	CHECK(!strcmp(given, "two words"));
	CHECK_EQ(ptshare_min, 7u);
	params_read("given=");
	CHECK(!strcmp(given, ""));
	params_read("given=a\"b c\"d");
	CHECK(!strcmp(given, "ab cd"));
	params_read("");
	CHECK_EQ(params_bad(), 0u);
	ptshare_min = 0;
}

TEST(unknown, "a word or value that nobody knows is counted, and the default holds")
{
	machine_quiet = true;
	params_read(
		"nonsense alone=1 rmap=chains ptshare=Fork ptshare_min=1537 ptshare_min=-1 ptshare_min=1x");
	CHECK_EQ(params_bad(), 7u);
	CHECK_EQ(rmap, &rmap_object);
	CHECK_EQ(ptshare, &ptshare_off);
	CHECK_EQ(ptshare_min, 0u);
}

TEST(show, "a parameter shows what it would be given as")
{
	static const char *const words[] = {"ptshare=auto",     "ptshare=fork", "chain=64",
					    "chain=128,direct", "ptfree=scan",  "highpte=1"};
	char buf[32];

	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		char name[16] = "";
		const char *value = strchr(words[i], '=') + 1;

		memcpy(name, words[i], value - 1 - words[i]);
		params_read(words[i]);
		param_find(name)->show(buf, sizeof(buf));
		CHECK(!strcmp(buf, value));
	}
	CHECK(!param_find("ptshar") && !param_find(""));
}

TEST(long_word, "a word longer than any value is cut, not written past its end")
{
	static char line[2000];

	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "given=", 6);
	machine_quiet = true;
	params_read(line);
	CHECK_EQ(params_bad(), 1u);
}
