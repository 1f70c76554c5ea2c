/*
 * The shell's parts and what they know of each other.
 *
 *   main.c     options, the read-and-run loop, errors
 *   input.c    where program text comes from
 *   parse.c    text to tree; word.c: one word of it
 *   expand.c   words to fields; arith.c: $((...)); subst.c: ${x...}
 *   eval.c     running the tree; redir.c: its redirections; jobs.c: its processes
 *   vars.c     variables, positional parameters, functions
 *   trap.c     signals
 *   builtin.c  the commands inside; builtin2.c: those that read or look around
 */
#ifndef USER_SH_H
#define USER_SH_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "user/lib.h"

/* ---- memory: arenas are freed whole or back to a mark ---- */
struct arena {
	struct chunk *top;
	bool keep; /* a function's body lies in it */
};
struct mark {
	struct chunk *chunk;
	size_t used;
};
void *arena_alloc(struct arena *a, size_t n);
char *arena_strndup(struct arena *a, const char *s, size_t n);
struct mark arena_mark(struct arena *a);
void arena_release(struct arena *a, struct mark m);
/* Expansions live here; each simple command releases what it used. */
extern struct arena tmp;
/* The tree being parsed. */
extern struct arena *tree;

/* ---- words and trees ---- */
enum part_type { P_LIT, P_PARAM, P_CMD, P_ARITH };
enum param_op {
	OP_NONE,
	OP_LENGTH,
	OP_PRE,
	OP_PRE_LONG,
	OP_SUF,
	OP_SUF_LONG,
	OP_DEFAULT = '-',
	OP_ASSIGN = '=',
	OP_ERROR = '?',
	OP_ALT = '+'
};

struct part {
	enum part_type type;
	bool quoted;
	bool colon; /* ${x:-...} rather than ${x-...} */
	enum param_op op;
	char *text;       /* the literal, or the parameter's name */
	struct word *arg; /* ${x-ARG}, $((ARG)) */
	struct node *cmd; /* $(CMD) */
	struct part *next;
};
struct word {
	struct part *parts;
	struct word *next;
};

enum redir_type { R_IN, R_OUT, R_CLOBBER, R_APPEND, R_RDWR, R_DUP, R_HERE };
struct redir {
	enum redir_type type;
	int fd;
	struct word *word; /* file, descriptor, or the text of a here-document */
	struct redir *next;
};
struct arm {
	struct word *patterns;
	struct node *body;
	struct arm *next;
};
enum node_type {
	N_CMD,
	N_PIPE,
	N_AND,
	N_OR,
	N_NOT,
	N_SEQ,
	N_BG,
	N_SUB,
	N_BRACE,
	N_IF,
	N_WHILE,
	N_UNTIL,
	N_FOR,
	N_CASE,
	N_FUNC
};
struct node {
	enum node_type type;
	int line;
	struct redir *redir;
	struct node *a, *b, *c; /* left/right; condition, body, else; first pipe stage */
	struct node *next;      /* next stage of a pipe */
	struct word *assigns;   /* N_CMD */
	struct word *words;     /* N_CMD, N_FOR, the subject of N_CASE */
	bool in_given;          /* N_FOR: `in` was there */
	char *name;             /* N_FOR, N_FUNC */
	struct arm *arms;
};

/* ---- input.c ---- */
struct input {
	struct buf text;
	size_t pos;
	int fd; /* more lines come from here; -1: text is all */
	bool eof, prompted;
	int line;
	struct input *outer;
};
extern struct input *in;
void input_push_text(const char *s, size_t n);
bool input_push_file(const char *path);
void input_push_fd(int fd);
void input_pop(void);
void input_forget_read(void); /* drop text that was parsed */
int next_char(void);          /* -1 at the end */
int peek_char(void);
void back_char(int c);

/* ---- parse.c, word.c ---- */
/* The next complete command; NULL for an empty line; *eof at the end. */
struct node *parse_command(bool *eof);
struct node *parse_text(const char *s);    /* all of it, in `tree` */
struct node *parse_list_until_paren(void); /* after "$(" */
enum quoting { Q_NONE, Q_DOUBLE, Q_BRACE, Q_BRACE_DOUBLE, Q_HERE, Q_ARITH };
struct word *parse_word(enum quoting q);
void *new_tree(size_t n);
void parse_reset(void);
_Noreturn void syntax_error(const char *fmt, ...);
bool is_name_char(int c, bool first);
size_t name_length(const char *s);

/* ---- vars.c ---- */
enum { V_EXPORT = 1, V_READONLY = 2 };
struct var {
	struct var *next;
	char *value; /* NULL: unset, but known as exported or read-only */
	int flags;
	char name[];
};
void vars_init(char **env);
struct var *var_find(const char *name);
const char *var_get(const char *name);
void var_set(const char *name, const char *value, int flags);
bool var_unset(const char *name);
void var_for_each(void (*fn)(struct var *v));
char **var_environ(void); /* in tmp */
void scope_enter(void);
void scope_leave(void);
void *scope_top(void);
void scope_unwind(void *to);
void scope_save(const char *name);

