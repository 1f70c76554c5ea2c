/*
 * sleep - wait for a number of seconds, with fractions
 *
 * usage: sleep seconds
 */
#include "user/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct timespec t;
	char *end;
	double s;

	start(argv);
	if (argc != 2)
		usage("needs one number");
	s = strtod(argv[1], &end);
	if (end == argv[1] || *end || s < 0)
		usage("%s: not a number of seconds", argv[1]);
	t.tv_sec = (time_t)s;
	t.tv_nsec = (long)((s - (double)t.tv_sec) * 1e9);
	while (nanosleep(&t, &t) && errno == EINTR)
		;
	return 0;
}
