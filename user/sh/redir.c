/* Redirections, and putting the descriptors back. */
#include "user/sh/sh.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Away from the numbers that a script may name. */
int high_fd(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	if (copy >= 0)
		close(fd);
	return copy;
}

static void save(int fd, struct saved **undo)
{
	struct saved *s = xmalloc(sizeof(*s));

	*s = (struct saved){*undo, fd, fcntl(fd, F_DUPFD_CLOEXEC, 10)};
	*undo = s;
}

void redirect_undo(struct saved *s)
{
	while (s) {
		struct saved *next = s->next;

		if (s->copy >= 0) {
			dup2(s->copy, s->fd);
			close(s->copy);
		} else {
			close(s->fd);
		}
		free(s);
		s = next;
	}
}

static int open_for(struct redir *r, const char *path)
{
	struct stat st;

	switch (r->type) {
	case R_IN: return open(path, O_RDONLY | O_CLOEXEC);
	case R_RDWR: return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	case R_APPEND: return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	case R_OUT:
		if (opt.noclobber && !stat(path, &st) && S_ISREG(st.st_mode)) {
			errno = EEXIST;
			return -1;
		}
		break;
	default: break;
	}
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static bool write_all(int fd, const char *s, size_t n)
{
	while (n) {
		ssize_t w = write(fd, s, n);

		if (w <= 0)
			return false;
		s += w;
		n -= w;
	}
	return true;
}

/* A short text fits into a pipe; a long one waits in a file without a name. */
static int here_fd(const char *text)
{
	size_t n = strlen(text);
	char path[] = "/tmp/sh.XXXXXX";
	int p[2], fd;

	if (n <= 4096) {
		if (pipe2(p, O_CLOEXEC))
			return -1;
		write_all(p[1], text, n);
		close(p[1]);
		return p[0];
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	unlink(path);
	if (!write_all(fd, text, n) || lseek(fd, 0, SEEK_SET)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool duplicate(struct redir *r, const char *from)
{
	if (!strcmp(from, "-")) {
		close(r->fd);
		return true;
	}
	if (!isdigit((unsigned char)from[0]) || from[strspn(from, "0123456789")]) {
		warn_at("%s: bad file descriptor", from);
		return false;
	}
	if (atoi(from) == r->fd ? fcntl(r->fd, F_GETFD) < 0 : dup2(atoi(from), r->fd) < 0) {
		warn_at("%s: %s", from, strerror(errno));
		return false;
	}
	return true;
}

static bool redirect_one(struct redir *r, struct saved **undo)
{
	const char *word = expand_one(r->word);
	int fd;

	if (r->type == R_DUP) {
		save(r->fd, undo);
		return duplicate(r, word);
	}
	fd = r->type == R_HERE ? here_fd(word) : open_for(r, word);
	if (fd < 0) {
		warn_at("can't open %s: %s", word, strerror(errno));
		return false;
	}
	if (fd == r->fd) {
		/* It was closed before: remember that, and survive an exec. */
		struct saved *s = xmalloc(sizeof(*s));

		*s = (struct saved){*undo, fd, -1};
		*undo = s;
		fcntl(fd, F_SETFD, 0);
		return true;
	}
	save(r->fd, undo);
	dup2(fd, r->fd);
	close(fd);
	return true;
}

bool redirect(struct redir *r, struct saved **undo)
{
	if (r)
		fflush(stdout);
	for (; r; r = r->next)
		if (!redirect_one(r, undo))
			return false;
	return true;
}
