// SPDX-License-Identifier: MIT
/* fs/dcache.c: dentries, their hash, and paths from them. */
#include "core/panic.h"
#include "core/task.h"
#include "fs/vfs.h"
#include "lib/string.h"
#include "mm/slab.h"

enum { HASH_SIZE = 1024 };

struct dentry *root_dentry;

static struct kmem_cache dentry_cache;
static struct dentry *hash_table[HASH_SIZE];

void dcache_init(void)
{
	kmem_cache_init(&dentry_cache, "dentry", sizeof(struct dentry), 4);
}

static u32 name_hash(const struct dentry *dir, const char *name, u32 len)
{
	u32 h = (u32)dir >> 4;

	while (len--)
		h = h * 31 + (u8)*name++;
	return h;
}

static int set_name(struct dentry *d, const char *name, u32 len)
{
	char *to = d->inline_name;

	if (len >= NAME_INLINE) {
		to = kmalloc(len + 1);
		if (!to)
			return -ENOMEM;
	}
	memcpy(to, name, len);
	to[len] = '\0';
	if (d->name && d->name != d->inline_name)
		kfree(d->name);
	d->name = to;
	d->len = len;
	d->hash = name_hash(d->parent, name, len);
	return 0;
}

struct dentry *d_alloc(struct dentry *dir, const char *name, u32 len, struct inode *inode)
{
	struct dentry *d = kmem_cache_alloc(&dentry_cache);

	if (d) {
		d->parent = dir ? dir : d;
		d->name = NULL;
		if (set_name(d, name, len) == 0) {
			d->hash_prev = NULL;
			d->inode = inode;
			d->count = 1;
			list_init(&d->children);
			if (dir)
				dget(dir);
			return d;
		}
		kmem_cache_free(&dentry_cache, d);
	}
	iput(inode);
	return NULL;
}

void dput(struct dentry *d)
{
	struct dentry *parent;

	while (d && --d->count == 0) {
		BUG_ON(d->hash_prev || d->parent == d);
		parent = d->parent;
		iput(d->inode);
		if (d->name != d->inline_name)
			kfree(d->name);
		kmem_cache_free(&dentry_cache, d);
		d = parent;
	}
}

noinline struct dentry *d_lookup(struct dentry *dir, const char *name, u32 len)
{
	u32 hash = name_hash(dir, name, len);

	for (struct dentry *d = hash_table[hash % HASH_SIZE]; d; d = d->hash_next)
		if (d->hash == hash && d->parent == dir && d->len == len && !memcmp(d->name, name, len))
			return dget(d);
	return NULL;
}

static void hash_add(struct dentry *d)
{
	struct dentry **head = &hash_table[d->hash % HASH_SIZE];

	d->hash_next = *head;
	d->hash_prev = head;
	if (*head)
		(*head)->hash_prev = &d->hash_next;
	*head = d;
}

static void hash_del(struct dentry *d)
{
	*d->hash_prev = d->hash_next;
	if (d->hash_next)
		d->hash_next->hash_prev = d->hash_prev;
	d->hash_prev = NULL;
}

static void enter_directory(struct dentry *d)
{
	d->cookie = d->parent->inode->next_cookie++;
	list_add_tail(&d->parent->children, &d->sibling);
	hash_add(d);
}

void d_link(struct dentry *d)
{
	dget(d);
	enter_directory(d);
}

void d_unlink(struct dentry *d)
{
	hash_del(d);
	list_del(&d->sibling);
	dput(d);
}

int d_move(struct dentry *d, struct dentry *dir, const char *name, u32 len)
{
	struct dentry *old = d->parent;
	int err;

	hash_del(d);
	list_del(&d->sibling);
	d->parent = dir;
	err = set_name(d, name, len);
	if (err)
		d->parent = old;
	else
		dget(dir);
	enter_directory(d);
	if (!err)
		dput(old);
	return err;
}

bool d_is_below(const struct dentry *d, const struct dentry *dir)
{
	while (d != dir && d->parent != d)
		d = d->parent;
	return d == dir;
}

long d_path(struct dentry *d, char *buf, u32 n)
{
	struct dentry *top = current->fs_context ? current->fs_context->root : root_dentry;
	const char *gone = d->hash_prev || d == top || d->inode->ops ? "" : " (deleted)";
	u32 at = n;

	if (n < 2)
		return -ERANGE;
	buf[--at] = '\0';
	at -= min(strlen(gone), at);
	memcpy(buf + at, gone, strlen(gone));
	if (d == top)
		buf[--at] = '/';
	for (; d != top && d->parent != d; d = d->parent) {
		if (at < d->len + 1)
			return -ERANGE;
		at -= d->len;
		memcpy(buf + at, d->name, d->len);
		buf[--at] = '/';
	}
	memmove(buf, buf + at, n - at);
	return n - at - 1;
}
