/* Time, randomness, names. */
#include "tests/user/tap.h"

#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>

static long long now(clockid_t id)
{
	struct timespec t;

	CHECK(clock_gettime(id, &t) == 0);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void sleeps_long_enough(void)
{
	struct timespec t = {0, 20000000};
	long long before = now(CLOCK_MONOTONIC), took;

	CHECK(nanosleep(&t, NULL) == 0);
	took = now(CLOCK_MONOTONIC) - before;
	CHECK(took >= 20000000 && took < 2000000000);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void sleep_interrupted(void)
{
	struct timespec t = {5, 0}, left = {0, 0};
	struct itimerval in = {{0, 0}, {0, 20000}};

	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &in, NULL);
	CHECK(nanosleep(&t, &left) < 0 && errno == EINTR);
	CHECK(left.tv_sec == 4);
	t.tv_nsec = 1000000000;
	CHECK(nanosleep(&t, NULL) < 0 && errno == EINVAL);
}

static void never_backwards(void)
{
	long long last = now(CLOCK_MONOTONIC);
	int backwards = 0;

	for (int i = 0; i < 10000; i++) {
		long long t = now(CLOCK_MONOTONIC);

		backwards += t < last;
		last = t;
	}
	CHECK(backwards == 0);
}

static void clocks_agree(void)
{
	struct timeval tv;
	long long real = now(CLOCK_REALTIME);

	CHECK(gettimeofday(&tv, NULL) == 0);
	CHECK(tv.tv_sec - real / 1000000000 <= 2 && tv.tv_sec - real / 1000000000 >= 0);
	CHECK(time(NULL) - tv.tv_sec <= 2);
	CHECK(time(NULL) > 1000000000);
}

static void own_time(void)
{
	long long before = now(CLOCK_PROCESS_CPUTIME_ID);

	for (volatile int i = 0; i < 3000000; i++)
		;
	CHECK(now(CLOCK_PROCESS_CPUTIME_ID) > before);
}

static void random_bytes(void)
{
	unsigned char a[64] = {0}, b[64] = {0};

	CHECK(getrandom(a, 64, 0) == 64 && getrandom(b, 64, 0) == 64);
	CHECK(memcmp(a, b, 64) != 0);
}

static void names(void)
{
	struct utsname u;

	CHECK(uname(&u) == 0 && u.sysname[0] && u.release[0] && u.machine[0]);
}

static void memory_info(void)
{
	struct sysinfo s;

	CHECK(sysinfo(&s) == 0 && s.totalram > 0 && s.freeram <= s.totalram && s.mem_unit > 0);
}

static const struct test tests[] = {
	{sleeps_long_enough, "nanosleep sleeps at least as long as asked"},
	{sleep_interrupted, "an interrupted sleep says what is left"},
	{never_backwards, "the monotonic clock never goes back"},
	{clocks_agree, "the clocks of the day agree"},
	{own_time, "the process's own clock runs"},
	{random_bytes, "random bytes differ"},
	{names, "uname has names"},
	{memory_info, "sysinfo has memory"},
};

TAP_MAIN(tests)
