/*
 * dirname - a path without its last component
 *
 * usage: dirname path...
 */
#include "user/lib.h"

#include <libgen.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	start(argv);
	while (option(argc, argv, "", "path...") >= 0)
		;
	if (optind == argc)
		usage("needs a path");
	for (; optind < argc; optind++)
		puts(dirname(argv[optind]));
	return finish(0);
}
