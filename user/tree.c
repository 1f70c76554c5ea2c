/* Copying and removing whole trees: what cp, mv and rm have in common. */
#include "user/lib.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *base_name(const char *path)
{
	size_t end = strlen(path), begin;

	while (end > 1 && path[end - 1] == '/')
		end--;
	begin = end;
	while (begin > 0 && path[begin - 1] != '/')
		begin--;
	if (begin == end && end)
		begin = end - 1;
	return xasprintf("%.*s", (int)(end - begin), path + begin);
}

char *target_in(const char *dir, const char *from)
{
	struct stat st;
	char *base, *to;

	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return xstrdup(dir);
	base = base_name(from);
	to = path_join(dir, base);
	free(base);
	return to;
}

static bool pump(int in, int out)
{
	static char chunk[32768];
	ssize_t n;

	while ((n = read(in, chunk, sizeof(chunk))) > 0)
		for (ssize_t done = 0, w; done < n; done += w)
			if ((w = write(out, chunk + done, n - done)) < 0)
				return false;
	return n == 0;
}

static void keep_attributes(const char *to, const struct stat *st)
{
	struct timespec times[2] = {st->st_atim, st->st_mtim};

	/* Not being root is no reason to complain about the owner. */
	if (lchown(to, st->st_uid, st->st_gid) == 0 || errno == EPERM)
		errno = 0;
	if (!S_ISLNK(st->st_mode))
		chmod(to, st->st_mode & 07777);
	utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW);
}

bool copy_file(const char *from, const char *to, const struct stat *st, bool keep, bool force)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	bool ok;

	if (in < 0) {
		complain(from);
		return false;
	}
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, st->st_mode & 0777);
	if (out < 0 && force && unlink(to) == 0)
		out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st->st_mode & 0777);
	if (out < 0) {
		complain(to);
		close(in);
		return false;
	}
	ok = pump(in, out);
	if (!ok)
		complain(to);
	close(in);
	if (close(out) && ok) {
		complain(to);
		ok = false;
	}
	if (keep)
		keep_attributes(to, st);
	return ok;
}

static bool copy_link(const char *from, const char *to)
{
	char target[4096];
	ssize_t n = readlink(from, target, sizeof(target) - 1);

	if (n >= 0) {
		target[n] = 0;
		unlink(to);
		if (symlink(target, to) == 0)
			return true;
	}
	complain(to);
	return false;
}

static bool copy_dir(const char *from, const char *to, const struct stat *st, bool keep, bool force)
{
	char **names;
	bool ok = true;

	if (mkdir(to, (st->st_mode & 0777) | 0700) && errno != EEXIST) {
		complain(to);
		return false;
	}
	names = list_dir(from);
	if (!names) {
		complain(from);
		return false;
	}
	for (char **n = names; *n; n++) {
		char *a = path_join(from, *n), *b = path_join(to, *n);

		ok &= copy_tree(a, b, true, keep, force);
		free(a);
		free(b);
		free(*n);
	}
	free(names);
	if (keep)
		keep_attributes(to, st);
	return ok;
}

bool copy_tree(const char *from, const char *to, bool recurse, bool keep, bool force)
{
	struct stat st, there;

	if ((recurse ? lstat : stat)(from, &st)) {
		complain(from);
		return false;
	}
	if (stat(to, &there) == 0 && there.st_dev == st.st_dev && there.st_ino == st.st_ino) {
		say("'%s' and '%s' are the same file", from, to);
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		if (recurse)
			return copy_dir(from, to, &st, keep, force);
		say("omitting directory '%s'", from);
		return false;
	}
	if (S_ISLNK(st.st_mode))
		return copy_link(from, to);
	if (recurse && !S_ISREG(st.st_mode)) {
		if (mknod(to, st.st_mode, st.st_rdev) == 0)
			return true;
		complain(to);
		return false;
	}
	return copy_file(from, to, &st, keep, force);
}

bool remove_tree(const char *path, bool recurse, bool force)
{
	struct stat st;
	bool ok = true;

	if (unlink(path) == 0)
		return true;
	if (errno == ENOENT && force)
		return true;
	if (errno == ENOENT || lstat(path, &st) || !S_ISDIR(st.st_mode) || !recurse) {
		if (errno == EPERM && !lstat(path, &st) && S_ISDIR(st.st_mode))
			errno = EISDIR;
		complain(path);
		return false;
	}
	char **names = list_dir(path);
	for (char **n = names; n && *n; n++) {
		char *child = path_join(path, *n);

		ok &= remove_tree(child, true, force);
		free(child);
		free(*n);
	}
	free(names);
	if (ok && rmdir(path)) {
		complain(path);
		ok = false;
	}
	return ok;
}
