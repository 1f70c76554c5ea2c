// SPDX-License-Identifier: MIT
/* fs/tty.c: line discipline and the terminals' file operations. */
#include "fs/tty.h"
#include "arch/x86/keyboard.h"
#include "arch/x86/uart.h"
#include "arch/x86/vga.h"
#include "core/entry.h"
#include "core/log.h"
#include "core/sched.h"
#include "core/signal.h"
#include "fs/dev.h"
#include "fs/file.h"
#include "fs/poll.h"
#include "lib/string.h"
#include "mm/uaccess.h"

/* Linux's struct termios, as TCGETS passes it. */
struct termios {
	u32 iflag, oflag, cflag, lflag;
	u8 line;
	u8 cc[19];
};

enum {
	VINTR,
	VQUIT,
	VERASE,
	VKILL,
	VEOF,
	VTIME,
	VMIN,
	VSWTC,
	VSTART,
	VSTOP,
	VSUSP,
	VEOL,
	VREPRINT,
	VDISCARD,
	VWERASE
};

#define ISTRIP  0000040u
#define INLCR   0000100u
#define IGNCR   0000200u
#define ICRNL   0000400u
#define OPOST   0000001u
#define ONLCR   0000004u
#define ISIG    0000001u
#define ICANON  0000002u
#define ECHO    0000010u
#define ECHOE   0000020u
#define ECHOK   0000040u
#define ECHONL  0000100u
#define NOFLSH  0000200u
#define TOSTOP  0000400u
#define ECHOCTL 0001000u

enum { IN_SIZE = 4096 };
/* An entry of the input ring that ends a line without being part of it. */
#define END_MARK 0x100u

struct tty {
	struct termios t;
	u16 in[IN_SIZE];
	u32 head, tail; /* next to write, next to read */
	u32 ready;      /* what lies before it is a whole line, or there is no line editing */
	struct waitq readable;
	s32 pgrp, sid;
	u16 rows, columns;
	void (*put)(char c);
	bool (*present)(void);
};

static void put_serial0(char c)
{
	uart_put(0, c);
}
static void put_serial1(char c)
{
	uart_put(1, c);
}
static bool serial0_present(void)
{
	return uart_present(0);
}
static bool serial1_present(void)
{
	return uart_present(1);
}

static struct tty serial0 = {.put = put_serial0, .present = serial0_present};
static struct tty serial1 = {.put = put_serial1, .present = serial1_present};
static struct tty screen = {.put = vga_put, .present = vga_present};

static struct tty *tty_of(u32 rdev)
{
	switch (rdev) {
	case MKDEV(4, 0):
	case MKDEV(4, 1): return &screen;
	case MKDEV(4, 64): return &serial0;
	case MKDEV(4, 65): return &serial1;
	case MKDEV(5, 0): return current->tty;
	case MKDEV(5, 1): return console_uses_serial() && uart_present(0) ? &serial0 : &screen;
	}
	return NULL;
}

bool tty_exists(u32 rdev)
{
	struct tty *tty = rdev == MKDEV(5, 0) ? NULL : tty_of(rdev);

	return !tty || rdev == MKDEV(5, 1) || tty->present();
}

static void out_char(struct tty *tty, char c)
{
	if (c == '\n' && (tty->t.oflag & OPOST) && (tty->t.oflag & ONLCR))
		tty->put('\r');
	tty->put(c);
}

static void echo(struct tty *tty, u8 c)
{
	if (!(tty->t.lflag & ECHO) && !(c == '\n' && (tty->t.lflag & ECHONL)))
		return;
	if (c < ' ' && c != '\n' && c != '\t' && (tty->t.lflag & ECHOCTL)) {
		tty->put('^');
		c += '@';
	}
	out_char(tty, c);
}

static void store(struct tty *tty, u16 c)
{
	/* One place stays free for the end of the line. */
	if (tty->head - tty->tail < (u32)IN_SIZE - (c == '\n' || c == END_MARK ? 0 : 1))
		tty->in[tty->head++ % IN_SIZE] = c;
}

static void erase_one(struct tty *tty)
{
	u8 c;

	if (tty->head == tty->ready)
		return;
	c = tty->in[--tty->head % IN_SIZE];
	if (!(tty->t.lflag & ECHO))
		return;
	for (u32 n = c < ' ' ? 2 : 1; n; n--) {
		tty->put('\b');
		tty->put(' ');
		tty->put('\b');
	}
}

static bool last_is_space(const struct tty *tty)
{
	return tty->head != tty->ready && tty->in[(tty->head - 1) % IN_SIZE] == ' ';
}

static void erase_word(struct tty *tty)
{
	while (last_is_space(tty))
		erase_one(tty);
	while (tty->head != tty->ready && !last_is_space(tty))
		erase_one(tty);
}

