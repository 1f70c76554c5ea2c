/* Running the tree. */
#include "user/sh/sh.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int status;
enum skip skip;
int skip_levels, loop_depth, func_depth, dot_depth;
pid_t shell_pid;
bool in_subshell;
int current_line, eval_how;

static int subst_status; /* of the last $(...) in the command being expanded */

static void check_errexit(int how)
{
	if (status && opt.errexit && !(how & E_TESTED) && !skip)
		shell_exit(status);
}

/* ---- simple commands ---- */

struct command {
	struct fields words;
	struct fields names, values; /* its own assignments */
	struct redir *redir;
	int how;
};

static void trace(const struct command *c)
{
	const char *ps4;

	if (!opt.xtrace)
		return;
	ps4 = var_get("PS4");
	fflush(stdout);
	fputs(ps4 ? ps4 : "+ ", stderr);
	for (int i = 0; i < c->names.n; i++)
		fprintf(stderr, "%s=%s%s", c->names.v[i], c->values.v[i],
			i + 1 < c->names.n || c->words.n ? " " : "");
	for (int i = 0; i < c->words.n; i++)
		fprintf(stderr, "%s%s", i ? " " : "", c->words.v[i]);
	fputc('\n', stderr);
}

static void assign_all(const struct command *c, int flags)
{
	for (int i = 0; i < c->names.n; i++)
		var_set(c->names.v[i], c->values.v[i], flags);
}

/* For the time of one command only. */
static bool assign_scoped(const struct command *c)
{
	if (!c->names.n)
		return false;
	scope_enter();
	for (int i = 0; i < c->names.n; i++)
		scope_save(c->names.v[i]);
	assign_all(c, V_EXPORT);
	return true;
}

