// SPDX-License-Identifier: MIT
/* kernel/sys_time.c: clocks, sleeping, timers. */
#include "core/account.h"
#include "core/clock.h"
#include "core/sched.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "mm/uaccess.h"

enum {
	CLOCK_REALTIME,
	CLOCK_MONOTONIC,
	CLOCK_PROCESS_CPUTIME,
	CLOCK_THREAD_CPUTIME,
	CLOCK_MONOTONIC_RAW,
	CLOCK_REALTIME_COARSE,
	CLOCK_MONOTONIC_COARSE,
	CLOCK_BOOTTIME
};

static int read_clock(u32 id, u64 *ns)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE: *ns = clock_wall_ns(); return 0;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME: *ns = clock_ns(); return 0;
	case CLOCK_PROCESS_CPUTIME:
	case CLOCK_THREAD_CPUTIME: *ns = cycles_to_ns(current->utime + task_stime(current)); return 0;
	}
	return -EINVAL;
}

/* A timespec of the old calls (two words) or the new ones (two double words). */
static int put_timespec(u32 to, u64 ns, bool wide)
{
	u64 sec = ns / NSEC_PER_SEC;
	u32 rest = ns % NSEC_PER_SEC;
	u32 t[4] = {sec, rest, 0, 0}, w[4] = {sec, sec >> 32, rest, 0};

	return wide ? copy_to_user(to, w, 16) : copy_to_user(to, t, 8);
}

static int get_timespec(u64 *ns, u32 from, bool wide)
{
	u32 t[4];
	u64 sec;
	u32 rest;

	if (copy_from_user(t, from, wide ? 16 : 8) < 0)
		return -EFAULT;
	sec = wide ? (u64)t[1] << 32 | t[0] : t[0];
	rest = wide ? t[2] : t[1];
	if ((s64)sec < 0 || (!wide && (s32)t[0] < 0) || rest >= NSEC_PER_SEC)
		return -EINVAL;
	*ns = min(sec, 1ull << 32) * NSEC_PER_SEC + rest;
	return 0;
}

static long gettime(u32 id, u32 to, bool wide)
{
	u64 ns;
	int err = read_clock(id, &ns);

	return err ? err : put_timespec(to, ns, wide);
}
long sys_clock_gettime(u32 id, u32 to)
{
	return gettime(id, to, false);
}
long sys_clock_gettime64(u32 id, u32 to)
{
	return gettime(id, to, true);
}

static long getres(u32 id, u32 to, bool wide)
{
	u64 ns;
	int err = read_clock(id, &ns);

	return err || !to ? err : put_timespec(to, 1, wide);
}
long sys_clock_getres(u32 id, u32 to)
{
	return getres(id, to, false);
}
long sys_clock_getres64(u32 id, u32 to)
{
	return getres(id, to, true);
}

long sys_clock_settime64(u32 id, u32 from)
{
	u64 ns;
	int err = id == CLOCK_REALTIME ? get_timespec(&ns, from, true) : -EINVAL;

	if (!err)
		clock_set_wall(ns);
	return err;
}

long sys_time(u32 to)
{
	u32 sec = clock_wall_ns() / NSEC_PER_SEC;

	return to && put_user(to, sec) < 0 ? -EFAULT : (long)sec;
}

long sys_stime(u32 from)
{
	u32 sec;

	if (get_user(&sec, from) < 0)
		return -EFAULT;
	clock_set_wall(sec * NSEC_PER_SEC);
	return 0;
}

long sys_gettimeofday(u32 tv, u32 tz)
{
	u64 ns = clock_wall_ns();
	u32 t[2] = {ns / NSEC_PER_SEC, (u32)(ns % NSEC_PER_SEC) / 1000}, zone[2] = {0, 0};

	if (tv && copy_to_user(tv, t, sizeof(t)) < 0)
		return -EFAULT;
	return tz ? copy_to_user(tz, zone, sizeof(zone)) : 0;
}

long sys_settimeofday(u32 tv)
{
	u32 t[2];

	if (!tv)
		return 0;
	if (copy_from_user(t, tv, sizeof(t)) < 0)
		return -EFAULT;
	clock_set_wall(t[0] * NSEC_PER_SEC + t[1] * 1000ull);
	return 0;
}

