// SPDX-License-Identifier: MIT
/* kernel/sys_file.c: open files: reading, writing, descriptors, polling. */
#include "fs/file.h"
#include "fs/pipe.h"
#include "fs/poll.h"
#include "kernel/signal.h"
#include "kernel/syscalls.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

#define MAX_RW 0x7ffff000u

static struct file *readable(u32 fd, int *err)
{
	struct file *f = fd_file(fd);

	*err = !f || !file_reads(f)           ? -EBADF
	       : f->inode && is_dir(f->inode) ? -EISDIR
	       : !f->ops->read                ? -EINVAL
					      : 0;
	return f;
}

static struct file *writable(u32 fd, int *err)
{
	struct file *f = fd_file(fd);

	*err = !f || !file_writes(f) ? -EBADF : !f->ops->write ? -EINVAL : 0;
	return f;
}

/* The file may be closed by a sharer of the table while the call sleeps: it is held. */
static long do_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	long got;

	n = min(n, MAX_RW);
	if (!access_ok(buf, n))
		return -EFAULT;
	get_file(f);
	got = f->ops->read(f, buf, n, pos);
	put_file(f);
	return got;
}

static long do_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	long done;

	n = min(n, MAX_RW);
	if (!access_ok(buf, n))
		return -EFAULT;
	get_file(f);
	done = f->ops->write(f, buf, n, pos);
	put_file(f);
	return done;
}

long sys_read(u32 fd, u32 buf, u32 n)
{
	int err;
	struct file *f = readable(fd, &err);

	return err ? err : do_read(f, buf, n, &f->pos);
}

long sys_write(u32 fd, u32 buf, u32 n)
{
	int err;
	struct file *f = writable(fd, &err);

	return err ? err : do_write(f, buf, n, &f->pos);
}

long sys_pread64(u32 fd, u32 buf, u32 n, u32 lo, u32 hi)
{
	u64 pos = (u64)hi << 32 | lo;
	int err;
	struct file *f = readable(fd, &err);

	if (err)
		return err;
	if (!f->dentry)
		return -ESPIPE;
	return (s64)pos < 0 ? -EINVAL : do_read(f, buf, n, &pos);
}

long sys_pwrite64(u32 fd, u32 buf, u32 n, u32 lo, u32 hi)
{
	u64 pos = (u64)hi << 32 | lo;
	int err;
	struct file *f = writable(fd, &err);

	if (err)
		return err;
	if (!f->dentry)
		return -ESPIPE;
	return (s64)pos < 0 ? -EINVAL : do_write(f, buf, n, &pos);
}

struct iovec {
	u32 base, len;
};

/* Reads or writes piece by piece, and ends at the first that is not met whole. */
static long do_iov(struct file *f, u32 user, u32 n, long (*rw)(struct file *f, u32 buf, u32 n, u64 *pos))
{
	struct iovec iov;
	long done = 0;

	if (n > 1024)
		return -EINVAL;
	for (u32 i = 0; i < n; i++) {
		long part = copy_from_user(&iov, user + i * sizeof(iov), sizeof(iov));

		if (!part && iov.len)
			part = rw(f, iov.base, iov.len, &f->pos);
		if (part < 0)
			return done ? done : part;
		done += part;
		if ((u32)part < iov.len)
			break;
	}
	return done;
}

long sys_readv(u32 fd, u32 iov, u32 n)
{
	int err;
	struct file *f = readable(fd, &err);

	return err ? err : do_iov(f, iov, n, do_read);
}

long sys_writev(u32 fd, u32 iov, u32 n)
{
	int err;
	struct file *f = writable(fd, &err);

	return err ? err : do_iov(f, iov, n, do_write);
}

static long open_path(int dfd, u32 user, u32 flags, u32 mode)
{
	char *path = path_get(user);
	struct file *f;

	if (IS_ERR(path))
		return PTR_ERR(path);
	f = do_open(dfd, path, flags, mode);
	path_put(path);
	return IS_ERR(f) ? PTR_ERR(f) : fd_install(f, 0, flags & O_CLOEXEC);
}

long sys_open(u32 path, u32 flags, u32 mode)
{
	return open_path(AT_FDCWD, path, flags, mode);
}

long sys_openat(u32 dfd, u32 path, u32 flags, u32 mode)
{
	return open_path(dfd, path, flags, mode);
}

