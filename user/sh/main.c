/*
 * sh - the shell
 *
 * usage: sh [-abCefimnuvx] [-o option] [file [arg...]]
 *        sh -c command [name [arg...]]
 *        sh -s [arg...]
 */
#include "user/sh/sh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

struct options opt;
sigjmp_buf *error_jump;

static const struct option_name {
	char letter;
	const char *name;
	bool *on;
} options[] = {
	{'e', "errexit", &opt.errexit},     {'f', "noglob", &opt.noglob},
	{0, "ignoreeof", &opt.ignoreeof},   {'i', "interactive", &opt.interactive},
	{'m', "monitor", &opt.monitor},     {'n', "noexec", &opt.noexec},
	{'s', "stdin", &opt.stdin_},        {'x', "xtrace", &opt.xtrace},
	{'v', "verbose", &opt.verbose},     {'C', "noclobber", &opt.noclobber},
	{'a', "allexport", &opt.allexport}, {'b', "notify", &opt.notify},
	{'u', "nounset", &opt.nounset},     {0, "pipefail", &opt.pipefail},
	{'c', "command", &opt.command},
};

bool option_set(char letter, bool on)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].letter == letter) {
			*options[i].on = on;
			return true;
		}
	return false;
}

bool option_set_long(const char *name, bool on)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (!strcmp(options[i].name, name)) {
			*options[i].on = on;
			return true;
		}
	return false;
}

char *option_letters(void)
{
	static char letters[ARRAY_SIZE(options) + 1];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].letter && *options[i].on)
			letters[n++] = options[i].letter;
	letters[n] = 0;
	return letters;
}

void option_list(bool reusable)
{
	if (!reusable)
		puts("Current option settings");
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (reusable)
			printf("set %co %s\n", *options[i].on ? '-' : '+', options[i].name);
		else
			printf("%-16s%s\n", options[i].name, *options[i].on ? "on" : "off");
}

static void vwarn(const char *fmt, va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", arg0);
	if (!opt.interactive && current_line)
		fprintf(stderr, "line %d: ", current_line);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void warn_at(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
}

void shell_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
	if (error_jump)
		siglongjmp(*error_jump, 2);
	shell_exit(2);
}

void shell_exit(int code)
{
	status = code;
	trap_exit();
	finish(0);
	_exit(code);
}

/* One complete command, which may take many lines. */
static bool read_and_run(void)
{
	struct arena *mine = xmalloc(sizeof(*mine));
	struct node *n;
	bool eof;

	*mine = (struct arena){0};
	tree = mine;
	got_sigint = false;
	jobs_notify();
	input_forget_read();
	n = parse_command(&eof);
	if (n)
		eval(n, 0);
	if (!mine->keep) {
		arena_release(mine, (struct mark){0});
		free(mine);
	}
	return !eof;
}

/* Back from an error at the prompt: nothing of the command is left. */
static void recover(int code)
{
	while (in->outer)
		input_pop();
	status = code;
	skip = SKIP_NONE;
	loop_depth = func_depth = dot_depth = 0;
	scope_unwind(NULL);
	parse_reset();
	in->pos = in->text.len;
	got_sigint = false;
}

static void main_loop(void)
{
	sigjmp_buf here;
	int code;

	if (opt.interactive) {
		code = sigsetjmp(here, 1);
		if (code)
			recover(code);
		error_jump = &here;
	}
	for (;;) {
		if (!read_and_run())
			break;
		/* `return` outside a function ends the script. */
		if (skip == SKIP_RETURN)
			break;
		skip = SKIP_NONE;
	}
	error_jump = NULL;
	if (opt.interactive)
		fputc('\n', stderr);
}

static char **shell_options(char **argv)
{
	for (; *argv && (**argv == '-' || **argv == '+') && (*argv)[1]; argv++) {
		bool on = **argv == '-';

		if (!strcmp(*argv, "--"))
			return argv + 1;
		for (const char *s = *argv + 1; *s; s++) {
			if (*s == 'o' && argv[1]) {
				if (!option_set_long(*++argv, on))
					usage("%s: no such option", *argv);
				break;
			}
			if (*s != 'l' && !option_set(*s, on))
				usage("-%c: no such option", *s);
		}
	}
	return argv;
}

static void choose_input(char **argv)
{
	int fd;

	if (!*argv || opt.stdin_) {
		input_push_fd(0);
	} else {
		arg0 = *argv;
		fd = open(*argv, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			say("can't open '%s': %s", *argv, strerror(errno));
			exit(2);
		}
		close(fd);
		if (!input_push_file(*argv++))
			fail(arg0);
	}
	for (int n = 0;; n++)
		if (!argv[n]) {
			params_set(argv, n);
			break;
		}
}

static _Noreturn void run_string(char **argv)
{
	char *text = *argv;
	int n = 0;

	if (!text)
		usage("-c needs a command");
	if (*++argv)
		arg0 = *argv++;
	while (argv[n])
		n++;
	params_set(argv, n);
	eval_text(text, E_EXIT);
	shell_exit(status);
}

int main(int argc, char **argv)
{
	(void)argc;
	start(argv);
	arg0 = progname;
	shell_pid = getpid();
	argv = shell_options(argv + 1);
	if (!*argv && !opt.command && isatty(0) && isatty(2))
		opt.interactive = true;
	if (opt.interactive)
		opt.monitor = opt.stdin_ = true;
	vars_init(environ);
	signals_init();
	current_dir_init();
	jobs_init();
	if (opt.command)
		run_string(argv);
	choose_input(argv);
	main_loop();
	shell_exit(status);
}
