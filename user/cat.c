/*
 * cat - copy files to the output
 *
 * usage: cat [file...]
 */
#include "user/lib.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool copy(int fd, const char *name)
{
	static char chunk[16384];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		for (ssize_t done = 0, w; done < n; done += w)
			if ((w = write(1, chunk + done, n - done)) < 0)
				fail("write error");
	if (n < 0)
		complain(name);
	return n == 0;
}

static bool cat(const char *name)
{
	int fd = strcmp(name, "-") ? open(name, O_RDONLY) : 0;
	bool ok;

	if (fd < 0) {
		complain(name);
		return false;
	}
	ok = copy(fd, name);
	if (fd)
		close(fd);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = true;

	start(argv);
	while (option(argc, argv, "u", "[file...]") >= 0)
		;
	if (optind == argc)
		return !cat("-");
	for (; optind < argc; optind++)
		ok &= cat(argv[optind]);
	return !ok;
}
