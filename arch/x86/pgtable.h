/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/pgtable.h: page-table entries: what they are made of, and the one place
 * that says how many levels there are. A level header has the entry's type, the
 * shape of the tables, and whatever touches more of an entry than its low word.
 */
#pragma once

#include "arch/x86/memlayout.h"
#include "lib/types.h"

#define PTE_P  0x001u
#define PTE_RW 0x002u
#define PTE_US 0x004u
#define PTE_A  0x020u
#define PTE_D  0x040u
#define PTE_PS 0x080u
#define PTE_G  0x100u
/* Without P the CPU ignores G: there it marks a page that is ours but has no rights (PROT_NONE). */
#define PTE_PROTNONE PTE_G

#ifdef PAGE_TABLES_TWO_LEVEL
#include "arch/x86/pgtable_2level.h"
#else
#include "arch/x86/pgtable_3level.h"
#endif

typedef pte_t pmd_t;
typedef pte_t pgd_t;
/* The rights of an area, ready to be joined with a frame. */
typedef pte_t prot_t;

#define PMD_SIZE  (1u << PMD_SHIFT)
#define PMD_MASK  (~(PMD_SIZE - 1))
#define PGD_BYTES (PTRS_PER_PGD * sizeof(pgd_t))

static inline u32 pmd_index(u32 addr)
{
	return addr >> PMD_SHIFT & (PTRS_PER_PMD - 1);
}
static inline u32 pte_index(u32 addr)
{
	return addr >> PAGE_SHIFT & (PTRS_PER_PTE - 1);
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
/* The physical address of a frame that is known to lie below 4 GiB. */
static inline u32 pte_low_address(pte_t e)
{
	return e.lo & PAGE_MASK;
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
	return pte_make(pfn, (prot_t){.lo = PTE_P | PTE_US | PTE_A | (write ? PTE_RW : 0)});
}
static inline pgd_t pgd_make(pfn_t pfn)
{
	return pte_make(pfn, (prot_t){.lo = PTE_P});
}
