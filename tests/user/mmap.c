/* mmap, munmap, madvise, brk: what is there, what is not, and whose it is. */
#include "tests/user/tap.h"

static void anonymous_is_zero(void)
{
	CHECK(nonzero_pages(anon(MIB), MIB) == 0);
}

static void private_file(void)
{
	char *p, *q, c;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 4 * PAGE, 1);
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	q = mmap(NULL, 4 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	NEED(p != MAP_FAILED && q != MAP_FAILED);
	CHECK(wrong_pages(p, 4 * PAGE, 1) == 0);
	p[10] = 'x';
	CHECK(q[10] == 0);
	CHECK(pread(fd, &c, 1, 10) == 1 && c == 0);
}

static void shared_file(void)
{
	char *p, *q, c;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 4 * PAGE, 1);
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	q = mmap(NULL, 4 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	NEED(p != MAP_FAILED && q != MAP_FAILED);
	p[10] = 'x';
	CHECK(q[10] == 'x');
	CHECK(pread(fd, &c, 1, 10) == 1 && c == 'x');
	CHECK(pwrite(fd, "y", 1, PAGE + 5) == 1);
	CHECK(p[PAGE + 5] == 'y');
}

static void file_at_an_offset(void)
{
	char *p;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 4 * PAGE, 1);
	p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 2 * PAGE);
	NEED(p != MAP_FAILED);
	CHECK(wrong_pages(p, 2 * PAGE, 1 + 2 * 2654435761u) == 0);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 100) == MAP_FAILED && errno == EINVAL);
}

static void beyond_the_end(void)
{
	char *p;
	int fd;

	enter_scratch();
	fd = make_file("f", "short");
	p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	NEED(p != MAP_FAILED);
	CHECK(p[0] == 's' && p[5] == 0 && p[PAGE - 1] == 0);
	CHECK(read_fault(p + PAGE) == SIGBUS);
}

static void survives_close_and_unlink(void)
{
	char *p;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 2 * PAGE, 1);
	p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	unlink("f");
	CHECK(wrong_pages(p, 2 * PAGE, 1) == 0);
}

static void file_rights(void)
{
	int fd;

	enter_scratch();
	close(make_page_file("f", PAGE, 1));
	fd = open("f", O_RDONLY);
	CHECK(mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EACCES);
	CHECK(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) != MAP_FAILED);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, 77, 0) == MAP_FAILED && errno == EBADF);
	CHECK(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED && errno == EINVAL);
}

static void fixed_replaces(void)
{
	char *p = anon(4 * PAGE);

	fill_pages(p, 4 * PAGE, 1);
	CHECK(mmap(p + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		   0) == p + PAGE);
	CHECK(nonzero_pages(p, 4 * PAGE) == 2);
	CHECK(mmap(p + 1, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED &&
	      errno == EINVAL);
}

static void hint_is_taken(void)
{
	char *p = anon(8 * PAGE);

	munmap(p + 2 * PAGE, 4 * PAGE);
	CHECK(mmap(p + 3 * PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == p + 3 * PAGE);
}

static void none_faults(void)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	NEED(p != MAP_FAILED);
	CHECK(read_fault(p) == SIGSEGV);
	CHECK(tap_fault_address == p);
	CHECK(write_fault(p + PAGE + 7) == SIGSEGV);
	CHECK(tap_fault_address == p + PAGE + 7);
}

static void unmap_parts(void)
{
	char *p = anon(9 * PAGE);

	fill_pages(p, 9 * PAGE, 1);
	CHECK(munmap(p + 4 * PAGE, PAGE) == 0);
	CHECK(munmap(p, PAGE) == 0);
	CHECK(munmap(p + 8 * PAGE, PAGE) == 0);
	CHECK(read_fault(p) && read_fault(p + 4 * PAGE) && read_fault(p + 8 * PAGE));
	CHECK(wrong_pages(p + PAGE, 3 * PAGE, 1 + 2654435761u) == 0);
	CHECK(wrong_pages(p + 5 * PAGE, 3 * PAGE, 1 + 5 * 2654435761u) == 0);
	CHECK(munmap(p, 9 * PAGE) == 0);
	CHECK(read_fault(p + 5 * PAGE));
}

static void unmap_arguments(void)
{
	char *p = anon(PAGE);

	CHECK(munmap(p + 1, PAGE) < 0 && errno == EINVAL);
	CHECK(munmap(p, 0) < 0 && errno == EINVAL);
	CHECK(munmap((void *)0xfffff000ul, 2 * PAGE) < 0 && errno == EINVAL);
	CHECK(munmap(p, PAGE) == 0 && munmap(p, PAGE) == 0);
}

static void mapped_again_is_zero(void)
{
	char *p = anon(64 * PAGE);

	for (int i = 0; i < 50; i++) {
		fill_pages(p, 64 * PAGE, i);
		munmap(p, 64 * PAGE);
		NEED(mmap(p, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			  0) == p);
		CHECK(nonzero_pages(p, 64 * PAGE) == 0);
	}
}

static void dontneed_anonymous(void)
{
	char *p = anon(8 * PAGE);

	fill_pages(p, 8 * PAGE, 1);
	CHECK(madvise(p + 2 * PAGE, 4 * PAGE, MADV_DONTNEED) == 0);
	CHECK(nonzero_pages(p, 8 * PAGE) == 4);
	CHECK(madvise(p + 1, PAGE, MADV_DONTNEED) < 0 && errno == EINVAL);
}

static void dontneed_private_file(void)
{
	char *p;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 4 * PAGE, 1);
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	fill_pages(p, 4 * PAGE, 2);
	CHECK(madvise(p, 4 * PAGE, MADV_DONTNEED) == 0);
	CHECK(wrong_pages(p, 4 * PAGE, 1) == 0);
}

