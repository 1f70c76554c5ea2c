/*
 * profile - where the kernel spent its ticks, as readprofile -v prints it
 *
 * usage: profile [-a] [-n COUNT] [-p FILE] [-m FILE]    -a by address, -n the top ones only
 *        profile -r                                      start again from nothing
 *
 * /proc/profile: 32-bit words; the first is how many bytes of text a slot
 * covers, the others count ticks from _stext on. Columns: address, symbol,
 * ticks, ticks a byte.
 */
#include "user/lib.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct symbol {
	unsigned long address, length, ticks;
	char *name;
};

static struct symbol *symbols;
static size_t nsymbols;
static unsigned long text_start, text_end;

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static int by_ticks(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->ticks != y->ticks)
		return (x->ticks > y->ticks) - (x->ticks < y->ticks);
	return by_address(a, b);
}

static void add_symbol(unsigned long address, const char *name)
{
	if ((nsymbols & (nsymbols + 1)) == 0)
		symbols = xrealloc(symbols, (nsymbols * 2 + 2) * sizeof(*symbols));
	symbols[nsymbols++] = (struct symbol){address, 0, 0, xstrdup(name)};
}

/* Without an _etext the text ends where the histogram does: `covered` bytes on. */
static void read_symbols(const char *path, unsigned long covered)
{
	FILE *f = open_in(path);
	struct buf b = {0};
	unsigned long address;
	char type, name[200];

	if (!f)
		exit(1);
	while (read_line(f, &b)) {
		if (sscanf(b.s, "%lx %c %199s", &address, &type, name) != 3)
			continue;
		if (!strcmp(name, "_stext"))
			text_start = address;
		else if (!strcmp(name, "_etext"))
			text_end = address;
		else if (strchr("tTwW", type))
			add_symbol(address, name);
	}
	if (!text_start)
		usage("%s: no _stext in it", path);
	if (!text_end)
		text_end = text_start + covered;
	qsort(symbols, nsymbols, sizeof(*symbols), by_address);
	for (size_t i = 0; i < nsymbols; i++) {
		unsigned long next = i + 1 < nsymbols ? symbols[i + 1].address : text_end;

		symbols[i].length = next > symbols[i].address ? next - symbols[i].address : 0;
	}
}

static unsigned long book(const uint32_t *slot, size_t n)
{
	unsigned long total = 0;
	size_t s = 0;

	for (size_t i = 1; i < n; i++) {
		unsigned long address = text_start + (i - 1) * slot[0];

		total += slot[i];
		while (s + 1 < nsymbols && symbols[s + 1].address <= address)
			s++;
		if (nsymbols)
			symbols[s].ticks += slot[i];
	}
	return total;
}

static void print(unsigned long most)
{
	size_t first = 0;

	for (size_t i = 0; i < nsymbols; i++)
		if (!symbols[i].ticks)
			first++;
	if (most && nsymbols - first > most)
		first = nsymbols - most;
	else
		first = 0;
	for (size_t i = first; i < nsymbols; i++) {
		const struct symbol *s = &symbols[i];

		if (s->ticks)
			printf("%08lx %-40s %6lu %8.4f\n", s->address, s->name, s->ticks,
			       s->length ? (double)s->ticks / s->length : 0.0);
	}
}

static int reset(const char *path)
{
	int fd = open(path, O_WRONLY);

	/* One byte resets; four would set the rate. */
	if (fd < 0 || write(fd, "", 1) < 0)
		fail(path);
	return 0;
}

int main(int argc, char **argv)
{
	const char *path = "/proc/profile", *map = "/proc/kallsyms";
	bool by_place = false, again = false;
	unsigned long most = 0, total;
	struct buf b = {0};
	int c;

	start(argv);
	while ((c = option(argc, argv, "ran:p:m:", "[-a] [-n count] | -r")) >= 0)
		switch (c) {
		case 'r': again = true; break;
		case 'a': by_place = true; break;
		case 'n': most = number(optarg, "a count"); break;
		case 'p': path = optarg; break;
		case 'm': map = optarg; break;
		}
	if (again)
		return reset(path);
	if (!read_all(path, &b))
		fail(path);
	if (b.len < 8 || !*(uint32_t *)b.s)
		usage("%s: no profile (boot with profile=2)", path);
	read_symbols(map, (b.len / 4 - 1) * *(uint32_t *)b.s);
	total = book((uint32_t *)b.s, b.len / 4);
	if (!by_place)
		qsort(symbols, nsymbols, sizeof(*symbols), by_ticks);
	print(most);
	printf("%08lx %-40s %6lu %8.4f\n", 0ul, "total", total,
	       text_end > text_start ? (double)total / (text_end - text_start) : 0.0);
	return finish(0);
}
