// SPDX-License-Identifier: MIT
/* arch/x86/mmu.c: the kernel's own part of the page tables and its windows. */
#include "arch/x86/mmu.h"
#include "lib/errno.h"
#include "lib/string.h"

extern pmd_t kernel_pmd[PTRS_PER_PMD];

pgd_t *mmu_loaded = kernel_pdpt;

pte_t fix_table[PTRS_PER_PTE] __aligned(4096);

prot_t kernel_prot = {PTE_P | PTE_RW | PTE_A | PTE_D, 0};

void mmu_init(void)
{
	u32 fix = pmd_index(FIXMAP_BASE);

	if (cpu.has_pge)
		kernel_prot.lo |= PTE_G;
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
	set_pte(&table[pte_index(addr)], pte_make(pfn, kernel_prot));
	return 0;
}
