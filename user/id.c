/*
 * id - who the process is
 *
 * usage: id [-u | -g]
 */
#include "user/lib.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	start(argv);
	switch (option(argc, argv, "ug", "[-u | -g]")) {
	case 'u': printf("%d\n", (int)geteuid()); break;
	case 'g': printf("%d\n", (int)getegid()); break;
	default: printf("uid=%d gid=%d\n", (int)geteuid(), (int)getegid());
	}
	return finish(0);
}
