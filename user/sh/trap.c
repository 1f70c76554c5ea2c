/* Signals: the traps of a script, and what an interactive shell shrugs off. */
#include "user/sh/sh.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NSIGS 65

static char *actions[NSIGS]; /* [0] is EXIT; "" is ignored */
static bool ignored_at_start[NSIGS];
static volatile sig_atomic_t came[NSIGS];
volatile bool trap_pending, got_sigint;

static void on_signal(int sig)
{
	if (actions[sig]) {
		came[sig] = 1;
		trap_pending = true;
	} else if (sig == SIGINT) {
		got_sigint = true;
	}
}

static void set_handler(int sig, void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};

	sigaction(sig, &sa, NULL);
}

static void apply(int sig)
{
	bool shrug = opt.interactive && (sig == SIGINT || sig == SIGQUIT || sig == SIGTERM);
	bool stop = opt.monitor && (sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU);

	if (sig == 0 || (ignored_at_start[sig] && !opt.interactive))
		return;
	if (actions[sig])
		set_handler(sig, *actions[sig] ? on_signal : SIG_IGN);
	else if (shrug)
		set_handler(sig, sig == SIGINT ? on_signal : SIG_IGN);
	else
		set_handler(sig, stop ? SIG_IGN : SIG_DFL);
}

void signals_init(void)
{
	struct sigaction sa;

	for (int sig = 1; sig < 32; sig++)
		if (sigaction(sig, NULL, &sa) == 0)
			ignored_at_start[sig] = sa.sa_handler == SIG_IGN;
	if (!opt.interactive)
		return;
	apply(SIGINT);
	apply(SIGQUIT);
	apply(SIGTERM);
	apply(SIGTSTP);
	apply(SIGTTIN);
	apply(SIGTTOU);
}

/* Only what the shell itself changed goes back to the default. */
void signals_for_child(bool background)
{
	static const int shrugged[] = {SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU};

	if (opt.interactive || opt.monitor)
		for (size_t i = 0; i < ARRAY_SIZE(shrugged); i++)
			if (!actions[shrugged[i]])
				set_handler(shrugged[i], SIG_DFL);
	if (background) {
		set_handler(SIGINT, SIG_IGN);
		set_handler(SIGQUIT, SIG_IGN);
	}
}

/* A subshell starts with what is ignored, but without the traps. */
void traps_reset_for_child(void)
{
	for (int sig = 0; sig < NSIGS; sig++) {
		if (!actions[sig] || (!*actions[sig] && sig))
			continue;
		free(actions[sig]);
		actions[sig] = NULL;
		came[sig] = 0;
		if (sig)
			set_handler(sig, SIG_DFL);
	}
	trap_pending = false;
}

bool traps_set(void)
{
	for (int sig = 0; sig < NSIGS; sig++)
		if (actions[sig] && *actions[sig])
			return true;
	return false;
}

bool trap_waiting(void)
{
	return trap_pending;
}

static void run_action(const char *action)
{
	int before = status;
	char *text = xstrdup(action);
	enum skip outer = skip;

	skip = SKIP_NONE;
	eval_text(text, 0);
	free(text);
	if (skip == SKIP_NONE) {
		skip = outer;
		status = before;
	}
}

void traps_run(void)
{
	trap_pending = false;
	for (int sig = 1; sig < NSIGS; sig++)
		if (came[sig]) {
			came[sig] = 0;
			if (actions[sig] && *actions[sig])
				run_action(actions[sig]);
		}
}

void trap_exit(void)
{
	char *action = actions[0];

	actions[0] = NULL;
	if (action && *action)
		run_action(action);
}

static void print_traps(void)
{
	for (int sig = 0; sig < NSIGS; sig++)
		if (actions[sig]) {
			printf("trap -- ");
			print_quoted(actions[sig]);
			printf(" %s\n", signal_name(sig));
		}
}

int b_trap(char **argv)
{
	const char *action = NULL;
	int result = 0;

	argv++;
	if (*argv && !strcmp(*argv, "--"))
		argv++;
	if (!*argv) {
		print_traps();
		return 0;
	}
	/* A first word that is a number, or the only word, means: back to the default. */
	if (argv[1] && strspn(*argv, "0123456789") != strlen(*argv))
		action = *argv++;
	else if (argv[1] && !**argv)
		action = *argv++;
	if (action && !strcmp(action, "-"))
		action = NULL;
	for (; *argv; argv++) {
		int sig = signal_number(*argv);

		if (sig < 0 || sig >= NSIGS) {
			warn_at("trap: %s: invalid signal specification", *argv);
			result = 1;
			continue;
		}
		free(actions[sig]);
		actions[sig] = action ? xstrdup(action) : NULL;
		apply(sig);
	}
	return result;
}
