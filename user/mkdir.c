/*
 * mkdir - make directories
 *
 * usage: mkdir [-p] [-m mode] directory...
 */
#include "user/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool make(char *path, mode_t mode, bool parents)
{
	for (char *slash = path; parents && (slash = strchr(slash + 1, '/'));) {
		*slash = 0;
		if (mkdir(path, 0777) && !is_dir(path)) {
			complain(path);
			return false;
		}
		*slash = '/';
	}
	if (mkdir(path, mode) == 0 || (parents && is_dir(path)))
		return true;
	say("can't create directory '%s': %m", path);
	return false;
}

int main(int argc, char **argv)
{
	bool parents = false, ok = true;
	mode_t mode = 0777;
	int c;

	start(argv);
	while ((c = option(argc, argv, "pm:", "[-p] [-m mode] directory...")) >= 0) {
		if (c == 'p')
			parents = true;
		else
			mode = strtol(optarg, NULL, 8);
	}
	if (optind == argc)
		usage("needs a directory");
	for (; optind < argc; optind++)
		ok &= make(argv[optind], mode, parents);
	return !ok;
}
