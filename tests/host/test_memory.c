// SPDX-License-Identifier: MIT
/*
 * test_memory.c: out of memory at each allocation of an operation in turn: it fails
 * with -ENOMEM, the laws hold, and both processes are as before. And memory that is
 * short, so that the shrinkers run in the middle, changes nothing.
 */
#include "scene.h"
#include "mm/page_alloc.h"

#define FIXED 3u

/*
 * Two tables that parent and child share; a file's area in the second; a stack; a third
 * table of one small area, alone.
 */
static struct mm *parent, *child;
static struct address_space *file;

enum { STACK_TOP = 1020, FILE_AT = 900, FILE_PAGES = 40, ANON = 600 };

static void set_scene(void)
{
	u32 stack = BASE + PAGES(STACK_TOP - 4);

	file = new_file(FILE_PAGES, 5);
	parent = new_filled(BASE, ANON);
	map_object(parent, BASE + PAGES(FILE_AT), FILE_PAGES, RW, file, 0);
	expect_from(parent, BASE + PAGES(FILE_AT), 10, 5, 0);
	CHECK_EQ((u32)do_mmap(parent, stack, PAGES(4), RW | VM_GROWSDOWN, MAP_FIXED, NULL, NULL, 0), stack);
	map_anon(parent, TABLE(2), 8);
	fill(parent, TABLE(2), 8, 1);
	parent->layout.start_brk = parent->layout.brk = TABLE(2) + PAGES(10);
	child = fork_mm(parent);
	CHECK_EQ(do_mprotect(child, BASE, PAGES(2), VM_READ), 0);
	/* Shared again, with the same areas on both sides. */
	mm_put(parent);
	parent = child;
	child = fork_mm(parent);
	/* No table or object is to come from what is kept for speed. */
	shrink_caches();
}

static void end_scene(void)
{
	mm_put(parent);
	LAWS();
	mm_put(child);
	free_file(file);
	shrink_caches();
}

static u32 rights_at(struct mm *mm, u32 page)
{
	struct vma *v = find_vma_intersection(mm, BASE + PAGES(page), BASE + PAGES(page + 1));

	return v ? v->flags & VM_ACCESS : 99;
}

/* Areas and contents of mm are the scene's. */
static void check_as_before(struct mm *mm)
{
	for (u32 i = 0; i < 1024 + 16; i++) {
		u32 want = i < 2                      ? VM_READ
			   : i < ANON                 ? VM_READ | VM_WRITE
			   : i < FILE_AT              ? 99
			   : i < FILE_AT + FILE_PAGES ? VM_READ | VM_WRITE
			   : i < STACK_TOP - 4        ? 99
			   : i < STACK_TOP            ? VM_READ | VM_WRITE
			   : i < 1024                 ? 99
			   : i < 1024 + 8             ? VM_READ | VM_WRITE
						      : 99;

		CHECK_EQ(rights_at(mm, i), want);
	}
	CHECK_EQ(mm->layout.brk, TABLE(2) + PAGES(10));
	expect(mm, BASE, ANON, 1);
	expect(mm, TABLE(2), 8, 1);
	expect_from(mm, BASE + PAGES(FILE_AT), FILE_PAGES, 5, 0);
	expect_all(mm, BASE + PAGES(STACK_TOP - 4), 4, 0);
}

/* Every allocation of the first half dozen, then ever fewer: a table's entries are much alike. */
static u32 next_number(u32 n)
{
	return n + 1 + n / 6;
}

static void fail_each(int (*op)(void))
{
	for (u32 n = 1;; n = next_number(n)) {
		int err;

		set_scene();
		machine_fail_at(n);
		err = op();
		if (!machine_failed()) {
			CHECK_EQ(err, 0);
			CHECK(n > 1 || !policy_shares());
			end_scene();
			return;
		}
		LAWS();
		/* An operation may do without what it was refused. */
		if (err) {
			CHECK_EQ(err, -ENOMEM);
			check_as_before(parent);
			check_as_before(child);
			LAWS();
			CHECK_EQ(op(), 0);
			LAWS();
		}
		end_scene();
	}
}

static void shrink_each(int (*op)(void))
{
	bool happened = true;

	for (u32 n = 1; happened; n = next_number(n)) {
		set_scene();
		machine_shrink_at(n);
		CHECK_EQ(op(), 0);
		happened = machine_failed();
		LAWS();
		check_as_before(parent);
		end_scene();
	}
}

/* Both for each operation, under each rmap, and with chains that name every pte. */
static const char *const policies[] = {
	"rmap=none ptshare=fork",
	"rmap=chain ptshare=off",
	"rmap=chain ptshare=fork",
	"rmap=chain chain=32 ptshare=fork",
	"rmap=object ptshare=off",
	"rmap=object ptshare=auto",
	NULL,
};

