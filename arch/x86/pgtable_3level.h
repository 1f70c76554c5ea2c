/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/pgtable_3level.h: PAE page tables (SDM vol. 3, 4.4).
 *
 *   31 30 29        21 20        12 11          0
 *  +-----+------------+------------+-------------+
 *  | pgd |    pmd     |    pte     |   offset    |
 *  +-----+------------+------------+-------------+
 *
 *   63  62..52  51..12   11 10 9   8 7  6 5  4   3   2  1  0
 *   NX    -     frame    software  G PS D A PCD PWT US RW  P
 *
 * A page-directory-pointer entry has P and the frame only: no rights, and the
 * CPU holds copies of all four until CR3 is loaded. The right to write is the AND
 * of pmd and pte; no-execute is the OR.
 *
 * Included by arch/x86/pgtable.h only.
 */
#pragma once

typedef struct {
	u32 lo, hi;
} pte_t;

#define PTE_NX 0x80000000u /* in the high word */

#define PTRS_PER_PGD 4u
#define PTRS_PER_PMD 512u
#define PTRS_PER_PTE 512u
#define USER_PGDS    3u /* the fourth is the kernel's */
#define PMD_SHIFT    21
#define PGD_SHIFT    30
#define PGD_SIZE     (1u << PGD_SHIFT)
#define PGD_ALIGN    32u

static inline u32 pgd_index(u32 addr)
{
	return addr >> PGD_SHIFT;
}
/* Where the middle table that covers addr ends; at most `end`. */
static inline u32 pgd_addr_end(u32 addr, u32 end)
{
	return min(end, (addr | (PGD_SIZE - 1)) + 1);
}
/* The slots of a table take so many bits. */
#define PTE_INDEX_BITS 9

static inline bool pte_none(pte_t e)
{
	return !e.lo && !e.hi;
}
static inline pfn_t pte_pfn(pte_t e)
{
	return e.lo >> PAGE_SHIFT | e.hi << (32 - PAGE_SHIFT);
}
static inline bool pte_same(pte_t a, pte_t b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

static inline pte_t pte_make(pfn_t pfn, pte_t prot)
{
	return (pte_t){pfn << PAGE_SHIFT | prot.lo, pfn >> (32 - PAGE_SHIFT) | prot.hi};
}
/* The same frame and history with the rights of prot. */
static inline pte_t pte_modify(pte_t e, pte_t prot)
{
	e.lo = (e.lo & ~(PTE_P | PTE_PROTNONE | PTE_RW | PTE_US)) | (prot.lo & ~PTE_A);
	e.hi = (e.hi & ~PTE_NX) | prot.hi;
	return e;
}

/*
 * An entry is two words and the CPU may look between their stores: P goes last,
 * and an entry that is present loses P first.
 */
static inline void set_pte(pte_t *p, pte_t e)
{
	volatile u32 *w = (volatile u32 *)p;

	if (w[1] != e.hi) {
		w[0] = 0;
		w[1] = e.hi;
	}
	w[0] = e.lo;
}
static inline void pte_clear(pte_t *p)
{
	volatile u32 *w = (volatile u32 *)p;

	w[0] = 0;
	w[1] = 0;
}
