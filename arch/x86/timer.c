// SPDX-License-Identifier: MIT
/* arch/x86/timer.c: 8254 (Intel 231164), TSC calibration by channel 2, MC146818 clock. */
#include "arch/x86/timer.h"
#include "arch/x86/cpu.h"

enum { PIT_CH0 = 0x40, PIT_CH2 = 0x42, PIT_MODE = 0x43, PORT_B = 0x61 };
enum { GATE2 = 1, SPEAKER = 2, OUT2 = 0x20 };
enum { CMOS_INDEX = 0x70, CMOS_DATA = 0x71, RTC_UPDATE = 0x80, RTC_24H = 2, RTC_BINARY = 4 };

void pit_start(u32 hz)
{
	u32 divisor = (PIT_HZ + hz / 2) / hz;

	if (divisor > 0xffff)
		divisor = 0;  /* stands for 65536 */
	outb(PIT_MODE, 0x34); /* channel 0, low then high byte, rate generator */
	outb(PIT_CH0, divisor);
	outb(PIT_CH0, divisor >> 8);
}

u32 tsc_calibrate(void)
{
	const u32 count = PIT_HZ / 100;
	u64 start;
	u32 tries = 0;

	if (!cpu.has_tsc)
		return 0;
	outb(PORT_B, (inb(PORT_B) & ~SPEAKER) | GATE2);
	outb(PIT_MODE, 0xb0); /* channel 2, one shot: output rises at zero */
	outb(PIT_CH2, count & 0xff);
	outb(PIT_CH2, count >> 8);
	start = rdtsc();
	while (!(inb(PORT_B) & OUT2))
		if (++tries == 10000000)
			return 1000000;
	/* count/PIT_HZ seconds have passed: round to the nearest 100 kHz, so that runs agree. */
	u64 khz = (rdtsc() - start) * (PIT_HZ / 1000) / count;
	return (u32)((khz + 50) / 100) * 100;
}

static u8 cmos(u8 reg)
{
	outb(CMOS_INDEX, reg);
	return inb(CMOS_DATA);
}

static u32 from_bcd(u32 v, bool binary)
{
	return binary ? v : (v & 15) + (v >> 4) * 10;
}

static u64 seconds_since_1970(u32 y, u32 mon, u32 d, u32 h, u32 min, u32 s)
{
	/* Days by the civil calendar counted from March. */
	u32 m = mon > 2 ? mon - 3 : mon + 9, yy = mon > 2 ? y : y - 1;
	u32 days = 365 * yy + yy / 4 - yy / 100 + yy / 400 + (153 * m + 2) / 5 + d - 1 - 719468;

	return (u64)days * 86400 + h * 3600 + min * 60 + s;
}

u64 rtc_read(void)
{
	bool binary, h24;
	u32 h, y;

	for (u32 tries = 0; cmos(0x0a) & RTC_UPDATE; tries++)
		if (tries == 100000)
			return 0;
	binary = cmos(0x0b) & RTC_BINARY;
	h24 = cmos(0x0b) & RTC_24H;
	h = cmos(4);
	y = from_bcd(cmos(9), binary);
	h = h24 ? from_bcd(h, binary) : from_bcd(h & 0x7f, binary) % 12 + (h & 0x80 ? 12 : 0);
	return seconds_since_1970(y < 70 ? 2000 + y : 1900 + y, from_bcd(cmos(8), binary),
				  from_bcd(cmos(7), binary), h, from_bcd(cmos(2), binary),
				  from_bcd(cmos(0), binary));
}
