// SPDX-License-Identifier: MIT
/*
 * test_random.c: several processes do random things; a model knows what each page of
 * each must hold and which access must fail. Some allocations are refused on the way.
 * SEED=n in the environment chooses another run.
 */
#include <stdlib.h>
#include "scene.h"

enum { REGION = 4 * 512, MAX_MMS = 5, FILE_PAGES = 700, STEPS = 1500 };
enum kind { NONE, ANON, PRIVATE, SHARED };

/* One page of one process. */
struct cell {
	u8 kind, rights;
	bool own; /* PRIVATE: has been copied */
	u16 index;
	u32 value;
};

struct process {
	struct mm *mm;
	struct cell cell[REGION];
};

static struct process process[MAX_MMS];
static u32 nr;
static struct address_space *file;
static u32 content[FILE_PAGES], file_pages;

static bool refusing;

/* Did the operation fail because an allocation was refused? */
static bool refused(long err)
{
	return machine_failed() && refusing && err == -ENOMEM;
}

static u32 addr_of(u32 page)
{
	return BASE + PAGES(page);
}

static u32 in_file(u32 index)
{
	return index < file_pages ? content[index] : 0;
}

static u32 value_of(const struct cell *c)
{
	return c->kind == ANON || (c->kind == PRIVATE && c->own) ? c->value : in_file(c->index);
}

/* What an access to the page gives: 0 or an error. */
static int result_of(const struct cell *c, u32 right)
{
	if (c->kind == NONE)
		return -EFAULT;
	if (!(c->rights & right))
		return -EACCES;
	return c->kind != ANON && c->index >= file_pages ? -EIO : 0;
}

static void check_process(struct process *p)
{
	for (u32 i = 0; i < REGION; i++) {
		const struct cell *c = &p->cell[i];
		u32 v;

		if (machine_peek(p->mm, addr_of(i), &v)) {
			CHECK(c->kind != NONE && (c->kind == ANON || c->index < file_pages));
			CHECK_EQ(v, value_of(c));
		} else {
			CHECK(!(c->kind == ANON && c->value) && !(c->kind == PRIVATE && c->own));
		}
	}
}

static void random_range(u32 *first, u32 *n)
{
	*first = random_below(2) ? random_below(REGION) : random_below(4) * 512 + random_below(3);
	*n = random_below(3) ? 1 + random_below(20) : 1 + random_below(1100);
	if (random_below(3) == 0)
		*first &= ~511u;
	*n = min(*n, REGION - *first);
}

static void write_some(struct process *p)
{
	u32 first, n, stride = 1 + random_below(9);

	random_range(&first, &n);
	for (u32 i = first; i < first + n; i += stride) {
		struct cell *c = &p->cell[i];
		u32 v = random_below(~0u) | 1;
		int err = machine_write(p->mm, addr_of(i), v);

		if (refused(err))
			continue;
		CHECK_EQ(err, result_of(c, VM_WRITE));
		if (err)
			continue;
		if (c->kind == SHARED)
			content[c->index] = v;
		c->own = true;
		c->value = v;
	}
}

static void read_some(struct process *p)
{
	u32 first, n, stride = 1 + random_below(9);

	random_range(&first, &n);
	for (u32 i = first; i < first + n; i += stride) {
		u32 v;
		int err = machine_read(p->mm, addr_of(i), &v);

		if (refused(err))
			continue;
		CHECK_EQ(err, result_of(&p->cell[i], VM_ACCESS));
		if (!err)
			CHECK_EQ(v, value_of(&p->cell[i]));
	}
}

static void map_some(struct process *p)
{
	u32 first, n, index = random_below(2) ? random_below(100) : 0;
	enum kind kind = ANON + random_below(3);
	u32 rights = random_below(4) ? VM_READ | VM_WRITE : VM_READ;
	u32 flags = rights | VM_MAYWRITE | (kind == SHARED ? VM_SHARED : 0);
	long at;

	random_range(&first, &n);
	at = do_mmap(p->mm, addr_of(first), PAGES(n), flags, MAP_FIXED, kind == ANON ? NULL : file, NULL,
		     kind == ANON ? addr_of(first) >> PAGE_SHIFT : index);
	if (refused(at))
		return;
	CHECK_EQ((u32)at, addr_of(first));
	for (u32 i = 0; i < n; i++)
		p->cell[first + i] = (struct cell){kind, rights, false, kind == ANON ? 0 : index + i, 0};
}

static void unmap_some(struct process *p)
{
	u32 first, n;
	int err;

	random_range(&first, &n);
	err = do_munmap(p->mm, addr_of(first), PAGES(n));
	if (refused(err))
		return;
	CHECK_EQ(err, 0);
	for (u32 i = first; i < first + n; i++)
		p->cell[i].kind = NONE;
}

static bool has_hole(const struct process *p, u32 first, u32 n)
{
	for (u32 i = first; i < first + n; i++)
		if (p->cell[i].kind == NONE)
			return true;
	return false;
}

static void protect_some(struct process *p)
{
	static const u8 rights[] = {VM_READ, VM_READ | VM_WRITE, VM_READ | VM_WRITE, 0};
	u32 first, n, r = rights[random_below(ARRAY_SIZE(rights))];
	int err;

	random_range(&first, &n);
	err = do_mprotect(p->mm, addr_of(first), PAGES(n), r);
	if (refused(err))
		return;
	CHECK_EQ(err, has_hole(p, first, n) ? -ENOMEM : 0);
	for (u32 i = first; i < first + n && !err; i++)
		p->cell[i].rights = r;
}

