// SPDX-License-Identifier: MIT
/* tests/kernel/test_uaccess.c: bad pointers from a program give an error, at whatever byte they begin to be bad. */
#include "kernel/ktest.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "tests/kernel/space.h"

static char buf[2 * PAGE_SIZE];

KTEST(bad_addresses,
      "uaccess: kernel, unmapped and wrapping addresses are -EFAULT, and the kernel is unharmed")
{
	static const u32 bad[] = {0,           4,
				  0x1000,      KERNEL_BASE - 4,
				  KERNEL_BASE, KERNEL_BASE + 0x100000,
				  0xFFFFF000u, 0xFFFFFFFFu};
	struct mm *mm = new_space();

	enter_space(mm);
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		KCHECK(copy_to_user(bad[i], buf, 8) == -EFAULT);
		KCHECK(copy_from_user(buf, bad[i], 8) == -EFAULT);
		KCHECK(strncpy_from_user(buf, bad[i], 8) == -EFAULT);
		KCHECK(strnlen_user(bad[i], 8) == -EFAULT);
	}
	KCHECK(!access_ok(KERNEL_BASE - 4, 8) && access_ok(KERNEL_BASE - 8, 8) && !access_ok(8, ~0u));
	enter_space(NULL);
	mm_put(mm);
}

/* Copies go by words: one that is good in part only counts as not copied. */
static bool within_word(u32 left, u32 behind)
{
	return left >= behind && left < behind + 4;
}

KTEST(partial, "uaccess: a copy that meets the area's end says how many bytes are left, for every alignment")
{
	struct mm *mm = new_space();
	u32 end = SPACE_BASE + PAGE_SIZE;

	KCHECK(map_pages(mm, SPACE_BASE, 1));
	enter_space(mm);
	for (u32 there = 0; there < 9; there++) {
		for (u32 behind = 1; behind < 9; behind++) {
			KCHECK(within_word(__copy_to_user(end - there, buf, there + behind), behind));
			KCHECK(within_word(__copy_from_user(buf, end - there, there + behind), behind));
			KCHECK(__clear_user(end - there, there + behind) == behind);
		}
	}
	memset(buf, 'x', 16);
	KCHECK(!copy_to_user(end - 16, buf, 16));
	KCHECK(strnlen_user(end - 16, 16) == 16 && strnlen_user(end - 16, 17) == -EFAULT);
	KCHECK(strncpy_from_user(buf, end - 16, 64) == -EFAULT);
	KCHECK(strncpy_from_user(buf, end - 16, 8) == -ENAMETOOLONG);
	KCHECK(!put_user(end - 4, 'a' | 'b' << 8));
	KCHECK(strncpy_from_user(buf, end - 4, 64) == 2 && !strcmp(buf, "ab"));
	enter_space(NULL);
	mm_put(mm);
}

KTEST(rights, "uaccess: the kernel obeys a read-only area (CR0.WP) and no access at all")
{
	struct mm *mm = new_space();

	KCHECK(map_pages(mm, SPACE_BASE, 1));
	enter_space(mm);
	KCHECK(!put_user(SPACE_BASE, 7));
	KCHECK(do_mprotect(mm, SPACE_BASE, PAGE_SIZE, VM_READ) == 0);
	KCHECK(put_user(SPACE_BASE, 8) == -EFAULT);
	KCHECK(word_at(SPACE_BASE) == 7);
	KCHECK(do_mprotect(mm, SPACE_BASE, PAGE_SIZE, 0) == 0);
	KCHECK(word_at(SPACE_BASE) == ~0u);
	KCHECK(do_mprotect(mm, SPACE_BASE, PAGE_SIZE, VM_READ | VM_WRITE) == 0);
	KCHECK(word_at(SPACE_BASE) == 7 && !put_user(SPACE_BASE, 8));
	enter_space(NULL);
	mm_put(mm);
}

KTEST(from_page, "uaccess: a page of any zone is copied to and from user memory that is not there yet")
{
	struct page *p = alloc_page(GFP_USER);
	struct mm *mm = new_space();
	u32 *at = page_map(p, FIX_PAGE0);

	for (u32 i = 0; i < 1024; i++)
		at[i] = i;
	page_unmap(p, FIX_PAGE0);
	KCHECK(map_pages(mm, SPACE_BASE, 3));
	enter_space(mm);
	KCHECK(!copy_page_to_user(SPACE_BASE + 100, p, 0, PAGE_SIZE));
	KCHECK(word_at(SPACE_BASE + 100 + 4000) == 1000);
	clear_highpage(p);
	KCHECK(!copy_page_from_user(p, 8, SPACE_BASE + 100, PAGE_SIZE - 8));
	at = page_map(p, FIX_PAGE0);
	KCHECK(at[0] == 0 && at[2] == 0 && at[1002] == 1000);
	page_unmap(p, FIX_PAGE0);
	KCHECK(copy_page_to_user(SPACE_BASE + 3 * PAGE_SIZE - 8, p, 0, 16) == -EFAULT);
	KCHECK(copy_page_from_user(p, 0, KERNEL_BASE, 16) == -EFAULT);
	enter_space(NULL);
	mm_put(mm);
	put_page(p);
}
