/* Where program text comes from: a string, a file read whole, or lines of a descriptor. */
#include "user/sh/sh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct input *in;

static struct input *push(int fd)
{
	struct input *i = xmalloc(sizeof(*i));

	*i = (struct input){.fd = fd, .outer = in, .line = 1};
	buf_add(&i->text, "", 0);
	in = i;
	return i;
}

void input_push_text(const char *s, size_t n)
{
	buf_add(&push(-1)->text, s, n);
}

bool input_push_file(const char *path)
{
	struct buf b = {0};

	if (!read_all(path, &b))
		return false;
	free(push(-1)->text.s);
	in->text = b;
	return true;
}

void input_push_fd(int fd)
{
	push(fd);
}

void input_pop(void)
{
	struct input *i = in;

	in = i->outer;
	free(i->text.s);
	free(i);
}

void input_forget_read(void)
{
	if (in->fd < 0)
		return;
	in->text.len -= in->pos;
	memmove(in->text.s, in->text.s + in->pos, in->text.len + 1);
	in->pos = 0;
	in->prompted = false;
}

static void prompt(void)
{
	const char *p;

	if (!opt.interactive || in->outer)
		return;
	p = var_get(in->prompted ? "PS2" : "PS1");
	in->prompted = true;
	if (p) {
		fflush(stdout);
		fputs(p, stderr);
	}
}

/* Byte by byte: what follows the line belongs to the commands in it. */
static bool fill(void)
{
	char c;
	ssize_t n;

	prompt();
	for (;;) {
		n = read(in->fd, &c, 1);
		if (n < 0 && errno == EINTR) {
			if (!got_sigint) {
				if (trap_pending)
					traps_run();
				continue;
			}
			got_sigint = false;
			fputc('\n', stderr);
			in->text.len = in->pos = 0;
			in->prompted = false;
			if (error_jump)
				siglongjmp(*error_jump, 130);
			prompt();
			continue;
		}
		if (n <= 0)
			return in->pos < in->text.len;
		if (c)
			buf_char(&in->text, c);
		if (c == '\n')
			break;
	}
	if (opt.verbose)
		write(2, in->text.s + in->pos, in->text.len - in->pos);
	return true;
}

int next_char(void)
{
	for (;;) {
		if (in->pos < in->text.len) {
			int c = (unsigned char)in->text.s[in->pos++];

			if (c == '\n')
				in->line++;
			if (c)
				return c;
			continue;
		}
		if (in->fd < 0 || in->eof)
			return -1;
		if (!fill()) {
			in->eof = true;
			return -1;
		}
	}
}

void back_char(int c)
{
	if (c < 0)
		return;
	if (c == '\n')
		in->line--;
	in->pos--;
}

int peek_char(void)
{
	int c = next_char();

	back_char(c);
	return c;
}
