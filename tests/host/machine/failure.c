// SPDX-License-Identifier: MIT
/*
 * failure.c: allocations that fail or are short when a test asks: the linker leads the
 * calls of alloc_pages and of the slab caches between files through here (--wrap).
 */
#include "machine.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"

static u32 until; /* allocations to go; 0: no wish */
static bool shrink, happened;

static void wish(u32 n, bool shrinks)
{
	until = n;
	shrink = shrinks;
	happened = false;
}

void machine_fail_at(u32 n)
{
	wish(n, false);
}
void machine_shrink_at(u32 n)
{
	wish(n, true);
}

bool machine_failed(void)
{
	bool h = happened;

	wish(0, false);
	return h;
}

/* Shall this allocation fail? */
static bool fails(void)
{
	if (!until || --until)
		return false;
	happened = true;
	if (shrink)
		shrink_caches();
	return !shrink;
}

#define WRAP(type, name, params, args)     \
	type __real_##name params;         \
	type __wrap_##name params;         \
	type __wrap_##name params          \
	{                                  \
		if (fails())               \
			return NULL;       \
		return __real_##name args; \
	}

WRAP(struct page *, alloc_pages, (gfp_t gfp, u32 order), (gfp, order))
WRAP(void *, kmem_cache_alloc, (struct kmem_cache * c), (c))
WRAP(void *, kmem_cache_zalloc, (struct kmem_cache * c), (c))
WRAP(void *, kzalloc, (u32 size), (size))
