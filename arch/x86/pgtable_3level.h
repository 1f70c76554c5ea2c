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
 */
#pragma once

#include "arch/x86/memlayout.h"
#include "lib/types.h"

typedef struct {
	u32 lo, hi;
} pte_t;
typedef pte_t pmd_t;
typedef pte_t pgd_t;
/* The rights of an area, ready to be joined with a frame. */
typedef pte_t prot_t;

#define PTRS_PER_PGD 4u
#define PTRS_PER_PMD 512u
#define PTRS_PER_PTE 512u
#define USER_PGDS    3u /* the fourth is the kernel's */
#define PMD_SHIFT    21
#define PGD_SHIFT    30
#define PMD_SIZE     (1u << PMD_SHIFT)
#define PMD_MASK     (~(PMD_SIZE - 1))
#define PGD_SIZE     (1u << PGD_SHIFT)
#define PGD_BYTES    (PTRS_PER_PGD * sizeof(pgd_t))
#define PGD_ALIGN    32u

#define PTE_P  0x001u
#define PTE_RW 0x002u
#define PTE_US 0x004u
#define PTE_A  0x020u
#define PTE_D  0x040u
#define PTE_PS 0x080u
#define PTE_G  0x100u
/* Without P the CPU ignores G: there it marks a page that is ours but has no rights (PROT_NONE). */
#define PTE_PROTNONE PTE_G
#define PTE_NX       0x80000000u /* in the high word */

static inline u32 pgd_index(u32 addr)
{
	return addr >> PGD_SHIFT;
}
static inline u32 pmd_index(u32 addr)
{
	return addr >> PMD_SHIFT & (PTRS_PER_PMD - 1);
}
static inline u32 pte_index(u32 addr)
{
	return addr >> PAGE_SHIFT & (PTRS_PER_PTE - 1);
}

static inline bool pte_none(pte_t e)
{
	return !e.lo && !e.hi;
}
static inline bool pte_present(pte_t e)
{
	return e.lo & (PTE_P | PTE_PROTNONE);
}
static inline bool pte_write(pte_t e)
{
	return e.lo & PTE_RW;
}
static inline bool pte_dirty(pte_t e)
{
	return e.lo & PTE_D;
}
static inline bool pte_young(pte_t e)
{
	return e.lo & PTE_A;
}
static inline pfn_t pte_pfn(pte_t e)
{
	return e.lo >> PAGE_SHIFT | e.hi << (32 - PAGE_SHIFT);
}
/* The physical address of a frame that is known to lie below 4 GiB. */
static inline u32 pte_low_address(pte_t e)
{
	return e.lo & PAGE_MASK;
}
static inline bool pte_exec(pte_t e)
{
	return !(e.hi & PTE_NX);
}

static inline pte_t pte_make(pfn_t pfn, prot_t prot)
{
	return (pte_t){pfn << PAGE_SHIFT | prot.lo, pfn >> (32 - PAGE_SHIFT) | prot.hi};
}
static inline pte_t pte_wrprotect(pte_t e)
{
	e.lo &= ~PTE_RW;
	return e;
}
static inline pte_t pte_mkwrite(pte_t e)
{
	e.lo |= PTE_RW;
	return e;
}
static inline pte_t pte_mkdirty(pte_t e)
{
	e.lo |= PTE_D | PTE_A;
	return e;
}
static inline pte_t pte_mkclean(pte_t e)
{
	e.lo &= ~PTE_D;
	return e;
}
static inline pte_t pte_mkold(pte_t e)
{
	e.lo &= ~PTE_A;
	return e;
}
/* The same frame and history with the rights of prot. */
static inline pte_t pte_modify(pte_t e, prot_t prot)
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
/* Drops the right to write, keeping A and D that the CPU may set meanwhile. */
static inline void ptep_wrprotect(pte_t *p)
{
	__asm__ volatile("andl %1, %0" : "+m"(p->lo) : "ir"(~PTE_RW) : "cc");
}
static inline void ptep_mkold(pte_t *p)
{
	__asm__ volatile("andl %1, %0" : "+m"(p->lo) : "ir"(~PTE_A) : "cc");
}

static inline pmd_t pmd_make(pfn_t pfn, bool write)
{
	return pte_make(pfn, (prot_t){PTE_P | PTE_US | PTE_A | (write ? PTE_RW : 0), 0});
}
static inline pgd_t pgd_make(pfn_t pfn)
{
	return pte_make(pfn, (prot_t){PTE_P, 0});
}
