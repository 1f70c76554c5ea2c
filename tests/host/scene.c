// SPDX-License-Identifier: MIT
/* scene.c: see scene.h. */
#include "scene.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"

struct mm *new_mm(void)
{
	struct mm *mm = mm_alloc();

	CHECK(mm);
	mm->layout.mmap_base = mm->layout.free_hint = 0xB0000000u;
	mm->layout.stack_limit = 8u << 20;
	return mm;
}

struct mm *fork_choice(struct mm *parent, u32 choice)
{
	struct mm *child = mm_alloc();

	CHECK(child && dup_mm(child, parent, choice) == 0);
	return child;
}

struct mm *fork_mm(struct mm *parent)
{
	return fork_choice(parent, SHARE_DEFAULT);
}

void map_anon(struct mm *mm, u32 addr, u32 pages)
{
	long at =
		do_mmap(mm, addr, PAGES(pages), RW, MAP_FIXED | MAP_PRIVATE, NULL, NULL, addr >> PAGE_SHIFT);

	CHECK_EQ((u32)at, addr);
}

void map_object(struct mm *mm, u32 addr, u32 pages, u32 flags, struct address_space *m, u32 pgoff)
{
	CHECK_EQ((u32)do_mmap(mm, addr, PAGES(pages), flags, MAP_FIXED, m, NULL, pgoff), addr);
}

void fill(struct mm *mm, u32 addr, u32 pages, u32 seed)
{
	u32 first = (addr - BASE) >> PAGE_SHIFT;

	for (u32 i = 0; i < pages; i++)
		CHECK_EQ(machine_write(mm, addr + PAGES(i), seed << 16 | (first + i)), 0);
}

void expect_from(struct mm *mm, u32 addr, u32 pages, u32 seed, u32 first)
{
	for (u32 i = 0; i < pages; i++)
		CHECK_EQ(word_at(mm, addr + PAGES(i)), seed << 16 | (first + i));
}

void expect(struct mm *mm, u32 addr, u32 pages, u32 seed)
{
	expect_from(mm, addr, pages, seed, (addr - BASE) >> PAGE_SHIFT);
}

u32 word_at(struct mm *mm, u32 addr)
{
	u32 v = 0;
	int err = machine_read(mm, addr, &v);

	return err ? (u32)err : v;
}

void expect_all(struct mm *mm, u32 addr, u32 pages, u32 v)
{
	for (u32 i = 0; i < pages; i++)
		CHECK_EQ(word_at(mm, addr + PAGES(i)), v);
}

static void nothing(struct vma *v)
{
}

static const struct address_space_ops file_ops = {
	.get_page = add_zeroed_page,
	.open_area = nothing,
	.close_area = nothing,
};

struct address_space *new_file(u32 pages, u32 seed)
{
	struct address_space *m = kzalloc(sizeof(*m));

	CHECK(m);
	mapping_init(m, &file_ops);
	m->size = (u64)pages << PAGE_SHIFT;
	for (u32 i = 0; i < pages; i++) {
		struct page *p = add_zeroed_page(m, i);

		CHECK(p);
		machine_set_word(page_to_pfn(p) << PAGE_SHIFT, seed << 16 | i);
		put_page(p);
	}
	return m;
}

void free_file(struct address_space *m)
{
	mapping_free_pages(m);
	kfree(m);
}

struct mm *new_filled(u32 addr, u32 pages)
{
	struct mm *mm = new_mm();

	map_anon(mm, addr, pages);
	fill(mm, addr, pages, 1);
	return mm;
}

bool same_table(const struct mm *a, const struct mm *b, u32 addr)
{
	return pt_find(a, addr) && pt_find(a, addr) == pt_find(b, addr);
}

bool policy_shares(void)
{
	return ptshare != &ptshare_off;
}

void check_shared(const struct mm *a, const struct mm *b, u32 addr)
{
	CHECK_EQ(same_table(a, b, addr), policy_shares());
}

struct page *page_at(struct mm *mm, u32 addr)
{
	struct page *table = pt_find(mm, addr);

	CHECK(table);
	return pfn_to_page(pte_pfn(pt_read(table, addr)));
}

static s32 entries_in_table(struct page *table, const struct page *page)
{
	const pte_t *ptes = pte_map_table(table, FIX_PTE_RMAP);
	struct page *p;
	s32 n = 0;

	for (u32 i = 0; i < PTRS_PER_PTE; i++)
		n += pte_counted_page(ptes[i], &p) && p == page;
	pte_unmap_table(table, FIX_PTE_RMAP);
	return n;
}

s32 count_entries(const struct page *page)
{
	struct mm *mm;
	s32 n = 0;

	list_for_each_entry (mm, &all_mms, all) {
		for (u32 base = BASE - PMD_SIZE; base < TABLE(8); base += PMD_SIZE) {
			struct page *table = pt_find(mm, base);

			if (table && table->mapping == mm && table->index == base)
				n += entries_in_table(table, page);
		}
	}
	return n;
}