char *find_in_path(const char *name)
{
	const char *path = var_get("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : (char *)name;
	while (path) {
		size_t n = strcspn(path, ":");
		char *full = arena_alloc(&tmp, n + strlen(name) + 3);
		struct stat st;

		sprintf(full, "%.*s%s%s", (int)n, n ? path : "", n ? "/" : "./", name);
		if (!access(full, X_OK) && !stat(full, &st) && S_ISREG(st.st_mode))
			return full;
		path = path[n] ? path + n + 1 : NULL;
	}
	return NULL;
}

/* A file without a format that the kernel knows is taken for a script. */
static void try_exec(const char *path, char **argv, char **env)
{
	char **args, self[1000];
	int n = 0;

	execve(path, argv, env);
	if (errno != ENOEXEC)
		return;
	while (argv[n])
		n++;
	args = arena_alloc(&tmp, (n + 2) * sizeof(*args));
	memcpy(args + 1, argv, (n + 1) * sizeof(*args));
	args[0] = "sh";
	args[1] = (char *)path;
	/* By its own name, so that ps shows it. */
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = 0;
	execve(self, args, env);
	errno = ENOEXEC;
}

void exec_command(char **argv, bool default_path)
{
	const char *path = default_path ? "/bin:/usr/bin" : var_get("PATH"), *name = argv[0];
	char **env = var_environ();
	int error = ENOENT;

	fflush(stdout);
	if (strchr(name, '/')) {
		try_exec(name, argv, env);
		error = errno;
		path = NULL;
	}
	while (path) {
		size_t n = strcspn(path, ":");
		char *full = arena_alloc(&tmp, n + strlen(name) + 3);

		sprintf(full, "%.*s%s%s", (int)n, n ? path : "", n ? "/" : "./", name);
		try_exec(full, argv, env);
		if (errno != ENOENT && errno != ENOTDIR)
			error = errno;
		path = path[n] ? path + n + 1 : NULL;
	}
	if (error == ENOENT)
		warn_at("%s: not found", name);
	else
		warn_at("%s: %s", name, strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

static void run_external(struct command *c)
{
	bool in_place = c->how & E_EXIT && !traps_set() && !opt.monitor;
	struct saved *undo = NULL;
	struct job *j = NULL;

	if (!in_place) {
		j = job_new(1);
		if (job_fork(j, false)) {
			job_started(j, false, c->words.v[0]);
			status = job_wait(j);
			return;
		}
	}
	assign_all(c, V_EXPORT);
	if (!redirect(c->redir, &undo))
		_exit(1);
	if (in_place)
		signals_for_child(false);
	exec_command(c->words.v, false);
}

static void call_function(struct func *f, char **argv, int argc, int how)
{
	struct params outer = params;
	int loops = loop_depth;

	params_set(argv + 1, argc - 1);
	scope_enter();
	loop_depth = 0;
	func_depth++;
	eval(f->body, how & E_TESTED);
	func_depth--;
	loop_depth = loops;
	scope_leave();
	if (skip == SKIP_RETURN)
		skip = SKIP_NONE;
	for (int i = 0; i < params.n; i++)
		free(params.v[i]);
	free(params.v);
	params = outer;
}

static void run_inside(struct command *c, struct func *f, const struct builtin *b)
{
	struct saved *undo = NULL;
	bool special = b && b->flags & B_SPECIAL, scoped = false;

	if (special)
		assign_all(c, 0);
	if (!redirect(c->redir, &undo)) {
		redirect_undo(undo);
		status = 1;
		if (special && !opt.interactive)
			shell_exit(status);
		return;
	}
	/* `exec` without a command keeps its redirections. */
	if (special && !strcmp(b->name, "exec") && !c->words.v[1]) {
		while (undo) {
			struct saved *s = undo;

			undo = s->next;
			if (s->copy >= 0)
				close(s->copy);
			free(s);
		}
		status = 0;
		return;
	}
	if (!special)
		scoped = assign_scoped(c);
	if (f) {
		call_function(f, c->words.v, c->words.n, c->how);
	} else {
		eval_how = c->how & E_TESTED;
		status = b->fn(c->words.v);
		if (finish(0))
			status = 1;
	}
	if (scoped)
		scope_leave();
	redirect_undo(undo);
}

int run_command_words(char **argv, int how)
{
	struct command c = {.how = how};
	const struct builtin *b = builtin_find(argv[0]);

	for (; *argv; argv++)
		fields_add(&c.words, *argv);
	if (b)
		return b->fn(c.words.v);
	run_external(&c);
	return status;
}

static void eval_assignments_only(struct command *c)
{
	struct saved *undo = NULL;

	assign_all(c, 0);
	status = redirect(c->redir, &undo) ? subst_status : 1;
	redirect_undo(undo);
}

static void eval_command(struct node *n, int how)
{
	struct mark m = arena_mark(&tmp);
	struct command c = {.redir = n->redir, .how = how};
	struct func *f;
	const struct builtin *b;

	current_line = n->line;
	subst_status = 0;
	expand_words(n->words, &c.words);
	for (struct word *w = n->assigns; w; w = w->next) {
		char *name, *value = expand_assign(w, &name);

		if (!c.words.n)
			var_set(name, value, 0);
		fields_add(&c.names, name);
		fields_add(&c.values, value);
	}
	trace(&c);
	if (!c.words.n) {
		eval_assignments_only(&c);
	} else {
		b = builtin_find(c.words.v[0]);
		f = b && b->flags & B_SPECIAL ? NULL : func_find(c.words.v[0]);
		if (f || b)
			run_inside(&c, f, b);
		else
			run_external(&c);
	}
	arena_release(&tmp, m);
}

/* ---- processes ---- */

static _Noreturn void child_eval(struct node *n, int how)
{
	eval(n, (how & E_TESTED) | E_EXIT);
	shell_exit(status);
}

static void eval_pipe(struct node *n, int how)
{
	int count = 0, input = -1;
	struct job *j;

	for (struct node *s = n->a; s; s = s->next)
		count++;
	j = job_new(count);
	for (struct node *s = n->a; s; s = s->next) {
		int p[2] = {-1, -1};

		if (s->next && pipe2(p, O_CLOEXEC))
			shell_error("pipe: %s", strerror(errno));
		if (!job_fork(j, false)) {
			if (input > 0)
				dup2(input, 0), close(input);
			if (p[1] >= 0)
				dup2(p[1], 1), close(p[1]), close(p[0]);
			child_eval(s, how);
		}
		if (input >= 0)
			close(input);
		if (p[1] >= 0)
			close(p[1]);
		input = p[0];
	}
	job_started(j, false, node_text(n));
	status = job_wait(j);
}

static void eval_background(struct node *n)
{
	struct job *j = job_new(1);

	if (!job_fork(j, true))
		child_eval(n->a, 0);
	job_started(j, true, node_text(n->a));
	status = 0;
}

static void eval_subshell(struct node *n, int how)
{
	bool in_place = how & E_EXIT && !traps_set() && !opt.monitor;
	struct saved *undo = NULL;
	struct job *j = in_place ? NULL : job_new(1);

	if (in_place || !job_fork(j, false)) {
		in_subshell = true;
		if (!redirect(n->redir, &undo))
			_exit(1);
		child_eval(n->a, how);
	}
	job_started(j, false, node_text(n));
	status = job_wait(j);
}

void capture(struct node *n, struct buf *out)
{
	int p[2];
	struct job *j;
	char chunk[4096];
	ssize_t got;

	if (!n) {
		subst_status = status = 0;
		return;
	}
	if (pipe2(p, O_CLOEXEC))
		shell_error("pipe: %s", strerror(errno));
	j = job_new(1);
	j->known = true;
	if (!job_fork(j, false)) {
		dup2(p[1], 1);
		close(p[0]);
		close(p[1]);
		child_eval(n, 0);
	}
	close(p[1]);
	while ((got = read(p[0], chunk, sizeof(chunk))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			buf_add(out, chunk, got);
	close(p[0]);
	job_started(j, false, "$(...)");
	subst_status = status = job_wait(j);
}

/* ---- compound commands ---- */

/* After a loop's body: true when the loop is left. */
static bool leave_loop(void)
{
	bool again;

	if (skip == SKIP_NONE)
		return false;
	if (skip == SKIP_RETURN || --skip_levels > 0)
		return true;
	again = skip == SKIP_CONTINUE;
	skip = SKIP_NONE;
	return !again;
}

static void eval_while(struct node *n, int how)
{
	int last = 0;

	loop_depth++;
	for (;;) {
		eval(n->a, E_TESTED);
		if (skip) {
			if (leave_loop())
				break;
			continue;
		}
		if ((status == 0) != (n->type == N_WHILE))
			break;
		eval(n->b, how & E_TESTED);
		last = status;
		if (leave_loop())
			break;
	}
	loop_depth--;
	if (skip != SKIP_RETURN)
		status = last;
}

static void eval_for(struct node *n, int how)
{
	struct mark m = arena_mark(&tmp);
	struct fields f = {0};

	if (n->in_given)
		expand_words(n->words, &f);
	else
		for (int i = 0; i < params.n; i++)
			fields_add(&f, arena_strndup(&tmp, params.v[i], strlen(params.v[i])));
	status = 0;
	loop_depth++;
	for (int i = 0; i < f.n; i++) {
		var_set(n->name, f.v[i], 0);
		eval(n->b, how & E_TESTED);
		if (leave_loop())
			break;
	}
	loop_depth--;
	arena_release(&tmp, m);
}

static struct arm *find_arm(struct node *n, const char *subject)
{
	for (struct arm *a = n->arms; a; a = a->next)
		for (struct word *p = a->patterns; p; p = p->next)
			if (!fnmatch(expand_pattern(p), subject, 0))
				return a;
	return NULL;
}

static void eval_case(struct node *n, int how)
{
	struct mark m = arena_mark(&tmp);
	struct arm *a;

	subst_status = 0;
	a = find_arm(n, expand_one(n->words));
	arena_release(&tmp, m);
	status = 0;
	if (a && a->body)
		eval(a->body, how);
}

static void eval_if(struct node *n, int how)
{
	eval(n->a, E_TESTED);
	if (skip)
		return;
	if (status == 0)
		eval(n->b, how);
	else if (n->c)
		eval(n->c, how);
	else
		status = 0;
}

static void eval_compound(struct node *n, int how)
{
	switch (n->type) {
	case N_BRACE: eval(n->a, how); break;
	case N_IF: eval_if(n, how); break;
	case N_WHILE:
	case N_UNTIL: eval_while(n, how); break;
	case N_FOR: eval_for(n, how); break;
	default: eval_case(n, how); break;
	}
}

static void eval_redirected(struct node *n, int how)
{
	struct saved *undo = NULL;

	if (!n->redir) {
		eval_compound(n, how);
		return;
	}
	if (redirect(n->redir, &undo)) {
		eval_compound(n, how & E_TESTED);
		redirect_undo(undo);
	} else {
		redirect_undo(undo);
		status = 1;
		check_errexit(how);
	}
}

static void eval_and_or(struct node *n, int how)
{
	eval(n->a, E_TESTED);
	if (!skip && (status == 0) == (n->type == N_AND))
		eval(n->b, how);
}

/* E_EXIT: nothing comes after this, so a command may replace the shell. */
void eval(struct node *n, int how)
{
	if (!n || opt.noexec)
		return;
	if (got_sigint && error_jump)
		siglongjmp(*error_jump, 130);
	if (trap_pending)
		traps_run();
	switch (n->type) {
	case N_CMD:
		eval_command(n, how);
		check_errexit(how);
		break;
	case N_PIPE:
		eval_pipe(n, how);
		check_errexit(how);
		break;
	case N_SUB:
		eval_subshell(n, how);
		check_errexit(how);
		break;
	case N_AND:
	case N_OR: eval_and_or(n, how); break;
	case N_NOT:
		eval(n->a, E_TESTED);
		if (!skip)
			status = !status;
		break;
	case N_SEQ:
		eval(n->a, how & E_TESTED);
		if (!skip)
			eval(n->b, how);
		break;
	case N_BG: eval_background(n); break;
	case N_FUNC:
		func_define(n->name, n->a);
		status = 0;
		break;
	default: eval_redirected(n, how); break;
	}
	if (trap_pending)
		traps_run();
}

/* All of a text, one complete command after the other. */
static void eval_input(int how)
{
	struct arena *outer = tree;
	bool eof = false;

	while (!eof && skip == SKIP_NONE) {
		struct arena *mine = xmalloc(sizeof(*mine));
		struct node *n;

		*mine = (struct arena){0};
		tree = mine;
		n = parse_command(&eof);
		tree = outer;
		if (n)
			eval(n, how & E_EXIT && in->fd < 0 && in->pos >= in->text.len ? how : how & ~E_EXIT);
		if (!mine->keep) {
			arena_release(mine, (struct mark){0});
			free(mine);
		}
	}
}

void eval_text(const char *s, int how)
{
	input_push_text(s, strlen(s));
	eval_input(how);
	input_pop();
}

void run_file(const char *path)
{
	if (!input_push_file(path)) {
		shell_error("can't open '%s': %s", path, strerror(errno));
	}
	eval_input(eval_how);
	input_pop();
}
