// SPDX-License-Identifier: MIT
/* kernel/proc_system.c: /proc's files about the whole system, in Linux's formats. */
#include "arch/x86/bootinfo.h"
#include "arch/x86/cpu.h"
#include "core/account.h"
#include "core/clock.h"
#include "core/count.h"
#include "core/ksyms.h"
#include "core/param.h"
#include "core/sched.h"
#include "kernel/proc.h"
#include "kernel/profile.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page_alloc.h"
#include "mm/slab.h"
#include "mm/verify.h"

void policy_line(char *buf, size_t n)
{
	char value[64];
	u32 at = 0;

	for (const struct param *p = __start_params; p < __stop_params && at < n; p++) {
		if (!param_show(p, value, sizeof(value)))
			continue;
		at += snprintf(buf + at, n - at, "%s%s=%s", at ? " " : "", p->name, value);
	}
}

static void policy_show(struct text *t, const struct proc_entry *e)
{
	char value[64];

	for (const struct param *p = __start_params; p < __stop_params; p++) {
		if (!param_show(p, value, sizeof(value)))
			continue;
		text_printf(t, "%s=%s\n", p->name, value);
	}
}

/* What the CPU did so far, in nanoseconds: user, system, idle. The dead are in their parents' account. */
static void cpu_times(u64 ns[3])
{
	struct task *t;
	u64 user = 0, system = 0;

	for_each_task (t) {
		user += t->utime + t->child_utime;
		system += task_stime(t) + t->child_stime;
	}
	ns[0] = cycles_to_ns(user);
	ns[1] = cycles_to_ns(system);
	ns[2] = cycles_to_ns(idle_task.stime);
}

static void vmstat_show(struct text *t, const struct proc_entry *e)
{
	u64 ns[3];

	text_printf(t, "nr_free_pages %u\n", nr_free_pages());
	for (u32 i = 0; i < NR_COUNTERS; i++)
		text_printf(t, "%s %u\n", counter_names[i], counters[i]);
	cpu_times(ns);
	text_printf(t, "user_ns %llu\nsystem_ns %llu\nidle_ns %llu\nuptime_ns %llu\n", ns[0], ns[1], ns[2],
		    clock_ns());
}

static void meminfo_show(struct text *t, const struct proc_entry *e)
{
	u32 high = zone_total_pages(ZONE_HIGHMEM), high_free = zone_free_pages(ZONE_HIGHMEM);
	const struct {
		const char *name;
		u32 pages;
	} lines[] = {
		{"MemTotal", nr_total_pages()},
		{"MemFree", nr_free_pages()},
		{"MemAvailable", nr_free_pages()},
		{"Buffers", 0},
		{"Cached", counters[CNT_nr_file_pages]},
		{"HighTotal", high},
		{"HighFree", high_free},
		{"LowTotal", nr_total_pages() - high},
		{"LowFree", nr_free_pages() - high_free},
		{"SwapTotal", 0},
		{"SwapFree", 0},
		{"AnonPages", counters[CNT_nr_anon_pages]},
		{"Mapped", counters[CNT_nr_mapped]},
		{"Shmem", counters[CNT_nr_file_pages]},
		{"Slab", counters[CNT_nr_slab_pages]},
		{"KernelStack", counters[CNT_nr_kernel_stacks]},
		{"PageTables", counters[CNT_nr_page_table_pages] + counters[CNT_nr_middle_table_pages]},
	};

	for (u32 i = 0; i < ARRAY_SIZE(lines); i++)
		text_printf(t, "%s:%*s%8u kB\n", lines[i].name, (int)(15 - strlen(lines[i].name)), "",
			    kib(lines[i].pages));
}

static void slabinfo_show(struct text *t, const struct proc_entry *e)
{
	struct kmem_cache *c;

	text_printf(t, "slabinfo - version: 2.1\n# name <active_objs> <num_objs> <objsize> <objperslab> "
		       "<pagesperslab>\n");
	list_for_each_entry (c, &slab_caches, all)
		text_printf(t, "%-17s %6u %6u %6u %4u %4u\n", c->name, c->nr_inuse, c->nr_slabs * c->per_slab,
			    c->size, c->per_slab, 1u << c->order);
}

static void kallsyms_show(struct text *t, const struct proc_entry *e)
{
	for (u32 i = 0; i < ksym_count(); i++)
		text_printf(t, "%08x T %s\n", ksym_addr(i), ksym_name(i));
}

static void cmdline_show(struct text *t, const struct proc_entry *e)
{
	text_printf(t, "%s\n", boot_info.cmdline);
}

static void cpuinfo_show(struct text *t, const struct proc_entry *e)
{
	static const struct {
		u32 bit;
		const char *name;
	} flags[] = {{CPU_FPU, "fpu"}, {CPU_TSC, "tsc"},   {CPU_PAE, "pae"}, {CPU_SEP, "sep"},
		     {CPU_PGE, "pge"}, {CPU_FXSR, "fxsr"}, {CPU_SSE, "sse"}};

	text_printf(t,
		    "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: "
		    "%s\nstepping\t: %u\nflags\t\t:",
		    cpu.vendor, cpu.family, cpu.model, cpu.model_name, cpu.stepping);
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++)
		if (cpu.features & flags[i].bit)
			text_printf(t, " %s", flags[i].name);
	text_printf(t, "%s\naddress sizes\t: %u bits physical, 32 bits virtual\n", cpu.nx ? " nx" : "",
		    cpu.phys_bits);
}

