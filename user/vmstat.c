/*
 * vmstat - the counters of the memory manager, or those whose name holds a word
 *
 * usage: vmstat [word...]
 */
#include "user/lib.h"

#include <string.h>
#include <unistd.h>

static bool wanted(const char *line, char **words)
{
	if (!*words)
		return true;
	for (; *words; words++)
		if (strstr(line, *words))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	FILE *f;
	struct buf b = {0};

	start(argv);
	while (option(argc, argv, "", "[word...]") >= 0)
		;
	f = open_in("/proc/vmstat");
	if (!f)
		return 1;
	while (read_line(f, &b)) {
		char *blank = strchr(b.s, ' ');

		if (!blank || !wanted(b.s, argv + optind))
			continue;
		*blank = 0;
		printf("%-32s %16s", b.s, blank + 1);
	}
	return finish(0);
}
