// SPDX-License-Identifier: MIT
/*
 * fs/pipe.c: a ring of up to 16 pages between readers and writers. Writes of up to
 * PIPE_BUF bytes go in whole.
 */
#include "fs/pipe.h"
#include "core/sched.h"
#include "core/signal.h"
#include "fs/file.h"
#include "fs/poll.h"
#include "mm/highmem.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"
#include "mm/uaccess.h"

enum { PIPE_PAGES = 16, PIPE_SIZE = PIPE_PAGES * PAGE_SIZE, PIPE_BUF = 4096 };

struct pipe {
	u32 head, tail; /* bytes written and read so far, modulo 2^32 */
	u32 readers, writers;
	u32 read_opens, write_opens; /* ever: an opener of a fifo waits for the other side's next */
	struct page *page[PIPE_PAGES];
	struct waitq readable, writable;
};

static struct kmem_cache pipe_cache;

static struct pipe *pipe_alloc(void)
{
	struct pipe *p;

	if (!pipe_cache.size)
		kmem_cache_init(&pipe_cache, "pipe", sizeof(struct pipe), 4);
	p = kmem_cache_zalloc(&pipe_cache);
	if (p) {
		waitq_init(&p->readable);
		waitq_init(&p->writable);
	}
	return p;
}

static void pipe_free(struct pipe *p)
{
	for (u32 i = 0; i < PIPE_PAGES; i++)
		if (p->page[i])
			put_page(p->page[i]);
	kmem_cache_free(&pipe_cache, p);
}

static u32 filled(const struct pipe *p)
{
	return p->head - p->tail;
}

static struct page **page_at(struct pipe *p, u32 pos)
{
	return &p->page[pos / PAGE_SIZE % PIPE_PAGES];
}

/* A page that has been read to its end goes, unless the pipe would be left without any. */
static void drop_read_page(struct pipe *p)
{
	struct page **slot = page_at(p, p->tail - 1);

	if (p->tail % PAGE_SIZE || p->tail == p->head)
		return;
	put_page(*slot);
	*slot = NULL;
}

static long take(struct pipe *p, u32 buf, u32 n)
{
	u32 done = 0;

	n = min(n, filled(p));
	while (done < n) {
		u32 off = p->tail % PAGE_SIZE, part = min(n - done, PAGE_SIZE - off);

		if (copy_page_to_user(buf + done, *page_at(p, p->tail), off, part) < 0)
			return done ? (long)done : -EFAULT;
		p->tail += part;
		done += part;
		drop_read_page(p);
	}
	/* Empty: begin at the start of the one page that is kept. */
	if (p->tail == p->head && p->tail % PAGE_SIZE)
		p->tail = p->head = round_down(p->tail, PAGE_SIZE);
	return done;
}

static long pipe_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	struct pipe *p = f->private;
	long got;
	int err;

	if (!n)
		return 0;
	while (!filled(p)) {
		if (!p->writers)
			return 0;
		if (f->flags & O_NONBLOCK)
			return -EAGAIN;
		err = wait_event(&p->readable, filled(p) || !p->writers);
		if (err)
			return err;
	}
	got = take(p, buf, n);
	if (got > 0)
		wake_up(&p->writable);
	return got;
}

static long put(struct pipe *p, u32 buf, u32 n)
{
	u32 done = 0;

	n = min(n, PIPE_SIZE - filled(p));
	while (done < n) {
		u32 off = p->head % PAGE_SIZE, part = min(n - done, PAGE_SIZE - off);
		struct page **slot = page_at(p, p->head);

		if (!*slot)
			*slot = alloc_page(GFP_KERNEL);
		if (!*slot)
			return done ? (long)done : -ENOMEM;
		if (copy_page_from_user(*slot, off, buf + done, part) < 0)
			return done ? (long)done : -EFAULT;
		p->head += part;
		done += part;
	}
	return done;
}

/* Room enough to go on: for a small write, all of it. */
static bool has_room(const struct pipe *p, u32 n)
{
	return PIPE_SIZE - filled(p) >= (n <= PIPE_BUF ? n : 1);
}

