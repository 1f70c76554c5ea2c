/* SPDX-License-Identifier: MIT */
/* arch/x86/uart.h: the first two 16550 serial lines, if they answer. */
#pragma once

#include "lib/types.h"

#define NR_UARTS 2

/* Looks for the lines and sets them to 115200 8N1. */
void uart_init(void);
bool uart_present(u32 n);
/* Sends one byte, waiting a bounded time for room; nothing if the line is not there. */
void uart_put(u32 n, char c);
/* A received byte, or -1. */
int uart_get(u32 n);
/* From now on received bytes raise the line's interrupt: IRQ 4 for 0, 3 for 1. */
void uart_irq_on(u32 n);
