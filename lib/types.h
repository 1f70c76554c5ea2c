/* SPDX-License-Identifier: MIT */
/* lib/types.h: the integer types and small helpers that every file uses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/* A physical address; PAE reaches 36 bits and more. */
typedef u64 paddr_t;
/* A frame number: physical address / 4096. */
typedef u32 pfn_t;

#define ARRAY_SIZE(a)                   (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define likely(x)                       __builtin_expect(!!(x), 1)
#define unlikely(x)                     __builtin_expect(!!(x), 0)
#define force_inline                    inline __attribute__((always_inline))
#define noinline                        __attribute__((noinline))
#define __packed                        __attribute__((packed))
#define __aligned(n)                    __attribute__((aligned(n)))
#define __noreturn                      __attribute__((noreturn))
#define __printf(f, a)                  __attribute__((format(printf, f, a)))
#define min(a, b)                       ((a) < (b) ? (a) : (b))
#define max(a, b)                       ((a) > (b) ? (a) : (b))
/* n must be a power of two. */
#define round_up(x, n)   (((x) + (n)-1) & ~((n)-1))
#define round_down(x, n) ((x) & ~((n)-1))