/* Keys that edit the line or end it; false: an ordinary character. */
static bool edit_line(struct tty *tty, u8 c)
{
	const u8 *cc = tty->t.cc;

	if (!c)
		return false;
	if (c == cc[VERASE] || c == '\b') {
		erase_one(tty);
	} else if (c == cc[VWERASE]) {
		erase_word(tty);
	} else if (c == cc[VKILL]) {
		while (tty->head != tty->ready)
			erase_one(tty);
	} else if (c == cc[VEOF]) {
		store(tty, END_MARK);
		tty->ready = tty->head;
	} else {
		return false;
	}
	return true;
}

/* Keys that send a signal to the foreground. */
static bool signal_key(struct tty *tty, u8 c)
{
	const u8 *cc = tty->t.cc;
	int sig = !c ? 0 : c == cc[VINTR] ? SIGINT : c == cc[VQUIT] ? SIGQUIT : c == cc[VSUSP] ? SIGTSTP : 0;

	if (!sig || !(tty->t.lflag & ISIG))
		return false;
	echo(tty, c);
	if (!(tty->t.lflag & NOFLSH))
		tty->tail = tty->ready = tty->head;
	if (tty->pgrp)
		kill_pgrp(tty->pgrp, sig);
	return true;
}

/* One character has come in. Interrupts are off. */
static void tty_input(struct tty *tty, u8 c)
{
	if (c == '\r' && (tty->t.iflag & IGNCR))
		return;
	if (c == '\r' && (tty->t.iflag & ICRNL))
		c = '\n';
	else if (c == '\n' && (tty->t.iflag & INLCR))
		c = '\r';
	if (signal_key(tty, c))
		return;
	if (!(tty->t.lflag & ICANON) || !edit_line(tty, c)) {
		store(tty, c);
		echo(tty, c);
	}
	if (!(tty->t.lflag & ICANON) || c == '\n')
		tty->ready = tty->head;
	wake_up(&tty->readable);
}

static void drain_uart(u32 n, struct tty *tty)
{
	int c;

	while ((c = uart_get(n)) >= 0)
		tty_input(tty, c);
}
static void serial0_irq(void)
{
	drain_uart(0, &serial0);
}
static void serial1_irq(void)
{
	drain_uart(1, &serial1);
}
static void keyboard_irq(void)
{
	int c;

	while ((c = keyboard_get()) >= 0)
		tty_input(&screen, c);
}

static void tty_reset(struct tty *tty)
{
	static const u8 cc[19] = {[VINTR] = 3,  [VQUIT] = 28,    [VERASE] = 127,  [VKILL] = 21,
				  [VEOF] = 4,   [VMIN] = 1,      [VSTART] = 17,   [VSTOP] = 19,
				  [VSUSP] = 26, [VREPRINT] = 18, [VDISCARD] = 15, [VWERASE] = 23};

	tty->t = (struct termios){.iflag = ICRNL,
				  .oflag = OPOST | ONLCR,
				  .cflag = 0xbf | 0x1000,
				  .lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL};
	memcpy(tty->t.cc, cc, sizeof(cc));
	tty->rows = 25;
	tty->columns = 80;
	waitq_init(&tty->readable);
}

void tty_init(void)
{
	tty_reset(&serial0);
	tty_reset(&serial1);
	tty_reset(&screen);
	if (uart_present(0)) {
		set_irq_handler(4, serial0_irq);
		uart_irq_on(0);
	}
	if (uart_present(1)) {
		set_irq_handler(3, serial1_irq);
		uart_irq_on(1);
	}
	if (keyboard_present())
		set_irq_handler(1, keyboard_irq);
}

static void take_terminal(struct tty *tty)
{
	current->tty = tty;
	tty->sid = current->sid;
	tty->pgrp = current->pgrp;
}

void tty_leave(struct task *leader)
{
	struct tty *tty = leader->tty;
	struct task *t;

	if (!tty || tty->sid != leader->sid)
		return;
	if (tty->pgrp)
		kill_pgrp(tty->pgrp, SIGHUP);
	for_each_task (t)
		if (t->tty == tty)
			t->tty = NULL;
	tty->sid = tty->pgrp = 0;
}

static int tty_open(struct file *f)
{
	struct tty *tty = tty_of(f->inode->rdev);

	if (!tty || !tty->present())
		return -ENXIO;
	f->private = tty;
	if (!(f->flags & O_NOCTTY) && !current->tty && current->sid == current->pid && !tty->sid)
		take_terminal(tty);
	return 0;
}

/* A background job may not touch the terminal. 0, or an error after the signal. */
static int check_foreground(struct tty *tty, int sig)
{
	if (current->tty != tty || !tty->pgrp || current->pgrp == tty->pgrp)
		return 0;
	if (signal_is_ignored_hook(current, sig))
		return sig == SIGTTIN ? -EIO : 0;
	kill_pgrp(current->pgrp, sig);
	return -ERESTARTSYS;
}

static u32 take_char(struct tty *tty)
{
	u32 flags = irq_save(), c = tty->in[tty->tail++ % IN_SIZE];

	irq_restore(flags);
	return c;
}

