// SPDX-License-Identifier: MIT
/* fs/file.c: open files and descriptor tables. */
#include "fs/file.h"
#include "lib/string.h"
#include "mm/slab.h"

static struct kmem_cache file_cache, files_cache, fs_context_cache;

static void cache_init(struct kmem_cache *c, const char *name, u32 size)
{
	if (!c->size)
		kmem_cache_init(c, name, size, 4);
}

struct file *file_alloc(const struct file_ops *ops, u32 flags)
{
	struct file *f;

	cache_init(&file_cache, "file", sizeof(struct file));
	f = kmem_cache_alloc(&file_cache);
	if (f)
		*f = (struct file){.count = 1,
				   .flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC),
				   .ops = ops};
	return f;
}

struct file *file_open(struct dentry *d, u32 flags)
{
	static const struct file_ops no_ops;
	struct inode *inode = d->inode;
	struct file *f = file_alloc(flags & O_PATH || !inode->fops ? &no_ops : inode->fops, flags);
	int err = 0;

	if (!f) {
		dput(d);
		return ERR_PTR(-ENOMEM);
	}
	f->dentry = d;
	f->inode = inode;
	if (f->ops->open)
		err = f->ops->open(f);
	if (err) {
		dput(d);
		kmem_cache_free(&file_cache, f);
		return ERR_PTR(err);
	}
	if (file_writes(f))
		inode->writers++;
	return f;
}

void put_file(struct file *f)
{
	if (!f || --f->count)
		return;
	if (f->ops->release)
		f->ops->release(f);
	if (f->dentry && file_writes(f))
		f->inode->writers--;
	dput(f->dentry);
	kmem_cache_free(&file_cache, f);
}

static int grow(struct files *t, u32 want)
{
	u32 max = t->max;
	struct fd_slot *slot;

	if (want >= FILES_MAX)
		return -EMFILE;
	while (max <= want)
		max *= 2;
	slot = kzalloc(max * sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	memcpy(slot, t->slot, t->max * sizeof(*slot));
	if (t->slot != t->inline_slot)
		kfree(t->slot);
	t->slot = slot;
	t->max = max;
	return 0;
}

static void put_slot(struct files *t, u32 fd, struct file *f, bool cloexec)
{
	t->slot[fd] = (struct fd_slot){f, cloexec};
	t->used = max(t->used, fd + 1);
}

int fd_install(struct file *f, u32 from, bool cloexec)
{
	struct files *t = current->files;
	u32 fd = max(from, t->first_free);
	int err = 0;

	while (fd < t->max && t->slot[fd].file)
		fd++;
	if (fd >= current->rlim_nofile)
		err = -EMFILE;
	else if (fd >= t->max)
		err = grow(t, fd);
	if (err) {
		put_file(f);
		return err;
	}
	put_slot(t, fd, f, cloexec);
	if (from <= t->first_free)
		t->first_free = fd + 1;
	return fd;
}

int fd_replace(u32 fd, struct file *f, bool cloexec)
{
	struct files *t = current->files;
	struct file *old;
	int err = fd < current->rlim_nofile ? 0 : -EBADF;

	if (!err && fd >= t->max)
		err = grow(t, fd);
	if (err)
		return err;
	old = t->slot[fd].file;
	get_file(f);
	put_slot(t, fd, f, cloexec);
	put_file(old);
	return fd;
}

int fd_close(u32 fd)
{
	struct files *t = current->files;
	struct file *f = fd_file(fd);

	if (!f)
		return -EBADF;
	t->slot[fd].file = NULL;
	t->first_free = min(t->first_free, fd);
	while (t->used && !t->slot[t->used - 1].file)
		t->used--;
	put_file(f);
	return 0;
}

struct files *files_alloc(void)
{
	struct files *t;

	cache_init(&files_cache, "files", sizeof(struct files));
	t = kmem_cache_zalloc(&files_cache);
	if (!t)
		return NULL;
	t->count = 1;
	t->max = FILES_INLINE;
	t->slot = t->inline_slot;
	return t;
}

struct files *files_dup(const struct files *from)
{
	struct files *t = files_alloc();

	if (!t)
		return NULL;
	if (from->used > t->max && grow(t, from->used - 1) < 0) {
		files_put(t);
		return NULL;
	}
	for (u32 i = 0; i < from->used; i++) {
		t->slot[i] = from->slot[i];
		if (t->slot[i].file)
			get_file(t->slot[i].file);
	}
	t->used = from->used;
	t->first_free = from->first_free;
	return t;
}

void files_put(struct files *t)
{
	if (!t || --t->count)
		return;
	for (u32 i = 0; i < t->used; i++)
		put_file(t->slot[i].file);
	if (t->slot != t->inline_slot)
		kfree(t->slot);
	kmem_cache_free(&files_cache, t);
}

void files_close_on_exec(struct files *t)
{
	for (u32 i = 0; i < t->used; i++)
		if (t->slot[i].file && t->slot[i].cloexec)
			fd_close(i);
}

struct fs_context *fs_context_alloc(void)
{
	struct fs_context *c;

	cache_init(&fs_context_cache, "fs_context", sizeof(struct fs_context));
	c = kmem_cache_alloc(&fs_context_cache);
	if (c)
		*c = (struct fs_context){1, dget(root_dentry), dget(root_dentry), 022};
	return c;
}

struct fs_context *fs_context_dup(const struct fs_context *from)
{
	struct fs_context *c = kmem_cache_alloc(&fs_context_cache);

	if (c)
		*c = (struct fs_context){1, dget(from->root), dget(from->cwd), from->umask};
	return c;
}

void fs_context_put(struct fs_context *c)
{
	if (!c || --c->count)
		return;
	dput(c->root);
	dput(c->cwd);
	kmem_cache_free(&fs_context_cache, c);
}
