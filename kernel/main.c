// SPDX-License-Identifier: MIT
/* kernel/main.c: the order in which everything begins. */
#include "arch/x86/bootinfo.h"
#include "arch/x86/fpu.h"
#include "arch/x86/keyboard.h"
#include "arch/x86/mmu.h"
#include "arch/x86/power.h"
#include "arch/x86/segment.h"
#include "arch/x86/uart.h"
#include "arch/x86/vga.h"
#include "core/clock.h"
#include "core/entry.h"
#include "core/log.h"
#include "core/panic.h"
#include "core/param.h"
#include "core/sched.h"
#include "fs/dev.h"
#include "fs/file.h"
#include "fs/tty.h"
#include "kernel/ktest.h"
#include "kernel/proc.h"
#include "kernel/profile.h"
#include "kernel/signal.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/slab.h"

/* What init is to run instead of shells; it reads it from /proc/cmdline. */
static char run[256];

static int set_run(const char *v)
{
	return *v && strlcpy(run, v, sizeof(run)) < sizeof(run) ? 0 : -EINVAL;
}
PARAM(run, set_run, NULL);

static struct kmem_cache fpu_cache;

static struct fpu_area *alloc_fpu(void)
{
	return kmem_cache_alloc(&fpu_cache);
}
static void free_fpu(struct fpu_area *a)
{
	kmem_cache_free(&fpu_cache, a);
}

static void console_init(void)
{
	uart_init();
	vga_init();
}

/* The boot line. A Multiboot 1 loader puts the kernel's file name in front. */
static void read_boot_line(u32 magic)
{
	char *line = boot_info.cmdline, *space = strchr(line, ' '), *equals = strchr(line, '=');
	bool has_name = line[0] && (!equals || (space && space < equals));

	if (magic == MULTIBOOT1_MAGIC && has_name)
		memmove(line, space ? space + 1 : "", space ? strlen(space + 1) + 1 : 1);
	params_read(line);
}

static void files_init(void)
{
	dcache_init();
	proc_contents_init();
	initramfs_unpack();
	proc_init();
	dev_init();
	tty_init();
}

static void open_console(void)
{
	struct file *f = do_open(AT_FDCWD, "/dev/console", O_RDWR | O_NOCTTY, 0);

	if (IS_ERR(f))
		return;
	get_file(f);
	get_file(f);
	for (int i = 0; i < 3; i++)
		fd_install(f, 0, false);
}

/* The first program, in the first task's own context. */
static void exec_init(void)
{
	static const char *const programs[] = {"/bin/init", "/init", "/sbin/init", "/bin/sh"};
	static const char *const env[] = {"HOME=/", "TERM=linux", "PATH=/bin:/static/bin:/usr/bin:/sbin",
					  NULL};

	open_console();
	log_user_mode();
	for (u32 i = 0; i < ARRAY_SIZE(programs); i++) {
		const char *argv[] = {programs[i], NULL};
		int err = do_execve(AT_FDCWD, programs[i], (u32)argv, (u32)env, true);

		if (!err)
			return;
		if (err != -ENOENT)
			log_warn("%s cannot be run: error %d\n", programs[i], -err);
	}
	panic("there is no program to run: /bin/init is not in the boot modules");
}

/* The first task begins here. */
static void first_task(void)
{
	ktest_run();
	exec_init();
}

static void refuse_to_run(void)
{
	if (!run[0] || !params_bad())
		return;
	log_warn("run= does not run under a boot line with mistakes in it (see above)\n");
	power_off();
}

__noreturn void kmain(u32 magic, u32 info)
{
	int err;

	console_init();
	cpu_init();
	segment_init();
	sched_init();
	entry_init();
	panic_policy_hook = policy_line;
	err = bootinfo_read(magic, info);
	read_boot_line(magic);
	log_info("Tablefork on %s, booted by %s\n", cpu.model_name, boot_info.loader);
	if (err)
		panic("the boot loader is neither Multiboot 1 nor 2: magic %08x", magic);
	clock_init();
	mmu_init();
	mem_init();
	kmem_cache_init(&fpu_cache, "fpu", sizeof(struct fpu_area), 16);
	fpu_area_alloc = alloc_fpu;
	fpu_area_free = free_fpu;
	fpu_init();
	keyboard_init();
	fork_init();
	signal_init();
	syscall_init();
	profile_init();
	files_init();
	refuse_to_run();
	clock_start();
	make_init(first_task);
	idle_loop();
}
