// SPDX-License-Identifier: MIT
/* kernel/proc_pid.c: what stands in /proc/PID, in Linux's formats. */
#include "core/account.h"
#include "core/clock.h"
#include "fs/file.h"
#include "kernel/proc.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/slab.h"

static struct task *task_of(const struct proc_entry *e)
{
	return find_task(e->pid);
}

static struct mm *mm_of(const struct proc_entry *e)
{
	struct task *t = task_of(e);

	return t ? t->mm : NULL;
}

static char state_letter(const struct task *t)
{
	switch (t->state) {
	case TASK_RUNNING: return 'R';
	case TASK_INTERRUPTIBLE: return 'S';
	case TASK_UNINTERRUPTIBLE: return 'D';
	case TASK_STOPPED: return 'T';
	default: return 'Z';
	}
}

static void put_path(struct text *t, struct dentry *d)
{
	char *buf = kmalloc(PATH_MAX);

	if (buf && d_path(d, buf, PATH_MAX) >= 0)
		text_printf(t, "%s", buf);
	kfree(buf);
}

static void put_area(struct text *t, const struct mm *mm, const struct vma *v)
{
	const struct file *f = v->file;
	u32 from = t->len;

	text_printf(t, "%08x-%08x %c%c%c%c %08x %02x:%02x %u", v->start, v->end,
		    v->flags & VM_READ ? 'r' : '-', v->flags & VM_WRITE ? 'w' : '-',
		    v->flags & VM_EXEC ? 'x' : '-', v->flags & VM_SHARED ? 's' : 'p',
		    v->mapping ? v->pgoff << PAGE_SHIFT : 0, 0, f ? 1 : 0, f && f->inode ? f->inode->ino : 0);
	if (f || (v->flags & (VM_HEAP | VM_GROWSDOWN)))
		text_printf(t, "%*s", (int)(max(t->len - from, 72u) - (t->len - from)) + 1, "");
	if (f && f->dentry)
		put_path(t, f->dentry);
	else if (v->flags & VM_HEAP)
		text_printf(t, "[heap]");
	else if (v->start <= mm->layout.start_stack && mm->layout.start_stack < v->end)
		text_printf(t, "[stack]");
	text_printf(t, "\n");
}

static void maps_show(struct text *t, const struct proc_entry *e)
{
	struct mm *mm = mm_of(e);

	if (!mm)
		return;
	for (const struct vma *v = mm->first; v; v = v->next)
		put_area(t, mm, v);
}

static void status_memory(struct text *t, const struct mm *mm)
{
	u32 anon, file;

	mm_rss(mm, &anon, &file);
	text_printf(t,
		    "VmSize:\t%8u kB\nVmRSS:\t%8u kB\nRssAnon:\t%8u kB\nRssFile:\t%8u kB\nVmPTE:\t%8u kB\n",
		    kib(mm->total_pages), kib(anon + file), kib(anon), kib(file), kib(mm->nr_tables));
}

static void status_show(struct text *t, const struct proc_entry *e)
{
	static const char *const names[] = {"R (running)", "S (sleeping)", "D (disk sleep)", "T (stopped)",
					    "Z (zombie)"};
	struct task *k = task_of(e);

	if (!k)
		return;
	text_printf(t,
		    "Name:\t%s\nState:\t%s\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nUid:\t%u\t%u\t%u\t%u\nGid:\t%u\t%"
		    "u\t%u\t%u\n",
		    k->comm, names[k->state], k->pid, k->pid, k->parent->pid, k->uid, k->uid, k->uid, k->uid,
		    k->gid, k->gid, k->gid, k->gid);
	if (k->mm)
		status_memory(t, k->mm);
	text_printf(t, "Threads:\t1\nSigPnd:\t%016llx\nSigBlk:\t%016llx\n", k->sig_pending, k->sig_blocked);
}

static void stat_show(struct text *t, const struct proc_entry *e)
{
	struct task *k = task_of(e);
	u32 anon = 0, file = 0;

	if (!k)
		return;
	if (k->mm)
		mm_rss(k->mm, &anon, &file);
	text_printf(t, "%d (%s) %c %d %d %d %d %d 0 %u %u 0 0 ", k->pid, k->comm, state_letter(k),
		    k->parent->pid, k->pgrp, k->sid, k->tty ? 1088 : 0, -1, k->min_flt, k->child_min_flt);
	text_printf(t, "%llu %llu %llu %llu %d %d 1 0 %llu %llu %u 4294967295 ",
		    cycles_to_ns(k->utime) / 10000000, cycles_to_ns(task_stime(k)) / 10000000,
		    cycles_to_ns(k->child_utime) / 10000000, cycles_to_ns(k->child_stime) / 10000000,
		    20 + k->nice, k->nice, k->start_ns / 10000000,
		    k->mm ? (u64)k->mm->total_pages << PAGE_SHIFT : 0, anon + file);
	text_printf(t, "%u %u %u 0 0 0 0 0 0 0 0 0 %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		    k->mm ? k->mm->layout.start_code : 0, k->mm ? k->mm->layout.end_code : 0,
		    k->mm ? k->mm->layout.start_stack : 0, k->exit_signal);
}

