/* The shell's processes: forking them, waiting for them, the commands about them. */
#include "user/sh/sh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct job *jobs;
static int tty = -1;
static pid_t own_group;
pid_t last_background;

void jobs_init(void)
{
	if (!opt.monitor)
		return;
	tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	tty = tty < 0 ? fcntl(0, F_DUPFD_CLOEXEC, 10) : high_fd(tty);
	if (tty < 0 || tcgetpgrp(tty) < 0) {
		opt.monitor = false;
		return;
	}
	own_group = getpgrp();
	if (own_group != getpid() && setpgid(0, 0) == 0)
		own_group = getpid();
	tcsetpgrp(tty, own_group);
}

struct job *job_new(int n)
{
	struct job *j = xmalloc(sizeof(*j) + n * sizeof(j->pid[0]));

	*j = (struct job){.next = jobs};
	jobs = j;
	return j;
}

static void job_free(struct job *j)
{
	struct job **p = &jobs;

	while (*p && *p != j)
		p = &(*p)->next;
	if (*p)
		*p = j->next;
	free(j->text);
	free(j);
}

void jobs_forget(void)
{
	while (jobs)
		job_free(jobs);
}

static void child_setup(struct job *j, bool background)
{
	bool captured = j->known;
	pid_t group = j->pgid;

	in_subshell = true;
	jobs_forget();
	traps_reset_for_child();
	if (opt.monitor && !captured) {
		setpgid(0, group);
		if (!background)
			tcsetpgrp(tty, group ? group : getpid());
	}
	signals_for_child(background && !opt.monitor);
	if (background && !opt.monitor) {
		int null = open("/dev/null", O_RDONLY);

		if (null > 0) {
			dup2(null, 0);
			close(null);
		}
	}
	opt.monitor = opt.interactive = false;
	error_jump = NULL;
}

/* Adds one process; 0 in the child, which is no longer in any job. */
pid_t job_fork(struct job *j, bool background)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		job_free(j);
		shell_error("can't fork: %s", strerror(errno));
	}
	if (pid == 0) {
		child_setup(j, background);
		return 0;
	}
	if (opt.monitor && !j->known) {
		setpgid(pid, j->pgid);
		if (!j->pgid)
			j->pgid = pid;
	}
	j->pid[j->n++] = pid;
	j->left++;
	j->last = pid;
	return pid;
}

void job_started(struct job *j, bool background, const char *text)
{
	j->background = background;
	if (!background) {
		j->text = xstrdup(text);
		return;
	}
	j->text = xstrdup(text);
	last_background = j->last;
	j->id = 1;
	for (struct job *o = jobs; o; o = o->next)
		if (o != j && o->id >= j->id)
			j->id = o->id + 1;
	if (opt.interactive)
		fprintf(stderr, "[%d] %d\n", j->id, (int)j->last);
}

static int exit_code(int st)
{
	if (WIFSIGNALED(st))
		return 128 + WTERMSIG(st);
	return WIFSTOPPED(st) ? 128 + WSTOPSIG(st) : WEXITSTATUS(st);
}

static void note(pid_t pid, int st)
{
	for (struct job *j = jobs; j; j = j->next)
		for (int i = 0; i < j->n; i++) {
			if (j->pid[i] != pid)
				continue;
			if (WIFSTOPPED(st)) {
				j->stopped = true;
				j->status = st;
				return;
			}
			j->stopped = false;
			j->left--;
			if (pid == j->last ? !(opt.pipefail && j->status && !st)
					   : opt.pipefail && exit_code(st))
				j->status = st;
			j->pid[i] = -1;
			return;
		}
}

static const char *what_killed(int st)
{
	return WTERMSIG(st) == SIGINT || WTERMSIG(st) == SIGPIPE ? NULL : strsignal(WTERMSIG(st));
}

/* Until it ends or stops; the terminal comes back to the shell. */
int job_wait(struct job *j)
{
	int st, code;
	pid_t pid;

	while (j->left && !j->stopped) {
		pid = waitpid(-1, &st, opt.monitor ? WUNTRACED : 0);
		if (pid < 0 && errno != EINTR)
			break;
		if (pid > 0)
			note(pid, st);
	}
	if (opt.monitor && !j->known)
		tcsetpgrp(tty, own_group);
	code = exit_code(j->status);
	if (j->stopped) {
		int id = j->id;

		for (struct job *o = jobs; o && !id; o = o->next)
			j->id = o->id >= j->id ? o->id + 1 : j->id;
		j->id = j->id ? j->id : 1;
		fprintf(stderr, "\n[%d] Stopped  %s\n", j->id, j->text);
		return code;
	}
	if (WIFSIGNALED(j->status) && what_killed(j->status) && !j->known)
		fprintf(stderr, "%s\n", what_killed(j->status));
	else if (opt.interactive && WIFSIGNALED(j->status))
		fputc('\n', stderr);
	/* Ctrl-C on a command ends the loop around it too. */
	if (opt.interactive && WIFSIGNALED(j->status) && WTERMSIG(j->status) == SIGINT)
		got_sigint = true;
	job_free(j);
	return code;
}

