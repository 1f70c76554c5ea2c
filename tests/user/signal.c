/* Signals: handlers, masks, siginfo, timers, groups. */
#include "tests/user/tap.h"

#include <sys/time.h>

static volatile sig_atomic_t count, last;

static void on_signal(int sig)
{
	count++;
	last = sig;
}

static void install(int sig, void (*fn)(int), int flags)
{
	struct sigaction sa = {.sa_handler = fn, .sa_flags = flags};

	CHECK(sigaction(sig, &sa, NULL) == 0);
}

static void handler_runs(void)
{
	install(SIGUSR1, on_signal, 0);
	CHECK(kill(getpid(), SIGUSR1) == 0);
	CHECK(count == 1 && last == SIGUSR1);
}

static void blocked_waits(void)
{
	sigset_t set, pending;

	install(SIGUSR1, on_signal, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	raise(SIGUSR1);
	CHECK(count == 0);
	sigpending(&pending);
	CHECK(sigismember(&pending, SIGUSR1));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	CHECK(count == 1);
}

static void masked_in_handler(int sig)
{
	int before = count++;

	if (sig == SIGUSR1 && before == 0) {
		raise(SIGUSR1);
		raise(SIGUSR2);
		last = count == 1;
	}
}

static void own_signal_is_blocked_in_the_handler(void)
{
	struct sigaction sa = {.sa_handler = masked_in_handler};

	sigaddset(&sa.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &sa, NULL);
	install(SIGUSR2, masked_in_handler, 0);
	raise(SIGUSR2);
	CHECK(count == 1);
	count = 0;
	raise(SIGUSR1);
	CHECK(last == 1);
	CHECK(count == 3);
}

static siginfo_t info;

static void on_info(int sig, siginfo_t *i, void *context)
{
	(void)context;
	last = sig;
	info = *i;
}

static void siginfo_of_kill(void)
{
	struct sigaction sa = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
	pid_t parent = getpid(), pid;
	sigset_t set, old;

	sigaction(SIGUSR1, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (pid == 0)
		_exit(kill(parent, SIGUSR1));
	sigsuspend(&old);
	CHECK(last == SIGUSR1 && info.si_signo == SIGUSR1 && info.si_code == SI_USER);
	CHECK(info.si_pid == pid);
	wait_child(pid);
}

static void siginfo_of_child(void)
{
	struct sigaction sa = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
	sigset_t set, old;
	pid_t pid;

	sigaction(SIGCHLD, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (pid == 0)
		_exit(42);
	sigsuspend(&old);
	CHECK(info.si_code == CLD_EXITED && info.si_status == 42 && info.si_pid == pid);
	wait_child(pid);
}

static void fault_has_address_and_code(void)
{
	struct sigaction sa = {.sa_sigaction = tap_on_fault, .sa_flags = SA_SIGINFO};

	sigaction(SIGSEGV, &sa, NULL);
	if (sigsetjmp(tap_fault, 1) == 0)
		*(volatile int *)0x1234 = 1;
	CHECK(tap_fault_address == (void *)0x1234);
}

/* The context that a handler changes is the one that runs on. */
static void skips_instruction(int sig, siginfo_t *i, void *context)
{
	uint32_t *regs = (uint32_t *)((char *)context + 20); /* uc_mcontext.gregs */

	(void)sig;
	(void)i;
	regs[14] += 2; /* REG_EIP: over "ud2" */
	count++;
}

static void context_can_be_changed(void)
{
	struct sigaction sa = {.sa_sigaction = skips_instruction, .sa_flags = SA_SIGINFO};

	sigaction(SIGILL, &sa, NULL);
	__asm__ volatile("ud2");
	CHECK(count == 1);
}

static void divide_is_fpe(void)
{
	volatile int zero = 0;
	struct sigaction sa = {.sa_sigaction = tap_on_fault, .sa_flags = SA_SIGINFO};
	int sig;

	sigaction(SIGFPE, &sa, NULL);
	sig = sigsetjmp(tap_fault, 1);
	if (!sig)
		zero = 5 / zero;
	CHECK(sig == SIGFPE);
}

static void reset_after_one(void)
{
	struct sigaction old;

	install(SIGUSR1, on_signal, SA_RESETHAND);
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &old);
	CHECK(count == 1 && old.sa_handler == SIG_DFL);
}

static void interrupts_read(bool restart)
{
	int p[2];
	char c;
	pid_t pid, parent = getpid();
	ssize_t n;

	install(SIGUSR1, on_signal, restart ? SA_RESTART : 0);
	NEED(pipe(p) == 0);
	pid = fork();
	if (pid == 0) {
		usleep(30000);
		kill(parent, SIGUSR1);
		usleep(30000);
		write(p[1], "x", 1);
		_exit(0);
	}
	n = read(p[0], &c, 1);
	if (restart)
		CHECK(n == 1);
	else
		CHECK(n < 0 && errno == EINTR);
	CHECK(count == 1);
	wait_child(pid);
}

static void eintr(void)
{
	interrupts_read(false);
}

static void restarted(void)
{
	interrupts_read(true);
}

static void ignored_is_ignored(void)
{
	signal(SIGTERM, SIG_IGN);
	raise(SIGTERM);
	CHECK(kill(getpid(), 0) == 0);
}

static void dies(void)
{
	raise(SIGTERM);
}

static void killed(void)
{
	signal(SIGKILL, SIG_IGN);
	raise(SIGKILL);
}

static void default_kills(void)
{
	int st = in_child(dies);

	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGTERM);
	st = in_child(killed);
	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGKILL);
}

