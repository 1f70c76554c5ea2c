/*
 * cmp - do two files differ, and where
 *
 * usage: cmp [-s] file1 file2
 */
#include "user/lib.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long byte = 1, line = 1;
	bool silent = false;
	FILE *a, *b;
	int x, y;

	start(argv);
	while (option(argc, argv, "s", "[-s] file1 file2") >= 0)
		silent = true;
	if (argc - optind != 2)
		usage("needs two files");
	a = open_in(argv[optind]);
	b = a ? open_in(argv[optind + 1]) : NULL;
	if (!a || !b)
		return 2;
	while ((x = getc(a)) == (y = getc(b))) {
		if (x == EOF)
			return 0;
		byte++;
		line += x == '\n';
	}
	if (silent)
		return 1;
	if (x == EOF || y == EOF)
		say("EOF on %s", argv[optind + (x != EOF)]);
	else
		printf("%s %s differ: char %lu, line %lu\n", argv[optind], argv[optind + 1], byte, line);
	return finish(1);
}
