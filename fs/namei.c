// SPDX-License-Identifier: MIT
/* fs/namei.c: from a path to a dentry, and the calls that change directories. */
#include "core/task.h"
#include "fs/dev.h"
#include "fs/file.h"
#include "fs/vfs.h"
#include "lib/string.h"
#include "mm/slab.h"

enum { MAX_NESTED = 8, MAX_LINKS = 40 };

struct walk {
	struct dentry *at; /* held */
	u32 links, depth;
};

static int link_path_walk(struct walk *w, const char *name, bool follow);

/* The directory a name is relative to, with a reference. */
static int walk_begin(struct walk *w, int dfd, const char *name)
{
	struct file *f;

	w->links = w->depth = 0;
	if (*name == '/' || !current->fs_context) {
		w->at = dget(current->fs_context ? current->fs_context->root : root_dentry);
		return 0;
	}
	if (dfd == AT_FDCWD) {
		w->at = dget(current->fs_context->cwd);
		return 0;
	}
	f = fd_file(dfd);
	if (!f)
		return -EBADF;
	if (!f->dentry)
		return -ENOTDIR;
	w->at = dget(f->dentry);
	return 0;
}

static struct dentry *lookup_one(struct dentry *dir, const char *name, u32 len)
{
	const struct inode_ops *ops = dir->inode->ops;
	struct dentry *d = d_lookup(dir, name, len);

	if (!d && ops && ops->lookup)
		d = ops->lookup(dir, name, len);
	return d ? d : ERR_PTR(-ENOENT);
}

static void move_to(struct walk *w, struct dentry *d)
{
	dput(w->at);
	w->at = d;
}

/* Goes where the link d leads; takes d's reference. */
static int follow_link(struct walk *w, struct dentry *d)
{
	const struct inode_ops *ops = d->inode->ops;
	struct dentry *to;
	char *buf = NULL;
	const char *target = d->inode->link;
	int err;

	if (++w->links > MAX_LINKS || w->depth == MAX_NESTED) {
		dput(d);
		return -ELOOP;
	}
	if (ops && ops->follow && (to = ops->follow(d->inode))) {
		dput(d);
		if (IS_ERR(to))
			return PTR_ERR(to);
		move_to(w, to);
		return 0;
	}
	if (ops) {
		target = buf = kzalloc(256);
		err = buf ? ops->readlink(d->inode, buf, 255) : -ENOMEM;
		if (err < 0)
			goto out;
	}
	if (*target == '/')
		move_to(w, dget(current->fs_context ? current->fs_context->root : root_dentry));
	w->depth++;
	err = link_path_walk(w, target, true);
	w->depth--;
out:
	kfree(buf);
	dput(d);
	return err;
}

static int walk_up(struct walk *w)
{
	if (!current->fs_context || w->at != current->fs_context->root)
		move_to(w, dget(w->at->parent));
	return 0;
}

static int walk_one(struct walk *w, const char *name, u32 len, bool follow)
{
	struct dentry *d;

	if (!is_dir(w->at->inode))
		return -ENOTDIR;
	if (name[0] == '.' && len == 1)
		return 0;
	if (name[0] == '.' && name[1] == '.' && len == 2)
		return walk_up(w);
	if (len > NAME_MAX)
		return -ENAMETOOLONG;
	d = lookup_one(w->at, name, len);
	if (IS_ERR(d))
		return PTR_ERR(d);
	if (is_link(d->inode) && follow)
		return follow_link(w, d);
	move_to(w, d);
	return 0;
}

/* A link at the end is followed if a slash comes after it, too. */
static noinline int link_path_walk(struct walk *w, const char *name, bool follow)
{
	int err = 0;

	while (*name == '/')
		name++;
	while (*name && !err) {
		const char *end = name;

		while (*end && *end != '/')
			end++;
		err = walk_one(w, name, end - name, follow || *end);
		if (*end == '/' && !err && !is_dir(w->at->inode))
			err = -ENOTDIR;
		while (*end == '/')
			end++;
		name = end;
	}
	return err;
}

int path_lookup(int dfd, const char *name, bool follow, struct dentry **out)
{
	struct walk w;
	int err = *name ? walk_begin(&w, dfd, name) : -ENOENT;

	if (err)
		return err;
	err = link_path_walk(&w, name, follow);
	if (err)
		dput(w.at);
	else
		*out = w.at;
	return err;
}

int path_parent(int dfd, const char *name, struct dentry **dir, const char **last, u32 *len)
{
	const char *end = name + strlen(name), *start;
	char *head;
	struct walk w;
	int err;

	if (!*name)
		return -ENOENT;
	while (end > name && end[-1] == '/')
		end--;
	start = end;
	while (start > name && start[-1] != '/')
		start--;
	*last = start;
	*len = end - start;
	if (*len > NAME_MAX)
		return -ENAMETOOLONG;
	err = walk_begin(&w, dfd, name);
	if (err)
		return err;
	if (start > name) {
		head = kmalloc(start - name + 1);
		if (!head) {
			dput(w.at);
			return -ENOMEM;
		}
		memcpy(head, name, start - name);
		head[start - name] = '\0';
		err = link_path_walk(&w, head, true);
		kfree(head);
	}
	if (!err && !is_dir(w.at->inode))
		err = -ENOTDIR;
	if (err)
		dput(w.at);
	else
		*dir = w.at;
	return err;
}

