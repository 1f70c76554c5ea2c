/* SPDX-License-Identifier: MIT */
/* lib/string.h: the C library's string functions that the kernel uses, with their usual contracts. */
#pragma once

#include "lib/types.h"

void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);

/* Copies at most size-1 bytes and always ends dst with NUL; returns strlen(src). */
size_t strlcpy(char *dst, const char *src, size_t size);

/* True if s begins with prefix. */
bool str_starts(const char *s, const char *prefix);

/*
 * Reads an unsigned number (decimal, 0x hexadecimal, 0 octal) at s into *val.
 * Returns the first character that is not part of it, or NULL if there is no
 * digit or the value does not fit 32 bits.
 */
const char *parse_u32(const char *s, u32 *val);

/* The same for 64 bits, with an optional suffix K, M or G (powers of 1024). */
const char *parse_size(const char *s, u64 *val);
