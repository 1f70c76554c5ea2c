/* The floating-point state is each process's own. */
#include "tests/user/tap.h"

#include <sched.h>

static bool has_sse(void)
{
	uint32_t a = 1, b, c, d;

	__asm__ volatile("pushfl\n"
			 "popl %%eax\n"
			 "movl %%eax, %%ecx\n"
			 "xorl $0x200000, %%eax\n"
			 "pushl %%eax\n"
			 "popfl\n"
			 "pushfl\n"
			 "popl %%eax\n"
			 "xorl %%ecx, %%eax\n"
			 : "=a"(a)::"ecx", "cc");
	if (!(a & 0x200000))
		return false;
	__asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(1));
	return d >> 25 & 1;
}

/* Eight numbers on the x87 stack while others run. */
static bool x87_kept(int seed)
{
	double in[8], out[8];
	int bad = 0;

	for (int i = 0; i < 8; i++)
		in[i] = seed * 100 + i + 0.5;
	__asm__ volatile("fninit\n"
			 "fldl 0(%0)\n fldl 8(%0)\n fldl 16(%0)\n fldl 24(%0)\n"
			 "fldl 32(%0)\n fldl 40(%0)\n fldl 48(%0)\n fldl 56(%0)\n" ::"r"(in)
			 : "memory");
	for (int i = 0; i < 20; i++)
		syscall(SYS_sched_yield);
	__asm__ volatile("fstpl 56(%0)\n fstpl 48(%0)\n fstpl 40(%0)\n fstpl 32(%0)\n"
			 "fstpl 24(%0)\n fstpl 16(%0)\n fstpl 8(%0)\n fstpl 0(%0)\n" ::"r"(out)
			 : "memory");
	for (int i = 0; i < 8; i++)
		bad += in[i] != out[i];
	return !bad;
}

static bool sse_kept(int seed)
{
	uint32_t in[4] = {seed, seed * 3, seed * 5, seed * 7}, a[4], b[4];

	__asm__ volatile("movups (%0), %%xmm0\n"
			 "movups (%0), %%xmm7\n" ::"r"(in)
			 : "memory");
	for (int i = 0; i < 20; i++)
		syscall(SYS_sched_yield);
	__asm__ volatile("movups %%xmm0, (%0)\n"
			 "movups %%xmm7, (%1)\n" ::"r"(a),
			 "r"(b)
			 : "memory");
	return !memcmp(in, a, 16) && !memcmp(in, b, 16);
}

static void in_turns(bool (*kept)(int))
{
	pid_t pid[4];
	int bad = 0;

	for (int k = 0; k < 4; k++) {
		pid[k] = fork();
		if (pid[k] == 0) {
			for (int i = 0; i < 50; i++)
				bad += !kept(k + 1);
			_exit(bad != 0);
		}
	}
	for (int k = 0; k < 4; k++)
		CHECK(wait_child(pid[k]) == 0);
}

static void x87_switches(void)
{
	in_turns(x87_kept);
}

static void sse_switches(void)
{
	if (!has_sse())
		skip_test();
	in_turns(sse_kept);
}

static void copied_by_fork(void)
{
	double value = 1.25, got = 0;
	uint16_t control = 0x0f7f, copy = 0;
	pid_t pid;

	__asm__ volatile("fninit\n fldcw %0\n fldl %1" ::"m"(control), "m"(value));
	pid = syscall(SYS_fork);
	__asm__ volatile("fstpl %0\n fnstcw %1" : "=m"(got), "=m"(copy));
	if (pid == 0)
		_exit(got != 1.25 || (copy & 0xf3f) != (control & 0xf3f));
	CHECK(got == 1.25);
	CHECK(wait_child(pid) == 0);
}

static void uses_fpu(int sig)
{
	(void)sig;
	__asm__ volatile("fninit\n fldpi\n fldpi\n fldpi");
}

static void handler_does_not_disturb(void)
{
	double value = 2.75, got = 0;

	signal(SIGUSR1, uses_fpu);
	__asm__ volatile("fninit\n fldl %0" ::"m"(value));
	syscall(SYS_kill, syscall(SYS_getpid), SIGUSR1);
	__asm__ volatile("fstpl %0" : "=m"(got));
	CHECK(got == 2.75);
}

static void sse_handler(int sig)
{
	(void)sig;
	__asm__ volatile("xorps %%xmm0, %%xmm0" ::: "memory");
}

static void handler_does_not_disturb_sse(void)
{
	uint32_t in[4] = {1, 2, 3, 4}, out[4] = {0};

	if (!has_sse())
		skip_test();
	signal(SIGUSR1, sse_handler);
	__asm__ volatile("movups (%0), %%xmm0" ::"r"(in) : "memory");
	syscall(SYS_kill, syscall(SYS_getpid), SIGUSR1);
	__asm__ volatile("movups %%xmm0, (%0)" ::"r"(out) : "memory");
	CHECK(!memcmp(in, out, 16));
}

static const struct test tests[] = {
	{x87_switches, "four processes keep their x87 registers in turns"},
	{sse_switches, "four processes keep their SSE registers in turns"},
	{copied_by_fork, "fork copies the x87 registers and control word"},
	{handler_does_not_disturb, "a handler's x87 use leaves the interrupted state"},
	{handler_does_not_disturb_sse, "a handler's SSE use leaves the interrupted state"},
};

TAP_MAIN(tests)
