/*
 * uname - the system's name
 *
 * usage: uname [-asnrvm]
 */
#include "user/lib.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char letters[] = "snrvm";
	struct utsname u;
	const char *const fields[] = {u.sysname, u.nodename, u.release, u.version, u.machine};
	bool wanted[5] = {false}, any = false;
	int c;

	start(argv);
	while ((c = option(argc, argv, "asnrvm", "[-asnrvm]")) >= 0)
		for (int i = 0; i < 5; i++)
			wanted[i] |= c == 'a' || letters[i] == c;
	for (int i = 0; i < 5; i++)
		any |= wanted[i];
	wanted[0] |= !any;
	uname(&u);
	any = false;
	for (int i = 0; i < 5; i++)
		if (wanted[i]) {
			printf("%s%s", any ? " " : "", fields[i]);
			any = true;
		}
	putchar('\n');
	return finish(0);
}