static void shared_anonymous(void)
{
	char *p = shared_anon(MIB);
	pid_t pid = fork();

	if (pid == 0) {
		fill_pages(p, MIB, 3);
		_exit(0);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, MIB, 3) == 0);
}

static void break_grows_and_shrinks(void)
{
	char *p = grow_break(16 * PAGE);

	NEED(p);
	CHECK(nonzero_pages(p, 16 * PAGE) == 0);
	fill_pages(p, 16 * PAGE, 1);
	CHECK(grow_break(-8 * (long)PAGE));
	CHECK(wrong_pages(p, 7 * PAGE, 1) == 0);
	CHECK(read_fault(p + 9 * PAGE) == SIGSEGV);
	CHECK(grow_break(8 * PAGE));
	CHECK(nonzero_pages(p + 9 * PAGE, 6 * PAGE) == 0);
}

static void break_does_not_run_into_a_mapping(void)
{
	char *end = grow_break(0), *next = (char *)(((uintptr_t)end + 8 * PAGE) & ~(PAGE - 1));

	if (mmap(next, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != next)
		skip_test();
	CHECK(!grow_break(32 * PAGE));
	CHECK(grow_break(0) == end);
}

static void many_areas(void)
{
	enum { N = 500 };
	char *p = anon(2 * N * PAGE);
	int wrong = 0;

	fill_pages(p, 2 * N * PAGE, 1);
	for (int i = 0; i < N; i++)
		CHECK(munmap(p + (2 * i + 1) * PAGE, PAGE) == 0);
	for (int i = 0; i < N; i++)
		wrong += *(uint32_t *)(p + 2 * i * PAGE) != 1 + 2 * i * 2654435761u;
	CHECK(wrong == 0);
	CHECK(read_fault(p + PAGE) == SIGSEGV && read_fault(p + 501 * PAGE) == SIGSEGV);
}

static void every_gigabyte(void)
{
	static const uintptr_t at[] = {0x10000000, 0x50000000, 0x90000000};

	for (size_t i = 0; i < COUNT(at); i++) {
		char *p = mmap((void *)at[i], PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

		NEED(p == (void *)at[i]);
		*p = 5;
		CHECK(*p == 5);
		munmap(p, PAGE);
		CHECK(read_fault(p) == SIGSEGV);
	}
}

static void null_faults(void)
{
	CHECK(read_fault((char *)0) == SIGSEGV);
	CHECK(read_fault((char *)0xc0100000ul) == SIGSEGV);
	CHECK(write_fault((char *)0xfffffff0ul) == SIGSEGV);
}

static void code_is_not_writable(void)
{
	CHECK(write_fault((char *)(uintptr_t)null_faults) == SIGSEGV);
}

static void dirty_shared_pages_last(void)
{
	char *p, buffer[8];
	int fd;

	enter_scratch();
	fd = make_page_file("f", 16 * PAGE, 1);
	p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	NEED(p != MAP_FAILED);
	fill_pages(p, 16 * PAGE, 2);
	CHECK(munmap(p, 16 * PAGE) == 0);
	for (uint32_t i = 0; i < 16; i++) {
		uint32_t word;

		CHECK(pread(fd, buffer, 4, i * PAGE) == 4);
		memcpy(&word, buffer, 4);
		CHECK(word == 2 + i * 2654435761u);
	}
}

static void populate_still_copies(void)
{
	char *p, c;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 4 * PAGE, 1);
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	NEED(p != MAP_FAILED);
	p[20] = 'z';
	CHECK(pread(fd, &c, 1, 20) == 1 && c == 0);
}

static const struct test tests[] = {
	{anonymous_is_zero, "anonymous memory is zero"},
	{private_file, "writing a private file mapping leaves the file and other mappings"},
	{shared_file, "a shared file mapping, its twin and the file are one"},
	{file_at_an_offset, "a file maps from a page's offset, and only from a page's"},
	{beyond_the_end, "the last page ends in zeroes, the page beyond the file brings SIGBUS"},
	{survives_close_and_unlink, "a mapping outlives its descriptor and its name"},
	{file_rights, "mmap refuses wrong rights, descriptors and lengths"},
	{fixed_replaces, "MAP_FIXED replaces what was there"},
	{hint_is_taken, "a free hint is taken"},
	{none_faults, "PROT_NONE faults, and si_addr says where"},
	{unmap_parts, "munmap of the first, a middle and the last page leaves the rest"},
	{unmap_arguments, "munmap refuses bad ranges and forgives holes"},
	{mapped_again_is_zero, "memory mapped again is zero again, fifty times"},
	{dontneed_anonymous, "MADV_DONTNEED makes anonymous pages zero"},
	{dontneed_private_file, "MADV_DONTNEED brings back the file's pages"},
	{shared_anonymous, "shared anonymous memory is shared across fork"},
	{break_grows_and_shrinks, "the break grows with zeroes and shrinks"},
	{break_does_not_run_into_a_mapping, "the break does not run into a mapping"},
	{many_areas, "five hundred areas with holes between them"},
	{every_gigabyte, "each gigabyte of the address space can be mapped and unmapped"},
	{null_faults, "null and the kernel's addresses fault"},
	{code_is_not_writable, "program text cannot be written"},
	{dirty_shared_pages_last, "pages written through a mapping are in the file after munmap"},
	{populate_still_copies, "a populated private mapping still copies on write"},
};

TAP_MAIN(tests)
