/* SPDX-License-Identifier: MIT */
/*
 * fs/vfs.h: names, inodes and open files.
 *
 * A dentry is a name in a directory. On the root file system (tmpfs) the dentries
 * are the directory: a linked dentry holds a reference on itself, and a name that
 * the hash does not know does not exist. /proc makes dentries when asked; they go
 * with their last user.
 *
 * Errors are negative errno. Functions that take user addresses may sleep.
 */
#pragma once

#include "lib/errno.h"
#include "lib/list.h"
#include "mm/filemap.h"

struct file;
struct inode;
struct poll_table;

#define NAME_MAX 255
#define PATH_MAX 4096

#define S_IFMT   0170000
#define S_IFSOCK 0140000
#define S_IFLNK  0120000
#define S_IFREG  0100000
#define S_IFBLK  0060000
#define S_IFDIR  0040000
#define S_IFCHR  0020000
#define S_IFIFO  0010000

#define O_ACCMODE   0003
#define O_RDONLY    0
#define O_WRONLY    1
#define O_RDWR      2
#define O_CREAT     0100
#define O_EXCL      0200
#define O_NOCTTY    0400
#define O_TRUNC     01000
#define O_APPEND    02000
#define O_NONBLOCK  04000
#define O_LARGEFILE 0100000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW  0400000
#define O_CLOEXEC   02000000
#define O_PATH      010000000

/* What getdents reports, one name a call. Non-zero ends the walk: no room. */
typedef int (*filldir)(void *arg, const char *name, u32 len, u64 next_pos, u32 ino, u32 mode);

/* Positions are in bytes; user buffers have been checked by access_ok. */
struct file_ops {
	int (*open)(struct file *f);
	void (*release)(struct file *f);
	long (*read)(struct file *f, u32 buf, u32 n, u64 *pos);
	long (*write)(struct file *f, u32 buf, u32 n, u64 *pos);
	/* Reports names from f->pos on, and moves it. */
	int (*readdir)(struct file *f, filldir fill, void *arg);
	long (*ioctl)(struct file *f, u32 cmd, u32 arg);
	/* Which of POLLIN, POLLOUT, ... hold now; queues on what may change it if pt is not NULL. */
	u32 (*poll)(struct file *f, struct poll_table *pt);
	/* The object an mmap of the file maps; NULL with *err 0: private zeroes. */
	struct address_space *(*mmap)(struct file *f, int *err);
};

struct inode_ops {
	/* A new dentry for the name, with a reference; or an error pointer. For directories outside tmpfs. */
	struct dentry *(*lookup)(struct dentry *dir, const char *name, u32 len);
	/* The target of a link into buf; its length. */
	long (*readlink)(struct inode *inode, char *buf, u32 n);
	/* What a link that names no path leads to, with a reference (/proc/PID/exe). */
	struct dentry *(*follow)(struct inode *inode);
	/* The inode's last reference is gone: drops what `private` holds. */
	void (*release)(struct inode *inode);
};

struct inode {
	s32 count;
	u32 ino, mode, nlink, uid, gid, rdev;
	u64 atime, mtime, ctime;     /* ns since 1970 */
	const struct inode_ops *ops; /* NULL: tmpfs */
	const struct file_ops *fops;
	struct address_space mapping; /* regular files; mapping.size is the size */
	union {
		char *link; /* tmpfs: a symbolic link's target */
		void *private;
		u32 next_cookie; /* tmpfs: a directory's position for the next name */
	};
	s32 writers; /* open for writing */
	s32 runners; /* address spaces that run it: not to be opened for writing */
};

#define NAME_INLINE 36

struct dentry {
	struct dentry *hash_next, **hash_prev; /* hash_prev NULL: not hashed */
	struct dentry *parent;                 /* with a reference; the root is its own */
	struct inode *inode;                   /* with a reference */
	s32 count;
	u32 hash, len, cookie;
	struct list children, sibling; /* tmpfs: by cookie */
	char *name;
	char inline_name[NAME_INLINE];
};

struct file {
	s32 count;
	u32 flags;
	u64 pos;
	struct dentry *dentry; /* with a reference; NULL for a pipe */
	struct inode *inode;
	const struct file_ops *ops;
	void *private;
};

