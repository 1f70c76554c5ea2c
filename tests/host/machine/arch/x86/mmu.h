/* SPDX-License-Identifier: MIT */
/*
 * mmu.h of the software machine: the names of arch/x86/mmu.h over a translation
 * buffer that forgets nothing unless it is told to. The entries are the real ones.
 */
#pragma once

#include "arch/x86/cpu.h"
#include "arch/x86/memlayout.h"
#include "arch/x86/pgtable.h"

extern pgd_t *mmu_loaded;
extern pgd_t kernel_pdpt[PTRS_PER_PGD];

void mmu_init_pgd(pgd_t *pgd);
prot_t mmu_prot(bool read, bool write, bool exec);

void mmu_switch(pgd_t *pgd);
void mmu_flush_all(pgd_t *pgd);
void mmu_flush_page(pgd_t *pgd, u32 addr);

enum fix_slot {
	FIX_PAGE0,
	FIX_PAGE1,
	FIX_PTE_DST,
	FIX_PTE_SRC,
	FIX_PTE_RMAP,
	FIX_SLOTS,
};
/* A highmem frame may be touched between these two only. */
void *mmu_fix(enum fix_slot slot, pfn_t pfn);
void mmu_unfix(enum fix_slot slot);