/* Reap what ended meanwhile; say so when interactive. */
void jobs_notify(void)
{
	int st;
	pid_t pid;

	while ((pid = waitpid(-1, &st, WNOHANG | (opt.monitor ? WUNTRACED : 0))) > 0)
		note(pid, st);
	if (!opt.interactive)
		return;
	for (struct job *j = jobs, *next; j; j = next) {
		next = j->next;
		if (j->left || !j->background)
			continue;
		fprintf(stderr, "[%d] Done  %s\n", j->id, j->text);
		job_free(j);
	}
}

static struct job *job_by_spec(const char *s)
{
	int id = s && s[0] == '%' ? atoi(s + 1) : 0;

	for (struct job *j = jobs; j; j = j->next)
		if (id ? j->id == id : j->id)
			return j;
	return NULL;
}

int b_jobs(char **argv)
{
	(void)argv;
	jobs_notify();
	for (struct job *j = jobs; j; j = j->next)
		if (j->id)
			printf("[%d] %s  %s\n", j->id,
			       j->stopped ? "Stopped"
			       : j->left  ? "Running"
					  : "Done",
			       j->text);
	return 0;
}

static struct job *job_by_pid(const char *arg)
{
	pid_t pid = atoi(arg);

	for (struct job *j = jobs; j; j = j->next)
		if (j->last == pid)
			return j;
	return NULL;
}

/* Wait for one job, giving way to a trapped signal. */
static int wait_until_done(struct job *j, bool *interrupted)
{
	while (j->left && !j->stopped) {
		int st;
		pid_t pid;

		if (trap_waiting() || got_sigint) {
			*interrupted = true;
			return 128 + SIGINT;
		}
		pid = waitpid(-1, &st, opt.monitor ? WUNTRACED : 0);
		if (pid > 0)
			note(pid, st);
		else if (errno != EINTR)
			break;
	}
	return exit_code(j->status);
}

static int wait_all(void)
{
	bool interrupted = false;

	for (struct job *j = jobs, *next; j; j = next) {
		int code;

		next = j->next;
		if (!j->background)
			continue;
		code = wait_until_done(j, &interrupted);
		if (interrupted)
			return code;
		if (!j->stopped)
			job_free(j);
	}
	return 0;
}

int b_wait(char **argv)
{
	int code = 0;
	bool interrupted = false;

	if (!argv[1])
		return wait_all();
	for (argv++; *argv && !interrupted; argv++) {
		struct job *j = **argv == '%' ? job_by_spec(*argv) : job_by_pid(*argv);

		if (!j) {
			code = 127;
			continue;
		}
		code = wait_until_done(j, &interrupted);
		if (!interrupted && !j->left)
			job_free(j);
	}
	return code;
}

static int resume(struct job *j, bool foreground)
{
	if (!j) {
		warn_at("no such job");
		return 1;
	}
	printf("%s\n", j->text);
	fflush(stdout);
	j->stopped = false;
	j->background = !foreground;
	if (foreground && opt.monitor)
		tcsetpgrp(tty, j->pgid);
	kill(-j->pgid, SIGCONT);
	return foreground ? job_wait(j) : 0;
}

int b_fg(char **argv)
{
	return resume(job_by_spec(argv[1]), true);
}

int b_bg(char **argv)
{
	return resume(job_by_spec(argv[1]), false);
}

/* %n becomes a process (group) number; the rest is kill's own. */
int b_kill(char **argv)
{
	int argc;

	for (argc = 0; argv[argc]; argc++) {
		struct job *j = argc && argv[argc][0] == '%' ? job_by_spec(argv[argc]) : NULL;

		if (j) {
			argv[argc] = arena_alloc(&tmp, 16);
			sprintf(argv[argc], "%d", (int)(opt.monitor ? -j->pgid : j->last));
		}
	}
	return kill_main(argc, argv);
}

/* The plain words of its first command: enough to know a job by. */
const char *node_text(struct node *n)
{
	static char text[80];

	while (n && n->type != N_CMD)
		n = n->a;
	text[0] = 0;
	for (struct word *w = n ? n->words : NULL; w; w = w->next) {
		const char *s = w->parts && w->parts->text ? w->parts->text : "...";

		if (strlen(text) + strlen(s) + 2 > sizeof(text))
			break;
		if (text[0])
			strcat(text, " ");
		strcat(text, s);
	}
	return text[0] ? text : "...";
}
