/*
 * mktemp - make a file or directory with a name that nobody has
 *
 * usage: mktemp [-d] [-p directory] [template]
 */
#include "user/lib.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *dir = getenv("TMPDIR");
	bool directory = false, in_dir = false;
	char *path;
	int c, fd;

	start(argv);
	while ((c = option(argc, argv, "dp:t", "[-d] [-p directory] [template]")) >= 0) {
		directory |= c == 'd';
		in_dir |= c != 'd';
		if (c == 'p')
			dir = optarg;
	}
	if (!dir || !*dir)
		dir = "/tmp";
	if (optind < argc)
		path = in_dir ? path_join(dir, argv[optind]) : xstrdup(argv[optind]);
	else
		path = path_join(dir, "tmp.XXXXXX");
	if (directory) {
		if (!mkdtemp(path))
			fail(path);
	} else {
		fd = mkstemp(path);
		if (fd < 0)
			fail(path);
		close(fd);
	}
	puts(path);
	return finish(0);
}
