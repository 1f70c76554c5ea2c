/*
 * cp - copy files and trees
 *
 * usage: cp [-rpf] from... to
 */
#include "user/lib.h"

#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	bool recurse = false, keep = false, force = false, ok = true;
	struct stat st;
	const char *to;
	int c;

	start(argv);
	while ((c = option(argc, argv, "rRpfa", "[-rpf] from... to")) >= 0) {
		recurse |= c == 'r' || c == 'R' || c == 'a';
		keep |= c == 'p' || c == 'a';
		force |= c == 'f';
	}
	if (argc - optind < 2)
		usage("needs a source and a destination");
	to = argv[argc - 1];
	if (argc - optind > 2 && (stat(to, &st) || !S_ISDIR(st.st_mode)))
		usage("'%s' is not a directory", to);
	for (; optind < argc - 1; optind++) {
		char *target = target_in(to, argv[optind]);

		ok &= copy_tree(argv[optind], target, recurse, keep, force);
		free(target);
	}
	return !ok;
}
