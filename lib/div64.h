/* SPDX-License-Identifier: MIT */
/* lib/div64.h: what gcc calls for 64-bit division on a 32-bit machine; libgcc's own has CMOV in it. */
#pragma once

#include "lib/types.h"

/* Quotient of n by d, the remainder in *rem if rem is not NULL. d must not be 0. */
u64 __udivmoddi4(u64 n, u64 d, u64 *rem);

u64 __udivdi3(u64 n, u64 d);
u64 __umoddi3(u64 n, u64 d);
s64 __divdi3(s64 n, s64 d);
s64 __moddi3(s64 n, s64 d);
