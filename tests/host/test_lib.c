// SPDX-License-Identifier: MIT
/* test_lib.c: strings, numbers and text of lib/. */
#include <stdio.h>
#include "tap.h"
#include "lib/div64.h"
#include "lib/list.h"
#include "lib/printf.h"
#include "lib/string.h"

TEST(memory, "memcpy, memmove, memset and memcmp do every length and overlap")
{
	u8 buf[64], want[64];

	for (u32 len = 0; len < 20; len++) {
		for (u32 from = 0; from < 8; from++) {
			for (u32 to = 0; to < 24; to++) {
				for (u32 i = 0; i < 64; i++)
					buf[i] = want[i] = i;
				for (u32 i = 0; i < len; i++)
					want[to + i] = from + i;
				memmove(buf + to, buf + from, len);
				CHECK_EQ(memcmp(buf, want, 64), 0);
				memset(buf + to, 0x1ab, len);
				for (u32 i = 0; i < len; i++)
					want[to + i] = 0xab;
				CHECK_EQ(memcmp(buf, want, 64), 0);
				memcpy(buf + to + 20, want, len);
				CHECK_EQ(memcmp(buf + to + 20, want, len), 0);
			}
		}
	}
	CHECK(memcmp("a\xff", "a\x01", 2) > 0);
}

TEST(strings, "string functions keep to their contracts at the edges")
{
	char buf[4] = "xyz";

	CHECK_EQ(strlen(""), 0u);
	CHECK_EQ(strnlen("abc", 2), 2u);
	CHECK(strcmp("a", "b") < 0 && strcmp("a\xff", "a") > 0 && !strcmp("", ""));
	CHECK(!strncmp("abc", "abd", 2) && strncmp("abc", "abd", 3) < 0 && !strncmp("a", "b", 0));
	CHECK(!strncmp("ab", "ab", 9));
	CHECK_EQ(*strchr("abcb", 'b'), 'b');
	CHECK_EQ(strlen(strchr("abcb", 'b')), 3u);
	CHECK_EQ(strlen(strrchr("abcb", 'b')), 1u);
	CHECK(!strchr("abc", 'd') && *strchr("abc", 0) == 0);
	CHECK_EQ(strlcpy(buf, "hello", sizeof(buf)), 5u);
	CHECK(!strcmp(buf, "hel"));
	CHECK_EQ(strlcpy(buf, "", sizeof(buf)), 0u);
	CHECK(!strcmp(buf, "") && buf[1] == 'e');
	CHECK_EQ(strlcpy(buf, "abc", 0), 3u);
	CHECK(str_starts("abc", "") && str_starts("abc", "abc") && !str_starts("ab", "abc"));
}

static u32 parsed(const char *s, u32 *rest)
{
	u32 v = 0;
	const char *end = parse_u32(s, &v);

	*rest = end ? strlen(end) : 99;
	return v;
}

TEST(parse, "numbers are read to their last digit and refused beyond 32 bits")
{
	u32 rest;
	u64 v;

	CHECK(parsed("4294967295x", &rest) == 4294967295u && rest == 1);
	CHECK(parsed("0xfFg", &rest) == 255 && rest == 1);
	CHECK(parsed("017", &rest) == 15 && rest == 0);
	CHECK(parsed("0", &rest) == 0 && rest == 0);
	CHECK(parsed("08", &rest) == 0 && rest == 1);
	CHECK(parsed("0x", &rest) == 0 && rest == 1);
	parsed("4294967296", &rest);
	CHECK_EQ(rest, 99u);
	parsed("99999999999999999999999", &rest);
	CHECK_EQ(rest, 99u);
	parsed("", &rest);
	CHECK_EQ(rest, 99u);
	parsed("-1", &rest);
	CHECK_EQ(rest, 99u);
	CHECK(*parse_size("64M,", &v) == ',' && v == 64u << 20);
	CHECK(*parse_size("3G", &v) == 0 && v == 3ull << 30);
	CHECK(*parse_size("1k", &v) == 0 && v == 1024);
	CHECK(*parse_size("12", &v) == 0 && v == 12);
}