long sys_creat(u32 path, u32 mode)
{
	return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

long sys_close(u32 fd)
{
	return fd_close(fd);
}

/* Only files with a place in a directory have a position; a terminal or pipe has none. */
static long do_seek(struct file *f, s64 off, u32 whence, u64 *result)
{
	s64 base = whence == 0 ? 0 : whence == 1 ? (s64)f->pos : (s64)f->inode->mapping.size;

	if (!is_reg(f->inode) && !is_dir(f->inode))
		return -ESPIPE;
	if (whence > 2)
		return -EINVAL;
	if (base + off < 0)
		return -EINVAL;
	*result = f->pos = base + off;
	return 0;
}

long sys_lseek(u32 fd, s32 off, u32 whence)
{
	struct file *f = fd_file(fd);
	u64 result;
	long err;

	if (!f || !f->dentry)
		return f ? -ESPIPE : -EBADF;
	err = do_seek(f, off, whence, &result);
	if (!err && result > 0x7fffffff)
		return -EOVERFLOW;
	return err ? err : (long)result;
}

long sys_llseek(u32 fd, u32 hi, u32 lo, u32 to, u32 whence)
{
	struct file *f = fd_file(fd);
	u64 result;
	long err;

	if (!f || !f->dentry)
		return f ? -ESPIPE : -EBADF;
	err = do_seek(f, (u64)hi << 32 | lo, whence, &result);
	return err ? err : copy_to_user(to, &result, sizeof(result));
}

static long dup_file(u32 fd, u32 from, bool cloexec)
{
	struct file *f = fd_file(fd);

	if (!f)
		return -EBADF;
	get_file(f);
	return fd_install(f, from, cloexec);
}

long sys_dup(u32 fd)
{
	return dup_file(fd, 0, false);
}

long sys_dup2(u32 old, u32 new)
{
	struct file *f = fd_file(old);

	if (!f)
		return -EBADF;
	return old == new ? (long)new : fd_replace(new, f, false);
}

long sys_dup3(u32 old, u32 new, u32 flags)
{
	struct file *f = fd_file(old);

	if (old == new || (flags & ~O_CLOEXEC))
		return -EINVAL;
	return f ? fd_replace(new, f, flags & O_CLOEXEC) : -EBADF;
}

long sys_pipe2(u32 to, u32 flags)
{
	struct file *ends[2];
	int fd[2], err;

	if (flags & ~(O_CLOEXEC | O_NONBLOCK))
		return -EINVAL;
	err = pipe_create(&ends[0], &ends[1], flags);
	if (err)
		return err;
	fd[0] = fd_install(ends[0], 0, flags & O_CLOEXEC);
	if (fd[0] < 0) {
		put_file(ends[1]);
		return fd[0];
	}
	fd[1] = fd_install(ends[1], 0, flags & O_CLOEXEC);
	err = fd[1] < 0 ? fd[1] : copy_to_user(to, fd, sizeof(fd));
	if (err) {
		fd_close(fd[0]);
		if (fd[1] >= 0)
			fd_close(fd[1]);
	}
	return err;
}

long sys_pipe(u32 to)
{
	return sys_pipe2(to, 0);
}

enum {
	F_DUPFD,
	F_GETFD,
	F_SETFD,
	F_GETFL,
	F_SETFL,
	F_GETLK,
	F_SETLK,
	F_SETLKW,
	F_GETLK64 = 12,
	F_SETLK64,
	F_SETLKW64,
	F_DUPFD_CLOEXEC = 1030
};

long sys_fcntl(u32 fd, u32 cmd, u32 arg)
{
	struct file *f = fd_file(fd);

	if (!f)
		return -EBADF;
	switch (cmd) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC: return arg >= FILES_MAX ? -EINVAL : dup_file(fd, arg, cmd == F_DUPFD_CLOEXEC);
	case F_GETFD: return current->files->slot[fd].cloexec;
	case F_SETFD: current->files->slot[fd].cloexec = arg & 1; return 0;
	case F_GETFL: return f->flags | O_LARGEFILE;
	case F_SETFL:
		f->flags = (f->flags & ~(O_APPEND | O_NONBLOCK)) | (arg & (O_APPEND | O_NONBLOCK));
		return 0;
	}
	return -EINVAL;
}

long sys_ioctl(u32 fd, u32 cmd, u32 arg)
{
	struct file *f = fd_file(fd);

	if (!f)
		return -EBADF;
	if (cmd == 0x5421) { /* FIONBIO */
		u32 on;

		if (get_user(&on, arg) < 0)
			return -EFAULT;
		f->flags = on ? f->flags | O_NONBLOCK : f->flags & ~O_NONBLOCK;
		return 0;
	}
	return f->ops->ioctl ? f->ops->ioctl(f, cmd, arg) : -ENOTTY;
}

long sys_fsync(u32 fd)
{
	return fd_file(fd) ? 0 : -EBADF;
}

long sys_fadvise(u32 fd)
{
	return sys_fsync(fd);
}

long sys_sync(void)
{
	return 0;
}

/* -EINVAL as Linux gives where a file cannot be sent: callers then read and write themselves. */
long sys_sendfile(u32 out, u32 in)
{
	return fd_file(out) && fd_file(in) ? -EINVAL : -EBADF;
}

