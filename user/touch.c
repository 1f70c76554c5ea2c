/*
 * touch - make files, or their times, new
 *
 * usage: touch [-c] file...
 */
#include "user/lib.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool touch(const char *path, bool create)
{
	int fd;

	if (utimensat(AT_FDCWD, path, NULL, 0) == 0)
		return true;
	if (errno == ENOENT && !create)
		return true;
	fd = errno == ENOENT ? open(path, O_WRONLY | O_CREAT, 0666) : -1;
	if (fd < 0) {
		complain(path);
		return false;
	}
	close(fd);
	return true;
}

int main(int argc, char **argv)
{
	bool create = true, ok = true;

	start(argv);
	while (option(argc, argv, "c", "[-c] file...") >= 0)
		create = false;
	if (optind == argc)
		usage("needs a file");
	for (; optind < argc; optind++)
		ok &= touch(argv[optind], create);
	return !ok;
}
