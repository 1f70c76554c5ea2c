// SPDX-License-Identifier: MIT
/* kernel/elf.c: from program headers to areas. */
#include "kernel/elf.h"
#include "fs/file.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/slab.h"

struct elf_header {
	u8 ident[16];
	u16 type, machine;
	u32 version, entry, phoff, shoff, flags;
	u16 ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};
struct elf_phdr {
	u32 type, offset, vaddr, paddr, filesz, memsz, flags, align;
};

enum {
	ET_EXEC = 2,
	ET_DYN = 3,
	EM_386 = 3,
	PT_LOAD = 1,
	PT_INTERP = 3,
	PT_PHDR = 6,
	PF_X = 1,
	PF_W = 2,
	PF_R = 4
};
enum { MAX_PHDRS = 32 };
/* A position-independent program lies low, where others are linked to. */
#define PIE_BASE 0x08048000u

struct object {
	struct file *file;
	struct elf_header h;
	struct elf_phdr ph[MAX_PHDRS];
	u32 bias; /* added to all addresses */
};

static int read_object(struct object *o, struct file *f)
{
	u32 bytes;

	o->file = f;
	if (kernel_read(f->inode, 0, &o->h, sizeof(o->h)) != sizeof(o->h) ||
	    memcmp(o->h.ident, "\177ELF\1\1", 6) || o->h.machine != EM_386 ||
	    (o->h.type != ET_EXEC && o->h.type != ET_DYN) || o->h.phentsize != sizeof(o->ph[0]) ||
	    !o->h.phnum || o->h.phnum > MAX_PHDRS)
		return -ENOEXEC;
	bytes = o->h.phnum * sizeof(o->ph[0]);
	return kernel_read(f->inode, o->h.phoff, o->ph, bytes) == (long)bytes ? 0 : -ENOEXEC;
}

/* The span of all segments, page aligned. -ENOEXEC if one is absurd. */
static int object_span(const struct object *o, u32 *low, u32 *high)
{
	*low = ~0u;
	*high = 0;
	for (u32 i = 0; i < o->h.phnum; i++) {
		const struct elf_phdr *p = &o->ph[i];

		if (p->type != PT_LOAD)
			continue;
		if (p->memsz < p->filesz || p->memsz > TASK_SIZE || p->vaddr > TASK_SIZE - p->memsz ||
		    ((p->vaddr ^ p->offset) & ~PAGE_MASK))
			return -ENOEXEC;
		*low = min(*low, p->vaddr & PAGE_MASK);
		*high = max(*high, round_up(p->vaddr + p->memsz, PAGE_SIZE));
	}
	return *low < *high ? 0 : -ENOEXEC;
}

static int clear_bytes(struct mm *mm, u32 addr, u32 n)
{
	struct page *page = mm_get_page(mm, addr, true);

	if (!page)
		return -ENOMEM;
	memset((char *)page_map(page, FIX_PAGE0) + (addr & ~PAGE_MASK), 0, n);
	page_unmap(page, FIX_PAGE0);
	put_page(page);
	return 0;
}

static u32 segment_rights(const struct elf_phdr *p)
{
	return VM_MAYWRITE | (p->flags & PF_R ? VM_READ : 0) | (p->flags & PF_W ? VM_WRITE : 0) |
	       (p->flags & PF_X ? VM_EXEC : 0);
}

/* Memory behind the file's part: the rest of its last page is cleared, the others are anonymous. */
static int map_bss(struct mm *mm, u32 rights, u32 from, u32 to)
{
	u32 page = round_up(from, PAGE_SIZE), end = round_up(to, PAGE_SIZE);
	int err = 0;
	long at;

	if ((from & ~PAGE_MASK) && (rights & VM_WRITE))
		err = clear_bytes(mm, from, min(page, to) - from);
	if (err || page >= end)
		return err;
	at = do_mmap(mm, page, end - page, rights, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, NULL, NULL, 0);
	return IS_ERR((void *)at) ? (int)at : 0;
}

