/* SPDX-License-Identifier: MIT */
/* arch/x86/pic.h: the pair of 8259A interrupt controllers. */
#pragma once

#include "lib/types.h"

/* Remaps IRQ 0-15 to vectors 0x20-0x2f, all masked. */
void pic_init(void);
/* Lets IRQ `irq` through. */
void pic_unmask(u32 irq);
/*
 * True if the interrupt is real; then it has been acknowledged. IRQ 7 and 15
 * also come spuriously, when a request vanished before it was read.
 */
bool pic_ack(u32 irq);
