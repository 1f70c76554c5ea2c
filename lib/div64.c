// SPDX-License-Identifier: MIT
/* lib/div64.c: 64-bit division: two DIV instructions when the divisor fits 32 bits, else bit by bit. */
#include "lib/div64.h"

static u64 div_by_32(u64 n, u32 d, u64 *rem)
{
	u32 hi = n >> 32, lo = n, q1 = hi / d, r = hi % d, q0;

	__asm__("divl %4" : "=a"(q0), "=d"(r) : "0"(lo), "1"(r), "rm"(d));
	if (rem)
		*rem = r;
	return (u64)q1 << 32 | q0;
}

u64 __udivmoddi4(u64 n, u64 d, u64 *rem)
{
	u64 q = 0;
	int shift;

	if (!(d >> 32))
		return div_by_32(n, d, rem);
	/* The quotient fits 32 bits: as many steps as the divisor can be shifted. */
	shift = __builtin_clz((u32)(d >> 32));
	for (d <<= shift; shift >= 0; shift--, d >>= 1) {
		q <<= 1;
		if (n >= d) {
			n -= d;
			q |= 1;
		}
	}
	if (rem)
		*rem = n;
	return q;
}

u64 __udivdi3(u64 n, u64 d)
{
	return __udivmoddi4(n, d, NULL);
}

u64 __umoddi3(u64 n, u64 d)
{
	u64 rem;

	__udivmoddi4(n, d, &rem);
	return rem;
}

static u64 magnitude(s64 v)
{
	return v < 0 ? -(u64)v : (u64)v;
}

s64 __divdi3(s64 n, s64 d)
{
	u64 q = __udivmoddi4(magnitude(n), magnitude(d), NULL);

	return (n < 0) != (d < 0) ? -q : q;
}

s64 __moddi3(s64 n, s64 d)
{
	u64 rem;

	__udivmoddi4(magnitude(n), magnitude(d), &rem);
	return n < 0 ? -rem : rem;
}
