/* Bad pointers, bad numbers: system calls refuse and nothing breaks. */
#include "tests/user/tap.h"

#include <poll.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#define BAD ((void *)0xfffff000ul)

/* Below the C library, which might look at the pointer itself. */
#define REFUSED(error, ...) CHECK(syscall(__VA_ARGS__) == -1 && errno == (error))

static void reads_and_writes(void)
{
	int p[2], zero = open("/dev/zero", O_RDONLY);

	NEED(pipe(p) == 0);
	REFUSED(EFAULT, SYS_write, p[1], BAD, 10);
	REFUSED(EFAULT, SYS_write, p[1], NULL, 10);
	REFUSED(EFAULT, SYS_read, zero, BAD, 10);
	CHECK(write(p[1], "x", 1) == 1);
	REFUSED(EFAULT, SYS_read, p[0], 16, 10);
	REFUSED(EBADF, SYS_read, 99, BAD, 10);
	REFUSED(EFAULT, SYS_writev, p[1], BAD, 1);
}

static void read_only_memory(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	char *p = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REFUSED(EFAULT, SYS_read, zero, p, 10);
	REFUSED(EFAULT, SYS_read, zero, read_only_memory, 1);
}

static void paths(void)
{
	struct stat st;

	REFUSED(EFAULT, SYS_open, BAD, O_RDONLY);
	REFUSED(EFAULT, SYS_open, NULL, O_RDONLY);
	REFUSED(EFAULT, SYS_unlink, BAD);
	REFUSED(EFAULT, SYS_rename, "/tmp", BAD);
	REFUSED(EFAULT, SYS_stat64, "/", BAD);
	REFUSED(EFAULT, SYS_stat64, BAD, &st);
	REFUSED(EFAULT, SYS_getcwd, BAD, 100);
	REFUSED(EFAULT, SYS_chdir, BAD);
	REFUSED(ENOENT, SYS_open, "", O_RDONLY);
}

/* A string that runs into an unmapped page. */
static void unterminated(void)
{
	char *p = anon(2 * PAGE);

	munmap(p + PAGE, PAGE);
	memset(p, 'a', PAGE);
	REFUSED(EFAULT, SYS_open, p + PAGE - 8, O_RDONLY);
	memcpy(p + PAGE - 5, "/tmp", 5);
	CHECK(access(p + PAGE - 5, F_OK) == 0);
}

static void across_the_edge(void)
{
	char *p = anon(2 * PAGE);
	int io[2];

	NEED(pipe(io) == 0);
	munmap(p + PAGE, PAGE);
	memset(p, 'b', PAGE);
	CHECK(write(io[1], p + PAGE - 8, 8) == 8);
	/* What could be copied may be counted, or nothing. */
	errno = 0;
	long n = syscall(SYS_write, io[1], p + PAGE - 8, 16);
	CHECK((n == -1 && errno == EFAULT) || n == 8);
}

static void into_untouched_pages(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	char *p = anon(16 * PAGE);

	memset(p, 1, 16 * PAGE);
	madvise(p, 16 * PAGE, MADV_DONTNEED);
	CHECK(read(zero, p, 16 * PAGE) == (ssize_t)(16 * PAGE));
	CHECK(nonzero_pages(p, 16 * PAGE) == 0);
}

static void structures(void)
{
	int pid;

	REFUSED(EFAULT, SYS_pipe, BAD);
	REFUSED(EFAULT, SYS_uname, BAD);
	REFUSED(EFAULT, SYS_gettimeofday_time32, BAD, NULL);
	REFUSED(EFAULT, SYS_nanosleep, BAD, NULL);
	REFUSED(EFAULT, SYS_rt_sigaction, SIGUSR1, BAD, NULL, 8);
	REFUSED(EFAULT, SYS_rt_sigprocmask, SIG_BLOCK, BAD, NULL, 8);
	REFUSED(EFAULT, SYS_poll, BAD, 1, 0);
	REFUSED(EFAULT, SYS_getdents64, open("/", O_RDONLY | O_DIRECTORY), BAD, 1000);
	pid = fork();
	if (pid == 0)
		_exit(0);
	usleep(1000);
	REFUSED(EFAULT, SYS_wait4, pid, BAD, 0, NULL);
}

static void numbers(void)
{
	REFUSED(EBADF, SYS_close, 99);
	REFUSED(EBADF, SYS_close, -1);
	REFUSED(EBADF, SYS_dup, 1000000);
	REFUSED(EINVAL, SYS_kill, getpid(), 65);
	REFUSED(ESRCH, SYS_kill, 3999999, 0);
	REFUSED(EINVAL, SYS_rt_sigaction, 0, NULL, NULL, 8);
	REFUSED(EINVAL, SYS_rt_sigaction, 65, NULL, NULL, 8);
	REFUSED(EINVAL, SYS_rt_sigaction, SIGUSR1, NULL, NULL, 7);
	REFUSED(ENOSYS, 9999);
	REFUSED(ENOSYS, -1);
}

static volatile int frames;

static void on_signal(int sig)
{
	(void)sig;
	frames++;
}

/* A handler's frame has no place: the process must die, not the kernel. */
static void no_stack_for_a_handler(void)
{
	signal(SIGUSR1, on_signal);
	__asm__ volatile("mov %%esp, %%edi\n"
			 "mov $0x1000, %%esp\n"
			 "int $0x80\n"
			 "mov %%edi, %%esp\n" ::"a"(SYS_kill),
			 "b"(getpid()), "c"(SIGUSR1)
			 : "edi", "memory");
}

static void bad_stack_kills_only_itself(void)
{
	int st = in_child(no_stack_for_a_handler);

	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGSEGV);
}

static void forged_return(void)
{
	/* sigreturn with a frame of rubbish: SIGSEGV at worst. */
	char *p = anon(4 * PAGE);

	memset(p, 0xff, 4 * PAGE);
	__asm__ volatile("mov %0, %%esp\n"
			 "mov $173, %%eax\n"
			 "int $0x80\n"
			 "ud2" ::"r"(p + 2 * PAGE)
			 : "eax", "memory");
}

static void forged_frame_kills_only_itself(void)
{
	int st = in_child(forged_return);

	CHECK(WIFSIGNALED(st));
}

static const struct test tests[] = {
	{reads_and_writes, "read and write of a bad buffer are EFAULT"},
	{read_only_memory, "reading into read-only memory is EFAULT"},
	{paths, "bad path names are EFAULT"},
	{unterminated, "a name that runs into nothing is EFAULT, one that ends before works"},
	{across_the_edge, "a buffer across the edge of a mapping is not read beyond it"},
	{into_untouched_pages, "the kernel may write into pages that were never touched"},
	{structures, "bad structures are EFAULT"},
	{numbers, "bad descriptors, signals, processes and calls are refused"},
	{bad_stack_kills_only_itself, "a handler without a stack kills its process"},
	{forged_frame_kills_only_itself, "a forged signal frame kills its process"},
};

TAP_MAIN(tests)