static void kill_cannot_be_caught(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	CHECK(sigaction(SIGKILL, &sa, NULL) < 0 && errno == EINVAL);
	CHECK(sigaction(SIGSTOP, &sa, NULL) < 0 && errno == EINVAL);
}

static void other_stack(void)
{
	static char stack[32 * KIB];
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof(stack)}, old;
	struct sigaction sa = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	CHECK(sigaltstack(&alt, NULL) == 0);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	CHECK(last == SIGUSR1);
	CHECK(sigaltstack(NULL, &old) == 0 && old.ss_sp == stack);
}

static void alarm_fires(void)
{
	install(SIGALRM, on_signal, 0);
	alarm(1);
	pause();
	CHECK(count == 1 && last == SIGALRM);
}

static void itimer_repeats(void)
{
	struct itimerval t = {{0, 10000}, {0, 10000}}, off = {{0, 0}, {0, 0}};

	install(SIGALRM, on_signal, 0);
	CHECK(setitimer(ITIMER_REAL, &t, NULL) == 0);
	while (count < 5)
		pause();
	CHECK(setitimer(ITIMER_REAL, &off, &t) == 0);
	CHECK(t.it_interval.tv_usec >= 9000 && t.it_interval.tv_usec <= 11000);
}

static void stop_and_continue(void)
{
	int st;
	pid_t pid = fork();

	if (pid == 0) {
		raise(SIGSTOP);
		_exit(7);
	}
	CHECK(waitpid(pid, &st, WUNTRACED) == pid && WIFSTOPPED(st) && WSTOPSIG(st) == SIGSTOP);
	kill(pid, SIGCONT);
	CHECK(wait_child(pid) == 7 << 8);
}

static void to_a_group(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pid_t a;

		setpgid(0, 0);
		a = fork();
		if (a == 0) {
			pause();
			_exit(0);
		}
		signal(SIGTERM, SIG_IGN);
		kill(0, SIGTERM);
		_exit(WTERMSIG(wait_child(a)) != SIGTERM);
	}
	CHECK(wait_child(pid) == 0);
}

static void wait_for_a_signal(void)
{
	struct timespec t = {0, 20000000};
	sigset_t set;
	siginfo_t i;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	CHECK(sigtimedwait(&set, &i, &t) < 0 && errno == EAGAIN);
	raise(SIGUSR1);
	CHECK(sigtimedwait(&set, &i, &t) == SIGUSR1);
}

static void children_ignored(void)
{
	pid_t pid;

	signal(SIGCHLD, SIG_IGN);
	pid = fork();
	if (pid == 0)
		_exit(0);
	CHECK(waitpid(pid, NULL, 0) < 0 && errno == ECHILD);
}

static void handlers_across_fork(void)
{
	pid_t pid;

	install(SIGUSR1, on_signal, 0);
	pid = fork();
	if (pid == 0) {
		raise(SIGUSR1);
		_exit(count != 1);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(count == 0);
}

static const struct test tests[] = {
	{handler_runs, "a handler runs"},
	{blocked_waits, "a blocked signal waits, and comes once"},
	{own_signal_is_blocked_in_the_handler, "a handler's own signal and its mask are blocked in it"},
	{siginfo_of_kill, "siginfo says who sent a signal"},
	{siginfo_of_child, "siginfo of SIGCHLD has the child's status"},
	{fault_has_address_and_code, "siginfo of SIGSEGV has the address"},
	{context_can_be_changed, "a handler may change the registers it returns to"},
	{divide_is_fpe, "a division by zero is SIGFPE"},
	{reset_after_one, "SA_RESETHAND resets"},
	{eintr, "a signal interrupts a read"},
	{restarted, "SA_RESTART restarts it"},
	{ignored_is_ignored, "an ignored signal does nothing"},
	{default_kills, "SIGTERM and SIGKILL kill, and the status says so"},
	{kill_cannot_be_caught, "SIGKILL and SIGSTOP cannot be caught"},
	{other_stack, "a handler runs on the other stack"},
	{alarm_fires, "an alarm fires"},
	{itimer_repeats, "an interval timer repeats"},
	{stop_and_continue, "a child stops and goes on"},
	{to_a_group, "kill(0) reaches the group"},
	{wait_for_a_signal, "sigtimedwait times out and takes a signal"},
	{children_ignored, "with SIGCHLD ignored there is nothing to wait for"},
	{handlers_across_fork, "handlers are kept across fork, pending signals apart"},
};

TAP_MAIN(tests)
