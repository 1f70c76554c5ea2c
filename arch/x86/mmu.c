// SPDX-License-Identifier: MIT
/* arch/x86/mmu.c: the kernel's own part of the page tables and its windows. */
#include "arch/x86/mmu.h"
#include "lib/errno.h"
#include "lib/string.h"

extern pmd_t kernel_pmd[PTRS_PER_PMD];

pgd_t *mmu_loaded = kernel_pdpt;

static pte_t fix_table[PTRS_PER_PTE] __aligned(4096);

static const prot_t kernel_page = {PTE_P | PTE_RW | PTE_A | PTE_D | PTE_G, 0};

static prot_t kernel_prot(void)
{
	prot_t p = kernel_page;

	if (!cpu.has_pge)
		p.lo &= ~PTE_G;
	return p;
}

void mmu_init(void)
{
	u32 fix = pmd_index(FIXMAP_BASE);

	for (u32 i = 0; cpu.has_pge && i < LOWMEM_MAX >> PMD_SHIFT; i++)
		kernel_pmd[i].lo |= PTE_G;
	kernel_pmd[fix] =
		pte_make(virt_to_phys(fix_table) >> PAGE_SHIFT, (prot_t){PTE_P | PTE_RW | PTE_A, 0});
	write_cr3(virt_to_phys(kernel_pdpt));
}

void mmu_init_pgd(pgd_t *pgd)
{
	for (u32 i = 0; i < USER_PGDS; i++)
		pgd[i] = (pgd_t){0, 0};
	pgd[USER_PGDS] = kernel_pdpt[USER_PGDS];
}

prot_t mmu_prot(bool read, bool write, bool exec)
{
	prot_t p = {PTE_A, 0};

	p.lo |= read || write || exec ? PTE_P | PTE_US : PTE_PROTNONE;
	if (write)
		p.lo |= PTE_RW;
	if (!exec && cpu.nx)
		p.hi |= PTE_NX;
	return p;
}

void *mmu_fix(enum fix_slot slot, pfn_t pfn)
{
	u32 addr = FIXMAP_BASE + slot * PAGE_SIZE;
	pte_t e = pte_make(pfn, kernel_prot());

	if (fix_table[slot].lo != e.lo || fix_table[slot].hi != e.hi) {
		set_pte(&fix_table[slot], e);
		invlpg(addr);
	}
	return (void *)addr;
}

void mmu_unfix(enum fix_slot slot)
{
	pte_clear(&fix_table[slot]);
	invlpg(FIXMAP_BASE + slot * PAGE_SIZE);
}

int mmu_map_stack_page(u32 addr, pfn_t pfn, pfn_t (*table_alloc)(void))
{
	pmd_t *pmd = &kernel_pmd[pmd_index(addr)];
	pte_t *table;

	if (!pte_present(*pmd)) {
		pfn_t t = table_alloc();

		if (!t)
			return -ENOMEM;
		set_pte(pmd, pte_make(t, (prot_t){PTE_P | PTE_RW | PTE_A, 0}));
	}
	table = phys_to_virt((paddr_t)pte_pfn(*pmd) << PAGE_SHIFT);
	set_pte(&table[pte_index(addr)], pte_make(pfn, kernel_prot()));
	return 0;
}