TEST(div64, "64-bit division agrees with the host's for sizes of all kinds")
{
	for (u32 i = 0; i < 200000; i++) {
		u64 n = (u64)random_below(~0u) << 32 | random_below(~0u);
		u64 d = (u64)random_below(~0u) << 32 | random_below(~0u), rem;

		n >>= random_below(64);
		d = d >> random_below(64) | 1;
		CHECK(__udivmoddi4(n, d, &rem) == n / d && rem == n % d);
		CHECK(__udivdi3(n, d) == n / d && __umoddi3(n, d) == n % d);
		CHECK(__divdi3(-(s64)(n >> 1), d >> 1 | 1) == -(s64)(n >> 1) / (s64)(d >> 1 | 1));
		CHECK(__moddi3(-(s64)(n >> 1), d >> 1 | 1) == -(s64)(n >> 1) % (s64)(d >> 1 | 1));
	}
	CHECK(__udivmoddi4(~0ull, ~0ull, NULL) == 1 && __udivmoddi4(5, 1ull << 63, NULL) == 0);
}

/* Ours and the host's text for the same arguments. */
#define SAME(...)                                               \
	do {                                                    \
		char a[200], b[200];                            \
		int n = snprintf(a, sizeof(a), __VA_ARGS__);    \
		CHECK_EQ(n, sprintf(b, __VA_ARGS__));           \
		if (strcmp(a, b))                               \
			printf("# \"%s\", not \"%s\"\n", a, b); \
		CHECK(!strcmp(a, b));                           \
	} while (0)

TEST(printf_host, "snprintf writes what the host's writes")
{
	static const u32 v[] = {0, 1, 7, 10, 99, 4096, 0x7fffffff, 0x80000000, 0xffffffff};

	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		SAME("%d %i %u %x %X %o|", v[i], v[i], v[i], v[i], v[i], v[i]);
		SAME("%5d|%-5d|%05d|%.3d|%12d|%-12x|%08x|", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
		SAME("%llu %lld %llx|%20lld|", (u64)v[i] << 20, -(s64)v[i], (u64)v[i] << 30, (s64)v[i]);
		SAME("%*d|%-*u|%.*u|", 7, v[i], 4, v[i], 2, v[i]);
		SAME("%zu %lu %hd|", (size_t)v[i], (unsigned long)v[i], (short)v[i]);
	}
	SAME("%s|%5s|%-5s|%.2s|%5.1s|%%|%c|%3c|", "abc", "ab", "ab", "abc", "xyz", 'q', 'r');
	SAME("%.*s", 3, "abcdef");
	SAME("%lld %llu", INT64_MIN, UINT64_MAX);
	SAME("plain");
}

TEST(printf_size, "snprintf ends short buffers with NUL and returns the whole length")
{
	char buf[8] = "1234567";

	CHECK_EQ(snprintf(buf, 4, "%s", "abcdef"), 6);
	CHECK(!strcmp(buf, "abc") && buf[4] == '5');
	CHECK_EQ(snprintf(buf, 0, "%d", 12345), 5);
	CHECK_EQ(buf[0], 'a');
	CHECK_EQ(snprintf(buf, 1, "x"), 1);
	CHECK_EQ(buf[0], 0);
}

struct item {
	u32 v;
	struct list list;
};

TEST(list, "a list keeps its order through additions and removals while walked")
{
	struct list head;
	struct item item[5], *i, *next;
	u32 sum = 0;

	list_init(&head);
	CHECK(list_empty(&head));
	for (u32 k = 0; k < 5; k++) {
		item[k].v = k;
		list_add_tail(&head, &item[k].list);
	}
	list_for_each_entry_safe (i, next, &head, list)
		if (i->v & 1)
			list_del_init(&i->list);
	list_for_each_entry (i, &head, list)
		sum = sum * 10 + i->v;
	CHECK_EQ(sum, 24u);
	list_del_init(&item[1].list);
	list_add(&head, &item[3].list);
	CHECK_EQ(list_first(&head, struct item, list)->v, 3u);
}
