/*
 * tee - copy the input to the output and to files
 *
 * usage: tee [-a] [file...]
 */
#include "user/lib.h"

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int flags = O_WRONLY | O_CREAT | O_TRUNC, status = 0, n = 1, *fds;
	char chunk[8192];
	ssize_t got;

	start(argv);
	while (option(argc, argv, "a", "[-a] [file...]") >= 0)
		flags = O_WRONLY | O_CREAT | O_APPEND;
	fds = xmalloc((argc + 1) * sizeof(*fds));
	fds[0] = 1;
	for (; optind < argc; optind++) {
		fds[n] = open(argv[optind], flags, 0666);
		if (fds[n] < 0) {
			complain(argv[optind]);
			status = 1;
		} else {
			n++;
		}
	}
	while ((got = read(0, chunk, sizeof(chunk))) > 0)
		for (int i = 0; i < n; i++)
			if (write(fds[i], chunk, got) != got) {
				complain("write error");
				status = 1;
			}
	return status;
}