#define OPERATION(id, text)                                                                 \
	static int id(void);                                                                \
	TEST_UNDER(fail_##id, policies, "without memory at any point " text " undoes all")  \
	{                                                                                   \
		fail_each(id);                                                              \
	}                                                                                   \
	TEST_UNDER(short_##id, policies, "with memory short at any point " text " is done") \
	{                                                                                   \
		shrink_each(id);                                                            \
	}                                                                                   \
	static int id(void)

OPERATION(do_fork, "fork")
{
	struct mm *mm = mm_alloc();
	int err = mm ? dup_mm(mm, child, SHARE_DEFAULT) : -ENOMEM;

	LAWS();
	if (mm)
		mm_put(mm);
	return err;
}

OPERATION(fork_copying, "a fork that copies what is shared")
{
	struct mm *mm = mm_alloc();
	int err = mm ? dup_mm(mm, child, SHARE_NEVER) : -ENOMEM;

	LAWS();
	if (mm)
		mm_put(mm);
	return err;
}

OPERATION(write_page, "a write to a private page")
{
	return machine_write(child, BASE + PAGES(9), 2);
}

OPERATION(write_stack, "a write to an empty page")
{
	return machine_write(child, BASE + PAGES(STACK_TOP - 1), 2);
}

OPERATION(write_file, "a private write to a file's page that is not entered")
{
	return machine_write(child, BASE + PAGES(FILE_AT + 30), 2);
}

OPERATION(write_file_entered, "a private write to a file's page that was read")
{
	return machine_write(child, BASE + PAGES(FILE_AT + 3), 2);
}

OPERATION(read_file, "a read of a file's page in a third process")
{
	struct mm *mm = mm_alloc();
	u32 v;
	int err = -ENOMEM;

	if (!mm)
		return err;
	if (do_mmap(mm, BASE, PAGES(10), RO, MAP_FIXED, file, NULL, 0) == BASE)
		err = machine_read(mm, BASE + PAGES(4), &v);
	mm_put(mm);
	return err;
}

OPERATION(grow_stack, "growth of the stack")
{
	u32 start = BASE + PAGES(STACK_TOP - 4);
	int err = machine_write(child, start - PAGES(2), 2);

	/* An area that has grown without its page does no harm; here it must be as before. */
	if (err && find_vma(child, start)->start < start)
		CHECK_EQ(do_munmap(child, start - PAGES(2), PAGES(2)), 0);
	return err;
}

OPERATION(unmap_middle, "munmap of a part")
{
	return do_munmap(child, BASE + PAGES(20), PAGES(50));
}

OPERATION(unmap_both, "munmap across two tables")
{
	return do_munmap(child, BASE + PAGES(300), PAGES(FILE_AT + 10 - 300));
}

OPERATION(map_hole, "mmap into a hole")
{
	long at = do_mmap(child, BASE + PAGES(ANON + 10), PAGES(20), RW, MAP_FIXED, NULL, NULL, 0);

	return at < 0 ? at : 0;
}

OPERATION(map_over, "mmap over parts of two tables")
{
	long at = do_mmap(child, BASE + PAGES(400), PAGES(300), RW, MAP_FIXED, NULL, NULL, 0);

	return at < 0 ? at : 0;
}

OPERATION(protect, "mprotect of parts of three areas")
{
	return do_mprotect(child, BASE + PAGES(1), PAGES(200), VM_READ);
}

OPERATION(protect_file, "mprotect in the middle of a file's area")
{
	return do_mprotect(child, BASE + PAGES(FILE_AT + 5), PAGES(20), VM_READ);
}

OPERATION(discard, "MADV_DONTNEED of a part")
{
	return do_madvise_dontneed(child, BASE + PAGES(5), PAGES(5));
}

OPERATION(move, "mremap to an empty place")
{
	long at = do_mremap(child, BASE + PAGES(480), PAGES(60), PAGES(70), FIXED, TABLE(5) + PAGES(500));

	return at < 0 ? at : 0;
}

OPERATION(move_any, "mremap to any place")
{
	long at = do_mremap(child, TABLE(2), PAGES(4), PAGES(11), 1, 0);

	return IS_ERR((void *)at) ? at : 0;
}

OPERATION(grow_break, "brk")
{
	return do_brk(child, TABLE(2) + PAGES(40)) == TABLE(2) + PAGES(40) ? 0 : -ENOMEM;
}

OPERATION(new_space, "making an address space")
{
	struct mm *mm = mm_alloc();

	if (mm)
		mm_put(mm);
	return mm ? 0 : -ENOMEM;
}

OPERATION(new_shmem, "making shared memory and writing to its far end")
{
	struct address_space *m = shmem_create(64 << 20);
	struct page *p = m ? filemap_get_page(m, 9000) : NULL;

	if (p)
		put_page(p);
	if (m)
		shmem_put(m);
	return p ? 0 : -ENOMEM;
}

TEST_EACH(populate_short, "populate that runs out of memory stops with -ENOMEM and keeps what it had done")
{
	set_scene();
	machine_fail_at(20);
	CHECK_EQ(populate_range(child, BASE + PAGES(2), PAGES(100)), -ENOMEM);
	CHECK(machine_failed());
	LAWS();
	check_as_before(parent);
	check_as_before(child);
	CHECK_EQ(populate_range(child, BASE + PAGES(2), PAGES(100)), 0);
	LAWS();
	end_scene();
}

TEST_EACH(all_gone, "with every frame taken a write fails, and succeeds when one process has gone")
{
	u32 n = 0;

	parent = new_filled(BASE, ANON);
	child = fork_mm(parent);
	map_anon(child, TABLE(4), 16384);
	while (n < 16384 && machine_write(child, TABLE(4) + PAGES(n), n) == 0)
		n++;
	CHECK(n < 16384);
	LAWS();
	expect(parent, BASE, ANON, 1);
	mm_put(child);
	LAWS();
	fill(parent, BASE, ANON, 2);
	mm_put(parent);
}
