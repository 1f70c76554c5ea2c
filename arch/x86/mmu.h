/* SPDX-License-Identifier: MIT */
/*
 * arch/x86/mmu.h: the machine as mm/ sees it: page-table entries, translation
 * buffers, windows of kernel address space. No bit of an entry is named outside
 * arch/. The host tests put a software machine behind the same names.
 */
#pragma once

#include "arch/x86/cpu.h"
#include "arch/x86/memlayout.h"
#include "arch/x86/pgtable.h"

/* The page table whose CR3 is loaded. */
extern pgd_t *mmu_loaded;
/* The page table that maps the kernel only. */
extern pgd_t kernel_pdpt[PTRS_PER_PGD];

/* Takes lowmem global, sets up the window tables. Called once, before any task. */
void mmu_init(void);
/* Fills the kernel's entry of a new page-directory-pointer table; the user's are empty. */
void mmu_init_pgd(pgd_t *pgd);
/* The rights for an area that may be read, written, executed; accessed is preset. */
prot_t mmu_prot(bool read, bool write, bool exec);

/* Loads pgd unless it is loaded; user translations are forgotten. */
static inline void mmu_switch(pgd_t *pgd)
{
	if (mmu_loaded != pgd) {
		mmu_loaded = pgd;
		write_cr3(virt_to_phys(pgd));
	}
}
/* Forgets all user translations of pgd, and the CPU's copies of its four entries. */
static inline void mmu_flush_all(pgd_t *pgd)
{
	if (mmu_loaded == pgd)
		write_cr3(virt_to_phys(pgd));
}
/* Forgets the translation of one user page. */
static inline void mmu_flush_page(pgd_t *pgd, u32 addr)
{
	if (mmu_loaded == pgd)
		invlpg(addr);
}

/* Fixed windows, one page each, for pages that lowmem does not map. */
enum fix_slot {
	FIX_PAGE0,    /* a page being cleared or the source of a copy */
	FIX_PAGE1,    /* the destination of a copy */
	FIX_PTE_DST,  /* a page table, as destination */
	FIX_PTE_SRC,  /* a page table, as source */
	FIX_PTE_RMAP, /* a page table, by name */
	FIX_SLOTS,
};
/* The table of the windows, and the rights of a kernel page. */
extern pte_t fix_table[PTRS_PER_PTE];
extern prot_t kernel_prot;

/* Maps frame pfn at the slot and returns its address; what was there before is gone. */
static inline void *mmu_fix(enum fix_slot slot, pfn_t pfn)
{
	u32 addr = FIXMAP_BASE + slot * PAGE_SIZE;
	pte_t e = pte_make(pfn, kernel_prot);

	if (!pte_same(fix_table[slot], e)) {
		set_pte(&fix_table[slot], e);
		invlpg(addr);
	}
	return (void *)addr;
}
/* Nothing is at the slot any more. */
static inline void mmu_unfix(enum fix_slot slot)
{
	pte_clear(&fix_table[slot]);
	invlpg(FIXMAP_BASE + slot * PAGE_SIZE);
}

/*
 * Maps frame pfn at a page of the kernel-stack window, for good. table_alloc
 * gives the frame for a new page table, zeroed, or 0. 0 or -ENOMEM.
 */
int mmu_map_stack_page(u32 addr, pfn_t pfn, pfn_t (*table_alloc)(void));
