/*
 * mv - rename, or copy and remove across file systems
 *
 * usage: mv [-f] from... to
 */
#include "user/lib.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool move(const char *from, const char *to)
{
	if (rename(from, to) == 0)
		return true;
	if (errno == EXDEV)
		return copy_tree(from, to, true, true, true) && remove_tree(from, true, true);
	say("can't rename '%s': %m", from);
	return false;
}

int main(int argc, char **argv)
{
	struct stat st;
	bool ok = true;
	const char *to;

	start(argv);
	while (option(argc, argv, "f", "[-f] from... to") >= 0)
		;
	if (argc - optind < 2)
		usage("needs a source and a destination");
	to = argv[argc - 1];
	if (argc - optind > 2 && (stat(to, &st) || !S_ISDIR(st.st_mode)))
		usage("'%s' is not a directory", to);
	for (; optind < argc - 1; optind++) {
		char *target = target_in(to, argv[optind]);

		ok &= move(argv[optind], target);
		free(target);
	}
	return !ok;
}
