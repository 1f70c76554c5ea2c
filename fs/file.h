/* SPDX-License-Identifier: MIT */
/* fs/file.h: open files, and a task's table of descriptors. */
#pragma once

#include "core/task.h"
#include "fs/vfs.h"

enum { FILES_INLINE = 16, FILES_MAX = 1024 };

struct fd_slot {
	struct file *file;
	u32 cloexec;
};

/* Shared by CLONE_FILES, copied by fork. */
struct files {
	s32 count;
	u32 max, used;  /* slots there are; one more than the highest in use */
	u32 first_free; /* no free slot lies below it */
	struct fd_slot *slot;
	struct fd_slot inline_slot[FILES_INLINE];
};

/* A file without a name (pipe): one reference. NULL: no memory. */
struct file *file_alloc(const struct file_ops *ops, u32 flags);
/* Opens what d names; takes d's reference in any case. A file with one reference or an error pointer. */
struct file *file_open(struct dentry *d, u32 flags);
static inline void get_file(struct file *f)
{
	f->count++;
}
/* One reference less; the last one closes. May sleep. */
void put_file(struct file *f);

/* The current task's file at fd, without a reference; NULL. It stays while the task does not close it. */
static inline struct file *fd_file(u32 fd)
{
	struct files *t = current->files;

	return t && fd < t->max ? t->slot[fd].file : NULL;
}
/* Puts f (taking its reference) at the lowest free descriptor >= from. The number, or -EMFILE/-ENOMEM with f put. */
int fd_install(struct file *f, u32 from, bool cloexec);
/* Puts a new reference of f at exactly fd, closing what was there. fd or -EBADF/-ENOMEM. */
int fd_replace(u32 fd, struct file *f, bool cloexec);
int fd_close(u32 fd);

struct files *files_alloc(void);
/* A copy with its own references; NULL: no memory. */
struct files *files_dup(const struct files *from);
void files_put(struct files *t);
/* Closes what is marked close-on-exec. */
void files_close_on_exec(struct files *t);

struct fs_context *fs_context_alloc(void);
struct fs_context *fs_context_dup(const struct fs_context *from);
void fs_context_put(struct fs_context *c);

static inline bool file_reads(const struct file *f)
{
	return (f->flags & O_ACCMODE) != O_WRONLY && !(f->flags & O_PATH);
}
static inline bool file_writes(const struct file *f)
{
	return (f->flags & O_ACCMODE) != O_RDONLY && !(f->flags & O_PATH);
}
