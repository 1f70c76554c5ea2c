/* SPDX-License-Identifier: MIT */
/* arch/x86/pgtable.h: the one place that says how many levels the page tables have. */
#pragma once

#include "arch/x86/pgtable_3level.h"
