/* Files and folders. */
#include "tests/user/tap.h"

#include <dirent.h>
#include <sys/uio.h>

static bool holds(const char *name, const char *text)
{
	char b[200] = {0};
	int fd = open(name, O_RDONLY), n = fd < 0 ? -1 : (int)read(fd, b, sizeof(b) - 1);

	close(fd);
	return n == (int)strlen(text) && !memcmp(b, text, n);
}

static void open_flags(void)
{
	int fd;

	enter_scratch();
	CHECK(open("f", O_RDONLY) < 0 && errno == ENOENT);
	CHECK((fd = open("f", O_WRONLY | O_CREAT | O_EXCL, 0644)) >= 0);
	CHECK(open("f", O_WRONLY | O_CREAT | O_EXCL, 0644) < 0 && errno == EEXIST);
	CHECK(write(fd, "hello", 5) == 5 && read(fd, &fd, 1) < 0 && errno == EBADF);
	close(open("f", O_WRONLY));
	CHECK(holds("f", "hello"));
	close(open("f", O_WRONLY | O_TRUNC));
	CHECK(holds("f", ""));
	CHECK(open("f", O_RDONLY | O_DIRECTORY) < 0 && errno == ENOTDIR);
	CHECK(open(".", O_WRONLY) < 0 && errno == EISDIR);
}

static void append(void)
{
	int fd;

	enter_scratch();
	close(make_file("f", "one"));
	fd = open("f", O_WRONLY | O_APPEND);
	lseek(fd, 0, SEEK_SET);
	CHECK(write(fd, "two", 3) == 3);
	CHECK(holds("f", "onetwo"));
}

static void seek_and_holes(void)
{
	char b[10];
	int fd;

	enter_scratch();
	fd = make_file("f", "abc");
	CHECK(lseek(fd, 0, SEEK_END) == 3 && lseek(fd, -1, SEEK_CUR) == 2);
	CHECK(lseek(fd, -1, SEEK_SET) < 0 && errno == EINVAL);
	CHECK(lseek(fd, 20000, SEEK_SET) == 20000 && write(fd, "z", 1) == 1);
	CHECK(pread(fd, b, 10, 2) == 10 && b[0] == 'c' && b[1] == 0 && b[9] == 0);
	CHECK(pread(fd, b, 10, 20000) == 1 && b[0] == 'z');
	CHECK(pread(fd, b, 10, 20001) == 0);
	CHECK(pwrite(fd, "Q", 1, 1) == 1 && lseek(fd, 0, SEEK_CUR) == 20001);
}

static void truncates(void)
{
	struct stat st;
	char b[4] = "xxx";
	int fd;

	enter_scratch();
	fd = make_file("f", "abcdef");
	CHECK(ftruncate(fd, 2) == 0 && holds("f", "ab"));
	CHECK(truncate("f", 5) == 0 && fstat(fd, &st) == 0 && st.st_size == 5);
	CHECK(pread(fd, b, 3, 2) == 3 && !b[0] && !b[2]);
	CHECK(truncate("nofile", 0) < 0 && errno == ENOENT);
	CHECK(ftruncate(fd, 3 * PAGE) == 0 && ftruncate(fd, PAGE + 1) == 0);
	CHECK(fstat(fd, &st) == 0 && st.st_size == (off_t)PAGE + 1);
}

static void renames(void)
{
	enter_scratch();
	close(make_file("a", "A"));
	close(make_file("b", "B"));
	mkdir("d", 0755);
	mkdir("d/e", 0755);
	CHECK(rename("a", "c") == 0 && holds("c", "A") && access("a", F_OK) < 0);
	CHECK(rename("c", "b") == 0 && holds("b", "A"));
	CHECK(rename("b", "d/b") == 0 && holds("d/b", "A"));
	CHECK(rename("d", "g") == 0 && holds("g/b", "A"));
	CHECK(rename("g", "g/e/x") < 0 && errno == EINVAL);
	CHECK(rename("g/b", "g/e") < 0 && errno == EISDIR);
	CHECK(rename("g/e", "g/b") < 0 && errno == ENOTDIR);
	CHECK(rename("nofile", "x") < 0 && errno == ENOENT);
	mkdir("h", 0755);
	CHECK(rename("h", "g") < 0 && (errno == ENOTEMPTY || errno == EEXIST));
	CHECK(rename("g/b", "g/b") == 0);
}

static void unlinked_lives_on(void)
{
	struct stat st;
	char b[5];
	int fd;

	enter_scratch();
	fd = make_file("f", "alive");
	CHECK(unlink("f") == 0 && access("f", F_OK) < 0);
	CHECK(pread(fd, b, 5, 0) == 5 && !memcmp(b, "alive", 5));
	CHECK(fstat(fd, &st) == 0 && st.st_nlink == 0);
	CHECK(write(fd, "!", 1) == 1);
	CHECK(unlink("f") < 0 && errno == ENOENT);
	mkdir("d", 0755);
	CHECK(unlink("d") < 0 && errno == EISDIR);
}

