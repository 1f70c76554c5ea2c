// SPDX-License-Identifier: MIT
/* kernel/sys_path.c: calls on names: stat, link, rename, chmod and their kind. */
#include "core/clock.h"
#include "fs/file.h"
#include "kernel/syscalls.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

static struct kmem_cache path_cache;

char *path_get(u32 user)
{
	char *path;
	long n;

	if (!path_cache.size)
		kmem_cache_init(&path_cache, "path", PATH_MAX, 4);
	path = kmem_cache_alloc(&path_cache);
	if (!path)
		return ERR_PTR(-ENOMEM);
	n = strncpy_from_user(path, user, PATH_MAX);
	if (n < 0) {
		kmem_cache_free(&path_cache, path);
		return ERR_PTR(n);
	}
	return path;
}

void path_put(char *path)
{
	kmem_cache_free(&path_cache, path);
}

/* The dentry a user's path leads to, with a reference. AT_EMPTY_PATH: the descriptor's own. */
static int user_lookup(int dfd, u32 user, u32 flags, bool follow, struct dentry **out)
{
	char *path = path_get(user);
	struct file *f;
	int err;

	if (IS_ERR(path))
		return PTR_ERR(path);
	if (!*path && (flags & AT_EMPTY_PATH) && dfd != AT_FDCWD) {
		f = fd_file(dfd);
		*out = f && f->dentry ? dget(f->dentry) : NULL;
		err = *out ? 0 : -EBADF;
	} else {
		err = path_lookup(dfd, *path || !(flags & AT_EMPTY_PATH) ? path : ".", follow, out);
	}
	path_put(path);
	return err;
}

struct stat_old {
	u32 dev, ino;
	u16 mode, nlink, uid, gid;
	u32 rdev, size, blksize, blocks;
	u32 atime, atime_ns, mtime, mtime_ns, ctime, ctime_ns;
	u32 unused[2];
};

struct stat64 {
	u64 dev;
	u8 pad0[4];
	u32 ino_low, mode, nlink, uid, gid;
	u64 rdev;
	u8 pad3[4];
	s64 size;
	u32 blksize;
	u64 blocks;
	u32 atime, atime_ns, mtime, mtime_ns, ctime, ctime_ns;
	u64 ino;
} __packed;

struct statx_time {
	s64 sec;
	u32 ns;
	s32 pad;
};
struct statx {
	u32 mask, blksize;
	u64 attributes;
	u32 nlink, uid, gid;
	u16 mode, pad1;
	u64 ino, size, blocks, attributes_mask;
	struct statx_time atime, btime, ctime, mtime;
	u32 rdev_major, rdev_minor, dev_major, dev_minor;
	u64 spare[14];
};

/* A pipe has no inode of its own. */
static const struct inode pipe_inode = {.mode = S_IFIFO | 0600, .nlink = 1, .ino = 1};

static u64 inode_blocks(const struct inode *i)
{
	return (u64)i->mapping.nr_pages * (PAGE_SIZE / 512);
}

static u32 sec(u64 ns)
{
	return ns / NSEC_PER_SEC;
}
static u32 nsec(u64 ns)
{
	return ns % NSEC_PER_SEC;
}

/* What both layouts have, each in its own widths. */
#define STAT_FIELDS(i)                                                                                     \
	.dev = 1, .mode = (i)->mode, .nlink = (i)->nlink, .uid = (i)->uid, .gid = (i)->gid,                \
	.rdev = (i)->rdev, .size = (i)->mapping.size, .blksize = PAGE_SIZE, .blocks = inode_blocks(i),     \
	.ino = (i)->ino, .atime = sec((i)->atime), .atime_ns = nsec((i)->atime), .mtime = sec((i)->mtime), \
	.mtime_ns = nsec((i)->mtime), .ctime = sec((i)->ctime), .ctime_ns = nsec((i)->ctime)

static long put_stat64(const struct inode *i, u32 to)
{
	struct stat64 s = {STAT_FIELDS(i), .ino_low = i->ino};

	return copy_to_user(to, &s, sizeof(s));
}

static long put_stat(const struct inode *i, u32 to)
{
	struct stat_old s = {STAT_FIELDS(i)};

	return i->mapping.size > 0x7fffffff ? -EOVERFLOW : copy_to_user(to, &s, sizeof(s));
}

