// SPDX-License-Identifier: MIT
/*
 * kernel/sigframe.c: the two frames a handler finds on its stack, as Linux's i386
 * has them: the plain one, and the one with siginfo and ucontext (SA_SIGINFO).
 */
#include "arch/x86/cpu.h"
#include "arch/x86/fpu.h"
#include "arch/x86/segment.h"
#include "kernel/signal.h"
#include "kernel/task.h"
#include "lib/string.h"
#include "mm/uaccess.h"

struct sigcontext {
	u32 gs, fs, es, ds;
	u32 edi, esi, ebp, esp, ebx, edx, ecx, eax;
	u32 trapno, err, eip, cs, eflags, esp_at_signal, ss;
	u32 fpstate; /* user address, or 0 */
	u32 oldmask, cr2;
};

/* The old FSAVE image, and behind it FXSAVE's when magic is 0. */
struct fpstate_head {
	u32 control, fsave[26];
	u16 status, magic;
};
#define FPSTATE_SIZE (sizeof(struct fpstate_head) + sizeof(struct fpu_area))

struct siginfo {
	s32 signo, err, code;
	union {
		struct {
			s32 pid;
			u32 uid;
			s32 status;
		};
		u32 addr;
		u8 pad[116];
	};
};

struct ucontext {
	u32 flags, link;
	u32 ss_sp, ss_flags, ss_size;
	struct sigcontext mc;
	u32 mask[2];
};

struct sigframe {
	u32 return_address;
	u32 sig;
	struct sigcontext sc;
	u32 unused[156]; /* where the FPU's registers once were */
	u32 extramask;
	u8 code[8];
};
/* What is written: all before `unused`, and all behind. */
struct sigframe_head {
	u32 return_address;
	u32 sig;
	struct sigcontext sc;
};
struct sigframe_tail {
	u32 extramask;
	u8 code[8];
};

struct rt_sigframe {
	u32 return_address;
	u32 sig, pinfo, puc;
	struct siginfo info;
	struct ucontext uc;
	u8 code[8];
};

/* pop %eax; mov $119, %eax; int $0x80 */
static const u8 return_code[8] = {0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80};
/* mov $173, %eax; int $0x80 */
static const u8 rt_return_code[8] = {0xb8, 173, 0, 0, 0, 0xcd, 0x80, 0};

static bool on_altstack(u32 esp)
{
	return esp - current->altstack_sp < current->altstack_size;
}

/* Where the frame of n bytes goes; the CPU's ABI wants (esp + 4) on a 16-byte boundary at the handler's entry. */
static u32 frame_address(const struct regs *r, const struct sigaction *a, u32 n)
{
	u32 sp = r->esp;

	if ((a->flags & SA_ONSTACK) && current->altstack_size && !on_altstack(sp))
		sp = current->altstack_sp + current->altstack_size;
	return ((sp - n + 4) & ~15u) - 4;
}

/* Saves the FPU's registers below *sp, if they are in use; the address, or 0. -EFAULT through *err. */
static u32 save_fpu(u32 *sp, int *err)
{
	u32 addr;

	*err = 0;
	if (!current->cpu.fpu)
		return 0;
	fpu_save(&current->cpu);
	addr = (*sp - FPSTATE_SIZE) & ~15u;
	*sp = addr;
	if (cpu.has_fxsr) {
		struct fpstate_head head = {.control = 0xffff0000u | *(u16 *)current->cpu.fpu->bytes};

		if (copy_to_user(addr, &head, sizeof(head)) < 0 ||
		    copy_to_user(addr + sizeof(head), current->cpu.fpu, sizeof(struct fpu_area)) < 0)
			*err = -EFAULT;
	} else if (copy_to_user(addr, current->cpu.fpu, 108) < 0 || put_user(addr + 108, 0xffff0000u) < 0) {
		*err = -EFAULT;
	}
	return addr;
}

static void fill_context(struct sigcontext *sc, const struct regs *r, u64 mask, u32 fpstate)
{
	u16 fs, gs;

	__asm__("mov %%fs, %0" : "=r"(fs));
	__asm__("mov %%gs, %0" : "=r"(gs));
	*sc = (struct sigcontext){
		.gs = gs,
		.fs = fs,
		.es = r->es & 0xffff,
		.ds = r->ds & 0xffff,
		.edi = r->edi,
		.esi = r->esi,
		.ebp = r->ebp,
		.esp = r->esp,
		.ebx = r->ebx,
		.edx = r->edx,
		.ecx = r->ecx,
		.eax = r->eax,
		.trapno = current->trap_no,
		.err = current->trap_error,
		.eip = r->eip,
		.cs = r->cs & 0xffff,
		.eflags = r->eflags,
		.esp_at_signal = r->esp,
		.ss = r->ss & 0xffff,
		.fpstate = fpstate,
		.oldmask = mask,
		.cr2 = current->trap_addr,
	};
}

static void fill_info(struct siginfo *info, int sig)
{
	const struct signal_origin *o = signal_origin(current, sig);

	*info = (struct siginfo){.signo = sig};
	if (!o)
		return;
	info->code = o->code;
	if (sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP) {
		if (o->code > 0)
			info->addr = current->trap_addr;
		return;
	}
	info->pid = o->pid;
	info->uid = o->uid;
	info->status = o->status;
}

static void enter_handler(struct regs *r, u32 frame, const struct sigaction *a)
{
	r->esp = frame;
	r->eip = a->handler;
	r->cs = USER_CS;
	r->ss = r->ds = r->es = USER_DS;
	r->eflags &= ~(EFLAGS_DF | EFLAGS_TF);
}

