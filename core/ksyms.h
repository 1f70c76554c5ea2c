/* SPDX-License-Identifier: MIT */
/* core/ksyms.h: the kernel's function names, put into the image by the build. */
#pragma once

#include "lib/types.h"

/* Number of functions, in order of address. */
u32 ksym_count(void);
/* Address and name of the i-th. */
u32 ksym_addr(u32 i);
const char *ksym_name(u32 i);
/* The function that holds addr and the offset into it; NULL outside the kernel's text. */
const char *ksym_find(u32 addr, u32 *offset);