static struct statx_time statx_time(u64 ns)
{
	return (struct statx_time){.sec = sec(ns), .ns = nsec(ns)};
}

static long put_statx(const struct inode *i, u32 to)
{
	struct statx s = {
		.mask = 0x7ff,
		.blksize = PAGE_SIZE,
		.nlink = i->nlink,
		.uid = i->uid,
		.gid = i->gid,
		.mode = i->mode,
		.ino = i->ino,
		.size = i->mapping.size,
		.blocks = inode_blocks(i),
		.atime = statx_time(i->atime),
		.mtime = statx_time(i->mtime),
		.ctime = statx_time(i->ctime),
		.rdev_major = i->rdev >> 8,
		.rdev_minor = i->rdev & 0xff,
		.dev_minor = 1,
	};

	return copy_to_user(to, &s, sizeof(s));
}

static long stat_fd(u32 fd, u32 to, long (*put)(const struct inode *i, u32 to))
{
	struct file *f = fd_file(fd);

	return f ? put(f->inode ? f->inode : &pipe_inode, to) : -EBADF;
}

static bool is_empty_string(u32 user)
{
	char first;

	return copy_from_user(&first, user, 1) == 0 && !first;
}

/* A descriptor by itself (AT_EMPTY_PATH) may be one without a name: a pipe. */
static long stat_path(int dfd, u32 path, u32 flags, u32 to, long (*put)(const struct inode *i, u32 to))
{
	struct dentry *d;
	long err;

	if ((flags & AT_EMPTY_PATH) && dfd != AT_FDCWD && is_empty_string(path))
		return stat_fd(dfd, to, put);
	err = user_lookup(dfd, path, flags, !(flags & AT_SYMLINK_NOFOLLOW), &d);
	if (err)
		return err;
	err = put(d->inode, to);
	dput(d);
	return err;
}

long sys_stat(u32 path, u32 to)
{
	return stat_path(AT_FDCWD, path, 0, to, put_stat);
}
long sys_lstat(u32 path, u32 to)
{
	return stat_path(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, to, put_stat);
}
long sys_fstat(u32 fd, u32 to)
{
	return stat_fd(fd, to, put_stat);
}
long sys_stat64(u32 path, u32 to)
{
	return stat_path(AT_FDCWD, path, 0, to, put_stat64);
}
long sys_lstat64(u32 path, u32 to)
{
	return stat_path(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, to, put_stat64);
}
long sys_fstat64(u32 fd, u32 to)
{
	return stat_fd(fd, to, put_stat64);
}
long sys_fstatat64(u32 dfd, u32 path, u32 to, u32 flags)
{
	return stat_path(dfd, path, flags, to, put_stat64);
}
long sys_statx(u32 dfd, u32 path, u32 flags, u32 mask, u32 to)
{
	return stat_path(dfd, path, flags, to, put_statx);
}

/* Runs fn with a path from the program. */
#define WITH_PATH(user, path, call)                           \
	({                                                    \
		char *path = path_get(user);                  \
		long _err = IS_ERR(path) ? PTR_ERR(path) : 0; \
		if (!_err) {                                  \
			_err = (call);                        \
			path_put(path);                       \
		}                                             \
		_err;                                         \
	})
#define WITH_PATHS(user1, path1, user2, path2, call) WITH_PATH(user1, path1, WITH_PATH(user2, path2, call))

long sys_unlink(u32 user)
{
	return WITH_PATH(user, path, do_unlink(AT_FDCWD, path, false));
}
long sys_rmdir(u32 user)
{
	return WITH_PATH(user, path, do_unlink(AT_FDCWD, path, true));
}
long sys_unlinkat(u32 dfd, u32 user, u32 flags)
{
	return WITH_PATH(user, path, do_unlink(dfd, path, flags & AT_REMOVEDIR));
}