static int map_segment(struct mm *mm, const struct object *o, const struct elf_phdr *p)
{
	u32 start = p->vaddr + o->bias, rights = segment_rights(p), off = start & ~PAGE_MASK;
	long at;

	if (p->filesz) {
		at = do_mmap(mm, start - off, p->filesz + off, rights, MAP_PRIVATE | MAP_FIXED,
			     &o->file->inode->mapping, o->file, (p->offset - off) >> PAGE_SHIFT);
		if (IS_ERR((void *)at))
			return at;
	}
	return p->memsz > p->filesz ? map_bss(mm, rights, start + p->filesz, start + p->memsz) : 0;
}

/* Chooses the bias of a position-independent object, and maps all segments. */
static int map_object(struct mm *mm, struct object *o, bool program)
{
	u32 low, high;
	int err = object_span(o, &low, &high);

	if (err)
		return err;
	o->bias = 0;
	if (o->h.type == ET_DYN) {
		u32 at = program ? PIE_BASE : find_free_range(mm, high - low);

		if (!at || at > TASK_SIZE - (high - low))
			return -ENOMEM;
		o->bias = at - low;
	}
	for (u32 i = 0; i < o->h.phnum && !err; i++)
		if (o->ph[i].type == PT_LOAD && o->ph[i].memsz)
			err = map_segment(mm, o, &o->ph[i]);
	return err;
}

static void set_bounds(struct mm *mm, const struct object *o)
{
	struct mm_layout *l = &mm->layout;
	u32 end = 0;

	l->start_code = ~0u;
	for (u32 i = 0; i < o->h.phnum; i++) {
		const struct elf_phdr *p = &o->ph[i];
		u32 start = p->vaddr + o->bias;

		if (p->type != PT_LOAD)
			continue;
		l->start_code = min(l->start_code, start);
		if (p->flags & PF_X)
			l->end_code = max(l->end_code, start + p->filesz);
		if (start >= l->start_data)
			l->start_data = start;
		l->end_data = max(l->end_data, start + p->filesz);
		end = max(end, start + p->memsz);
	}
	l->start_brk = l->brk = round_up(end, PAGE_SIZE);
}

/* Where the program's headers lie in memory: the dynamic linker looks for them. */
static u32 headers_address(const struct object *o)
{
	for (u32 i = 0; i < o->h.phnum; i++) {
		const struct elf_phdr *p = &o->ph[i];

		if (p->type == PT_LOAD && p->offset <= o->h.phoff && o->h.phoff < p->offset + p->filesz)
			return p->vaddr + o->bias + o->h.phoff - p->offset;
	}
	return 0;
}

static int load_interpreter(struct mm *mm, const struct elf_phdr *p, struct file *f, struct elf_image *image)
{
	struct object *o = kmalloc(sizeof(*o));
	char path[256];
	struct file *interp;
	int err;

	if (!o)
		return -ENOMEM;
	if (!p->filesz || p->filesz >= sizeof(path) ||
	    kernel_read(f->inode, p->offset, path, p->filesz) != (long)p->filesz) {
		kfree(o);
		return -ENOEXEC;
	}
	path[p->filesz] = '\0';
	interp = do_open(AT_FDCWD, path, O_RDONLY, 0);
	err = IS_ERR(interp) ? PTR_ERR(interp) : is_reg(interp->inode) ? read_object(o, interp) : -EACCES;
	if (!err)
		err = map_object(mm, o, false);
	if (!err) {
		image->interp_base = o->bias;
		image->start = o->h.entry + o->bias;
	}
	if (!IS_ERR(interp))
		put_file(interp);
	kfree(o);
	return err;
}

static int load_program(struct mm *mm, struct object *o, struct elf_image *image)
{
	int err = map_object(mm, o, true);

	if (err)
		return err;
	set_bounds(mm, o);
	*image = (struct elf_image){.entry = o->h.entry + o->bias,
				    .phdr = headers_address(o),
				    .phnum = o->h.phnum};
	image->start = image->entry;
	for (u32 i = 0; i < o->h.phnum && !err; i++)
		if (o->ph[i].type == PT_INTERP)
			err = load_interpreter(mm, &o->ph[i], o->file, image);
	return err ? err : image->start < TASK_SIZE ? 0 : -ENOEXEC;
}

int elf_load(struct mm *mm, struct file *f, struct elf_image *image)
{
	struct object *o = kmalloc(sizeof(*o));
	int err;

	if (!o)
		return -ENOMEM;
	err = read_object(o, f);
	if (!err)
		err = load_program(mm, o, image);
	kfree(o);
	return err;
}
