// SPDX-License-Identifier: MIT
/*
 * tlb.c: translation as a PAE CPU does it: the walk, which sets A and D; a buffer of
 * what was walked; copies of the four top entries and of middle entries (SDM vol. 3,
 * 4.10). Nothing is forgotten before it must be, so that a missing flush is seen by
 * the next access or check.
 */
#include <stdio.h>
#include "machine.h"
#include "arch/x86/mmu.h"
#include "core/panic.h"
#include "lib/errno.h"

#define RAW __attribute__((no_sanitize("address")))

struct translation {
	u32 page; /* virtual address | 1; 0: empty */
	pfn_t pfn;
	bool write, dirty;
};

enum { TLB_SIZE = 8192 };

pgd_t kernel_pdpt[PTRS_PER_PGD];
pgd_t *mmu_loaded = kernel_pdpt;

static struct translation tlb[TLB_SIZE];
/* The CPU's copies of entries. */
static pgd_t top[PTRS_PER_PGD];
static u32 middle[USER_PGDS * PTRS_PER_PMD];
static u32 fault_addr;

u32 read_cr2(void)
{
	return fault_addr;
}

RAW u32 machine_word(u32 paddr)
{
	return *(volatile u32 *)(machine_memory + paddr);
}
RAW void machine_set_word(u32 paddr, u32 value)
{
	*(volatile u32 *)(machine_memory + paddr) = value;
}

static struct translation *tlb_slot(u32 addr)
{
	return &tlb[addr >> PAGE_SHIFT & (TLB_SIZE - 1)];
}

static struct translation *tlb_find(u32 addr)
{
	struct translation *t = tlb_slot(addr);

	return t->page == ((addr & PAGE_MASK) | 1) ? t : NULL;
}

static void forget_middle(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(middle); i++)
		middle[i] = 0;
}

static void load(pgd_t *pgd)
{
	mmu_loaded = pgd;
	forget_middle();
	for (u32 i = 0; i < TLB_SIZE; i++)
		tlb[i].page = 0;
	for (u32 i = 0; i < PTRS_PER_PGD; i++)
		top[i] = pgd[i];
}

void mmu_switch(pgd_t *pgd)
{
	if (mmu_loaded != pgd)
		load(pgd);
}

void mmu_flush_all(pgd_t *pgd)
{
	if (mmu_loaded == pgd)
		load(pgd);
}

void mmu_flush_page(pgd_t *pgd, u32 addr)
{
	struct translation *t = mmu_loaded == pgd ? tlb_find(addr) : NULL;

	if (t)
		t->page = 0;
	if (mmu_loaded == pgd)
		forget_middle();
}

void mmu_init_pgd(pgd_t *pgd)
{
	for (u32 i = 0; i < PTRS_PER_PGD; i++)
		pgd[i] = (pgd_t){0, 0};
}

prot_t mmu_prot(bool read, bool write, bool exec)
{
	prot_t p = {PTE_A | (read || write || exec ? PTE_P | PTE_US : PTE_PROTNONE), 0};

	if (write)
		p.lo |= PTE_RW;
	if (!exec)
		p.hi |= PTE_NX;
	return p;
}

static bool allows(u32 e, bool write)
{
	return (e & PTE_P) && (e & PTE_US) && (!write || (e & PTE_RW));
}

static u32 middle_paddr(pgd_t e, u32 addr)
{
	return (e.lo & PAGE_MASK) + pmd_index(addr) * sizeof(pmd_t);
}

/* Where the middle-table entry and the page-table entry for addr are; false: one is absent. */
static bool find_entries(const pgd_t *pgd, u32 addr, u32 *pmd, u32 *pte)
{
	pgd_t e = pgd[pgd_index(addr)];

	if (!(e.lo & PTE_P))
		return false;
	*pmd = middle_paddr(e, addr);
	if (!(machine_word(*pmd) & PTE_P))
		return false;
	*pte = (machine_word(*pmd) & PAGE_MASK) + pte_index(addr) * sizeof(pte_t);
	return true;
}

/* The middle entry for addr as the CPU knows it; it is read, marked and remembered if it is present. */
static u32 *middle_entry(u32 addr)
{
	u32 *m = &middle[addr >> PMD_SHIFT], paddr;
	pgd_t e = top[pgd_index(addr)];

	if (!*m && (e.lo & PTE_P)) {
		paddr = middle_paddr(e, addr);
		if (machine_word(paddr) & PTE_P) {
			*m = machine_word(paddr) | PTE_A;
			machine_set_word(paddr, *m);
		}
	}
	return m;
}

