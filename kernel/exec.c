// SPDX-License-Identifier: MIT
/*
 * kernel/exec.c: a new program for a task. All of it is put together in a new
 * address space first; only when nothing can fail any more does the task change over.
 */
#include "arch/x86/cpu.h"
#include "arch/x86/segment.h"
#include "core/count.h"
#include "fs/dev.h"
#include "fs/file.h"
#include "kernel/elf.h"
#include "kernel/signal.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

enum { MAX_SCRIPTS = 4, HEAD_SIZE = 256 };
#define MAX_ARG_BYTES (2u << 20)
#define MAX_STRING    (128u << 10)
#define STACK_TOP     (TASK_SIZE - PAGE_SIZE)
#define MMAP_GAP      (128u << 20)

/* The exec that is being put together. */
struct binprm {
	struct mm *mm;
	struct file *file;
	char head[HEAD_SIZE];
	u32 p; /* the stack is filled downwards */
	u32 argc, envc;
	u32 arg_start, env_start, env_end, execfn;
	u32 argv, envp;    /* addresses of arrays */
	bool kernel;       /* they are kernel arrays */
	u32 skip;          /* arguments of argv that a script's line has replaced */
	struct page *page; /* the stack's page at p, held */
	u32 page_addr;
};

static int stack_page(struct binprm *b, u32 addr)
{
	addr &= PAGE_MASK;
	if (b->page && b->page_addr == addr)
		return 0;
	if (b->page)
		put_page(b->page);
	b->page = mm_get_page(b->mm, addr, true);
	b->page_addr = addr;
	return b->page ? 0 : -ENOMEM;
}

/* Writes n bytes to the new stack at addr, from the kernel or from the old program. */
static int put_stack(struct binprm *b, u32 addr, const void *from, u32 n, bool user)
{
	while (n) {
		u32 off = addr & ~PAGE_MASK, part = min(n, PAGE_SIZE - off);
		int err = stack_page(b, addr);

		if (err)
			return err;
		if (user) {
			err = copy_page_from_user(b->page, off, (u32)from, part);
		} else {
			memcpy((char *)page_map(b->page, FIX_PAGE0) + off, from, part);
			page_unmap(b->page, FIX_PAGE0);
		}
		if (err)
			return err;
		addr += part;
		from = (const char *)from + part;
		n -= part;
	}
	return 0;
}

/* Puts a string with its NUL in front of what is there. */
static int push_string(struct binprm *b, const char *s, bool user)
{
	long len = user ? strnlen_user((u32)s, MAX_STRING) : (long)strlen(s);

	if (len < 0)
		return len;
	if (len >= (long)MAX_STRING || STACK_TOP - b->p + len + 1 > MAX_ARG_BYTES)
		return -E2BIG;
	b->p -= len + 1;
	return put_stack(b, b->p, s, len + 1, user);
}

static int array_entry(const struct binprm *b, u32 array, u32 i, u32 *out)
{
	if (b->kernel) {
		*out = ((const u32 *)array)[i];
		return 0;
	}
	return get_user(out, array + 4 * i);
}

static int count_strings(const struct binprm *b, u32 array)
{
	u32 entry;

	if (!array)
		return 0;
	for (u32 n = 0; n < MAX_ARG_BYTES / 4; n++) {
		if (array_entry(b, array, n, &entry) < 0)
			return -EFAULT;
		if (!entry)
			return n;
	}
	return -E2BIG;
}

/* Pushes strings first..n-1 of the array, last one first. */
static int push_array(struct binprm *b, u32 array, u32 first, u32 n)
{
	u32 entry;
	int err = 0;

	while (n > first && !err) {
		err = array_entry(b, array, --n, &entry);
		if (!err)
			err = push_string(b, (const char *)entry, !b->kernel);
	}
	return err;
}

static int open_program(struct binprm *b, int dfd, const char *path)
{
	struct file *f = do_open(dfd, path, O_RDONLY, 0);
	long n;

	if (IS_ERR(f))
		return PTR_ERR(f);
	b->file = f;
	if (!is_reg(f->inode) || !f->inode->mapping.ops || !(f->inode->mode & 0111))
		return -EACCES;
	if (f->inode->writers)
		return -ETXTBSY;
	memset(b->head, 0, sizeof(b->head));
	n = kernel_read(f->inode, 0, b->head, sizeof(b->head) - 1);
	return n < 0 ? n : 0;
}

static int open_stack(struct binprm *b)
{
	struct vma *v;

	b->mm = mm_alloc();
	if (!b->mm)
		return -ENOMEM;
	b->mm->layout.stack_limit = current->rlim_stack;
	b->mm->layout.mmap_base = b->mm->layout.free_hint =
		TASK_SIZE - max(MMAP_GAP, min(round_up(current->rlim_stack, PMD_SIZE), TASK_SIZE / 2));
	v = vma_alloc(b->mm, STACK_TOP - PAGE_SIZE, STACK_TOP,
		      VM_READ | VM_WRITE | VM_EXEC | VM_MAYWRITE | VM_GROWSDOWN);
	if (!v)
		return -ENOMEM;
	vma_insert(b->mm, v);
	b->p = STACK_TOP - 4; /* a null word at the very top */
	return 0;
}

