// SPDX-License-Identifier: MIT
/* arch/x86/pic.c: 8259A (Intel datasheet 231468): initialisation words, masks, spurious interrupts. */
#include "arch/x86/pic.h"
#include "arch/x86/cpu.h"
#include "arch/x86/trap.h"

enum { MASTER = 0x20, SLAVE = 0xa0, CASCADE_IRQ = 2 };
enum { ICW1_INIT_ICW4 = 0x11, ICW4_8086 = 0x01, OCW2_EOI = 0x20, OCW3_READ_ISR = 0x0b };

static u16 mask = 0xffff & ~(1u << CASCADE_IRQ);

static void write_masks(void)
{
	outb(MASTER + 1, mask);
	outb(SLAVE + 1, mask >> 8);
}

void pic_init(void)
{
	outb(MASTER, ICW1_INIT_ICW4);
	outb(SLAVE, ICW1_INIT_ICW4);
	outb(MASTER + 1, VECTOR_IRQ);
	outb(SLAVE + 1, VECTOR_IRQ + 8);
	outb(MASTER + 1, 1u << CASCADE_IRQ);
	outb(SLAVE + 1, CASCADE_IRQ);
	outb(MASTER + 1, ICW4_8086);
	outb(SLAVE + 1, ICW4_8086);
	write_masks();
}

void pic_unmask(u32 irq)
{
	mask &= ~(1u << irq);
	write_masks();
}

static bool in_service(u16 port, u32 bit)
{
	outb(port, OCW3_READ_ISR);
	return inb(port) >> bit & 1;
}

bool pic_ack(u32 irq)
{
	if (irq == 7 && !in_service(MASTER, 7))
		return false;
	if (irq == 15 && !in_service(SLAVE, 7)) {
		outb(MASTER, OCW2_EOI); /* the cascade input was real for the master */
		return false;
	}
	if (irq >= 8)
		outb(SLAVE, OCW2_EOI);
	outb(MASTER, OCW2_EOI);
	return true;
}
