// SPDX-License-Identifier: MIT
/* kernel/sys_system.c: calls on the machine: names, log, memory, power. */
#include "arch/x86/power.h"
#include "core/log.h"
#include "core/count.h"
#include "core/sched.h"
#include "kernel/syscalls.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/uaccess.h"

/* Programs look at the release: musl and glibc want no less than they were built for. */
static const char *const names[6] = {"Linux", "tablefork", "6.1.0-tablefork", "#1", "i686", "(none)"};

long sys_uname(u32 to)
{
	char field[65];

	for (u32 i = 0; i < 6; i++) {
		memset(field, 0, sizeof(field));
		strlcpy(field, names[i], sizeof(field));
		if (copy_to_user(to + i * sizeof(field), field, sizeof(field)) < 0)
			return -EFAULT;
	}
	return 0;
}

struct sysinfo {
	u32 uptime, loads[3];
	u32 totalram, freeram, sharedram, bufferram, totalswap, freeswap;
	u16 procs, pad;
	u32 totalhigh, freehigh, mem_unit;
	u8 unused[8];
};

long sys_sysinfo(u32 to)
{
	struct sysinfo s = {
		.uptime = clock_ns() / NSEC_PER_SEC,
		.totalram = nr_total_pages(),
		.freeram = nr_free_pages(),
		.procs = counters[CNT_nr_tasks],
		.totalhigh = zone_total_pages(ZONE_HIGHMEM),
		.freehigh = zone_free_pages(ZONE_HIGHMEM),
		.mem_unit = PAGE_SIZE,
	};

	return copy_to_user(to, &s, sizeof(s));
}

/* Copies the log's last n bytes. */
static long read_log(u32 to, u32 n)
{
	u64 pos = log_end() > n ? log_end() - n : 0;
	char chunk[128];
	u32 done = 0, got;

	while (done < n && (got = log_read(&pos, chunk, min(n - done, sizeof(chunk))))) {
		if (copy_to_user(to + done, chunk, got) < 0)
			return -EFAULT;
		done += got;
	}
	return done;
}

long sys_syslog(u32 type, u32 to, s32 n)
{
	switch (type) {
	case 3:
	case 4: return n < 0 ? -EINVAL : read_log(to, n);
	case 9:
	case 10: return min(log_end(), (u64)LOG_SIZE);
	case 0:
	case 1:
	case 5:
	case 6:
	case 7:
	case 8: return 0;
	}
	return -EINVAL;
}

#define REBOOT_MAGIC1 0xfee1deadu

long sys_reboot(u32 magic1, u32 magic2, u32 cmd)
{
	if (magic1 != REBOOT_MAGIC1 ||
	    (magic2 != 672274793 && magic2 != 85072278 && magic2 != 369367448 && magic2 != 537993216))
		return -EINVAL;
	switch (cmd) {
	case 0x4321fedc: /* RB_POWER_OFF */
	case 0xcdef0123: log_info("power off\n"); power_off();
	case 0x01234567: log_info("restart\n"); machine_reset();
	case 0x89abcdef: /* Ctrl-Alt-Del: not ours to take */
	case 0: return 0;
	}
	return -EINVAL;
}
