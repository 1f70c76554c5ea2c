/*
 * head - the first lines of files
 *
 * usage: head [-n lines | -LINES | -c bytes] [file...]
 */
#include "user/lib.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

static void head(FILE *f, long lines, long bytes)
{
	int c;

	while ((bytes ? bytes-- : lines) > 0 && (c = getc(f)) != EOF) {
		putchar(c);
		lines -= !bytes && c == '\n';
		if (bytes == 0 && lines < 0)
			break;
	}
}

int main(int argc, char **argv)
{
	long lines = 10, bytes = 0;
	bool many, ok = true;
	int c;

	start(argv);
	if (argc > 1 && argv[1][0] == '-' && isdigit((unsigned char)argv[1][1])) {
		lines = number(argv[1] + 1, "a number of lines");
		argc--;
		argv++;
	}
	while ((c = option(argc, argv, "n:c:", "[-n lines | -c bytes] [file...]")) >= 0) {
		if (c == 'n')
			lines = number(optarg, "a number of lines");
		else
			bytes = number(optarg, "a number of bytes"), lines = -1;
	}
	many = argc - optind > 1;
	for (int i = optind; i < argc || i == optind; i++) {
		FILE *f = open_in(i < argc ? argv[i] : "-");

		if (!f) {
			ok = false;
			continue;
		}
		if (many)
			printf("%s==> %s <==\n", i > optind ? "\n" : "", argv[i]);
		head(f, lines, bytes);
		if (f != stdin)
			fclose(f);
	}
	return finish(!ok);
}