/* The names a task sees by: shared by CLONE_FS, copied by fork. */
struct fs_context {
	s32 count;
	struct dentry *root, *cwd;
	u32 umask;
};

/* ---- dcache.c ---- */
extern struct dentry *root_dentry;
void dcache_init(void);
static inline struct dentry *dget(struct dentry *d)
{
	d->count++;
	return d;
}
void dput(struct dentry *d);
/* A dentry for inode (whose reference it takes) in dir, in no list; NULL: no memory, the reference is dropped. */
struct dentry *d_alloc(struct dentry *dir, const char *name, u32 len, struct inode *inode);
/* The dentry of that name in dir, with a reference; NULL if the hash does not know it. */
struct dentry *d_lookup(struct dentry *dir, const char *name, u32 len);
/* Links d into dir's children and the hash; the link holds a reference. */
void d_link(struct dentry *d);
/* Takes d out again; it lives on for those who have it open. */
void d_unlink(struct dentry *d);
/* Moves a linked d to another directory and name. 0 or -ENOMEM. */
int d_move(struct dentry *d, struct dentry *dir, const char *name, u32 len);
/* Writes the path from the task's root into buf of n bytes; its length without NUL, or -ERANGE. */
long d_path(struct dentry *d, char *buf, u32 n);
/* True if d is dir or below it. */
bool d_is_below(const struct dentry *d, const struct dentry *dir);

/* ---- inode.c ---- */
/* A new inode with one reference and its times set; NULL: no memory. */
struct inode *inode_alloc(u32 mode);
static inline void iget(struct inode *i)
{
	i->count++;
}
void iput(struct inode *i);
static inline bool is_dir(const struct inode *i)
{
	return (i->mode & S_IFMT) == S_IFDIR;
}
static inline bool is_reg(const struct inode *i)
{
	return (i->mode & S_IFMT) == S_IFREG;
}
static inline bool is_link(const struct inode *i)
{
	return (i->mode & S_IFMT) == S_IFLNK;
}

/* ---- namei.c: names in kernel memory; dfd is a descriptor or AT_FDCWD ---- */
#define AT_FDCWD            (-100)
#define AT_SYMLINK_NOFOLLOW 0x100u
#define AT_REMOVEDIR        0x200u
#define AT_SYMLINK_FOLLOW   0x400u
#define AT_EMPTY_PATH       0x1000u

/* The dentry with a reference; `follow` a link at the end. */
int path_lookup(int dfd, const char *name, bool follow, struct dentry **out);
/* The directory of the last component, with a reference; *last points into name. -EEXIST-like cases are the caller's. */
int path_parent(int dfd, const char *name, struct dentry **dir, const char **last, u32 *len);
/* Opens as open(2) does. A file with one reference, or an error pointer. */
struct file *do_open(int dfd, const char *name, u32 flags, u32 mode);
int do_mknod(int dfd, const char *name, u32 mode, u32 rdev);
int do_symlink(const char *target, int dfd, const char *name);
int do_link(int olddfd, const char *old, int newdfd, const char *new, bool follow);
int do_unlink(int dfd, const char *name, bool dir);
int do_rename(int olddfd, const char *old, int newdfd, const char *new, bool noreplace);
/* The target of the link d into buf; length. */
long do_readlink(struct dentry *d, char *buf, u32 n);

/* ---- tmpfs.c ---- */
extern const struct file_ops tmpfs_file_ops, tmpfs_dir_ops;
/* A new inode of tmpfs, of any kind; NULL: no memory. */
struct inode *tmpfs_inode(u32 mode, u32 rdev);
/* Makes a linked dentry for the inode (reference taken), and returns it with a reference; NULL: no memory. */
struct dentry *tmpfs_link_new(struct dentry *dir, const char *name, u32 len, struct inode *inode);
/* Sets the size of a regular file. 0 or -EFBIG. */
int tmpfs_truncate(struct inode *inode, u64 size);
/* Appends kernel bytes (for the initial root). 0 or -ENOMEM. */
int tmpfs_append(struct inode *inode, const void *data, u32 n);
/* Reads kernel bytes at pos; how many, or a negative errno. May sleep. */
long kernel_read(struct inode *inode, u64 pos, void *buf, u32 n);

/* ---- initramfs.c ---- */
/* Makes the root directory and unpacks the boot modules, each over what is there. Frees the modules. */
void initramfs_unpack(void);