/* Ticks of 1/100 s: user, system, children's user and system. The time since boot. */
long sys_times(u32 to)
{
	const u64 cycles[4] = {current->utime, task_stime(current), current->child_utime,
			       current->child_stime};
	u32 t[4];

	for (int i = 0; i < 4; i++)
		t[i] = cycles_to_ns(cycles[i]) / 10000000;
	if (to && copy_to_user(to, t, sizeof(t)) < 0)
		return -EFAULT;
	return (u32)(clock_ns() / 10000000) & 0x7fffffff;
}

/* Sleeps until `when`; what is left goes to rem if a signal comes and rem is not 0. */
static long sleep_and_tell(u64 when, u32 rem, bool wide)
{
	u64 now;

	if (sleep_until(when) == 0)
		return 0;
	now = clock_ns();
	if (rem && put_timespec(rem, when > now ? when - now : 0, wide) < 0)
		return -EFAULT;
	return -EINTR;
}

static long nanosleep(u32 id, bool absolute, u32 req, u32 rem, bool wide)
{
	u64 ns, now;
	int err = get_timespec(&ns, req, wide);

	if (!err)
		err = read_clock(id, &now);
	if (err)
		return err;
	if (!absolute)
		return sleep_and_tell(clock_ns() + ns, rem, wide);
	return sleep_and_tell(clock_ns() + (ns > now ? ns - now : 0), 0, wide);
}
long sys_nanosleep(u32 req, u32 rem)
{
	return nanosleep(CLOCK_MONOTONIC, false, req, rem, false);
}
long sys_clock_nanosleep(u32 id, u32 flags, u32 req, u32 rem)
{
	return nanosleep(id, flags & 1, req, rem, false);
}
long sys_clock_nanosleep64(u32 id, u32 flags, u32 req, u32 rem)
{
	return nanosleep(id, flags & 1, req, rem, true);
}

/* Time left of the alarm, 0 if none runs. */
static u64 alarm_left(void)
{
	u64 now = clock_ns();

	if (list_empty(&current->alarm.list))
		return 0;
	return current->alarm.expires > now ? current->alarm.expires - now : 1;
}

static void set_alarm(u64 ns, u64 interval)
{
	timer_stop(&current->alarm);
	current->alarm_interval = interval;
	if (ns)
		timer_start(&current->alarm, clock_ns() + ns);
}

long sys_alarm(u32 sec)
{
	u64 left = alarm_left();

	set_alarm(sec * NSEC_PER_SEC, 0);
	return (left + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
}

static int put_itimer(u32 to)
{
	u64 t[2] = {current->alarm_interval, alarm_left()};
	u32 w[4];

	for (int i = 0; i < 2; i++) {
		w[2 * i] = t[i] / NSEC_PER_SEC;
		w[2 * i + 1] = (u32)(t[i] % NSEC_PER_SEC) / 1000;
	}
	return copy_to_user(to, w, sizeof(w));
}

/* Only the timer of real time; those of CPU time are not there. */
long sys_getitimer(u32 which, u32 to)
{
	return which ? -EINVAL : put_itimer(to);
}

long sys_setitimer(u32 which, u32 new, u32 old)
{
	u32 w[4] = {0};

	if (which)
		return -EINVAL;
	if (new &&copy_from_user(w, new, sizeof(w)) < 0)
		return -EFAULT;
	if (w[1] >= 1000000 || w[3] >= 1000000)
		return -EINVAL;
	if (old && put_itimer(old) < 0)
		return -EFAULT;
	set_alarm(w[2] * NSEC_PER_SEC + w[3] * 1000ull, w[0] * NSEC_PER_SEC + w[1] * 1000ull);
	return 0;
}

long sys_getrusage(s32 who, u32 to)
{
	struct rusage ru;

	if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != 1)
		return -EINVAL;
	get_rusage(&ru, current, who == RUSAGE_CHILDREN ? RUSAGE_CHILDREN : RUSAGE_SELF);
	return copy_to_user(to, &ru, sizeof(ru));
}