static bool is_dots(const char *name, u32 len)
{
	return (len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.');
}

/* Can a name be made in dir? */
static int may_create(struct dentry *dir, const char *name, u32 len)
{
	if (!len || is_dots(name, len))
		return -EEXIST;
	if (dir->inode->ops)
		return -EPERM;
	/* A directory that was removed while somebody is in it takes no new names. */
	if (dir != root_dentry && !dir->hash_prev)
		return -ENOENT;
	return 0;
}

static int make_node(struct dentry *dir, const char *name, u32 len, u32 mode, u32 rdev, struct dentry **out)
{
	struct inode *inode;
	int err = may_create(dir, name, len);

	if (err)
		return err;
	inode = tmpfs_inode(mode, rdev);
	if (!inode)
		return -ENOMEM;
	*out = tmpfs_link_new(dir, name, len, inode);
	return *out ? 0 : -ENOMEM;
}

static u32 masked(u32 mode)
{
	return current->fs_context ? mode & ~current->fs_context->umask : mode;
}

/* What open does to what it found: takes d's reference. */
static struct file *open_dentry(struct dentry *d, u32 flags)
{
	struct inode *inode = d->inode;
	bool write = (flags & O_ACCMODE) != O_RDONLY;
	int err = 0;

	if (is_link(inode) && !(flags & O_PATH))
		err = -ELOOP;
	else if ((flags & O_DIRECTORY) && !is_dir(inode))
		err = -ENOTDIR;
	else if (is_dir(inode) && (write || (flags & O_CREAT)))
		err = -EISDIR;
	else if (write && inode->runners)
		err = -ETXTBSY;
	else if ((flags & O_TRUNC) && write && is_reg(inode) && inode->mapping.ops)
		err = tmpfs_truncate(inode, 0);
	if (err) {
		dput(d);
		return ERR_PTR(err);
	}
	return file_open(d, flags);
}

/* The last component of an open that may create it. */
static int find_or_create(struct dentry *dir, const char *last, u32 len, u32 flags, u32 mode,
			  struct dentry **out)
{
	if (!len || is_dots(last, len))
		return -EISDIR;
	*out = lookup_one(dir, last, len);
	if (IS_ERR(*out))
		return make_node(dir, last, len, S_IFREG | (masked(mode) & 07777), 0, out);
	if (flags & O_EXCL) {
		dput(*out);
		return -EEXIST;
	}
	return 0;
}

struct file *do_open(int dfd, const char *name, u32 flags, u32 mode)
{
	struct dentry *dir, *d;
	const char *last;
	u32 len;
	int err;

	if (!(flags & O_CREAT)) {
		err = path_lookup(dfd, name, !(flags & O_NOFOLLOW), &d);
		return err ? ERR_PTR(err) : open_dentry(d, flags);
	}
	err = path_parent(dfd, name, &dir, &last, &len);
	if (err)
		return ERR_PTR(err);
	if (last[len] == '/')
		err = -EISDIR;
	else
		err = find_or_create(dir, last, len, flags, mode, &d);
	dput(dir);
	if (!err && is_link(d->inode) && !(flags & O_NOFOLLOW)) {
		dput(d);
		err = path_lookup(dfd, name, true, &d);
	}
	return err ? ERR_PTR(err) : open_dentry(d, flags);
}

/* 0, or -EEXIST. What cannot be a new name at all is may_create's to refuse. */
static int must_be_absent(struct dentry *dir, const char *last, u32 len)
{
	struct dentry *d = len && !is_dots(last, len) ? lookup_one(dir, last, len) : ERR_PTR(-ENOENT);

	if (IS_ERR(d))
		return 0;
	dput(d);
	return -EEXIST;
}

/* Makes a name that must not be there; *out (if out is not NULL) is its dentry, with a reference. */
static int make_new(int dfd, const char *name, u32 mode, u32 rdev, struct dentry **out)
{
	struct dentry *dir, *d;
	const char *last;
	u32 len;
	int err = path_parent(dfd, name, &dir, &last, &len);

	if (err)
		return err;
	err = must_be_absent(dir, last, len);
	if (!err)
		err = make_node(dir, last, len, mode, rdev, &d);
	if (!err && out)
		*out = d;
	else if (!err)
		dput(d);
	dput(dir);
	return err;
}

int do_mknod(int dfd, const char *name, u32 mode, u32 rdev)
{
	return make_new(dfd, name, (mode & S_IFMT) | (masked(mode) & 07777), rdev, NULL);
}

int do_symlink(const char *target, int dfd, const char *name)
{
	struct dentry *d;
	u32 n = strlen(target) + 1;
	char *copy;
	int err;

	if (n == 1)
		return -ENOENT;
	copy = kmalloc(n);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, target, n);
	err = make_new(dfd, name, S_IFLNK | 0777, 0, &d);
	if (err) {
		kfree(copy);
		return err;
	}
	d->inode->link = copy;
	d->inode->mapping.size = n - 1;
	dput(d);
	return 0;
}