static long tty_read(struct file *f, u32 buf, u32 n, u64 *pos)
{
	struct tty *tty = f->private;
	bool canonical = tty->t.lflag & ICANON;
	u32 done = 0;
	int err = check_foreground(tty, SIGTTIN);

	if (err || !n)
		return err;
	if (tty->tail == tty->ready && !canonical && !tty->t.cc[VMIN])
		return 0;
	if (tty->tail == tty->ready && (f->flags & O_NONBLOCK))
		return -EAGAIN;
	err = wait_event(&tty->readable, tty->tail != tty->ready);
	while (!err && done < n && tty->tail != tty->ready) {
		u32 c = take_char(tty);
		u8 byte = c;

		if (c == END_MARK)
			break;
		err = copy_to_user(buf + done, &byte, 1);
		done += !err;
		if (canonical && c == '\n')
			break;
	}
	return done ? (long)done : err;
}

static long tty_write(struct file *f, u32 buf, u32 n, u64 *pos)
{
	struct tty *tty = f->private;
	char chunk[128];
	int err = tty->t.lflag & TOSTOP ? check_foreground(tty, SIGTTOU) : 0;

	if (err)
		return err;
	for (u32 done = 0; done < n;) {
		u32 part = min(n - done, sizeof(chunk));

		if (copy_from_user(chunk, buf + done, part) < 0)
			return done ? (long)done : -EFAULT;
		for (u32 i = 0; i < part; i++)
			out_char(tty, chunk[i]);
		done += part;
	}
	return n;
}

static u32 tty_poll(struct file *f, struct poll_table *pt)
{
	struct tty *tty = f->private;

	poll_wait(&tty->readable, pt);
	return POLLOUT | POLLWRNORM | (tty->tail != tty->ready ? POLLIN | POLLRDNORM : 0);
}

static int set_termios(struct tty *tty, u32 arg, bool flush)
{
	struct termios t;

	if (copy_from_user(&t, arg, 36) < 0)
		return -EFAULT;
	if (flush)
		tty->tail = tty->ready = tty->head;
	tty->t = t;
	/* Without line editing all that has come is ready. */
	if (!(t.lflag & ICANON))
		tty->ready = tty->head;
	return 0;
}

static int set_pgrp(struct tty *tty, u32 arg)
{
	u32 pgrp;
	int err;

	if (current->tty != tty)
		return -ENOTTY;
	if (get_user(&pgrp, arg) < 0)
		return -EFAULT;
	if ((s32)pgrp <= 0 || !kill_pgrp(pgrp, 0))
		return -EPERM;
	err = check_foreground(tty, SIGTTOU);
	if (!err)
		tty->pgrp = pgrp;
	return err;
}

static int get_winsize(const struct tty *tty, u32 arg)
{
	u16 size[4] = {tty->rows, tty->columns, 0, 0};

	return copy_to_user(arg, size, sizeof(size));
}

static int set_winsize(struct tty *tty, u32 arg)
{
	u16 size[4];

	if (copy_from_user(size, arg, sizeof(size)) < 0)
		return -EFAULT;
	tty->rows = size[0];
	tty->columns = size[1];
	if (tty->pgrp)
		kill_pgrp(tty->pgrp, SIGWINCH);
	return 0;
}

static long tty_ioctl(struct file *f, u32 cmd, u32 arg)
{
	struct tty *tty = f->private;

	switch (cmd) {
	case 0x5401: return copy_to_user(arg, &tty->t, 36);        /* TCGETS */
	case 0x5402:                                               /* TCSETS */
	case 0x5403: return set_termios(tty, arg, false);          /* TCSETSW */
	case 0x5404: return set_termios(tty, arg, true);           /* TCSETSF */
	case 0x5409:                                               /* TCSBRK */
	case 0x540a: return 0;                                     /* TCXONC */
	case 0x540b: tty->tail = tty->ready = tty->head; return 0; /* TCFLSH */
	case 0x540e:                                               /* TIOCSCTTY */
		if (current->sid != current->pid || (tty->sid && tty->sid != current->sid))
			return -EPERM;
		take_terminal(tty);
		return 0;
	case 0x540f: return current->tty == tty ? put_user(arg, tty->pgrp) : -ENOTTY; /* TIOCGPGRP */
	case 0x5410: return set_pgrp(tty, arg);                                       /* TIOCSPGRP */
	case 0x5413: return get_winsize(tty, arg);                                    /* TIOCGWINSZ */
	case 0x5414: return set_winsize(tty, arg);                                    /* TIOCSWINSZ */
	case 0x541b: return put_user(arg, tty->ready - tty->tail);                    /* FIONREAD */
	case 0x5422: current->tty = NULL; return 0;                                   /* TIOCNOTTY */
	case 0x5429: return put_user(arg, tty->sid);                                  /* TIOCGSID */
	}
	return -ENOTTY;
}

const struct file_ops tty_file_ops = {
	.open = tty_open,
	.read = tty_read,
	.write = tty_write,
	.poll = tty_poll,
	.ioctl = tty_ioctl,
};
