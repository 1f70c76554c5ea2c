/*
 * Random map, unmap, protect, move, discard, write and fork, against a model.
 *
 * The window is 128 units around the edges of page tables; the model knows of
 * each unit whether it is mapped, may be written, and what its first word is.
 * Every process of the family checks its own window. SOUP_SEED chooses one
 * seed, and a failure prints the seed and the step.
 */
#include "tests/user/tap.h"

enum { UNITS = 128, STEPS = 120, DEPTH = 3 };

struct unit {
	bool mapped, readable, writable;
	uint32_t word;
};

static struct unit model[UNITS];
static char *window;
static size_t unit_size;
static uint32_t state, seed_used;
static int step_number;

static uint32_t rnd(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % below;
}

static char *at(int unit)
{
	return window + unit * unit_size;
}

/* Faults cost most, so only every eighth unit is asked for one. */
static void verify(void)
{
	for (int i = 0; i < UNITS; i++) {
		const struct unit *u = &model[i];
		bool ok;

		if (u->mapped && u->readable)
			ok = *(volatile uint32_t *)at(i) == u->word;
		else
			ok = i % 8 || read_fault(at(i)) == SIGSEGV;
		if (ok && i % 8 == 0 && u->mapped && u->readable && !u->writable)
			ok = write_fault(at(i)) == SIGSEGV;
		if (!ok) {
			printf("# seed %u step %d unit %d: not as the model has it\n", seed_used, step_number,
			       i);
			fflush(stdout);
			_exit(1);
		}
	}
}

static int pick_range(int *n)
{
	int from = rnd(UNITS);

	*n = 1 + rnd(rnd(4) ? 8 : 64);
	if (*n > UNITS - from)
		*n = UNITS - from;
	return from;
}

static bool all_mapped(int from, int n)
{
	for (int i = from; i < from + n; i++)
		if (!model[i].mapped)
			return false;
	return true;
}

static void do_map(int from, int n)
{
	NEED(mmap(at(from), n * unit_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		  -1, 0) == at(from));
	for (int i = from; i < from + n; i++)
		model[i] = (struct unit){true, true, true, 0};
}

static void do_unmap(int from, int n)
{
	NEED(munmap(at(from), n * unit_size) == 0);
	for (int i = from; i < from + n; i++)
		model[i].mapped = false;
}

static void do_protect(int from, int n)
{
	static const int prots[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
	int which = rnd(3);

	if (!all_mapped(from, n))
		return;
	NEED(mprotect(at(from), n * unit_size, prots[which]) == 0);
	for (int i = from; i < from + n; i++) {
		model[i].readable = which < 2;
		model[i].writable = which == 0;
	}
}

static void do_discard(int from, int n)
{
	if (!all_mapped(from, n))
		return;
	NEED(madvise(at(from), n * unit_size, MADV_DONTNEED) == 0);
	for (int i = from; i < from + n; i++)
		model[i].word = 0;
}

/* One unit at a time, since a move must lie in one area. */
static void do_move(int from, int n)
{
	int to = rnd(UNITS);

	(void)n;
	if (!model[from].mapped || to == from)
		return;
	NEED(mremap(at(from), unit_size, unit_size, MREMAP_MAYMOVE | MREMAP_FIXED, at(to)) == at(to));
	model[to] = model[from];
	model[from].mapped = false;
}

static void do_write(int from, int n)
{
	for (int i = from; i < from + n; i++) {
		if (!model[i].mapped || !model[i].writable)
			continue;
		model[i].word = rnd(0xffffffff);
		*(volatile uint32_t *)at(i) = model[i].word;
	}
}

static void steps(int depth);

/* Both go on; the child is waited for now or after some steps of the parent's. */
static void do_fork(int depth)
{
	int parent_steps = rnd(20);
	pid_t pid;

	if (depth >= DEPTH)
		return;
	pid = fork();
	NEED(pid >= 0);
	if (pid == 0) {
		state = state * 2654435761u + 1;
		steps(depth + 1);
		_exit(tap_failures != 0);
	}
	for (int i = 0; i < parent_steps; i++) {
		int n, from = pick_range(&n);

		do_write(from, n);
	}
	CHECK(wait_child(pid) == 0);
}

static void steps(int depth)
{
	for (int i = 0; i < STEPS >> depth && !tap_failures; i++) {
		int n, from = pick_range(&n);

		step_number++;
		switch (rnd(12)) {
		case 0:
		case 1: do_map(from, n); break;
		case 2: do_unmap(from, n); break;
		case 3:
		case 4: do_protect(from, n); break;
		case 5: do_discard(from, n); break;
		case 6: do_move(from, n); break;
		case 7: do_fork(depth); break;
		case 8: verify(); break;
		default: do_write(from, n);
		}
	}
	verify();
}

static void soup(uint32_t seed, size_t pages)
{
	char *base = whole_tables(6);

	unit_size = pages * PAGE;
	/* A small window lies half in one table and half in the next. */
	window = base + 3 * TABLE - UNITS / 2 * unit_size;
	munmap(base, 6 * TABLE);
	memset(model, 0, sizeof(model));
	state = seed_used = seed;
	do_map(0, UNITS);
	steps(0);
}

static void seeds(size_t pages, uint32_t first, uint32_t n)
{
	const char *one = getenv("SOUP_SEED");

	if (one) {
		soup(atoi(one), pages);
		return;
	}
	for (uint32_t s = first; s < first + n && !tap_failures; s++) {
		pid_t pid = fork();

		if (pid == 0) {
			soup(s, pages);
			_exit(tap_failures != 0);
		}
		CHECK(wait_child(pid) == 0);
	}
}

static void small_units(void)
{
	seeds(1, 1, 4);
}

static void large_units(void)
{
	seeds(24, 101, 4);
}

static const struct test tests[] = {
	{small_units, "X3: random operations on pages around one edge follow the model"},
	{large_units, "X3: random operations on whole tables follow the model"},
};

TAP_MAIN(tests)
