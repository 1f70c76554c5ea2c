// SPDX-License-Identifier: MIT
/* core/ksyms.c: look-up in the table that tools/symbols made from the first link. */
#include "core/ksyms.h"

extern const u32 ksyms_count, ksyms_addrs[], ksyms_nameoffs[];
extern const char ksyms_names[], _stext[], _etext[];

u32 ksym_count(void)
{
	return ksyms_count;
}

u32 ksym_addr(u32 i)
{
	return ksyms_addrs[i];
}

const char *ksym_name(u32 i)
{
	return ksyms_names + ksyms_nameoffs[i];
}

const char *ksym_find(u32 addr, u32 *offset)
{
	u32 lo = 0, hi = ksyms_count;

	if (!hi || addr < ksyms_addrs[0] || addr >= (u32)_etext)
		return NULL;
	while (hi - lo > 1) {
		u32 mid = (lo + hi) / 2;

		if (ksyms_addrs[mid] <= addr)
			lo = mid;
		else
			hi = mid;
	}
	*offset = addr - ksyms_addrs[lo];
	return ksym_name(lo);
}
