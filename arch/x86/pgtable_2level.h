/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/pgtable_2level.h: page tables without PAE (SDM vol. 3, 4.3), for mm/ to be
 * compiled against (`make check`): the machine's own files have no such twin yet.
 *
 *   31         22 21         12 11          0
 *  +-------------+-------------+-------------+
 *  |     pmd     |     pte     |   offset    |
 *  +-------------+-------------+-------------+
 *
 * The page directory stands for the middle table; the level above it has one entry,
 * which always covers everything.
 *
 * Included by arch/x86/pgtable.h only.
 */
#pragma once

typedef struct {
	u32 lo;
} pte_t;

#define PTRS_PER_PGD   1u
#define PTRS_PER_PMD   1024u
#define PTRS_PER_PTE   1024u
#define USER_PGDS      1u
#define PMD_SHIFT      22
#define PGD_ALIGN      4u
#define PTE_INDEX_BITS 10

static inline u32 pgd_index(u32 addr)
{
	return 0;
}
static inline u32 pgd_addr_end(u32 addr, u32 end)
{
	return end;
}

static inline bool pte_none(pte_t e)
{
	return !e.lo;
}
static inline pfn_t pte_pfn(pte_t e)
{
	return e.lo >> PAGE_SHIFT;
}
static inline bool pte_same(pte_t a, pte_t b)
{
	return a.lo == b.lo;
}
static inline pte_t pte_make(pfn_t pfn, pte_t prot)
{
	return (pte_t){pfn << PAGE_SHIFT | prot.lo};
}
static inline pte_t pte_modify(pte_t e, pte_t prot)
{
	e.lo = (e.lo & ~(PTE_P | PTE_PROTNONE | PTE_RW | PTE_US)) | (prot.lo & ~PTE_A);
	return e;
}
static inline void set_pte(pte_t *p, pte_t e)
{
	*(volatile u32 *)p = e.lo;
}
static inline void pte_clear(pte_t *p)
{
	*(volatile u32 *)p = 0;
}