/* Splits "#!interpreter [argument]" in place. */
static int parse_script(char *head, char **interp, char **arg)
{
	char *s = head + 2, *end = strchr(s, '\n');

	if (!end)
		return -ENOEXEC;
	*end = '\0';
	while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		*--end = '\0';
	while (*s == ' ' || *s == '\t')
		s++;
	if (!*s)
		return -ENOEXEC;
	*interp = s;
	while (*s && *s != ' ' && *s != '\t')
		s++;
	*arg = NULL;
	if (!*s)
		return 0;
	*s++ = '\0';
	while (*s == ' ' || *s == '\t')
		s++;
	if (*s)
		*arg = s;
	return 0;
}

/*
 * The file is a script: its interpreter runs, with its argument and the script's
 * path before the arguments. path is where b's file was found; the new one is
 * copied there.
 */
static int use_interpreter(struct binprm *b, char *path, u32 size, bool nested)
{
	char *interp, *arg;
	int err = parse_script(b->head, &interp, &arg);

	if (err)
		return err;
	/* An interpreter that is a script itself stands there already. */
	if (!nested)
		err = push_string(b, path, false);
	if (!err && arg)
		err = push_string(b, arg, false);
	if (!err)
		err = push_string(b, interp, false);
	if (err)
		return err;
	b->argc += 1 + !nested + (arg != NULL);
	if (strlcpy(path, interp, size) >= size)
		return -ENAMETOOLONG;
	put_file(b->file);
	b->file = NULL;
	return open_program(b, AT_FDCWD, path);
}

/* Strings, from the top: the path, the environment, the arguments. */
static int push_strings(struct binprm *b, char *path, u32 size)
{
	int argc = count_strings(b, b->argv), envc = count_strings(b, b->envp), err;

	if (argc < 0 || envc < 0)
		return argc < 0 ? argc : envc;
	b->envc = envc;
	err = push_string(b, path, false);
	b->execfn = b->p;
	b->env_end = b->p;
	if (!err)
		err = push_array(b, b->envp, 0, envc);
	b->env_start = b->p;
	/* A script's own first argument gives way to the interpreter's line. */
	b->skip = !strncmp(b->head, "#!", 2) && argc;
	if (!err)
		err = push_array(b, b->argv, b->skip, argc);
	b->argc = argc - b->skip;
	for (u32 depth = 0; !err && !strncmp(b->head, "#!", 2); depth++)
		err = depth == MAX_SCRIPTS ? -ELOOP : use_interpreter(b, path, size, depth);
	b->arg_start = b->p;
	return err;
}

struct aux {
	u32 type, value;
};
enum {
	AT_NULL,
	AT_PHDR = 3,
	AT_PHENT = 4,
	AT_PHNUM = 5,
	AT_PAGESZ = 6,
	AT_BASE = 7,
	AT_FLAGS = 8,
	AT_ENTRY = 9,
	AT_UID = 11,
	AT_EUID = 12,
	AT_GID = 13,
	AT_EGID = 14,
	AT_PLATFORM = 15,
	AT_HWCAP = 16,
	AT_CLKTCK = 17,
	AT_SECURE = 23,
	AT_RANDOM = 25,
	AT_EXECFN = 31
};

static int push_bytes(struct binprm *b, const void *from, u32 n)
{
	b->p -= n;
	return put_stack(b, b->p, from, n, false);
}

/* The pointers to the n strings that lie from addr on; returns the end of the last. */
static u32 put_pointers(struct binprm *b, u32 at, u32 addr, u32 n, int *err)
{
	for (u32 i = 0; i < n && !*err; i++) {
		*err = put_stack(b, at + 4 * i, &addr, 4, false);
		for (;;) {
			/* Strings may cross pages: the next NUL is looked for a page at a time. */
			u32 off = addr & ~PAGE_MASK, len;

			*err = *err ? *err : stack_page(b, addr);
			if (*err)
				return 0;
			len = strnlen((char *)page_map(b->page, FIX_PAGE0) + off, PAGE_SIZE - off);
			page_unmap(b->page, FIX_PAGE0);
			addr += len;
			if (off + len < PAGE_SIZE)
				break;
		}
		addr++;
	}
	return addr;
}

