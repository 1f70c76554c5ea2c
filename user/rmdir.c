/*
 * rmdir - remove empty directories
 *
 * usage: rmdir directory...
 */
#include "user/lib.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	bool ok = true;

	start(argv);
	while (option(argc, argv, "", "directory...") >= 0)
		;
	if (optind == argc)
		usage("needs a directory");
	for (; optind < argc; optind++)
		if (rmdir(argv[optind])) {
			complain(argv[optind]);
			ok = false;
		}
	return !ok;
}