/* Copies [start, end) of another address space, as far as it is there. */
static void put_memory(struct text *t, struct mm *mm, u32 start, u32 end)
{
	while (start < end) {
		u32 off = start & ~PAGE_MASK, part = min(end - start, PAGE_SIZE - off);
		struct page *page = mm_get_page(mm, start, false);
		char *copy = page ? kmalloc(PAGE_SIZE) : NULL;

		if (copy) {
			memcpy(copy, (char *)page_map(page, FIX_PAGE0) + off, part);
			page_unmap(page, FIX_PAGE0);
			text_write(t, copy, part);
		}
		kfree(copy);
		if (!page)
			return;
		mm_put_page(page);
		start += part;
	}
}

static void cmdline_show(struct text *t, const struct proc_entry *e)
{
	struct mm *mm = mm_of(e);

	if (mm)
		put_memory(t, mm, mm->layout.arg_start, mm->layout.arg_end);
}

static void environ_show(struct text *t, const struct proc_entry *e)
{
	struct mm *mm = mm_of(e);

	if (mm)
		put_memory(t, mm, mm->layout.env_start, mm->layout.env_end);
}

static void auxv_show(struct text *t, const struct proc_entry *e)
{
	struct mm *mm = mm_of(e);

	if (mm)
		text_write(t, mm->layout.auxv, sizeof(mm->layout.auxv));
}

static void comm_show(struct text *t, const struct proc_entry *e)
{
	struct task *k = task_of(e);

	if (k)
		text_printf(t, "%s\n", k->comm);
}

static struct dentry *exe_follow(const struct proc_entry *e)
{
	struct mm *mm = mm_of(e);

	return mm && mm->exe ? dget(mm->exe->dentry) : ERR_PTR(-ENOENT);
}

static struct dentry *cwd_follow(const struct proc_entry *e)
{
	struct task *k = task_of(e);

	return k && k->fs_context ? dget(k->fs_context->cwd) : ERR_PTR(-ENOENT);
}

static struct dentry *root_follow(const struct proc_entry *e)
{
	struct task *k = task_of(e);

	return k && k->fs_context ? dget(k->fs_context->root) : ERR_PTR(-ENOENT);
}

static long path_of(struct dentry *d, char *buf, u32 size)
{
	long n;

	if (IS_ERR(d))
		return PTR_ERR(d);
	n = d_path(d, buf, size);
	dput(d);
	return n;
}

static long exe_readlink(const struct proc_entry *e, char *buf, u32 size)
{
	return path_of(exe_follow(e), buf, size);
}
static long cwd_readlink(const struct proc_entry *e, char *buf, u32 size)
{
	return path_of(cwd_follow(e), buf, size);
}
static long root_readlink(const struct proc_entry *e, char *buf, u32 size)
{
	return path_of(root_follow(e), buf, size);
}

static struct file *file_of(const struct proc_entry *e)
{
	struct task *k = task_of(e);

	return k && k->files && e->n < k->files->max ? k->files->slot[e->n].file : NULL;
}

static struct dentry *fd_follow(const struct proc_entry *e)
{
	struct file *f = file_of(e);

	return !f ? ERR_PTR(-ENOENT) : f->dentry ? dget(f->dentry) : ERR_PTR(-ENXIO);
}

static long fd_readlink(const struct proc_entry *e, char *buf, u32 size)
{
	struct file *f = file_of(e);

	if (!f)
		return -ENOENT;
	if (f->dentry)
		return d_path(f->dentry, buf, size);
	return min((u32)snprintf(buf, size, "pipe:[%u]", (u32)f->private >> 4), size);
}

static s32 next_fd(const struct proc_entry *e, s32 from)
{
	struct task *k = task_of(e);

	for (u32 fd = max(from, 0); k && k->files && fd < k->files->used; fd++)
		if (k->files->slot[fd].file)
			return fd;
	return -1;
}

static const struct proc_node fd_node = {.name = "",
					 .mode = S_IFLNK | 0700,
					 .readlink = fd_readlink,
					 .follow = fd_follow};

#define FILE(n, s, after)                                                   \
	{                                                                   \
		.name = n, .mode = S_IFREG | 0444, .show = s, .next = after \
	}
#define LINK(n, r, f, after)                                                                 \
	{                                                                                    \
		.name = n, .mode = S_IFLNK | 0777, .readlink = r, .follow = f, .next = after \
	}

static struct proc_node nodes[] = {
	FILE("auxv", auxv_show, &nodes[1]),
	FILE("cmdline", cmdline_show, &nodes[2]),
	FILE("comm", comm_show, &nodes[3]),
	LINK("cwd", cwd_readlink, cwd_follow, &nodes[4]),
	FILE("environ", environ_show, &nodes[5]),
	LINK("exe", exe_readlink, exe_follow, &nodes[6]),
	FILE("maps", maps_show, &nodes[7]),
	LINK("root", root_readlink, root_follow, &nodes[8]),
	FILE("stat", stat_show, &nodes[9]),
	FILE("status", status_show, &nodes[10]),
	{.name = "fd", .mode = S_IFDIR | 0500, .next_number = next_fd, .numbered = &fd_node},
};

struct proc_node proc_pid_dir = {.name = "", .mode = S_IFDIR | 0555, .child = nodes};
