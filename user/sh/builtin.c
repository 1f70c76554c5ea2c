/* Commands inside the shell: those that change it. */
#include "user/sh/sh.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count(char **argv)
{
	int n = 0;

	while (argv[n])
		n++;
	return n;
}

/* 'it'"'"'s': in a form that the shell reads back. */
void print_quoted(const char *s)
{
	do {
		size_t n = strcspn(s, "'");

		if (n || !*s)
			printf("'%.*s'", (int)n, s);
		s += n;
		n = strspn(s, "'");
		if (n)
			printf("\"%.*s\"", (int)n, s);
		s += n;
	} while (*s);
}

static int b_colon(char **argv)
{
	(void)argv;
	return 0;
}

static int b_false(char **argv)
{
	(void)argv;
	return 1;
}

static int b_echo(char **argv)
{
	return echo_main(count(argv), argv);
}

static int b_printf(char **argv)
{
	return printf_main(count(argv), argv);
}

static int b_test(char **argv)
{
	return test_main(count(argv), argv);
}

static int levels(char **argv)
{
	int n = argv[1] ? atoi(argv[1]) : 1;

	if (n < 1)
		shell_error("%s: bad number", argv[1]);
	return n > loop_depth ? loop_depth : n;
}

static int b_break(char **argv)
{
	skip_levels = levels(argv);
	if (skip_levels)
		skip = *argv[0] == 'b' ? SKIP_BREAK : SKIP_CONTINUE;
	return 0;
}

static int b_return(char **argv)
{
	skip = SKIP_RETURN;
	return argv[1] ? atoi(argv[1]) & 255 : status;
}

static int b_exit(char **argv)
{
	if (argv[1] && argv[1][strspn(argv[1], "0123456789")])
		shell_error("exit: Illegal number: %s", argv[1]);
	shell_exit(argv[1] ? atoi(argv[1]) & 255 : status);
}

static int b_eval(char **argv)
{
	struct buf text = {0};
	int how = eval_how;
	char *copy;

	for (argv++; *argv; argv++) {
		buf_str(&text, *argv);
		buf_char(&text, argv[1] ? ' ' : '\n');
	}
	copy = text.s ? arena_strndup(&tmp, text.s, text.len) : "";
	free(text.s);
	status = 0;
	eval_text(copy, how);
	return status;
}

static int b_dot(char **argv)
{
	char *path;

	if (!argv[1])
		shell_error(".: needs a file");
	path = find_in_path(argv[1]);
	status = 0;
	dot_depth++;
	run_file(path ? path : argv[1]);
	dot_depth--;
	if (skip == SKIP_RETURN)
		skip = SKIP_NONE;
	return status;
}

static int b_exec(char **argv)
{
	if (!argv[1])
		return 0;
	signals_for_child(false);
	exec_command(argv + 1, false);
}

static void print_flagged(struct var *v, int flag, const char *word)
{
	if (!(v->flags & flag))
		return;
	printf("%s %s", word, v->name);
	if (v->value) {
		putchar('=');
		print_quoted(v->value);
	}
	putchar('\n');
}

static void print_export(struct var *v)
{
	print_flagged(v, V_EXPORT, "export");
}

static void print_readonly(struct var *v)
{
	print_flagged(v, V_READONLY, "readonly");
}

static bool check_name(const char *s)
{
	size_t n = name_length(s);

	if (n && (!s[n] || s[n] == '='))
		return true;
	warn_at("%s: bad variable name", s);
	return false;
}

static int declare(char **argv, int flags, void (*print)(struct var *))
{
	int result = 0;

	argv++;
	if (!*argv || !strcmp(*argv, "-p")) {
		var_for_each(print);
		return 0;
	}
	for (; *argv; argv++) {
		char *eq = strchr(*argv, '=');
		char *name = arena_strndup(&tmp, *argv, eq ? eq - *argv : strlen(*argv));

		if (!check_name(*argv)) {
			result = 2;
			continue;
		}
		if (flags == V_EXPORT && !strcmp(*argv, "-n"))
			continue;
		var_set(name, eq ? eq + 1 : NULL, flags);
	}
	return result;
}

static int b_export(char **argv)
{
	return declare(argv, V_EXPORT, print_export);
}

static int b_readonly(char **argv)
{
	return declare(argv, V_READONLY, print_readonly);
}

