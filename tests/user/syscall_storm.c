// SPDX-License-Identifier: MIT
/*
 * syscall_storm: children make random system calls with random arguments; whatever comes of
 * them, the parent lives and finds its own memory as it was. Usage: syscall_storm [SEED [CHILDREN]].
 * Only on Tablefork: on a machine with something to lose it is skipped.
 */

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 400, ARENA = 64 * 4096 };

static uint32_t state;
static unsigned char *arena;

static uint32_t next(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	return state ^= state << 5;
}

/* Numbers that end or hang the machine or the test itself: exit, reboot, pause, waits for ever. */
static int is_left_out(uint32_t nr)
{
	static const unsigned short out[] = {1,   2,   7,   29,  37,  72,  88,  114, 120, 162, 168, 142,
					     82,  177, 179, 190, 238, 252, 267, 270, 284, 308, 309, 407,
					     413, 414, 421, 435, 25,  79,  13,  264, 404, 36,  61,  74,
					     87,  115, 121, 124, 127, 128, 129, 169, 21,  22,  52,  217};

	for (unsigned i = 0; i < sizeof(out) / sizeof(*out); i++)
		if (out[i] == nr)
			return 1;
	return 0;
}

static uint32_t argument(void)
{
	static const uint32_t odd[] = {0,          1,          2,          0xffffffff, 0xfffff000,
				       0xc0000000, 0xbffff000, 0x80000000, 0x7fffffff, 0x1000,
				       0xfff,      0x08048000, 0xffffff9c, 4096,       0x40000000,
				       0xb8000000, 0x10000,    0xfffffffe};

	switch (next() % 4) {
	case 0: return odd[next() % (sizeof(odd) / sizeof(*odd))];
	case 1: return next() % 64;
	case 2: return (uint32_t)(uintptr_t)arena + next() % ARENA;
	default: return next();
	}
}

static void storm(void)
{
	alarm(2);
	for (int i = 0; i < CALLS; i++) {
		uint32_t nr = next() % 440, a[6];

		for (int k = 0; k < 6; k++)
			a[k] = argument();
		if (!is_left_out(nr))
			syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		*(volatile unsigned char *)(arena + next() % ARENA) = i;
	}
}

int main(int argc, char **argv)
{
	int children = argc > 2 ? atoi(argv[2]) : 60, alive = 1;
	char dir[] = "/tmp/stormXXXXXX";
	struct utsname host;

	if (uname(&host) < 0 || !strstr(host.release, "tablefork")) {
		puts("1..0 # SKIP only on Tablefork");
		return 0;
	}
	state = argc > 1 ? strtoul(argv[1], NULL, 0) | 1 : 20021228;
	puts("1..2");
	if (!mkdtemp(dir) || chdir(dir) < 0)
		return 1;
	arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(arena, 0x5a, ARENA);
	fflush(stdout);
	for (int c = 0; c < children; c++) {
		uint32_t seed = next() | 1;
		pid_t pid = fork();

		if (pid == 0) {
			setsid();
			for (int fd = 0; fd < 16; fd++)
				close(fd);
			state = seed;
			storm();
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			alive = 0;
	}
	printf("%s 1 - the parent outlives %d children that call at random\n", alive ? "ok" : "not ok",
	       children);
	for (int i = 0; i < ARENA; i++)
		alive &= arena[i] == 0x5a;
	printf("%s 2 - what they did to private memory stays theirs\n", alive ? "ok" : "not ok");
	return !alive;
}
