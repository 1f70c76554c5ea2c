// SPDX-License-Identifier: MIT
/* fs/proc.c: nodes to dentries, inodes and files. */
#include <stdarg.h>
#include "fs/proc.h"
#include "core/task.h"
#include "fs/file.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

struct proc_node proc_root = {.name = "proc", .mode = S_IFDIR | 0555};

static const struct inode_ops proc_inode_ops;
static const struct file_ops proc_file_ops, proc_dir_ops;

static bool make_room(struct text *t, u32 n)
{
	u32 size = t->size ? t->size : 1024;
	char *buf;

	if (t->len + n <= t->size)
		return true;
	while (size < t->len + n)
		size *= 2;
	buf = t->failed ? NULL : kmalloc(size);
	if (!buf) {
		t->failed = true;
		return false;
	}
	memcpy(buf, t->buf, t->len);
	kfree(t->buf);
	t->buf = buf;
	t->size = size;
	return true;
}

void text_write(struct text *t, const void *data, u32 n)
{
	if (!make_room(t, n))
		return;
	memcpy(t->buf + t->len, data, n);
	t->len += n;
}

void text_printf(struct text *t, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	text_write(t, line, min((u32)n, sizeof(line) - 1));
}

void proc_add(struct proc_node *dir, struct proc_node *node)
{
	struct proc_node **at = &dir->child;

	while (*at)
		at = &(*at)->next;
	*at = node;
}

static struct inode *proc_inode(const struct proc_node *node, s32 pid, u32 n)
{
	struct proc_entry *p = kmalloc(sizeof(*p));
	struct inode *i = p ? inode_alloc(node->mode) : NULL;

	if (!i) {
		kfree(p);
		return NULL;
	}
	*p = (struct proc_entry){node, pid, n};
	i->ops = &proc_inode_ops;
	i->fops = is_dir(i) ? &proc_dir_ops : &proc_file_ops;
	i->private = p;
	if (is_dir(i))
		i->nlink = 2;
	return i;
}

static void proc_release_inode(struct inode *i)
{
	kfree(i->private);
}

/* A whole decimal number, or -1. */
static s32 to_number(const char *name, u32 len)
{
	s32 v = 0;

	if (!len || len > 9)
		return -1;
	for (u32 i = 0; i < len; i++) {
		if (name[i] < '0' || name[i] > '9')
			return -1;
		v = v * 10 + name[i] - '0';
	}
	return v;
}

static struct inode *numbered_inode(const struct proc_entry *dir, s32 number)
{
	const struct proc_node *node = dir->node;

	if (number < 0 || !node->next_number || node->next_number(dir, number) != number)
		return NULL;
	return node->number_is_pid ? proc_inode(node->numbered, number, 0)
				   : proc_inode(node->numbered, dir->pid, number);
}

static struct dentry *proc_lookup(struct dentry *dir, const char *name, u32 len)
{
	const struct proc_entry *p = dir->inode->private;
	const struct proc_node *node = p->node->child;
	struct inode *inode;
	struct dentry *d;

	while (node && (strlen(node->name) != len || memcmp(node->name, name, len)))
		node = node->next;
	inode = node ? proc_inode(node, p->pid, 0) : numbered_inode(p, to_number(name, len));
	if (!inode)
		return NULL;
	d = d_alloc(dir, name, len, inode);
	return d ? d : ERR_PTR(-ENOMEM);
}

static long proc_readlink(struct inode *i, char *buf, u32 n)
{
	const struct proc_entry *p = i->private;

	return p->node->readlink(p, buf, n);
}

static struct dentry *proc_follow(struct inode *i)
{
	const struct proc_entry *p = i->private;

	return p->node->follow ? p->node->follow(p) : NULL;
}

static const struct inode_ops proc_inode_ops = {
	.lookup = proc_lookup,
	.readlink = proc_readlink,
	.follow = proc_follow,
	.release = proc_release_inode,
};

static struct text *make_text(struct file *f)
{
	const struct proc_entry *p = f->inode->private;
	struct text *t = f->private;

	if (!t) {
		t = f->private = kzalloc(sizeof(*t));
		if (!t)
			return NULL;
	}
	t->len = 0;
	t->failed = false;
	p->node->show(t, p);
	return t->failed ? NULL : t;
}

static long proc_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	const struct proc_entry *p = f->inode->private;
	struct text *t = f->private;

	if (!p->node->show)
		return -EINVAL;
	/* From the start on, the contents are of now. */
	if (!t || !*pos)
		t = make_text(f);
	if (!t)
		return -ENOMEM;
	if (*pos >= t->len)
		return 0;
	n = min(n, t->len - (u32)*pos);
	if (copy_to_user(buf, t->buf + *pos, n) < 0)
		return -EFAULT;
	*pos += n;
	return n;
}

static long proc_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	const struct proc_entry *p = f->inode->private;
	char line[256];
	u32 part = min(n, sizeof(line) - 1);

	if (!p->node->write)
		return -EPERM;
	if (copy_from_user(line, buf, part) < 0)
		return -EFAULT;
	line[part] = '\0';
	/* A C library may write a line's text and its newline apart. */
	if (part == 1 && line[0] == '\n')
		return part;
	return p->node->write(p, line, part);
}

static void proc_release(struct file *f)
{
	struct text *t = f->private;

	if (t)
		kfree(t->buf);
	kfree(t);
}

static const struct file_ops proc_file_ops = {
	.read = proc_read,
	.write = proc_write,
	.release = proc_release,
};

enum { FIRST_NUMBER = 1024 }; /* positions from here on are numbered entries */

static int fill_children(struct file *f, const struct proc_node *node, filldir fill, void *arg)
{
	u32 at = 2;

	for (node = node->child; node; node = node->next, at++) {
		if (at < f->pos)
			continue;
		if (fill(arg, node->name, strlen(node->name), at + 1, at, node->mode))
			return 1;
		f->pos = at + 1;
	}
	return 0;
}

static int fill_numbers(struct file *f, const struct proc_entry *p, filldir fill, void *arg)
{
	char name[16];
	s32 n;

	if (!p->node->next_number)
		return 0;
	f->pos = max(f->pos, (u64)FIRST_NUMBER);
	while ((n = p->node->next_number(p, (s32)f->pos - FIRST_NUMBER)) >= 0) {
		u32 len = snprintf(name, sizeof(name), "%d", n);

		if (fill(arg, name, len, FIRST_NUMBER + n + 1, FIRST_NUMBER + n, p->node->numbered->mode))
			return 1;
		f->pos = FIRST_NUMBER + n + 1;
	}
	return 0;
}

static int proc_readdir(struct file *f, filldir fill, void *arg)
{
	const struct proc_entry *p = f->inode->private;

	for (; f->pos < 2; f->pos++)
		if (fill(arg, "..", f->pos + 1, f->pos + 1, f->inode->ino, S_IFDIR))
			return 0;
	if (!fill_children(f, p->node, fill, arg))
		fill_numbers(f, p, fill, arg);
	return 0;
}

static const struct file_ops proc_dir_ops = {.readdir = proc_readdir};

void proc_init(void)
{
	struct inode *inode;
	struct dentry *old = d_lookup(root_dentry, "proc", 4);

	if (old) {
		d_unlink(old);
		dput(old);
	}
	inode = proc_inode(&proc_root, 0, 0);
	if (inode)
		dput(tmpfs_link_new(root_dentry, "proc", 4, inode));
}