static void mounts_show(struct text *t, const struct proc_entry *e)
{
	text_printf(t, "rootfs / tmpfs rw 0 0\nproc /proc proc rw 0 0\n");
}

static void uptime_show(struct text *t, const struct proc_entry *e)
{
	u64 ns[3], up = clock_ns() / 10000000, idle;

	cpu_times(ns);
	idle = ns[2] / 10000000;
	text_printf(t, "%llu.%02u %llu.%02u\n", up / 100, (u32)(up % 100), idle / 100, (u32)(idle % 100));
}

static void stat_show(struct text *t, const struct proc_entry *e)
{
	u64 ns[3];

	cpu_times(ns);
	text_printf(t, "cpu  %llu 0 %llu %llu 0 0 0 0 0 0\n", ns[0] / 10000000, ns[1] / 10000000,
		    ns[2] / 10000000);
	text_printf(t, "ctxt %u\nbtime %llu\nprocesses %u\nprocs_running %u\nprocs_blocked 0\n",
		    counters[CNT_switches], (clock_wall_ns() - clock_ns()) / NSEC_PER_SEC,
		    counters[CNT_forks] + counters[CNT_vforks], nr_running());
}

static void version_show(struct text *t, const struct proc_entry *e)
{
	text_printf(t, "Linux version 6.1.0-tablefork (Tablefork, i386 PAE)\n");
}

static void filesystems_show(struct text *t, const struct proc_entry *e)
{
	text_printf(t, "nodev\ttmpfs\nnodev\tproc\n");
}

static void loadavg_show(struct text *t, const struct proc_entry *e)
{
	text_printf(t, "0.00 0.00 0.00 %u/%u %d\n", nr_running(), counters[CNT_nr_tasks], current->pid);
}

static long self_link(const struct proc_entry *e, char *buf, u32 size)
{
	return min((u32)snprintf(buf, size, "%d", current->pid), size);
}

static s32 next_task(const struct proc_entry *e, s32 from)
{
	return next_pid_in_use(max(from, 1));
}

/* /proc/sys/vm/verify: the number of broken laws, found now; a write sets how often each call looks. */
static void laws_show(struct text *t, const struct proc_entry *e)
{
	text_printf(t, "%u\n", verify_laws());
}

static long laws_write(const struct proc_entry *e, const char *buf, u32 n)
{
	u32 every;

	if (!parse_u32(buf, &every))
		return -EINVAL;
	verify_every = every;
	return n;
}

static long drop_caches(const struct proc_entry *e, const char *buf, u32 n)
{
	reap_unwanted();
	shrink_caches();
	return n;
}

#define FILE(n, s)                                           \
	{                                                    \
		.name = n, .mode = S_IFREG | 0444, .show = s \
	}

static struct proc_node files[] = {
	FILE("cmdline", cmdline_show),
	FILE("cpuinfo", cpuinfo_show),
	FILE("filesystems", filesystems_show),
	FILE("kallsyms", kallsyms_show),
	FILE("loadavg", loadavg_show),
	FILE("meminfo", meminfo_show),
	FILE("mounts", mounts_show),
	FILE("policy", policy_show),
	FILE("slabinfo", slabinfo_show),
	FILE("stat", stat_show),
	FILE("uptime", uptime_show),
	FILE("version", version_show),
	FILE("vmstat", vmstat_show),
	{.name = "profile", .mode = S_IFREG | 0644, .show = profile_show, .write = profile_write},
	{.name = "self", .mode = S_IFLNK | 0777, .readlink = self_link},
};

static struct proc_node sys_dir = {.name = "sys", .mode = S_IFDIR | 0555};
static struct proc_node vm_dir = {.name = "vm", .mode = S_IFDIR | 0555};
static struct proc_node vm_files[] = {
	{.name = "verify", .mode = S_IFREG | 0644, .show = laws_show, .write = laws_write},
	{.name = "drop_caches", .mode = S_IFREG | 0200, .write = drop_caches},
};

/* A parameter that may change while running. */
static void show_param(struct text *t, const struct proc_entry *e)
{
	const struct param *p = e->node->arg;
	char value[64];

	param_show(p, value, sizeof(value));
	text_printf(t, "%s\n", value);
}

static long write_param(const struct proc_entry *e, const char *buf, u32 n)
{
	const struct param *p = e->node->arg;
	char value[64];

	strlcpy(value, buf, sizeof(value));
	if (strchr(value, '\n'))
		*strchr(value, '\n') = '\0';
	return param_set(p, value) < 0 ? -EINVAL : (long)n;
}

static void add_param_nodes(void)
{
	for (const struct param *p = __start_params; p < __stop_params; p++) {
		struct proc_node *node;

		/* verify has a file of its own, which checks. */
		if (!p->runtime || !strcmp(p->name, "verify"))
			continue;
		node = kmalloc(sizeof(*node));
		if (!node)
			return;
		*node = (struct proc_node){.name = p->name,
					   .mode = S_IFREG | 0644,
					   .show = show_param,
					   .write = write_param,
					   .arg = p};
		proc_add(&vm_dir, node);
	}
}

void proc_contents_init(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		proc_add(&proc_root, &files[i]);
	proc_add(&proc_root, &sys_dir);
	proc_add(&sys_dir, &vm_dir);
	for (u32 i = 0; i < ARRAY_SIZE(vm_files); i++)
		proc_add(&vm_dir, &vm_files[i]);
	add_param_nodes();
	proc_root.next_number = next_task;
	proc_root.numbered = &proc_pid_dir;
	proc_root.number_is_pid = true;
}