/* Walks the loaded tables and remembers; false: a page fault, which forgets the middle entry. */
static bool walk(u32 addr, bool write)
{
	u32 *m = middle_entry(addr), pte = (*m & PAGE_MASK) + pte_index(addr) * sizeof(pte_t), e;

	if (!allows(*m, write) || !allows(machine_word(pte), write)) {
		*m = 0;
		return false;
	}
	e = machine_word(pte) | PTE_A | (write ? PTE_D : 0);
	machine_set_word(pte, e);
	*tlb_slot(addr) =
		(struct translation){(addr & PAGE_MASK) | 1, e >> PAGE_SHIFT, *m & e & PTE_RW, write};
	return true;
}

/* The translation for the access, or NULL: a page fault, which forgets it (SDM vol. 3, 4.10.4.1). */
static struct translation *translate(u32 addr, bool write)
{
	struct translation *t = tlb_find(addr);

	if (t && write && !t->write) {
		t->page = 0;
		middle[addr >> PMD_SHIFT] = 0;
		return NULL;
	}
	if (t && (!write || t->dirty))
		return t;
	return walk(addr, write) ? tlb_find(addr) : NULL;
}

static int access(struct mm *mm, u32 addr, bool write, u32 *paddr)
{
	struct translation *t;

	mmu_switch(mm->pgd);
	for (int tries = 0; !(t = translate(addr, write)); tries++) {
		int err = mm_fault(mm, addr, (write ? FAULT_WRITE : 0));

		if (err)
			return err;
		if (tries == 3)
			panic("the same fault for ever: %s %08x", write ? "write" : "read", addr);
	}
	*paddr = (t->pfn << PAGE_SHIFT) + (addr & ~PAGE_MASK);
	return 0;
}

int machine_read(struct mm *mm, u32 addr, u32 *value)
{
	u32 paddr;
	int err = access(mm, addr, false, &paddr);

	if (!err)
		*value = machine_word(paddr);
	return err;
}

int machine_write(struct mm *mm, u32 addr, u32 value)
{
	u32 paddr;
	int err = access(mm, addr, true, &paddr);

	if (!err)
		machine_set_word(paddr, value);
	return err;
}

bool machine_peek(struct mm *mm, u32 addr, u32 *value)
{
	u32 pmd, pte, e;

	if (!find_entries(mm->pgd, addr, &pmd, &pte))
		return false;
	e = machine_word(pte);
	if (!(e & (PTE_P | PTE_PROTNONE)))
		return false;
	*value = machine_word((e & PAGE_MASK) + (addr & ~PAGE_MASK));
	return true;
}

/* Do the tables still say what t remembers? */
static bool holds(const struct translation *t)
{
	u32 pmd, pte, e;

	if (!find_entries(mmu_loaded, t->page, &pmd, &pte))
		return false;
	e = machine_word(pte);
	return allows(machine_word(pmd), t->write) && allows(e, t->write) && e >> PAGE_SHIFT == t->pfn &&
	       (!t->dirty || !t->write || (e & PTE_D));
}

/* Is the copy of a middle entry still right: the same table, with no more rights? */
static bool middle_holds(u32 i)
{
	u32 pmd, pte, e;

	if (!find_entries(mmu_loaded, i << PMD_SHIFT, &pmd, &pte))
		return false;
	e = machine_word(pmd);
	return !((e ^ middle[i]) & PAGE_MASK) && allows(e, middle[i] & PTE_RW);
}

static u32 stale_copies(void)
{
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_SIZE(middle); i++) {
		if (!middle[i] || middle_holds(i))
			continue;
		n++;
		printf("# stale copy of the middle entry for %08x\n", i << PMD_SHIFT);
	}
	for (u32 i = 0; i < USER_PGDS; i++)
		n += mmu_loaded != kernel_pdpt && top[i].lo != mmu_loaded[i].lo;
	return n;
}

u32 machine_stale_translations(void)
{
	u32 n = stale_copies();

	for (u32 i = 0; i < TLB_SIZE; i++) {
		if (!tlb[i].page || holds(&tlb[i]))
			continue;
		n++;
		printf("# stale translation of %08x to frame %x\n", tlb[i].page & PAGE_MASK, tlb[i].pfn);
	}
	return n;
}
