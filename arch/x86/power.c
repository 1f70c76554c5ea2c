// SPDX-License-Identifier: MIT
/* arch/x86/power.c: leaving the machine. */
#include "arch/x86/power.h"
#include "arch/x86/cpu.h"

void emulator_exit(u32 verdict)
{
	outb(0xf4, verdict);
}

void halt_forever(void)
{
	for (;;)
		__asm__ volatile("cli; hlt");
}

void power_off(void)
{
	emulator_exit(VERDICT_OFF);
	/* The ACPI ports that QEMU (new, old), Bochs and VirtualBox have at fixed places. */
	outw(0x604, 0x2000);
	outw(0xb004, 0x2000);
	outw(0x4004, 0x3400);
	halt_forever();
}

void machine_reset(void)
{
	struct __packed {
		u16 limit;
		u32 base;
	} none = {0, 0};

	for (u32 i = 0; i < 10000 && inb(0x64) & 2; i++)
		cpu_relax();
	outb(0x64, 0xfe);
	for (u32 i = 0; i < 100000; i++)
		inb(0x64);
	__asm__ volatile("lidt %0; int3" ::"m"(none));
	halt_forever();
}