static int setup_plain(struct regs *r, int sig, const struct sigaction *a, u64 mask, u32 at, u32 fpstate)
{
	struct sigframe_head head;
	struct sigframe_tail tail = {.extramask = mask >> 32};

	head.return_address = a->flags & SA_RESTORER ? a->restorer : at + offsetof(struct sigframe, code);
	head.sig = sig;
	fill_context(&head.sc, r, mask, fpstate);
	memcpy(tail.code, return_code, sizeof(tail.code));
	if (copy_to_user(at, &head, sizeof(head)) < 0 ||
	    copy_to_user(at + offsetof(struct sigframe, extramask), &tail, sizeof(tail)) < 0)
		return -EFAULT;
	enter_handler(r, at, a);
	r->eax = sig; /* for handlers compiled with register arguments */
	r->edx = r->ecx = 0;
	return 0;
}

static int setup_rt(struct regs *r, int sig, const struct sigaction *a, u64 mask, u32 at, u32 fpstate)
{
	struct rt_sigframe f;

	f.return_address = a->flags & SA_RESTORER ? a->restorer : at + offsetof(struct rt_sigframe, code);
	f.sig = sig;
	f.pinfo = at + offsetof(struct rt_sigframe, info);
	f.puc = at + offsetof(struct rt_sigframe, uc);
	fill_info(&f.info, sig);
	f.uc = (struct ucontext){.ss_sp = current->altstack_sp,
				 .ss_size = current->altstack_size,
				 .ss_flags = !current->altstack_size ? 2 : on_altstack(r->esp)};
	fill_context(&f.uc.mc, r, mask, fpstate);
	f.uc.mask[0] = mask;
	f.uc.mask[1] = mask >> 32;
	memcpy(f.code, rt_return_code, sizeof(f.code));
	if (copy_to_user(at, &f, sizeof(f)) < 0)
		return -EFAULT;
	enter_handler(r, at, a);
	r->eax = sig;
	r->edx = f.pinfo;
	r->ecx = f.puc;
	return 0;
}

int setup_frame(struct regs *r, int sig, const struct sigaction *a, u64 mask)
{
	bool rt = a->flags & SA_SIGINFO;
	struct regs above = *r;
	u32 fpstate;
	int err;

	above.esp = frame_address(r, a, 0);
	fpstate = save_fpu(&above.esp, &err);
	if (err)
		return err;
	if (rt)
		return setup_rt(r, sig, a, mask, ((above.esp - sizeof(struct rt_sigframe) + 4) & ~15u) - 4,
				fpstate);
	return setup_plain(r, sig, a, mask, ((above.esp - sizeof(struct sigframe) + 4) & ~15u) - 4, fpstate);
}

static int restore_fpu(u32 addr)
{
	struct cpu_context *c = &current->cpu;

	if (!addr)
		return 0;
	if (fpu_claim(c) < 0)
		return -EFAULT;
	fpu_save(c);
	if (cpu.has_fxsr ? copy_from_user(c->fpu, addr + sizeof(struct fpstate_head), sizeof(struct fpu_area))
			 : copy_from_user(c->fpu, addr, 108))
		return -EFAULT;
	/* A reserved bit of MXCSR would fault in the kernel (SDM vol. 1, 10.5.1.2). */
	if (cpu.has_fxsr)
		*(u32 *)(c->fpu->bytes + 24) &= 0xffbf;
	fpu_reload(c);
	return 0;
}

/* What a program may choose: never a kernel selector, never IOPL or IF. */
static long restore_context(const struct sigcontext *sc)
{
	struct regs *r = current_regs();

	load_gs(sc->gs);
	load_fs(sc->fs);
	r->es = sc->es | 3;
	r->ds = sc->ds | 3;
	r->edi = sc->edi;
	r->esi = sc->esi;
	r->ebp = sc->ebp;
	r->esp = sc->esp;
	r->ebx = sc->ebx;
	r->edx = sc->edx;
	r->ecx = sc->ecx;
	r->eip = sc->eip;
	r->cs = (sc->cs & 0xffff) | 3;
	r->ss = (sc->ss & 0xffff) | 3;
	r->eflags = (r->eflags & ~EFLAGS_USER) | (sc->eflags & EFLAGS_USER);
	/* Not a call to be restarted. */
	r->vector = 0;
	return sc->eax;
}

static long bad_frame(void)
{
	force_signal(SIGSEGV, SI_KERNEL);
	return 0;
}

long sys_sigreturn(void)
{
	/* The handler's RET took the return address, the code's POP the number. */
	u32 at = current_regs()->esp - 8, high;
	struct sigcontext sc;

	if (copy_from_user(&sc, at + offsetof(struct sigframe, sc), sizeof(sc)) < 0 ||
	    get_user(&high, at + offsetof(struct sigframe, extramask)) < 0 || restore_fpu(sc.fpstate) < 0)
		return bad_frame();
	set_blocked((u64)high << 32 | sc.oldmask);
	return restore_context(&sc);
}

long sys_rt_sigreturn(void)
{
	u32 at = current_regs()->esp - 4;
	struct ucontext uc;

	if (copy_from_user(&uc, at + offsetof(struct rt_sigframe, uc), sizeof(uc)) < 0 ||
	    restore_fpu(uc.mc.fpstate) < 0)
		return bad_frame();
	current->altstack_sp = uc.ss_sp;
	current->altstack_size = uc.ss_flags & 2 ? 0 : uc.ss_size;
	set_blocked((u64)uc.mask[1] << 32 | uc.mask[0]);
	return restore_context(&uc.mc);
}
