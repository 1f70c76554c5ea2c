/*
 * dmesg - what the kernel said
 *
 * usage: dmesg
 */
#include "user/lib.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

/* "level,sequence,microseconds,-;text", one record a read. */
static bool from_device(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	char record[8192];
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = read(fd, record, sizeof(record) - 1)) > 0) {
		char *text;

		record[n] = 0;
		text = strchr(record, ';');
		fputs(text ? text + 1 : record, stdout);
	}
	close(fd);
	return n == 0 || errno == EAGAIN;
}

int main(int argc, char **argv)
{
	enum { READ_ALL = 3, SIZE_BUFFER = 10 };
	int size, n;
	char *text;

	start(argv);
	while (option(argc, argv, "", "") >= 0)
		;
	size = klogctl(SIZE_BUFFER, NULL, 0);
	text = xmalloc(size > 0 ? size : 1 << 18);
	n = klogctl(READ_ALL, text, size > 0 ? size : 1 << 18);
	if (n < 0) {
		if (!from_device())
			fail("the kernel's log");
		return finish(0);
	}
	fwrite(text, 1, n, stdout);
	if (n && text[n - 1] != '\n')
		putchar('\n');
	return finish(0);
}