static long make_node_checked(int dfd, const char *path, u32 mode, u32 rdev)
{
	switch (mode & S_IFMT) {
	case 0: return do_mknod(dfd, path, mode | S_IFREG, 0);
	case S_IFREG:
	case S_IFIFO: return do_mknod(dfd, path, mode, 0);
	case S_IFCHR: return do_mknod(dfd, path, mode, rdev);
	}
	return -EPERM;
}
long sys_mkdir(u32 user, u32 mode)
{
	return WITH_PATH(user, path, do_mknod(AT_FDCWD, path, S_IFDIR | (mode & 07777), 0));
}
long sys_mkdirat(u32 dfd, u32 user, u32 mode)
{
	return WITH_PATH(user, path, do_mknod(dfd, path, S_IFDIR | (mode & 07777), 0));
}
long sys_mknod(u32 user, u32 mode, u32 rdev)
{
	return WITH_PATH(user, path, make_node_checked(AT_FDCWD, path, mode, rdev));
}
long sys_mknodat(u32 dfd, u32 user, u32 mode, u32 rdev)
{
	return WITH_PATH(user, path, make_node_checked(dfd, path, mode, rdev));
}
long sys_symlink(u32 target, u32 user)
{
	return WITH_PATHS(target, to, user, path, do_symlink(to, AT_FDCWD, path));
}
long sys_symlinkat(u32 target, u32 dfd, u32 user)
{
	return WITH_PATHS(target, to, user, path, do_symlink(to, dfd, path));
}
long sys_link(u32 old, u32 new)
{
	return WITH_PATHS(old, from, new, to, do_link(AT_FDCWD, from, AT_FDCWD, to, false));
}
long sys_linkat(u32 olddfd, u32 old, u32 newdfd, u32 new, u32 flags)
{
	return WITH_PATHS(old, from, new, to, do_link(olddfd, from, newdfd, to, flags & AT_SYMLINK_FOLLOW));
}
long sys_rename(u32 old, u32 new)
{
	return WITH_PATHS(old, from, new, to, do_rename(AT_FDCWD, from, AT_FDCWD, to, false));
}
long sys_renameat(u32 olddfd, u32 old, u32 newdfd, u32 new)
{
	return WITH_PATHS(old, from, new, to, do_rename(olddfd, from, newdfd, to, false));
}
long sys_renameat2(u32 olddfd, u32 old, u32 newdfd, u32 new, u32 flags)
{
	if (flags > 1)
		return -EINVAL;
	return WITH_PATHS(old, from, new, to, do_rename(olddfd, from, newdfd, to, flags & 1));
}

long sys_readlinkat(u32 dfd, u32 path, u32 to, s32 n)
{
	struct dentry *d;
	char *buf;
	long len;

	if (n <= 0)
		return -EINVAL;
	len = user_lookup(dfd, path, 0, false, &d);
	if (len)
		return len;
	buf = kmalloc(PATH_MAX);
	len = buf ? do_readlink(d, buf, min(n, PATH_MAX)) : -ENOMEM;
	dput(d);
	if (len >= 0 && copy_to_user(to, buf, len) < 0)
		len = -EFAULT;
	kfree(buf);
	return len;
}
long sys_readlink(u32 path, u32 to, s32 n)
{
	return sys_readlinkat(AT_FDCWD, path, to, n);
}

/* One user, who may do anything: only the right to execute can be missing. */
long sys_faccessat(u32 dfd, u32 path, u32 mode, u32 flags)
{
	struct dentry *d;
	long err = user_lookup(dfd, path, flags, !(flags & AT_SYMLINK_NOFOLLOW), &d);

	if (err)
		return err;
	if (mode > 7)
		err = -EINVAL;
	else if ((mode & 1) && !is_dir(d->inode) && !(d->inode->mode & 0111))
		err = -EACCES;
	dput(d);
	return err;
}
long sys_access(u32 path, u32 mode)
{
	return sys_faccessat(AT_FDCWD, path, mode, 0);
}

static long change_mode(struct inode *i, u32 mode)
{
	if (i->ops)
		return -EPERM;
	i->mode = (i->mode & S_IFMT) | (mode & 07777);
	i->ctime = clock_wall_ns();
	return 0;
}
static long change_owner(struct inode *i, u32 uid, u32 gid)
{
	if (i->ops)
		return -EPERM;
	if (uid != ~0u)
		i->uid = uid;
	if (gid != ~0u)
		i->gid = gid;
	i->ctime = clock_wall_ns();
	return 0;
}

#define WITH_DENTRY(dfd, user, flags, d, call)                                                 \
	({                                                                                     \
		struct dentry *d;                                                              \
		long _err = user_lookup(dfd, user, flags, !((flags)&AT_SYMLINK_NOFOLLOW), &d); \
		if (!_err) {                                                                   \
			_err = (call);                                                         \
			dput(d);                                                               \
		}                                                                              \
		_err;                                                                          \
	})