static void hard_links(void)
{
	struct stat a, b;

	enter_scratch();
	close(make_file("f", "x"));
	CHECK(link("f", "g") == 0);
	CHECK(stat("f", &a) == 0 && stat("g", &b) == 0 && a.st_ino == b.st_ino && a.st_nlink == 2);
	close(make_file("g", "changed"));
	CHECK(holds("f", "changed"));
	CHECK(link("f", "g") < 0 && errno == EEXIST);
	unlink("f");
	CHECK(stat("g", &b) == 0 && b.st_nlink == 1);
}

static void symbolic_links(void)
{
	struct stat st;
	char b[20];

	enter_scratch();
	close(make_file("f", "x"));
	mkdir("d", 0755);
	CHECK(symlink("f", "l") == 0 && symlink("../f", "d/l") == 0 && symlink("no", "dangling") == 0);
	CHECK(holds("l", "x") && holds("d/l", "x"));
	CHECK(readlink("l", b, sizeof(b)) == 1 && b[0] == 'f');
	CHECK(lstat("l", &st) == 0 && S_ISLNK(st.st_mode) && st.st_size == 1);
	CHECK(stat("l", &st) == 0 && S_ISREG(st.st_mode));
	CHECK(stat("dangling", &st) < 0 && errno == ENOENT && lstat("dangling", &st) == 0);
	symlink("loop", "loop");
	CHECK(open("loop", O_RDONLY) < 0 && errno == ELOOP);
	CHECK(open("l", O_RDONLY | O_NOFOLLOW) < 0 && errno == ELOOP);
	symlink("d", "ld");
	CHECK(holds("ld/l", "x"));
	CHECK(readlink("f", b, sizeof(b)) < 0 && errno == EINVAL);
}

static void folders(void)
{
	char cwd[300], before[300];
	struct stat st;

	enter_scratch();
	CHECK(mkdir("d", 0700) == 0 && mkdir("d", 0700) < 0 && errno == EEXIST);
	CHECK(stat("d", &st) == 0 && S_ISDIR(st.st_mode) && (st.st_mode & 0777) == 0700 && st.st_nlink == 2);
	CHECK(mkdir("x/y", 0700) < 0 && errno == ENOENT);
	close(make_file("d/f", "x"));
	CHECK(rmdir("d") < 0 && (errno == ENOTEMPTY || errno == EEXIST));
	CHECK(rmdir("d/f") < 0 && errno == ENOTDIR);
	getcwd(before, sizeof(before));
	CHECK(chdir("d") == 0 && getcwd(cwd, sizeof(cwd)) && !strcmp(cwd + strlen(before), "/d"));
	CHECK(holds("../d/./f", "x"));
	CHECK(getcwd(cwd, 3) == NULL && errno == ERANGE);
	CHECK(chdir("f") < 0 && errno == ENOTDIR);
	unlink("f");
	CHECK(chdir("..") == 0 && rmdir("d") == 0);
}

static void listing(void)
{
	enum { N = 300 };
	bool seen[N] = {false};
	char name[30];
	int entries = 0, dots = 0, bad = 0;
	struct dirent *e;
	DIR *d;

	enter_scratch();
	for (int i = 0; i < N; i++) {
		sprintf(name, "file-with-a-name-%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0644));
	}
	d = opendir(".");
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.') {
			dots++;
			continue;
		}
		entries++;
		if (sscanf(e->d_name, "file-with-a-name-%d", &bad) != 1 || seen[bad])
			CHECK(!"a strange or repeated name");
		seen[bad] = true;
		CHECK(e->d_type == DT_REG || e->d_type == DT_UNKNOWN);
	}
	CHECK(entries == N && dots == 2);
	rewinddir(d);
	CHECK(readdir(d) != NULL);
	closedir(d);
}

