// SPDX-License-Identifier: MIT
/*
 * mm/rmap_none.c: rmap=none, as 2.4: nothing is kept, nobody can ask. Reclaim
 * would have to walk address spaces and hope.
 */
#include "mm/rmap.h"

const struct rmap_ops rmap_none = {.name = "none"};
