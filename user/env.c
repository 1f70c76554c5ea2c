/*
 * env - show the environment, or run a command in another
 *
 * usage: env [-i] [-u name] [name=value...] [command [arg...]]
 */
#include "user/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	int c;

	start(argv);
	while ((c = option(argc, argv, "iu:", "[-i] [-u name] [name=value...] [command]")) >= 0)
		if (c == 'i')
			clearenv();
		else
			unsetenv(optarg);
	for (; optind < argc && strchr(argv[optind], '='); optind++)
		putenv(argv[optind]);
	if (optind < argc) {
		execvp(argv[optind], argv + optind);
		complain(argv[optind]);
		return errno == ENOENT ? 127 : 126;
	}
	for (char **e = environ; e && *e; e++)
		puts(*e);
	return finish(0);
}
