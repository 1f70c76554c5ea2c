// SPDX-License-Identifier: MIT
/*
 * fs/initramfs.c: the boot modules, cpio archives of the "newc" kind, into the root.
 * Each is laid over what the ones before left.
 */
#include "arch/x86/bootinfo.h"
#include "core/log.h"
#include "core/panic.h"
#include "fs/vfs.h"
#include "lib/string.h"
#include "mm/highmem.h"

/* A module may lie in highmem: it is read through a window. */
struct reader {
	paddr_t at, end;
};

static bool read_bytes(struct reader *r, void *to, u32 n)
{
	if (r->end - r->at < n)
		return false;
	while (n) {
		struct page *page = pfn_to_page(r->at >> PAGE_SHIFT);
		u32 off = r->at & (PAGE_SIZE - 1), part = min(n, PAGE_SIZE - off);

		memcpy(to, (char *)page_map(page, FIX_PAGE1) + off, part);
		page_unmap(page, FIX_PAGE1);
		to = (char *)to + part;
		r->at += part;
		n -= part;
	}
	return true;
}

struct cpio_header {
	char magic[6];
	char field[13][8];
};
enum {
	CPIO_INO,
	CPIO_MODE,
	CPIO_UID,
	CPIO_GID,
	CPIO_NLINK,
	CPIO_MTIME,
	CPIO_FILESIZE,
	CPIO_DEVMAJOR,
	CPIO_DEVMINOR,
	CPIO_RDEVMAJOR,
	CPIO_RDEVMINOR,
	CPIO_NAMESIZE,
	CPIO_CHECK
};

static u32 hex8(const char *s)
{
	u32 v = 0;

	for (int i = 0; i < 8; i++) {
		u32 c = (u8)s[i] | 32;

		v = v << 4 | (c >= 'a' ? c - 'a' + 10 : c - '0');
	}
	return v;
}

static void skip_padding(struct reader *r, paddr_t begin)
{
	r->at = min(r->end, begin + round_up(r->at - begin, 4ull));
}

/* Copies n bytes of the archive to the file. */
static int fill_file(struct inode *inode, struct reader *r, u32 n)
{
	static char chunk[PAGE_SIZE];

	while (n) {
		u32 part = min(n, sizeof(chunk));

		if (!read_bytes(r, chunk, part))
			return -EIO;
		if (tmpfs_append(inode, chunk, part) < 0)
			return -ENOMEM;
		n -= part;
	}
	return 0;
}

static int make_file(const char *path, u32 mode, struct reader *r, u32 size)
{
	struct dentry *d;
	int err;

	do_unlink(AT_FDCWD, path, false);
	err = do_mknod(AT_FDCWD, path, mode, 0);
	if (!err)
		err = path_lookup(AT_FDCWD, path, false, &d);
	if (err)
		return err;
	err = fill_file(d->inode, r, size);
	dput(d);
	return err;
}

static int make_symlink(const char *path, struct reader *r, u32 size)
{
	static char target[PATH_MAX];

	if (size >= sizeof(target) || !read_bytes(r, target, size))
		return -EIO;
	target[size] = '\0';
	do_unlink(AT_FDCWD, path, false);
	return do_symlink(target, AT_FDCWD, path);
}

/* One member; its directories have come before it. */
static int make_member(const char *path, const struct cpio_header *h, struct reader *r)
{
	u32 mode = hex8(h->field[CPIO_MODE]), size = hex8(h->field[CPIO_FILESIZE]);
	int err;

	switch (mode & S_IFMT) {
	case S_IFDIR: err = do_mknod(AT_FDCWD, path, mode, 0); return err == -EEXIST ? 0 : err;
	case S_IFREG: return make_file(path, mode, r, size);
	case S_IFLNK: return make_symlink(path, r, size);
	case S_IFCHR:
	case S_IFIFO:
		return do_mknod(AT_FDCWD, path, mode,
				hex8(h->field[CPIO_RDEVMAJOR]) << 8 | hex8(h->field[CPIO_RDEVMINOR]));
	}
	return 0;
}

/* The number of members, or an error where the archive is not what it should be. */
static int unpack(struct reader *r)
{
	static char path[PATH_MAX + 1];
	struct cpio_header h;
	int n = 0, err;

	for (;; n++) {
		paddr_t begin = r->at, data;
		u32 len, size;

		if (!read_bytes(r, &h, sizeof(h)) || memcmp(h.magic, "070701", 6))
			return -EINVAL;
		len = hex8(h.field[CPIO_NAMESIZE]);
		size = hex8(h.field[CPIO_FILESIZE]);
		if (!len || len >= PATH_MAX || !read_bytes(r, path + 1, len))
			return -EINVAL;
		path[0] = '/';
		path[len] = '\0';
		skip_padding(r, begin);
		data = r->at;
		if (!strcmp(path + 1, "TRAILER!!!"))
			return n;
		err = strcmp(path + 1, ".") ? make_member(path, &h, r) : 0;
		if (err) {
			log_warn("initramfs: %s cannot be made: error %d\n", path + 1, -err);
			if (err == -ENOMEM)
				return err;
		}
		if (r->end - data < size)
			return -EINVAL;
		r->at = data + size;
		skip_padding(r, begin);
	}
}

static void make_root(void)
{
	struct inode *inode = tmpfs_inode(S_IFDIR | 0755, 0);

	root_dentry = inode ? d_alloc(NULL, "", 0, inode) : NULL;
	if (!root_dentry)
		panic("no memory for the root directory");
}

void initramfs_unpack(void)
{
	make_root();
	for (u32 i = 0; i < boot_info.nr_modules; i++) {
		const struct boot_module *m = &boot_info.module[i];
		struct reader r = {m->start, m->end};
		int n;

		if (m->end > (u64)max_pfn << PAGE_SHIFT) {
			log_warn("initramfs: module %u lies beyond the memory in use; left out\n", i);
			continue;
		}
		n = unpack(&r);
		if (n < 0)
			log_warn("initramfs: module %u is not a whole cpio archive (newc): error %d\n", i,
				 -n);
		else
			log_info("initramfs: module %u: %u KiB, %d members\n", i, (m->end - m->start) >> 10,
				 n);
		mem_release(m->start, m->end);
	}
}
