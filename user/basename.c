/*
 * basename - the last component of a path, without a suffix
 *
 * usage: basename path [suffix]
 */
#include "user/lib.h"

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *base;
	size_t n, s;

	start(argv);
	while (option(argc, argv, "", "path [suffix]") >= 0)
		;
	if (argc - optind < 1 || argc - optind > 2)
		usage("needs a path and at most a suffix");
	base = base_name(argv[optind]);
	n = strlen(base);
	if (optind + 1 < argc) {
		s = strlen(argv[optind + 1]);
		if (s < n && !strcmp(base + n - s, argv[optind + 1]))
			base[n - s] = 0;
	}
	puts(base);
	return finish(0);
}
