/*
 * kill - send a signal
 *
 * usage: kill [-s NAME | -NAME | -NUMBER] pid...
 *        kill -l [number]
 */
#include "user/lib.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int list(const char *arg)
{
	if (arg) {
		int n = atoi(arg);

		puts(signal_name(n > 128 ? n - 128 : n));
		return 0;
	}
	for (int i = 1; i < 32; i++)
		printf("%2d) %s\n", i, signal_name(i));
	return 0;
}

static int send(const char *arg, int sig)
{
	char *end;
	long pid = strtol(arg, &end, 10);

	if (end == arg || *end) {
		say("invalid number '%s'", arg);
		return 1;
	}
	if (kill(pid, sig) == 0)
		return 0;
	fflush(stdout);
	fprintf(stderr, "%s: can't kill pid %ld: %m\n", progname, pid);
	return 1;
}

int kill_main(int argc, char **argv)
{
	int sig = SIGTERM, result = 0, i = 1;
	const char *name = NULL;

	if (argc > 1 && !strcmp(argv[1], "-l"))
		return list(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "-s")) {
		name = argv[2];
		i = 3;
	} else if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '-' && argv[1][1]) {
		name = argv[1] + 1;
		i = 2;
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	if (name && (sig = signal_number(name)) < 0) {
		say("bad signal name '%s'", name);
		return 1;
	}
	if (i >= argc) {
		say("you need to specify whom to kill");
		return 2;
	}
	for (; i < argc; i++)
		result |= send(argv[i], sig);
	return result;
}

STANDALONE(kill_main)