static int b_local(char **argv)
{
	if (!func_depth)
		shell_error("not in a function");
	for (argv++; *argv; argv++) {
		char *eq = strchr(*argv, '=');
		char *name = arena_strndup(&tmp, *argv, eq ? eq - *argv : strlen(*argv));

		if (!check_name(*argv))
			return 2;
		scope_save(name);
		if (eq)
			var_set(name, eq + 1, 0);
	}
	return 0;
}

static int b_unset(char **argv)
{
	bool functions = false;
	int result = 0;

	for (argv++; *argv && **argv == '-'; argv++)
		functions = (*argv)[1] == 'f';
	for (; *argv; argv++)
		if (functions)
			func_unset(*argv);
		else if (!var_unset(*argv))
			result = 1;
	return result;
}

static void print_var(struct var *v)
{
	if (!v->value)
		return;
	printf("%s=", v->name);
	print_quoted(v->value);
	putchar('\n');
}

/* One word of options; returns false when it is none. */
static bool set_word(char ***argv)
{
	const char *s = **argv;
	bool on = *s == '-';

	if ((*s != '-' && *s != '+') || !s[1])
		return false;
	for (s++; *s; s++) {
		if (*s == 'o') {
			const char *name = (*argv)[1];

			if (!name) {
				option_list(!on);
				return true;
			}
			++*argv;
			if (!option_set_long(name, on))
				shell_error("set: illegal option -o %s", name);
		} else if (!option_set(*s, on)) {
			shell_error("set: illegal option -%c", *s);
		}
	}
	return true;
}

static int b_set(char **argv)
{
	if (!argv[1]) {
		var_for_each(print_var);
		return 0;
	}
	for (argv++; *argv; argv++) {
		if (!strcmp(*argv, "--")) {
			params_replace(argv + 1, count(argv + 1));
			return 0;
		}
		if (!set_word(&argv)) {
			if (!strcmp(*argv, "-"))
				argv++;
			params_replace(argv, count(argv));
			return 0;
		}
	}
	return 0;
}

static int b_shift(char **argv)
{
	int n = argv[1] ? atoi(argv[1]) : 1;

	if (n < 0)
		shell_error("shift: Illegal number: %s", argv[1]);
	if (n > params.n)
		return 1;
	params_replace(params.v + n, params.n - n);
	return 0;
}

static int b_command(char **argv)
{
	bool look = false, verbose = false, standard = false;

	for (argv++; *argv && **argv == '-' && (*argv)[1]; argv++) {
		if (!strcmp(*argv, "--")) {
			argv++;
			break;
		}
		look |= strchr(*argv, 'v') || strchr(*argv, 'V');
		verbose |= strchr(*argv, 'V') != NULL;
		standard |= strchr(*argv, 'p') != NULL;
	}
	if (!*argv)
		return 0;
	return look ? b_command_v(argv, verbose) : run_command_words(argv, 0);
}

static const struct builtin builtins[] = {
	{".", b_dot, B_SPECIAL},
	{":", b_colon, B_SPECIAL},
	{"[", b_test, 0},
	{"bg", b_bg, 0},
	{"break", b_break, B_SPECIAL},
	{"cd", b_cd, 0},
	{"command", b_command, 0},
	{"continue", b_break, B_SPECIAL},
	{"echo", b_echo, 0},
	{"eval", b_eval, B_SPECIAL},
	{"exec", b_exec, B_SPECIAL},
	{"exit", b_exit, B_SPECIAL},
	{"export", b_export, B_SPECIAL | B_ASSIGN},
	{"false", b_false, 0},
	{"fg", b_fg, 0},
	{"getopts", b_getopts, 0},
	{"hash", b_hash, 0},
	{"jobs", b_jobs, 0},
	{"kill", b_kill, 0},
	{"local", b_local, B_ASSIGN},
	{"printf", b_printf, 0},
	{"pwd", b_pwd, 0},
	{"read", b_read, 0},
	{"readonly", b_readonly, B_SPECIAL | B_ASSIGN},
	{"return", b_return, B_SPECIAL},
	{"set", b_set, B_SPECIAL},
	{"shift", b_shift, B_SPECIAL},
	{"test", b_test, 0},
	{"times", b_times, B_SPECIAL},
	{"trap", b_trap, B_SPECIAL},
	{"true", b_colon, 0},
	{"type", b_type, 0},
	{"ulimit", b_ulimit, 0},
	{"umask", b_umask, 0},
	{"unset", b_unset, B_SPECIAL},
	{"wait", b_wait, 0},
};

const struct builtin *builtin_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(builtins); i++)
		if (!strcmp(builtins[i].name, name))
			return &builtins[i];
	return NULL;
}
