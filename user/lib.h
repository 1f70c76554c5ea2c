/*
 * What every utility needs: messages that start with the program's name,
 * memory that is there or ends the program, growing buffers and lines.
 */
#ifndef USER_LIB_H
#define USER_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A program calls this first; the name stands before every message. */
void start(char **argv);
extern const char *progname;

/* Wrong use: "NAME: message", status 2. */
_Noreturn void usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Something failed: "NAME: message: reason of errno"; fail() ends with status 1. */
void complain(const char *what);
_Noreturn void fail(const char *what);
/* A message without errno, and no exit. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* getopt that ends the program when the option is unknown. */
int option(int argc, char **argv, const char *letters, const char *synopsis);
/* A whole decimal number, or wrong use. */
long number(const char *text, const char *what);
/* Flush stdout; returns `status`, or 1 when the output was lost. */
int finish(int status);

void *xmalloc(size_t n);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* DIR/NAME, without a second slash. */
char *path_join(const char *dir, const char *name);

struct buf {
	char *s; /* always ends in NUL once anything was added */
	size_t len, cap;
};
void buf_add(struct buf *b, const char *s, size_t n);
void buf_str(struct buf *b, const char *s);
void buf_char(struct buf *b, char c);

/* One line with its newline into `b` (replaced); false at the end. */
bool read_line(FILE *f, struct buf *b);
/* All of a file; false with errno when it cannot be read. "-" is stdin. */
bool read_all(const char *path, struct buf *b);
/* A text cut into lines; line i is line[i] to line[i + 1]. The text must stay. */
struct lines {
	const char **line; /* n + 1 of them */
	size_t n;
};
void split_lines(struct lines *l, const char *text, size_t len);
/* fopen for reading where "-" is stdin; complains. */
FILE *open_in(const char *path);

/* tree.c: whole trees. Return false after complaining. */
bool copy_file(const char *from, const char *to, const struct stat *st, bool keep, bool force);
bool copy_tree(const char *from, const char *to, bool recurse, bool keep, bool force);
bool remove_tree(const char *path, bool recurse, bool force);
/* DIR/basename(FROM) if DIR is a directory, else DIR itself. Malloced. */
char *target_in(const char *dir, const char *from);
/* The last component without trailing slashes. Malloced. */
char *base_name(const char *path);

/* The names in a directory, sorted, without . and .. ; NULL-terminated. */
char **list_dir(const char *path);

/* Built into the shell too. */
int echo_main(int argc, char **argv);
int printf_main(int argc, char **argv);
int test_main(int argc, char **argv);
int kill_main(int argc, char **argv);
/* Signal number of a name or number, with or without SIG; -1 if none. */
int signal_number(const char *name);
const char *signal_name(int sig);

#ifdef BUILTIN
#define STANDALONE(fn)
#else
#define STANDALONE(fn)                         \
	int main(int argc, char **argv)        \
	{                                      \
		start(argv);                   \
		return finish(fn(argc, argv)); \
	}
#endif

#endif
