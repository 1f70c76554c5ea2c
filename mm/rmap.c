// SPDX-License-Identifier: MIT
/* mm/rmap.c: choice of the policy, and questions that are the same under each. */
#include "mm/rmap.h"
#include "core/param.h"
#include "mm/pgtable.h"

const struct rmap_ops *rmap = &rmap_object;

static const char *const names[] = {"object", "none", "chain", NULL};
static u32 choice;

static void choose(void)
{
	static const struct rmap_ops *const policies[] = {&rmap_object, &rmap_none, &rmap_chain};

	rmap = policies[choice];
}
PARAM_CHOICE(rmap, choice, names, choose, false);

void rmap_init(void)
{
	if (rmap->init)
		rmap->init();
}

static bool count_hit(const struct rmap_hit *hit, void *arg)
{
	++*(int *)arg;
	return false;
}

int rmap_count(struct page *page)
{
	int n = 0;

	if (!rmap->answers)
		return -1;
	rmap->walk(page, count_hit, &n);
	return n;
}

static bool test_and_clear_young(const struct rmap_hit *hit, void *arg)
{
	pte_t *ptes = pte_map_table(hit->table, FIX_PTE_RMAP);

	if (pte_young(ptes[hit->slot])) {
		pt_mkold(&ptes[hit->slot]);
		*(bool *)arg = true;
	}
	pte_unmap_table(hit->table, FIX_PTE_RMAP);
	return false;
}

bool page_referenced(struct page *page)
{
	bool young = false;

	if (rmap->answers)
		rmap->walk(page, test_and_clear_young, &young);
	return young;
}