/* From b->p down: random bytes, the platform's name, the auxiliary vector, envp, argv, argc. */
static int put_tables(struct binprm *b, const struct elf_image *image)
{
	static const char platform[] = "i686";
	u32 random[4], platform_at, random_at, zero = 0, at;
	int err;

	random_bytes(random, sizeof(random));
	err = push_bytes(b, platform, sizeof(platform));
	platform_at = b->p;
	err = err ? err : push_bytes(b, random, sizeof(random));
	random_at = b->p;
	if (err)
		return err;
	struct aux aux[] = {
		{AT_HWCAP, cpu.features},
		{AT_PAGESZ, PAGE_SIZE},
		{AT_CLKTCK, 100},
		{AT_PHDR, image->phdr},
		{AT_PHENT, 32},
		{AT_PHNUM, image->phnum},
		{AT_BASE, image->interp_base},
		{AT_FLAGS, 0},
		{AT_ENTRY, image->entry},
		{AT_UID, current->uid},
		{AT_EUID, current->uid},
		{AT_GID, current->gid},
		{AT_EGID, current->gid},
		{AT_SECURE, 0},
		{AT_RANDOM, random_at},
		{AT_EXECFN, b->execfn},
		{AT_PLATFORM, platform_at},
		{AT_NULL, 0},
	};

	_Static_assert(sizeof(aux) <= sizeof(b->mm->layout.auxv), "/proc/PID/auxv has room");
	memcpy(b->mm->layout.auxv, aux, sizeof(aux));
	b->p = (b->p - sizeof(aux) - 4 * (b->argc + b->envc + 3)) & ~15u;
	at = b->p;
	err = put_stack(b, at, &b->argc, 4, false);
	at += 4;
	put_pointers(b, at, b->arg_start, b->argc, &err);
	at += 4 * b->argc;
	err = err ? err : put_stack(b, at, &zero, 4, false);
	at += 4;
	put_pointers(b, at, b->env_start, b->envc, &err);
	at += 4 * b->envc;
	err = err ? err : put_stack(b, at, &zero, 4, false);
	return err ? err : put_stack(b, at + 4, aux, sizeof(aux), false);
}

static void set_comm(const char *path)
{
	const char *base = strrchr(path, '/');

	strlcpy(current->comm, base ? base + 1 : path, sizeof(current->comm));
}

static void take_over(struct binprm *b, const char *path)
{
	struct mm *mm = b->mm;

	mm->layout.arg_start = b->arg_start;
	mm->layout.arg_end = mm->layout.env_start = b->env_start;
	mm->layout.env_end = b->env_end;
	mm->layout.start_stack = b->p;
	mm->exe = b->file;
	b->file->inode->runners++;
	b->file = NULL;
	b->mm = NULL;
	exit_mm(current);
	current->mm = mm;
	mmu_switch(mm->pgd);
	fpu_drop(&current->cpu);
	memset(current->cpu.tls, 0, sizeof(current->cpu.tls));
	load_tls(current->cpu.tls);
	load_gs(0);
	load_fs(0);
	current->altstack_size = 0;
	current->has_execed = true;
	set_comm(path);
	files_close_on_exec(current->files);
}

static void set_registers(u32 entry, u32 esp)
{
	*current_regs() = (struct regs){.ds = USER_DS,
					.es = USER_DS,
					.eip = entry,
					.cs = USER_CS,
					.eflags = EFLAGS_IF | 2,
					.esp = esp,
					.ss = USER_DS,
					/* The old program's call is gone: nothing to restart. */
					.vector = 0};
}

/* A table of descriptors that others use too is not ours to close in. */
static int own_files(void)
{
	struct files *own;

	if (current->files->count == 1)
		return 0;
	own = files_dup(current->files);
	if (!own)
		return -ENOMEM;
	files_put(current->files);
	current->files = own;
	return 0;
}

static int prepare(struct binprm *b, int dfd, char *path, u32 size, struct elf_image *image)
{
	int err = open_program(b, dfd, path);

	if (!err)
		err = open_stack(b);
	if (!err)
		err = push_strings(b, path, size);
	if (!err)
		err = elf_load(b->mm, b->file, image);
	if (!err)
		err = put_tables(b, image);
	if (!err)
		err = own_files();
	return err ? err : sighand_flush(current);
}

int do_execve(int dfd, const char *name, u32 argv, u32 envp, bool kernel)
{
	struct binprm *b = kzalloc(sizeof(*b) + PATH_MAX);
	struct elf_image image;
	char *path = (char *)(b + 1);
	int err;

	if (!b)
		return -ENOMEM;
	strlcpy(path, name, PATH_MAX);
	b->argv = argv;
	b->envp = envp;
	b->kernel = kernel;
	err = prepare(b, dfd, path, PATH_MAX, &image);
	if (!err) {
		count(execs);
		take_over(b, name);
		set_registers(image.start, b->p);
	}
	if (b->page)
		put_page(b->page);
	if (b->file)
		put_file(b->file);
	if (b->mm)
		mm_put(b->mm);
	kfree(b);
	return err;
}
