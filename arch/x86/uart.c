// SPDX-License-Identifier: MIT
/* arch/x86/uart.c: 16550 (National PC16550D), polled output, interrupt-driven input. */
#include "arch/x86/uart.h"
#include "arch/x86/cpu.h"

enum { DATA, IER, FCR, LCR, MCR, LSR, MSR, SCRATCH };
enum { LSR_READY = 1, LSR_THRE = 0x20, LCR_8N1 = 3, LCR_DLAB = 0x80, MCR_ON = 0x0b };

static const u16 base[NR_UARTS] = {0x3f8, 0x2f8};
static bool present[NR_UARTS];

/* A missing chip reads as ff or 00; a real one remembers what its scratch register is told. */
static bool probe(u16 port)
{
	outb(port + SCRATCH, 0x5a);
	if (inb(port + SCRATCH) != 0x5a)
		return false;
	outb(port + SCRATCH, 0xa5);
	return inb(port + SCRATCH) == 0xa5;
}

void uart_init(void)
{
	for (u32 n = 0; n < NR_UARTS; n++) {
		u16 port = base[n];

		present[n] = probe(port);
		if (!present[n])
			continue;
		outb(port + IER, 0);
		outb(port + LCR, LCR_DLAB);
		outb(port + DATA, 1); /* divisor 1: 115200 */
		outb(port + IER, 0);
		outb(port + LCR, LCR_8N1);
		outb(port + FCR, 0x07);
		outb(port + MCR, MCR_ON);
	}
}

bool uart_present(u32 n)
{
	return present[n];
}

void uart_put(u32 n, char c)
{
	if (!present[n])
		return;
	for (u32 tries = 0; !(inb(base[n] + LSR) & LSR_THRE); tries++)
		if (tries == 100000)
			return;
	outb(base[n] + DATA, c);
}

int uart_get(u32 n)
{
	u8 status;

	if (!present[n])
		return -1;
	status = inb(base[n] + LSR);
	if (status == 0xff || !(status & LSR_READY))
		return -1;
	return inb(base[n] + DATA);
}

void uart_irq_on(u32 n)
{
	if (present[n])
		outb(base[n] + IER, 1);
}
