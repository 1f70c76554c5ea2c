// SPDX-License-Identifier: MIT
/* lib/string.c: strings, memory blocks and numbers in text. */
#include "lib/string.h"

void *memcpy(void *dst, const void *src, size_t n)
{
	void *d = dst;
	size_t words = n / 4;

	__asm__ volatile("rep movsl" : "+D"(d), "+S"(src), "+c"(words)::"memory");
	n &= 3;
	if (n)
		__asm__ volatile("rep movsb" : "+D"(d), "+S"(src), "+c"(n)::"memory");
	return dst;
}

void *memmove(void *dst, const void *src, size_t n)
{
	char *d = dst;
	const char *s = src;

	if (d <= s || d >= s + n)
		return memcpy(dst, src, n);
	while (n--)
		d[n] = s[n];
	return dst;
}

void *memset(void *dst, int c, size_t n)
{
	void *d = dst;
	size_t words = n / 4;
	u32 fill = (u8)c * 0x01010101u;

	__asm__ volatile("rep stosl" : "+D"(d), "+c"(words) : "a"(fill) : "memory");
	n &= 3;
	if (n)
		__asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(fill) : "memory");
	return dst;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (u8)*a - (u8)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (u8)*a - (u8)*b;
	return 0;
}

char *strchr(const char *s, int c)
{
	for (; *s; s++)
		if (*s == (char)c)
			return (char *)s;
	return c ? NULL : (char *)s;
}

char *strrchr(const char *s, int c)
{
	const char *last = NULL;

	for (; *s; s++)
		if (*s == (char)c)
			last = s;
	return (char *)last;
}

size_t strlcpy(char *dst, const char *src, size_t size)
{
	size_t len = strlen(src), n = min(len, size - 1);

	if (size) {
		memcpy(dst, src, n);
		dst[n] = '\0';
	}
	return len;
}

bool str_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static const char *parse_u64(const char *s, u64 *val)
{
	u32 base = 10;
	const char *first;

	if (s[0] == '0' && (s[1] | 0x20) == 'x' && digit_value(s[2]) < 16)
		base = 16, s += 2;
	else if (s[0] == '0')
		base = 8;
	*val = 0;
	for (first = s; digit_value(*s) < (int)base; s++) {
		if (*val >> 59)
			return NULL;
		*val = *val * base + digit_value(*s);
	}
	return s == first ? NULL : s;
}

const char *parse_u32(const char *s, u32 *val)
{
	u64 v;

	s = parse_u64(s, &v);
	if (!s || v > UINT32_MAX)
		return NULL;
	*val = v;
	return s;
}

const char *parse_size(const char *s, u64 *val)
{
	int shift = 0;

	s = parse_u64(s, val);
	if (!s)
		return NULL;
	switch (*s | 0x20) {
	case 'k': shift = 10; break;
	case 'm': shift = 20; break;
	case 'g': shift = 30; break;
	}
	*val <<= shift;
	return shift ? s + 1 : s;
}