static void removed_while_listing(void)
{
	char name[30];
	int gone = 0;
	struct dirent *e;
	DIR *d;

	enter_scratch();
	for (int i = 0; i < 200; i++) {
		sprintf(name, "n%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0644));
	}
	d = opendir(".");
	while ((e = readdir(d)))
		if (e->d_name[0] == 'n')
			gone += unlink(e->d_name) == 0;
	closedir(d);
	CHECK(gone == 200);
}

static void stat_fields(void)
{
	struct stat a, b;
	int fd;

	enter_scratch();
	umask(022);
	fd = make_file("f", "12345");
	CHECK(fstat(fd, &a) == 0 && stat("f", &b) == 0);
	CHECK(a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == 5 && a.st_nlink == 1);
	CHECK(S_ISREG(a.st_mode) && (a.st_mode & 0777) == 0644 && a.st_uid == getuid());
	CHECK(chmod("f", 0751) == 0 && stat("f", &b) == 0 && (b.st_mode & 07777) == 0751);
	CHECK(fchmod(fd, 0600) == 0 && stat("f", &b) == 0 && (b.st_mode & 07777) == 0600);
	CHECK(stat("/dev/null", &b) == 0 && S_ISCHR(b.st_mode) && b.st_rdev == 0x103);
	CHECK(stat("f/x", &b) < 0 && errno == ENOTDIR);
	CHECK(access("f", X_OK) < 0 && errno == EACCES && access("f", R_OK | W_OK) == 0);
}

static void times_are_set(void)
{
	struct timespec t[2] = {{1000, 500}, {2000, 600}};
	struct stat st;

	enter_scratch();
	close(make_file("f", "x"));
	CHECK(utimensat(AT_FDCWD, "f", t, 0) == 0 && stat("f", &st) == 0);
	CHECK(st.st_atim.tv_sec == 1000 && st.st_mtim.tv_sec == 2000 && st.st_mtim.tv_nsec == 600);
}

static void relative_to_a_descriptor(void)
{
	int d, fd;

	enter_scratch();
	mkdir("d", 0755);
	d = open("d", O_RDONLY | O_DIRECTORY);
	CHECK((fd = openat(d, "f", O_CREAT | O_WRONLY, 0644)) >= 0 && write(fd, "x", 1) == 1);
	CHECK(holds("d/f", "x") && faccessat(d, "f", F_OK, 0) == 0);
	CHECK(renameat(d, "f", AT_FDCWD, "g") == 0 && holds("g", "x"));
	CHECK(unlinkat(AT_FDCWD, "d", AT_REMOVEDIR) == 0);
	CHECK(fchdir(d) == 0);
}

static void devices(void)
{
	char b[100];
	int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR);

	memset(b, 7, sizeof(b));
	CHECK(read(null, b, 10) == 0 && write(null, b, 10) == 10);
	CHECK(read(zero, b, 100) == 100 && b[0] == 0 && b[99] == 0);
	CHECK(write(open("/dev/full", O_WRONLY), b, 1) < 0 && errno == ENOSPC);
	CHECK(read(open("/dev/urandom", O_RDONLY), b, 100) == 100);
	CHECK(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0) != MAP_FAILED);
}

static void large_file(void)
{
	enum { SIZE = 8 * 1024 * 1024 };
	char *b = malloc(SIZE);
	int fd, bad = 0;

	enter_scratch();
	fd = open("f", O_RDWR | O_CREAT, 0644);
	for (int i = 0; i < SIZE; i++)
		b[i] = i * 7 % 253;
	CHECK(write(fd, b, SIZE) == SIZE);
	memset(b, 0, SIZE);
	CHECK(pread(fd, b, SIZE, 0) == SIZE);
	for (int i = 0; i < SIZE; i++)
		bad += b[i] != (char)(i * 7 % 253);
	CHECK(bad == 0);
	unlink("f");
}

static void long_names(void)
{
	char name[400];

	enter_scratch();
	memset(name, 'n', sizeof(name));
	name[255] = 0;
	CHECK(open(name, O_CREAT | O_WRONLY, 0644) >= 0 && access(name, F_OK) == 0);
	name[255] = 'n';
	name[256] = 0;
	CHECK(open(name, O_CREAT | O_WRONLY, 0644) < 0 && errno == ENAMETOOLONG);
}

static const struct test tests[] = {
	{open_flags, "O_CREAT, O_EXCL, O_TRUNC and O_DIRECTORY do what they say"},
	{append, "O_APPEND writes at the end"},
	{seek_and_holes, "lseek leaves holes of zeroes, pread and pwrite leave the offset"},
	{truncates, "truncate cuts and extends with zeroes"},
	{renames, "rename moves, replaces and refuses"},
	{unlinked_lives_on, "an unlinked file lives on while it is open"},
	{hard_links, "hard links are one file"},
	{symbolic_links, "symbolic links lead, dangle and loop"},
	{folders, "folders are made, entered and removed"},
	{listing, "a folder of three hundred lists each once"},
	{removed_while_listing, "files removed while listing are all met"},
	{stat_fields, "stat tells type, mode, size and links"},
	{times_are_set, "utimensat sets times to the nanosecond"},
	{relative_to_a_descriptor, "the calls with at work from a descriptor"},
	{devices, "null, zero, full and urandom"},
	{large_file, "eight megabytes come back as written"},
	{long_names, "a name of 255 bytes works, of 256 is ENAMETOOLONG"},
};

TAP_MAIN(tests)
