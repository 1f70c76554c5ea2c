/*
 * free - how much memory is left, in KiB
 *
 * usage: free [-m]
 */
#include "user/lib.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct buf info;
static unsigned long unit = 1;

static unsigned long field(const char *name)
{
	size_t n = strlen(name);

	for (char *s = info.s; s; s = (s = strchr(s, '\n')) ? s + 1 : NULL)
		if (!strncmp(s, name, n) && s[n] == ':')
			return strtoul(s + n + 1, NULL, 10) / unit;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long total, unused, cache;

	start(argv);
	while (option(argc, argv, "km", "[-m]") == 'm')
		unit = 1024;
	if (!read_all("/proc/meminfo", &info))
		fail("/proc/meminfo");
	total = field("MemTotal");
	unused = field("MemFree");
	cache = field("Buffers") + field("Cached");
	printf("%17s%12s%12s%12s\n", "total", "used", "free", "buff/cache");
	printf("Mem:  %11lu%12lu%12lu%12lu\n", total, total - unused - cache, unused, cache);
	printf("Swap: %11lu%12lu%12lu\n", field("SwapTotal"), field("SwapTotal") - field("SwapFree"),
	       field("SwapFree"));
	return finish(0);
}
