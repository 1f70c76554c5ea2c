// SPDX-License-Identifier: MIT
/* fs/dev.c: null, zero, full, random, kmsg, and the table of all devices. */
#include "fs/dev.h"
#include "arch/x86/cpu.h"
#include "core/log.h"
#include "core/signal.h"
#include "fs/file.h"
#include "fs/tty.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/uaccess.h"

static long null_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	return 0;
}

static long null_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	return n;
}

static long zero_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	u32 left = __clear_user(buf, n);

	return left == n && n ? -EFAULT : (long)(n - left);
}

static long full_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	return -ENOSPC;
}

static struct address_space *zero_mmap(struct file *f, int *err)
{
	*err = 0;
	return NULL;
}

/* xorshift64: G. Marsaglia, "Xorshift RNGs", 2003. */
static u64 next_random(void)
{
	static u64 state;

	if (!state)
		state = clock_wall_ns() ^ rdtsc() << 20 ^ 0x9e3779b97f4a7c15ull;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

void random_bytes(void *buf, u32 n)
{
	u8 *p = buf;

	while (n) {
		u64 r = next_random();
		u32 part = min(n, 8u);

		memcpy(p, &r, part);
		p += part;
		n -= part;
	}
}

long random_to_user(u32 to, u32 n)
{
	u8 chunk[64];

	for (u32 done = 0; done < n;) {
		u32 part = min(n - done, sizeof(chunk));

		random_bytes(chunk, part);
		if (copy_to_user(to + done, chunk, part) < 0)
			return done ? (long)done : -EFAULT;
		done += part;
	}
	return n;
}

static long random_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	return random_to_user(buf, n);
}

static long kmsg_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	char line[256];
	u32 part = min(n, sizeof(line) - 2);

	if (copy_from_user(line, buf, part) < 0)
		return -EFAULT;
	if (part && line[part - 1] == '\n')
		part--;
	line[part] = '\0';
	log_info("%s\n", line);
	return n;
}

static long kmsg_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	char chunk[256];
	u32 got = log_read(pos, chunk, min(n, sizeof(chunk)));

	if (!got && (f->flags & O_NONBLOCK))
		return -EAGAIN;
	return copy_to_user(buf, chunk, got) < 0 ? -EFAULT : (long)got;
}

static const struct file_ops null_ops = {.read = null_read, .write = null_write};
static const struct file_ops zero_ops = {.read = zero_read, .write = null_write, .mmap = zero_mmap};
static const struct file_ops full_ops = {.read = zero_read, .write = full_write, .mmap = zero_mmap};
static const struct file_ops random_ops = {.read = random_read, .write = null_write};
static const struct file_ops kmsg_ops = {.read = kmsg_read, .write = kmsg_write};

static const struct device {
	const char *name;
	u32 rdev;
	const struct file_ops *ops;
} devices[] = {
	{"null", MKDEV(1, 3), &null_ops},       {"zero", MKDEV(1, 5), &zero_ops},
	{"full", MKDEV(1, 7), &full_ops},       {"random", MKDEV(1, 8), &random_ops},
	{"urandom", MKDEV(1, 9), &random_ops},  {"kmsg", MKDEV(1, 11), &kmsg_ops},
	{"tty0", MKDEV(4, 0), &tty_file_ops},   {"tty1", MKDEV(4, 1), &tty_file_ops},
	{"ttyS0", MKDEV(4, 64), &tty_file_ops}, {"ttyS1", MKDEV(4, 65), &tty_file_ops},
	{"tty", MKDEV(5, 0), &tty_file_ops},    {"console", MKDEV(5, 1), &tty_file_ops},
};

static int device_open(struct file *f)
{
	for (u32 i = 0; i < ARRAY_SIZE(devices); i++) {
		if (devices[i].rdev == f->inode->rdev) {
			f->ops = devices[i].ops;
			return f->ops->open ? f->ops->open(f) : 0;
		}
	}
	return -ENXIO;
}

const struct file_ops device_file_ops = {.open = device_open};

void dev_init(void)
{
	char path[32];

	do_mknod(AT_FDCWD, "/dev", S_IFDIR | 0755, 0);
	for (u32 i = 0; i < ARRAY_SIZE(devices); i++) {
		if (!tty_exists(devices[i].rdev))
			continue;
		snprintf(path, sizeof(path), "/dev/%s", devices[i].name);
		do_mknod(AT_FDCWD, path, S_IFCHR | 0666, devices[i].rdev);
	}
	do_symlink("/proc/self/fd", AT_FDCWD, "/dev/fd");
	do_symlink("/proc/self/fd/0", AT_FDCWD, "/dev/stdin");
	do_symlink("/proc/self/fd/1", AT_FDCWD, "/dev/stdout");
	do_symlink("/proc/self/fd/2", AT_FDCWD, "/dev/stderr");
}