struct params {
	int n;
	char **v;
};
extern struct params params;
void params_set(char **v, int n); /* copies */
void params_replace(char **v, int n);
extern const char *arg0;

struct func {
	struct func *next;
	struct node *body;
	char name[];
};
struct func *func_find(const char *name);
void func_define(const char *name, struct node *body);
bool func_unset(const char *name);

/* ---- options ---- */
extern struct options {
	bool errexit, nounset, xtrace, noglob, noexec, verbose, allexport, noclobber;
	bool monitor, interactive, ignoreeof, pipefail, notify, stdin_, command;
} opt;
bool option_set(char letter, bool on);
bool option_set_long(const char *name, bool on);
char *option_letters(void);
void option_list(bool reusable);

/* ---- expand.c ---- */
struct fields {
	int n, cap;
	char **v; /* in tmp, NULL-terminated */
};
void expand_words(struct word *w, struct fields *out);
char *expand_one(struct word *w);     /* no splitting, quotes gone */
char *expand_pattern(struct word *w); /* quoted characters escaped for fnmatch */
char *expand_assign(struct word *w, char **name);
bool is_assignment(struct word *w);
void fields_add(struct fields *f, char *s);
intmax_t arith(const char *s);
const char *special_param(const char *name, char *num); /* not @ and * */

/* An expansion: bytes, and beside each what it is. */
enum { X_QUOTED = 1, X_SPLIT = 2, X_BREAK = 4, X_EMPTY = 8 };
struct xbuf {
	struct buf s, f;
};
void x_add(struct xbuf *x, const char *s, size_t n, int flag);
void expand_into(struct xbuf *x, struct word *w, bool quoted, bool splitting);
void expand_param(struct xbuf *x, struct part *p, bool quoted);

/* ---- eval.c ---- */
enum { E_EXIT = 1, E_TESTED = 2 };
enum skip { SKIP_NONE, SKIP_BREAK, SKIP_CONTINUE, SKIP_RETURN };
extern int status; /* $? */
extern enum skip skip;
extern int skip_levels, loop_depth, func_depth, dot_depth;
extern pid_t shell_pid;
extern bool in_subshell;
void eval(struct node *n, int how);
void eval_text(const char *s, int how);
_Noreturn void exec_command(char **argv, bool default_path);
int run_command_words(char **argv, int how);
char *find_in_path(const char *name);
void capture(struct node *n, struct buf *out);
_Noreturn void shell_exit(int code);
/* An error that ends a script: back to the prompt when interactive. */
_Noreturn void shell_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn_at(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern sigjmp_buf *error_jump;
extern int current_line;
extern int eval_how; /* E_TESTED when the running builtin's status is looked at */
void run_file(const char *path);

/* ---- redir.c ---- */
struct saved {
	struct saved *next;
	int fd, copy; /* copy -1: was closed */
};
bool redirect(struct redir *r, struct saved **undo);
void redirect_undo(struct saved *s);
int high_fd(int fd);

/* ---- jobs.c ---- */
struct job {
	struct job *next;
	int id;
	pid_t pgid, last;
	int n, left, status;
	bool stopped, reported, background, known;
	char *text;
	pid_t pid[];
};
struct job *job_new(int n);
pid_t job_fork(struct job *j, bool background);
int job_wait(struct job *j);
void job_started(struct job *j, bool background, const char *text);
void jobs_notify(void);
void jobs_forget(void);
extern pid_t last_background;
int b_jobs(char **argv), b_wait(char **argv), b_fg(char **argv), b_bg(char **argv), b_kill(char **argv);
void jobs_init(void);
const char *node_text(struct node *n);

/* ---- trap.c ---- */
extern volatile bool trap_pending;
void traps_run(void);
void trap_exit(void);
void traps_reset_for_child(void);
bool traps_set(void);
void signals_init(void);
void signals_for_child(bool background);
int b_trap(char **argv);
extern volatile bool got_sigint;
bool trap_waiting(void); /* a signal with a trap came */

/* ---- builtins ---- */
enum { B_SPECIAL = 1, B_ASSIGN = 2 };
struct builtin {
	const char *name;
	int (*fn)(char **argv);
	int flags;
};
const struct builtin *builtin_find(const char *name);
int b_read(char **argv), b_cd(char **argv), b_pwd(char **argv), b_umask(char **argv), b_getopts(char **argv),
	b_ulimit(char **argv), b_times(char **argv), b_type(char **argv),
	b_command_v(char **argv, bool verbose), b_hash(char **argv);
void print_quoted(const char *s);
void current_dir_init(void);

#endif
