/*
 * seq - count
 *
 * usage: seq [first [step]] last
 */
#include "user/lib.h"

int main(int argc, char **argv)
{
	long first = 1, step = 1, last;

	start(argv);
	if (argc < 2 || argc > 4)
		usage("needs one to three numbers");
	last = number(argv[argc - 1], "a number");
	if (argc > 2)
		first = number(argv[1], "a number");
	if (argc > 3)
		step = number(argv[2], "a number");
	if (step == 0)
		usage("a step of 0 leads nowhere");
	for (long i = first; step > 0 ? i <= last : i >= last; i += step)
		printf("%ld\n", i);
	return finish(0);
}