int do_link(int olddfd, const char *old, int newdfd, const char *new, bool follow)
{
	struct dentry *d, *dir, *link;
	const char *last;
	u32 len;
	int err = path_lookup(olddfd, old, follow, &d);

	if (err)
		return err;
	err = path_parent(newdfd, new, &dir, &last, &len);
	if (err) {
		dput(d);
		return err;
	}
	err = must_be_absent(dir, last, len);
	if (!err)
		err = is_dir(d->inode) || d->inode->ops ? -EPERM : may_create(dir, last, len);
	if (!err) {
		iget(d->inode);
		link = tmpfs_link_new(dir, last, len, d->inode);
		err = link ? 0 : -ENOMEM;
		d->inode->nlink += !err;
		dput(link);
	}
	dput(dir);
	dput(d);
	return err;
}

/* May this name go, as a directory or as something else? */
static int may_delete(const struct dentry *d, bool dir)
{
	if (d->inode->ops || !d->hash_prev)
		return d->hash_prev ? -EBUSY : -EPERM;
	if (!dir)
		return is_dir(d->inode) ? -EISDIR : 0;
	if (!is_dir(d->inode))
		return -ENOTDIR;
	return list_empty(&d->children) ? 0 : -ENOTEMPTY;
}

static void remove_name(struct dentry *d)
{
	struct inode *dir = d->parent->inode;

	d->inode->nlink--;
	if (is_dir(d->inode)) {
		d->inode->nlink--;
		dir->nlink--;
	}
	d->inode->ctime = dir->mtime = dir->ctime = clock_wall_ns();
	d_unlink(d);
}

int do_unlink(int dfd, const char *name, bool rmdir)
{
	struct dentry *dir, *d;
	const char *last;
	u32 len;
	int err = path_parent(dfd, name, &dir, &last, &len);

	if (err)
		return err;
	if (!len || is_dots(last, len))
		d = ERR_PTR(!rmdir ? -EISDIR : !len ? -EBUSY : len == 1 ? -EINVAL : -ENOTEMPTY);
	else
		d = lookup_one(dir, last, len);
	if (IS_ERR(d)) {
		err = PTR_ERR(d);
	} else {
		err = may_delete(d, rmdir);
		if (!err && !rmdir && last[len] == '/')
			err = -ENOTDIR;
		if (!err)
			remove_name(d);
		dput(d);
	}
	dput(dir);
	return err;
}

/* Both names are known: `to` may be NULL. */
static int rename_dentry(struct dentry *from, struct dentry *dir, const char *last, u32 len,
			 struct dentry *to, bool noreplace)
{
	struct inode *old_dir = from->parent->inode;
	int err;

	if (from->inode->ops || dir->inode->ops)
		return -EPERM;
	if (to && noreplace)
		return -EEXIST;
	if (to && to->inode == from->inode)
		return 0;
	if (is_dir(from->inode) && d_is_below(dir, from))
		return -EINVAL;
	if (to) {
		err = may_delete(to, is_dir(from->inode));
		if (err)
			return err;
	}
	if (to)
		remove_name(to);
	err = d_move(from, dir, last, len);
	if (err)
		return err;
	if (is_dir(from->inode)) {
		old_dir->nlink--;
		dir->inode->nlink++;
	}
	old_dir->mtime = dir->inode->mtime = from->inode->ctime = clock_wall_ns();
	return 0;
}

int do_rename(int olddfd, const char *old, int newdfd, const char *new, bool noreplace)
{
	struct dentry *old_dir, *dir, *from, *to;
	const char *old_last, *last;
	u32 old_len, len;
	int err = path_parent(olddfd, old, &old_dir, &old_last, &old_len);

	if (err)
		return err;
	err = path_parent(newdfd, new, &dir, &last, &len);
	if (err) {
		dput(old_dir);
		return err;
	}
	if (!len || is_dots(last, len) || !old_len || is_dots(old_last, old_len)) {
		err = -EBUSY;
	} else {
		from = lookup_one(old_dir, old_last, old_len);
		to = lookup_one(dir, last, len);
		if (IS_ERR(to))
			to = NULL;
		err = IS_ERR(from) ? PTR_ERR(from) : rename_dentry(from, dir, last, len, to, noreplace);
		if (!IS_ERR(from))
			dput(from);
		dput(to);
	}
	dput(dir);
	dput(old_dir);
	return err;
}

long do_readlink(struct dentry *d, char *buf, u32 n)
{
	u32 len;

	if (!is_link(d->inode))
		return -EINVAL;
	if (d->inode->ops)
		return d->inode->ops->readlink(d->inode, buf, n);
	len = min(strlen(d->inode->link), n);
	memcpy(buf, d->inode->link, len);
	return len;
}