long sys_sendfile64(u32 out, u32 in)
{
	return sys_sendfile(out, in);
}

/* One name of getdents, in either layout. */
struct dirent_buf {
	u32 at, left;
	bool is64;
	int err;
	u32 last; /* address of the last entry's offset field */
};

static int put_dirent(void *arg, const char *name, u32 len, u64 next, u32 ino, u32 mode)
{
	struct dirent_buf *b = arg;
	u32 head = b->is64 ? 19 : 10, size = round_up(head + len + 1 + !b->is64, b->is64 ? 8 : 4);
	u8 entry[300] = {0}, type = (mode & S_IFMT) >> 12;

	if (size > b->left)
		return 1;
	if (b->is64) {
		*(u64 *)entry = ino;
		*(u64 *)(entry + 8) = next;
		*(u16 *)(entry + 16) = size;
		entry[18] = type;
	} else {
		*(u32 *)entry = ino;
		*(u32 *)(entry + 4) = next;
		*(u16 *)(entry + 8) = size;
		entry[size - 1] = type;
	}
	memcpy(entry + head, name, len);
	if (copy_to_user(b->at, entry, size) < 0) {
		b->err = -EFAULT;
		return 1;
	}
	b->at += size;
	b->left -= size;
	return 0;
}

static long read_directory(u32 fd, u32 to, u32 n, bool is64)
{
	struct dirent_buf b = {.at = to, .left = n, .is64 = is64};
	struct file *f = fd_file(fd);
	u64 before;
	int err;

	if (!f)
		return -EBADF;
	if (!f->ops->readdir)
		return -ENOTDIR;
	before = f->pos;
	err = f->ops->readdir(f, put_dirent, &b);
	if (err || (b.err && b.at == to))
		return err ? err : b.err;
	/* Not even one name fits. */
	if (b.at == to && f->pos == before && n < 280) {
		struct dirent_buf probe = {.left = 1, .is64 = is64};

		f->ops->readdir(f, put_dirent, &probe);
		return f->pos == before && probe.at ? -EINVAL : 0;
	}
	return b.at - to;
}

long sys_getdents(u32 fd, u32 to, u32 n)
{
	return read_directory(fd, to, n, false);
}

long sys_getdents64(u32 fd, u32 to, u32 n)
{
	return read_directory(fd, to, n, true);
}