long sys_chmod(u32 user, u32 mode)
{
	return WITH_DENTRY(AT_FDCWD, user, 0u, d, change_mode(d->inode, mode));
}
long sys_fchmodat(u32 dfd, u32 user, u32 mode)
{
	return WITH_DENTRY(dfd, user, 0u, d, change_mode(d->inode, mode));
}
long sys_fchmod(u32 fd, u32 mode)
{
	struct file *f = fd_file(fd);

	return f && f->inode ? change_mode(f->inode, mode) : -EBADF;
}
long sys_chown(u32 user, u32 uid, u32 gid)
{
	return WITH_DENTRY(AT_FDCWD, user, 0u, d, change_owner(d->inode, uid, gid));
}
long sys_lchown(u32 user, u32 uid, u32 gid)
{
	return WITH_DENTRY(AT_FDCWD, user, AT_SYMLINK_NOFOLLOW, d, change_owner(d->inode, uid, gid));
}
long sys_fchown(u32 fd, u32 uid, u32 gid)
{
	struct file *f = fd_file(fd);

	return f && f->inode ? change_owner(f->inode, uid, gid) : -EBADF;
}
long sys_fchownat(u32 dfd, u32 user, u32 uid, u32 gid, u32 flags)
{
	return WITH_DENTRY(dfd, user, flags, d, change_owner(d->inode, uid, gid));
}

static long truncate_inode(struct inode *i, s64 size)
{
	if (size < 0)
		return -EINVAL;
	if (is_dir(i))
		return -EISDIR;
	if (!is_reg(i) || !i->mapping.ops)
		return -EINVAL;
	return i->runners ? -ETXTBSY : tmpfs_truncate(i, size);
}
long sys_truncate64(u32 user, u32 lo, u32 hi)
{
	return WITH_DENTRY(AT_FDCWD, user, 0u, d, truncate_inode(d->inode, (u64)hi << 32 | lo));
}
long sys_truncate(u32 user, u32 size)
{
	return sys_truncate64(user, size, (s32)size < 0 ? ~0u : 0);
}
long sys_ftruncate64(u32 fd, u32 lo, u32 hi)
{
	struct file *f = fd_file(fd);

	if (!f)
		return -EBADF;
	return f->inode && file_writes(f) ? truncate_inode(f->inode, (u64)hi << 32 | lo) : -EINVAL;
}
long sys_ftruncate(u32 fd, u32 size)
{
	return sys_ftruncate64(fd, size, (s32)size < 0 ? ~0u : 0);
}

#define UTIME_NOW  0x3fffffffu
#define UTIME_OMIT 0x3ffffffeu

static void set_time(u64 *field, u64 s, u32 ns)
{
	if (ns == UTIME_NOW)
		*field = clock_wall_ns();
	else if (ns != UTIME_OMIT)
		*field = s * NSEC_PER_SEC + ns;
}

/* times: seconds and nanoseconds of access, then of change; NULL: now. */
static long change_times(struct inode *i, const u64 *times)
{
	if (i->ops)
		return -EPERM;
	for (int k = 0; times && k < 2; k++)
		if (times[2 * k + 1] >= NSEC_PER_SEC && times[2 * k + 1] < UTIME_OMIT)
			return -EINVAL;
	i->ctime = clock_wall_ns();
	set_time(&i->atime, times ? times[0] : 0, times ? times[1] : UTIME_NOW);
	set_time(&i->mtime, times ? times[2] : 0, times ? times[3] : UTIME_NOW);
	return 0;
}

static long utimens(u32 dfd, u32 path, const u64 *times, u32 flags)
{
	struct file *f;

	if (path)
		return WITH_DENTRY(dfd, path, flags, d, change_times(d->inode, times));
	f = fd_file(dfd);
	return f && f->inode ? change_times(f->inode, times) : -EBADF;
}

long sys_utimensat64(u32 dfd, u32 path, u32 user, u32 flags)
{
	u64 t[4] = {0};

	if (user && copy_from_user(t, user, sizeof(t)) < 0)
		return -EFAULT;
	t[1] &= 0xffffffff;
	t[3] &= 0xffffffff;
	return utimens(dfd, path, user ? t : NULL, flags);
}