static void discard_some(struct process *p)
{
	u32 first, n;
	int err;

	random_range(&first, &n);
	err = do_madvise_dontneed(p->mm, addr_of(first), PAGES(n));
	if (refused(err))
		return;
	CHECK_EQ(err, has_hole(p, first, n) ? -ENOMEM : 0);
	for (u32 i = first; i < first + n; i++) {
		p->cell[i].own = false;
		p->cell[i].value = 0;
	}
}

/* mremap may have emptied the target, and what it was to cut off, before it ran out of memory. */
static void emptied(struct process *p, u32 first, u32 n)
{
	for (u32 i = first; i < first + n; i++)
		if (!find_vma_intersection(p->mm, addr_of(i), addr_of(i + 1)))
			p->cell[i].kind = NONE;
}

static void move_cells(struct process *p, u32 from, u32 n, u32 to, u32 m)
{
	static struct cell moved[REGION];

	for (u32 i = 0; i < m; i++) {
		moved[i] = p->cell[from + min(i, n - 1)];
		if (i < n)
			continue;
		moved[i].index += i - (n - 1);
		moved[i].own = false;
		moved[i].value = 0;
	}
	for (u32 i = 0; i < n; i++)
		p->cell[from + i].kind = NONE;
	for (u32 i = 0; i < m; i++)
		p->cell[to + i] = moved[i];
}

static void move_some(struct process *p)
{
	u32 from, n, to, m;
	struct vma *v;
	long at;

	random_range(&from, &n);
	random_range(&to, &m);
	v = find_vma(p->mm, addr_of(from));
	if (!v || v->start > addr_of(from) || v->end < addr_of(from + n))
		return;
	if (to < from + n && from < to + m)
		return;
	at = do_mremap(p->mm, addr_of(from), PAGES(n), PAGES(m), 3, addr_of(to));
	if (refused(at)) {
		emptied(p, to, m);
		if (n > m)
			emptied(p, from + m, n - m);
		return;
	}
	CHECK_EQ((u32)at, addr_of(to));
	move_cells(p, from, n, to, m);
}

static void fork_some(struct process *p)
{
	struct mm *child;
	u32 choice = random_below(4) ? SHARE_DEFAULT : random_below(3);
	int err;

	if (nr == MAX_MMS)
		return;
	child = mm_alloc();
	err = child ? dup_mm(child, p->mm, choice) : -ENOMEM;
	if (refused(err)) {
		if (child)
			mm_put(child);
		return;
	}
	CHECK_EQ(err, 0);
	process[nr] = *p;
	process[nr++].mm = child;
}

static void exit_some(struct process *p)
{
	if (nr == 1)
		return;
	mm_put(p->mm);
	*p = process[--nr];
}

static void truncate_some(struct process *p)
{
	u32 pages = random_below(3) ? FILE_PAGES : random_below(FILE_PAGES);

	machine_failed();
	truncate_mapping(file, (u64)pages << PAGE_SHIFT);
	for (u32 i = pages; i < FILE_PAGES; i++)
		content[i] = 0;
	file_pages = pages;
	for (u32 k = 0; k < nr; k++)
		for (u32 i = 0; i < REGION; i++)
			if (process[k].cell[i].kind == PRIVATE && process[k].cell[i].index >= pages)
				process[k].cell[i].own = false;
}

static void one_step(void)
{
	static void (*const ops[])(struct process * p) = {
		write_some, write_some,   write_some,   read_some, read_some, map_some,  map_some,
		unmap_some, protect_some, discard_some, move_some, fork_some, exit_some, truncate_some,
	};
	struct process *p = &process[random_below(nr)];
	u32 op = random_below(ARRAY_SIZE(ops));

	if (op == ARRAY_SIZE(ops) - 1 && random_below(3))
		op = 0;
	refusing = random_below(4) == 0;
	if (refusing)
		machine_fail_at(1 + random_below(6));
	else if (random_below(4) == 0)
		machine_shrink_at(1 + random_below(6));
	ops[op](p);
	machine_failed();
}

static const char *const lines[] = {
	"rmap=none ptshare=off",
	"rmap=none ptshare=fork",
	"rmap=none ptshare=auto",
	"rmap=chain ptshare=off",
	"rmap=chain ptshare=fork",
	"rmap=chain ptshare=auto",
	"rmap=object ptshare=off",
	"rmap=object ptshare=fork",
	"rmap=object ptshare=auto",
	"rmap=chain chain=32 ptshare=fork highpte=1",
	"rmap=object ptshare=fork ptfree=scan highpte=1",
	NULL,
};

TEST_UNDER(soup, lines, "a random soup of calls in several processes is what the model says")
{
	random_seed(getenv("SEED") ? atoi(getenv("SEED")) : 1);
	file = new_file(FILE_PAGES, 5);
	file_pages = FILE_PAGES;
	for (u32 i = 0; i < FILE_PAGES; i++)
		content[i] = 5 << 16 | i;
	process[nr++].mm = new_mm();
	for (u32 step = 0; step < STEPS; step++) {
		one_step();
		if (step % 4 == 0)
			LAWS();
		if (step % 16 == 0)
			for (u32 k = 0; k < nr; k++)
				check_process(&process[k]);
	}
	while (nr)
		mm_put(process[--nr].mm);
	LAWS();
	free_file(file);
}
