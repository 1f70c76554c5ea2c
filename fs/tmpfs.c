// SPDX-License-Identifier: MIT
/* fs/tmpfs.c: files in memory: their pages are the page cache, their names the dentries. */
#include "core/clock.h"
#include "core/count.h"
#include "core/task.h"
#include "fs/dev.h"
#include "fs/file.h"
#include "fs/pipe.h"
#include "fs/vfs.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/page_alloc.h"
#include "mm/uaccess.h"

#define MAX_SIZE (1ull << 43) /* a page's index has 31 bits */

static struct inode *area_inode(const struct vma *v)
{
	return container_of(v->mapping, struct inode, mapping);
}

/* An area holds its file; one that outlives it (exec's) holds the inode through the file too. */
static void open_area(struct vma *v)
{
	if (v->file)
		get_file(v->file);
	else
		iget(area_inode(v));
}

static void close_area(struct vma *v)
{
	if (v->file)
		put_file(v->file);
	else
		iput(area_inode(v));
}

static const struct address_space_ops tmpfs_mapping_ops = {
	.get_page = add_zeroed_page,
	.open_area = open_area,
	.close_area = close_area,
};

struct inode *tmpfs_inode(u32 mode, u32 rdev)
{
	struct inode *i = inode_alloc(mode);

	if (!i)
		return NULL;
	i->rdev = rdev;
	switch (mode & S_IFMT) {
	case S_IFREG:
		i->fops = &tmpfs_file_ops;
		mapping_init(&i->mapping, &tmpfs_mapping_ops);
		break;
	case S_IFDIR:
		i->fops = &tmpfs_dir_ops;
		i->nlink = 2;
		i->next_cookie = 2; /* 0 and 1 are . and .. */
		break;
	case S_IFCHR: i->fops = &device_file_ops; break;
	case S_IFIFO: i->fops = &fifo_file_ops; break;
	}
	return i;
}

static void touch(struct inode *i)
{
	i->mtime = i->ctime = clock_wall_ns();
}

struct dentry *tmpfs_link_new(struct dentry *dir, const char *name, u32 len, struct inode *inode)
{
	struct dentry *d = d_alloc(dir, name, len, inode);

	if (!d)
		return NULL;
	d_link(d);
	if (is_dir(inode))
		dir->inode->nlink++;
	touch(dir->inode);
	return d;
}

int tmpfs_truncate(struct inode *inode, u64 size)
{
	if (size > MAX_SIZE)
		return -EFBIG;
	truncate_mapping(&inode->mapping, size);
	touch(inode);
	return 0;
}

static long tmpfs_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	struct address_space *m = &f->inode->mapping;
	u32 done = 0;
	int err = 0;

	while (done < n && *pos < m->size) {
		u32 off = *pos & (PAGE_SIZE - 1);
		u32 part = min(n - done, PAGE_SIZE - off);
		struct page *page = find_get_page(m, *pos >> PAGE_SHIFT);

		if (part > m->size - *pos)
			part = m->size - *pos;
		err = copy_page_to_user(buf + done, page ? page : zero_page, off, part);
		if (page)
			put_page(page);
		if (err)
			break;
		done += part;
		*pos += part;
	}
	return done ? (long)done : err;
}

/* The page for a write of [off, off+part): one that is written whole need not be cleared first. */
static struct page *page_for_write(struct address_space *m, u32 index, u32 part, bool *fresh)
{
	struct page *page = find_get_page(m, index);

	*fresh = !page && part == PAGE_SIZE;
	if (page)
		return page;
	/* Files may have half of memory: the rest is needed to run what removes them. */
	if (counters[CNT_nr_file_pages] >= nr_total_pages() / 2)
		return NULL;
	return *fresh ? add_unset_page(m, index) : add_zeroed_page(m, index);
}

static long tmpfs_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	struct inode *inode = f->inode;
	struct address_space *m = &inode->mapping;
	u32 done = 0;
	int err = 0;

	if (f->flags & O_APPEND)
		*pos = m->size;
	if (*pos + n > MAX_SIZE)
		return -EFBIG;
	while (done < n) {
		u32 off = *pos & (PAGE_SIZE - 1);
		u32 part = min(n - done, PAGE_SIZE - off);
		bool fresh;
		struct page *page = page_for_write(m, *pos >> PAGE_SHIFT, part, &fresh);

		if (!page) {
			err = -ENOSPC;
			break;
		}
		err = copy_page_from_user(page, off, buf + done, part);
		/* Nobody may see what the frame held before. */
		if (err && fresh)
			clear_highpage(page);
		put_page(page);
		if (err)
			break;
		done += part;
		*pos += part;
		if (*pos > m->size)
			m->size = *pos;
	}
	if (done)
		touch(inode);
	return done ? (long)done : err;
}

int tmpfs_append(struct inode *inode, const void *data, u32 n)
{
	struct address_space *m = &inode->mapping;
	const char *from = data;

	while (n) {
		u32 off = m->size & (PAGE_SIZE - 1), part = min(n, PAGE_SIZE - off);
		struct page *page = find_get_page(m, m->size >> PAGE_SHIFT);

		if (!page)
			page = add_zeroed_page(m, m->size >> PAGE_SHIFT);
		if (!page)
			return -ENOMEM;
		memcpy((char *)page_map(page, FIX_PAGE0) + off, from, part);
		page_unmap(page, FIX_PAGE0);
		put_page(page);
		m->size += part;
		from += part;
		n -= part;
	}
	return 0;
}

long kernel_read(struct inode *inode, u64 pos, void *buf, u32 n)
{
	struct address_space *m = &inode->mapping;
	u32 done = 0;

	while (done < n && pos < m->size) {
		u32 off = pos & (PAGE_SIZE - 1), part = min(n - done, PAGE_SIZE - off);
		struct page *page = filemap_get_page(m, pos >> PAGE_SHIFT);

		if (!page)
			return -ENOMEM;
		if (part > m->size - pos)
			part = m->size - pos;
		memcpy((char *)buf + done, (char *)page_map(page, FIX_PAGE0) + off, part);
		page_unmap(page, FIX_PAGE0);
		put_page(page);
		done += part;
		pos += part;
	}
	return done;
}

static struct address_space *tmpfs_mmap(struct file *f, int *err)
{
	*err = 0;
	return &f->inode->mapping;
}

const struct file_ops tmpfs_file_ops = {
	.read = tmpfs_read,
	.write = tmpfs_write,
	.mmap = tmpfs_mmap,
};

static int tmpfs_readdir(struct file *f, filldir fill, void *arg)
{
	struct dentry *dir = f->dentry, *d;

	if (f->pos == 0) {
		if (fill(arg, ".", 1, 1, dir->inode->ino, S_IFDIR))
			return 0;
		f->pos = 1;
	}
	if (f->pos == 1) {
		if (fill(arg, "..", 2, 2, dir->parent->inode->ino, S_IFDIR))
			return 0;
		f->pos = 2;
	}
	list_for_each_entry (d, &dir->children, sibling) {
		if (d->cookie < f->pos)
			continue;
		if (fill(arg, d->name, d->len, d->cookie + 1, d->inode->ino, d->inode->mode))
			return 0;
		f->pos = d->cookie + 1;
	}
	return 0;
}

const struct file_ops tmpfs_dir_ops = {.readdir = tmpfs_readdir};