/* Four words: seconds and fractions, of `unit` nanoseconds each. */
static long utimes32(u32 dfd, u32 path, u32 user, u32 flags, u32 unit)
{
	u32 t[4];
	u64 wide[4];

	if (user && copy_from_user(t, user, sizeof(t)) < 0)
		return -EFAULT;
	for (int i = 0; i < 4 && user; i++)
		wide[i] = i % 2 && t[i] < UTIME_OMIT ? (u64)t[i] * unit : t[i];
	return utimens(dfd, path, user ? wide : NULL, flags);
}
long sys_utimensat(u32 dfd, u32 path, u32 user, u32 flags)
{
	return utimes32(dfd, path, user, flags, 1);
}
long sys_utimes(u32 path, u32 user)
{
	return utimes32(AT_FDCWD, path, user, 0, 1000);
}
long sys_utime(u32 path, u32 user)
{
	u32 t[2];
	u64 wide[4] = {0};

	if (user && copy_from_user(t, user, sizeof(t)) < 0)
		return -EFAULT;
	if (user) {
		wide[0] = t[0];
		wide[2] = t[1];
	}
	return utimens(AT_FDCWD, path, user ? wide : NULL, 0);
}

long sys_getcwd(u32 to, u32 size)
{
	char *buf = kmalloc(PATH_MAX);
	long n = buf ? d_path(current->fs_context->cwd, buf, PATH_MAX) : -ENOMEM;

	if (n >= 0)
		n = (u32)n + 1 > size ? -ERANGE : copy_to_user(to, buf, n + 1) < 0 ? -EFAULT : n + 1;
	kfree(buf);
	return n;
}

/* Takes d's reference. */
static long set_place(struct dentry **place, struct dentry *d)
{
	if (!is_dir(d->inode)) {
		dput(d);
		return -ENOTDIR;
	}
	dput(*place);
	*place = d;
	return 0;
}
long sys_chdir(u32 user)
{
	return WITH_DENTRY(AT_FDCWD, user, 0u, d, set_place(&current->fs_context->cwd, dget(d)));
}
long sys_chroot(u32 user)
{
	return WITH_DENTRY(AT_FDCWD, user, 0u, d, set_place(&current->fs_context->root, dget(d)));
}
long sys_fchdir(u32 fd)
{
	struct file *f = fd_file(fd);

	return f && f->dentry ? set_place(&current->fs_context->cwd, dget(f->dentry)) : -EBADF;
}

long sys_umask(u32 mask)
{
	u32 old = current->fs_context->umask;

	current->fs_context->umask = mask & 0777;
	return old;
}

/* All file systems there are have been mounted at boot. */
long sys_mount(void)
{
	return -EBUSY;
}
long sys_umount(void)
{
	return -EBUSY;
}

#define TMPFS_MAGIC 0x01021994u

static long put_statfs(u32 to, bool wide)
{
	u32 total = nr_total_pages(), left = nr_free_pages();
	u32 s[16] = {TMPFS_MAGIC, PAGE_SIZE, total, left, left, 0, 0, 1, 0, NAME_MAX, PAGE_SIZE};
	u32 w[21] = {TMPFS_MAGIC, PAGE_SIZE, total, 0, left, 0, left,     0,
		     0,           0,         0,     0, 1,    0, NAME_MAX, PAGE_SIZE};

	return wide ? copy_to_user(to, w, sizeof(w)) : copy_to_user(to, s, sizeof(s));
}
long sys_statfs(u32 path, u32 to)
{
	return WITH_DENTRY(AT_FDCWD, path, 0u, d, put_statfs(to, false));
}
long sys_fstatfs(u32 fd, u32 to)
{
	return fd_file(fd) ? put_statfs(to, false) : -EBADF;
}
long sys_statfs64(u32 path, u32 size, u32 to)
{
	if (size != 84)
		return -EINVAL;
	return WITH_DENTRY(AT_FDCWD, path, 0u, d, put_statfs(to, true));
}
long sys_fstatfs64(u32 fd, u32 size, u32 to)
{
	if (size != 84)
		return -EINVAL;
	return fd_file(fd) ? put_statfs(to, true) : -EBADF;
}