static long poll_until(u32 user, u32 n, u64 deadline)
{
	struct pollfd *fds;
	int ready;

	if (n > FILES_MAX)
		return -EINVAL;
	fds = kmalloc(max(1u, n) * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	ready = copy_from_user(fds, user, n * sizeof(*fds));
	if (!ready)
		ready = do_poll(fds, n, deadline);
	if (ready >= 0 && copy_to_user(user, fds, n * sizeof(*fds)) < 0)
		ready = -EFAULT;
	kfree(fds);
	return ready;
}

long sys_poll(u32 fds, u32 n, s32 ms)
{
	long ready = poll_until(fds, n, ms < 0 ? ~0ull : ms ? clock_ns() + ms * 1000000ull : 0);

	return ready == -EINTR ? -ERESTARTNOHAND : ready;
}

/* The deadline that a user's timespec or timeval says; 0 address: for ever. */
static int read_deadline(u32 user, bool wide, u32 unit, u64 *deadline)
{
	u32 t[4] = {0};
	u64 sec, frac;

	*deadline = ~0ull;
	if (!user)
		return 0;
	if (copy_from_user(t, user, wide ? 16 : 8) < 0)
		return -EFAULT;
	sec = wide ? (u64)t[1] << 32 | t[0] : t[0];
	frac = wide ? t[2] : t[1];
	if (frac * unit >= NSEC_PER_SEC)
		return -EINVAL;
	sec = min(sec, 1ull << 31);
	*deadline = sec || frac ? clock_ns() + sec * NSEC_PER_SEC + frac * unit : 0;
	return 0;
}

/* Runs with another signal mask, which is put back after the call or the handler. */
static int use_mask(u32 user, u32 size)
{
	u64 mask;

	if (!user)
		return 0;
	if (size != sizeof(mask) || copy_from_user(&mask, user, sizeof(mask)) < 0)
		return size != sizeof(mask) ? -EINVAL : -EFAULT;
	current->sig_saved_mask = current->sig_blocked;
	current->restore_mask = true;
	set_blocked(mask);
	return 0;
}

static long finish_masked(long result)
{
	if (current->restore_mask && result != -EINTR) {
		current->restore_mask = false;
		set_blocked(current->sig_saved_mask);
	}
	return result == -EINTR ? -ERESTARTNOHAND : result;
}

static long ppoll(u32 fds, u32 n, u32 timeout, u32 mask, u32 size, bool wide)
{
	u64 deadline;
	int err = read_deadline(timeout, wide, 1, &deadline);

	if (!err)
		err = use_mask(mask, size);
	return err ? err : finish_masked(poll_until(fds, n, deadline));
}

long sys_ppoll(u32 fds, u32 n, u32 timeout, u32 mask, u32 size)
{
	return ppoll(fds, n, timeout, mask, size, false);
}

long sys_ppoll64(u32 fds, u32 n, u32 timeout, u32 mask, u32 size)
{
	return ppoll(fds, n, timeout, mask, size, true);
}

/* select's three sets of bits, in and out. */
struct fd_sets {
	u32 bits[3][FILES_MAX / 32];
};

static const u16 select_events[3] = {POLLIN | POLLRDNORM | POLLHUP | POLLERR, POLLOUT | POLLWRNORM | POLLERR,
				     POLLPRI};

static u32 sets_to_poll(const struct fd_sets *s, u32 n, struct pollfd *fds)
{
	u32 used = 0;

	for (u32 fd = 0; fd < n; fd++) {
		u16 events = 0;

		for (u32 k = 0; k < 3; k++)
			if (s->bits[k][fd / 32] >> fd % 32 & 1)
				events |= select_events[k];
		if (events)
			fds[used++] = (struct pollfd){fd, events, 0};
	}
	return used;
}

static int poll_to_sets(struct fd_sets *s, const struct pollfd *fds, u32 used)
{
	int n = 0;

	for (u32 i = 0; i < used; i++) {
		u32 fd = fds[i].fd;

		for (u32 k = 0; k < 3; k++) {
			bool asked = s->bits[k][fd / 32] >> fd % 32 & 1;

			if (asked && (fds[i].revents & select_events[k]))
				n++;
			else
				s->bits[k][fd / 32] &= ~(1u << fd % 32);
		}
	}
	return n;
}

static bool any_bad(const struct pollfd *fds, u32 used)
{
	for (u32 i = 0; i < used; i++)
		if (!fd_file(fds[i].fd))
			return true;
	return false;
}

static long do_select(u32 n, const u32 user[3], u64 deadline)
{
	u32 bytes = round_up(n, 32) / 8, used;
	struct fd_sets *s;
	struct pollfd *fds;
	long ready = 0;

	if (n > FILES_MAX)
		return -EINVAL;
	s = kzalloc(sizeof(*s) + n * sizeof(*fds));
	if (!s)
		return -ENOMEM;
	fds = (struct pollfd *)(s + 1);
	for (u32 k = 0; k < 3 && !ready; k++)
		if (user[k])
			ready = copy_from_user(s->bits[k], user[k], bytes);
	used = sets_to_poll(s, n, fds);
	if (!ready && any_bad(fds, used))
		ready = -EBADF;
	if (!ready)
		ready = do_poll(fds, used, deadline);
	if (ready >= 0)
		ready = poll_to_sets(s, fds, used);
	for (u32 k = 0; k < 3 && ready >= 0; k++)
		if (user[k] && copy_to_user(user[k], s->bits[k], bytes) < 0)
			ready = -EFAULT;
	kfree(s);
	return ready;
}

static long select_call(u32 n, u32 in, u32 out, u32 except, u32 timeout, bool wide, u32 unit)
{
	const u32 sets[3] = {in, out, except};
	u64 deadline;
	int err = read_deadline(timeout, wide, unit, &deadline);

	return err ? err : do_select(n, sets, deadline);
}

long sys_select(u32 n, u32 in, u32 out, u32 except, u32 timeout)
{
	long ready = select_call(n, in, out, except, timeout, false, 1000);

	return ready == -EINTR ? -ERESTARTNOHAND : ready;
}

long sys_old_select(u32 args)
{
	u32 a[5];

	return copy_from_user(a, args, sizeof(a)) < 0 ? -EFAULT : sys_select(a[0], a[1], a[2], a[3], a[4]);
}

static long pselect(u32 n, u32 in, u32 out, u32 except, u32 timeout, u32 sig, bool wide)
{
	u32 m[2] = {0};
	int err = sig ? copy_from_user(m, sig, sizeof(m)) : 0;

	if (!err)
		err = use_mask(m[0], m[1]);
	return err ? err : finish_masked(select_call(n, in, out, except, timeout, wide, 1));
}

long sys_pselect6(u32 n, u32 in, u32 out, u32 except, u32 timeout, u32 sig)
{
	return pselect(n, in, out, except, timeout, sig, false);
}

long sys_pselect6_64(u32 n, u32 in, u32 out, u32 except, u32 timeout, u32 sig)
{
	return pselect(n, in, out, except, timeout, sig, true);
}
