/* SPDX-License-Identifier: MIT */
/* mm/verify.h: the laws of docs/design.md, section 6, recomputed from nothing. */
#pragma once

#include "lib/types.h"

/*
 * Walks every address space and every frame, and names each law that is broken
 * with addresses. Returns how many are. Does not sleep; changes nothing in the end.
 * To be called where no reference is held but those in tables and caches.
 */
u32 verify_laws(void);
/* `verify=N`: called at each system call; checks at every N-th and panics if a law is broken. */
void verify_tick(void);
/* N of `verify=`; 0: off. */
extern u32 verify_every;
