// SPDX-License-Identifier: MIT
/* mm/ptshare_off.c: ptshare=off: every fork copies, as 2.4 and mainline 2.5 did. */
#include "mm/ptshare.h"

static bool never(const struct mm *parent)
{
	return false;
}

const struct ptshare_ops ptshare_off = {.name = "off", .at_fork = never};
