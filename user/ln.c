/*
 * ln - give a file another name
 *
 * usage: ln [-sf] from... [to]
 */
#include "user/lib.h"

#include <stdlib.h>
#include <unistd.h>

static bool make(const char *from, const char *to, bool symbolic, bool force)
{
	if (force)
		unlink(to);
	if ((symbolic ? symlink : link)(from, to) == 0)
		return true;
	complain(to);
	return false;
}

int main(int argc, char **argv)
{
	bool symbolic = false, force = false, ok = true;
	const char *to = ".";
	int c, last = argc;

	start(argv);
	while ((c = option(argc, argv, "sfn", "[-sf] from... [to]")) >= 0) {
		symbolic |= c == 's';
		force |= c == 'f';
	}
	if (optind == argc)
		usage("needs a source");
	if (argc - optind > 1)
		to = argv[--last];
	for (; optind < last; optind++) {
		char *target = target_in(to, argv[optind]);

		ok &= make(argv[optind], target, symbolic, force);
		free(target);
	}
	return !ok;
}