static long broken_pipe(void)
{
	send_signal(current, SIGPIPE);
	return -EPIPE;
}

static long pipe_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	struct pipe *p = f->private;
	u32 done = 0;
	long part;
	int err;

	while (done < n) {
		if (!p->readers)
			return done ? (long)done : broken_pipe();
		if (!has_room(p, n - done)) {
			if (f->flags & O_NONBLOCK)
				return done ? (long)done : -EAGAIN;
			err = wait_event(&p->writable, has_room(p, n - done) || !p->readers);
			if (err)
				return done ? (long)done : err;
			continue;
		}
		part = put(p, buf + done, n - done);
		if (part <= 0)
			return done ? (long)done : part;
		done += part;
		wake_up(&p->readable);
	}
	return done;
}

static u32 pipe_poll(struct file *f, struct poll_table *pt)
{
	struct pipe *p = f->private;
	u32 events = 0;

	if (file_reads(f)) {
		poll_wait(&p->readable, pt);
		if (filled(p))
			events |= POLLIN | POLLRDNORM;
		if (!p->writers)
			events |= POLLHUP;
	}
	if (file_writes(f)) {
		poll_wait(&p->writable, pt);
		if (has_room(p, PIPE_BUF))
			events |= POLLOUT | POLLWRNORM;
		if (!p->readers)
			events |= POLLERR;
	}
	return events;
}

#define FIONREAD 0x541b

static long pipe_ioctl(struct file *f, u32 cmd, u32 arg)
{
	return cmd == FIONREAD ? put_user(arg, filled(f->private)) : -ENOTTY;
}

static void open_end(struct pipe *p, const struct file *f)
{
	if (file_reads(f)) {
		p->readers++;
		p->read_opens++;
	}
	if (file_writes(f)) {
		p->writers++;
		p->write_opens++;
	}
}

static void close_end(struct pipe *p, const struct file *f)
{
	p->readers -= file_reads(f);
	p->writers -= file_writes(f);
	wake_up(&p->readable);
	wake_up(&p->writable);
}

static void pipe_release(struct file *f)
{
	struct pipe *p = f->private;

	close_end(p, f);
	if (p->readers || p->writers)
		return;
	if (f->inode)
		f->inode->private = NULL;
	pipe_free(p);
}

/* A fifo's open waits for the other side, unless told not to. */
static int fifo_open(struct file *f)
{
	struct inode *i = f->inode;
	struct pipe *p = i->private ? i->private : pipe_alloc();
	u32 readers, writers;
	int err = 0;

	if (!p)
		return -ENOMEM;
	i->private = f->private = p;
	open_end(p, f);
	readers = p->read_opens;
	writers = p->write_opens;
	wake_up(&p->readable);
	wake_up(&p->writable);
	if (file_reads(f) && !p->writers && !(f->flags & O_NONBLOCK))
		err = wait_event(&p->readable, p->writers || p->write_opens != writers);
	else if (file_writes(f) && !p->readers)
		err = f->flags & O_NONBLOCK
			      ? -ENXIO
			      : wait_event(&p->writable, p->readers || p->read_opens != readers);
	if (err)
		pipe_release(f);
	return err;
}

static const struct file_ops pipe_file_ops = {
	.read = pipe_read,
	.write = pipe_write,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
};

const struct file_ops fifo_file_ops = {
	.open = fifo_open,
	.read = pipe_read,
	.write = pipe_write,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
};

int pipe_create(struct file **read_end, struct file **write_end, u32 flags)
{
	struct pipe *p = pipe_alloc();

	*read_end = p ? file_alloc(&pipe_file_ops, O_RDONLY | (flags & O_NONBLOCK)) : NULL;
	*write_end = *read_end ? file_alloc(&pipe_file_ops, O_WRONLY | (flags & O_NONBLOCK)) : NULL;
	if (*write_end) {
		(*read_end)->private = (*write_end)->private = p;
		p->readers = p->writers = 1;
		return 0;
	}
	if (*read_end) {
		p->readers = 1;
		(*read_end)->private = p;
		put_file(*read_end);
	} else if (p) {
		pipe_free(p);
	}
	return -ENOMEM;
}
