/*
 * rm - remove files and trees
 *
 * usage: rm [-rf] file...
 */
#include "user/lib.h"

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	bool recurse = false, force = false, ok = true;
	int c;

	start(argv);
	while ((c = option(argc, argv, "rRf", "[-rf] file...")) >= 0) {
		recurse |= c != 'f';
		force |= c == 'f';
	}
	if (optind == argc && !force)
		usage("needs a file");
	for (; optind < argc; optind++) {
		char *base = base_name(argv[optind]);

		if (!strcmp(base, ".") || !strcmp(base, "..")) {
			say("can't remove '.' or '..'");
			ok = false;
		} else {
			ok &= remove_tree(argv[optind], recurse, force);
		}
	}
	return !ok;
}
