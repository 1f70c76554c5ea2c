/* Page tables that may be shared after fork: whatever one side does, the other must not see. */
#include "tests/user/tap.h"

/* The child changes its side with `act`; then both sides are looked at. */
static char *area;
static size_t area_size;

static void area_setup(size_t tables)
{
	area_size = tables * TABLE;
	area = whole_tables(tables);
	fill_pages(area, area_size, 1);
}

/* act in the child, parent unchanged; then act in the parent while a second child lives. */
static void both_sides(void (*act)(void))
{
	struct turn go;
	pid_t pid;

	CHECK(in_child(act) == 0);
	CHECK(wrong_pages(area, area_size, 1) == 0);
	turn_init(&go);
	pid = fork();
	if (pid == 0) {
		turn_await(&go);
		_exit(wrong_pages(area, area_size, 1) != 0);
	}
	act();
	turn_give(&go);
	CHECK(wait_child(pid) == 0);
}

static void unmap_first(void)
{
	CHECK(munmap(area, PAGE) == 0);
	CHECK(read_fault(area) == SIGSEGV && !read_fault(area + PAGE));
}

static void unmap_middle(void)
{
	CHECK(munmap(area + TABLE / 2, 3 * PAGE) == 0);
	CHECK(read_fault(area + TABLE / 2 + PAGE) == SIGSEGV);
	CHECK(!read_fault(area + TABLE / 2 - PAGE) && !read_fault(area + TABLE / 2 + 3 * PAGE));
}

static void unmap_last(void)
{
	CHECK(munmap(area + area_size - PAGE, PAGE) == 0);
	CHECK(read_fault(area + area_size - 1) == SIGSEGV && !read_fault(area + area_size - 2 * PAGE));
}

static void unmap_whole_table(void)
{
	CHECK(munmap(area, TABLE) == 0);
	CHECK(read_fault(area) == SIGSEGV && !read_fault(area + TABLE));
}

static void unmap_across(void)
{
	CHECK(munmap(area + TABLE - 2 * PAGE, 4 * PAGE) == 0);
	CHECK(read_fault(area + TABLE) == SIGSEGV && !read_fault(area + TABLE + 2 * PAGE));
}

static void unmap_all(void)
{
	CHECK(munmap(area, area_size) == 0);
	CHECK(read_fault(area) == SIGSEGV);
}

static void map_over(size_t from, size_t bytes)
{
	char *p = mmap(area + from, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		       -1, 0);

	CHECK(p == area + from);
	CHECK(nonzero_pages(p, bytes) == 0);
	fill_pages(p, bytes, 9);
	CHECK(wrong_pages(p, bytes, 9) == 0);
}

static void map_over_part(void)
{
	map_over(5 * PAGE, 7 * PAGE);
}

static void map_over_edge(void)
{
	map_over(TABLE - 3 * PAGE, 6 * PAGE);
}

static void map_over_table(void)
{
	map_over(TABLE, TABLE);
}

static void protect_part(void)
{
	CHECK(mprotect(area + 4 * PAGE, 4 * PAGE, PROT_READ) == 0);
	CHECK(write_fault(area + 5 * PAGE) == SIGSEGV && !read_fault(area + 5 * PAGE));
	CHECK(!write_fault(area + 8 * PAGE) && !write_fault(area + 3 * PAGE));
	CHECK(mprotect(area + 4 * PAGE, 4 * PAGE, PROT_READ | PROT_WRITE) == 0);
	CHECK(!write_fault(area + 5 * PAGE));
}

static void protect_none(void)
{
	CHECK(mprotect(area, area_size, PROT_NONE) == 0);
	CHECK(read_fault(area + TABLE) == SIGSEGV);
	CHECK(mprotect(area, area_size, PROT_READ | PROT_WRITE) == 0);
	CHECK(wrong_pages(area, area_size, 1) == 0);
}

static void discard(void)
{
	CHECK(madvise(area + 2 * PAGE, 3 * PAGE, MADV_DONTNEED) == 0);
	CHECK(nonzero_pages(area + 2 * PAGE, 3 * PAGE) == 0);
	CHECK(*(uint32_t *)(area + PAGE) != 0);
}

static void discard_table(void)
{
	CHECK(madvise(area, TABLE, MADV_DONTNEED) == 0);
	CHECK(nonzero_pages(area, TABLE) == 0);
}

static void move_out(void)
{
	char *to = whole_tables(1);

	CHECK(mremap(area, TABLE, TABLE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to);
	CHECK(wrong_pages(to, TABLE, 1) == 0);
	CHECK(read_fault(area) == SIGSEGV);
}

static void move_part_within(void)
{
	char *to = area + TABLE + 8 * PAGE;

	CHECK(mremap(area + 8 * PAGE, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to);
	CHECK(wrong_pages(to, 4 * PAGE, 1 + 8 * 2654435761u) == 0);
	CHECK(read_fault(area + 8 * PAGE) == SIGSEGV && !read_fault(area + 12 * PAGE));
}

static void write_one(void)
{
	*(volatile uint32_t *)(area + 17 * PAGE) = 4;
	CHECK(wrong_pages(area, area_size, 1) == 1);
}

#define BOTH_SIDES(name, act, tables) \
	static void name(void)        \
	{                             \
		area_setup(tables);   \
		both_sides(act);      \
	}
BOTH_SIDES(t_unmap_first, unmap_first, 2)
BOTH_SIDES(t_unmap_middle, unmap_middle, 2)
BOTH_SIDES(t_unmap_last, unmap_last, 2)
BOTH_SIDES(t_unmap_whole, unmap_whole_table, 2)
BOTH_SIDES(t_unmap_across, unmap_across, 2)
BOTH_SIDES(t_unmap_all, unmap_all, 3)
BOTH_SIDES(t_over_part, map_over_part, 2)
BOTH_SIDES(t_over_edge, map_over_edge, 2)
BOTH_SIDES(t_over_table, map_over_table, 2)
BOTH_SIDES(t_protect_part, protect_part, 2)
BOTH_SIDES(t_protect_none, protect_none, 2)
BOTH_SIDES(t_discard, discard, 2)
BOTH_SIDES(t_discard_table, discard_table, 2)
BOTH_SIDES(t_move_out, move_out, 2)
BOTH_SIDES(t_move_part, move_part_within, 2)
BOTH_SIDES(t_write_one, write_one, 2)

/* U2: the page comes in after fork, by a read on either side. */
static void file_page_after_fork(void)
{
	char *p;
	int fd;
	pid_t pid;

	enter_scratch();
	fd = make_page_file("f", MIB, 3);
	p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	NEED(p != MAP_FAILED);
	pid = fork();
	if (pid == 0) {
		CHECK(wrong_pages(p, MIB, 3) == 0);
		fill_pages(p, MIB / 2, 4);
		_exit(wrong_pages(p, MIB / 2, 4) != 0 || tap_failures);
	}
	CHECK(wrong_pages(p, MIB, 3) == 0);
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, MIB, 3) == 0);
}

/* U3 */
static void untouched_page(void)
{
	char *p = whole_tables(1);
	struct turn go;
	pid_t pid;

	p[0] = 1;
	turn_init(&go);
	pid = fork();
	if (pid == 0) {
		turn_await(&go);
		_exit(nonzero_pages(p + PAGE, TABLE - PAGE) != 0);
	}
	fill_pages(p + PAGE, TABLE - PAGE, 6);
	turn_give(&go);
	CHECK(wait_child(pid) == 0);
}

/* U4: a new area in a hole of a table that both use. */
static void new_area_in_a_shared_table(void)
{
	char *p = whole_tables(1), *hole = p + 100 * PAGE;
	pid_t pid;

	fill_pages(p, TABLE, 1);
	munmap(hole, 10 * PAGE);
	pid = fork();
	if (pid == 0) {
		CHECK(mmap(hole, 10 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			   -1, 0) == hole);
		fill_pages(hole, 10 * PAGE, 2);
		_exit(wrong_pages(hole, 10 * PAGE, 2) != 0 || tap_failures);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(read_fault(hole) == SIGSEGV);
}

static void break_grows_in_the_child(void)
{
	char *end = grow_break(64 * PAGE), *top;
	pid_t pid;

	NEED(end);
	fill_pages(end, 64 * PAGE, 1);
	top = grow_break(0);
	pid = fork();
	if (pid == 0) {
		char *more = grow_break(16 * PAGE);

		fill_pages(more, 16 * PAGE, 2);
		_exit(wrong_pages(more, 16 * PAGE, 2) != 0);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(grow_break(0) == top);
	CHECK(read_fault(top + 2 * PAGE) == SIGSEGV);
}

/* U10: shared and private areas in one table. */
static void mixed_table(void)
{
	char *p = whole_tables(1), *s = p + TABLE / 2;
	pid_t pid;

	NEED(mmap(s, TABLE / 2, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == s);
	fill_pages(p, TABLE / 2, 1);
	fill_pages(s, TABLE / 2, 1);
	pid = fork();
	if (pid == 0) {
		fill_pages(p, TABLE / 2, 2);
		fill_pages(s, TABLE / 2, 2);
		_exit(0);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, TABLE / 2, 1) == 0);
	CHECK(wrong_pages(s, TABLE / 2, 2) == 0);
}

static void whole_table_of_shared_memory(void)
{
	char *p = mmap(whole_tables(1), TABLE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED,
		       -1, 0);
	pid_t pid;

	NEED(p != MAP_FAILED);
	fill_pages(p, TABLE / 2, 1);
	pid = fork();
	if (pid == 0) {
		fill_pages(p + TABLE / 2, TABLE / 2, 2);
		_exit(wrong_pages(p, TABLE / 2, 1) != 0);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p + TABLE / 2, TABLE / 2, 2) == 0);
}

static void scribbles(void)
{
	fill_pages(area, area_size, 99);
}

/* U13: whoever is left alone with the table writes it, and forks again. */
static void last_sharer_writes(void)
{
	struct turn go;
	int answer[2], ok = 0;

	area_setup(1);
	CHECK(in_child(write_one) == 0);
	fill_pages(area, area_size, 2);
	CHECK(wrong_pages(area, area_size, 2) == 0);
	turn_init(&go);
	NEED(pipe(answer) == 0);
	if (fork() == 0) {
		/* Its parent is gone when the grandchild writes. */
		if (fork() == 0) {
			turn_await(&go);
			ok = wrong_pages(area, area_size, 2) == 0;
			fill_pages(area, area_size, 3);
			in_child(scribbles);
			ok &= wrong_pages(area, area_size, 3) == 0;
			write(answer[1], &ok, sizeof(ok));
		}
		_exit(0);
	}
	wait(NULL);
	turn_give(&go);
	CHECK(read(answer[0], &ok, sizeof(ok)) == sizeof(ok) && ok);
	CHECK(wrong_pages(area, area_size, 2) == 0);
}

static void repeated_forks_with_writes_between(void)
{
	area_setup(2);
	for (uint32_t i = 0; i < 40; i++) {
		in_child(scribbles);
		fill_pages(area + i * 8 * PAGE, 8 * PAGE, 1 + i * 8 * 2654435761u);
		CHECK(wrong_pages(area, area_size, 1) == 0);
	}
}

/* U16 */
static void populated_then_forked(void)
{
	char *p;
	int fd;
	pid_t pid;

	enter_scratch();
	fd = make_page_file("f", MIB, 3);
	p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	NEED(p != MAP_FAILED);
	pid = fork();
	if (pid == 0) {
		fill_pages(p, MIB, 4);
		_exit(wrong_pages(p, MIB, 4) != 0);
	}
	CHECK(wait_child(pid) == 0);
	CHECK(wrong_pages(p, MIB, 3) == 0);
	fill_pages(p, MIB / 2, 5);
	munmap(p, MIB);
	p = mmap(NULL, MIB, PROT_READ, MAP_PRIVATE, fd, 0);
	CHECK(wrong_pages(p, MIB, 3) == 0);
}

/* U18: areas of every kind in one table, holes at both ends; both sides end. */
static void many_kinds_in_one_table(void)
{
	char *p = whole_tables(1), *file, *both;
	int fd;

	enter_scratch();
	fd = make_page_file("f", 16 * PAGE, 7);
	munmap(p, 20 * PAGE);
	munmap(p + TABLE - 20 * PAGE, 20 * PAGE);
	file = mmap(p + 100 * PAGE, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0);
	both = mmap(p + 200 * PAGE, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	NEED(file == p + 100 * PAGE && both == p + 200 * PAGE);
	fill_pages(p + 20 * PAGE, 80 * PAGE, 1);
	for (int i = 0; i < 10; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			munmap(p + 50 * PAGE, 10 * PAGE);
			fill_pages(file, 8 * PAGE, i);
			*(uint32_t *)(both + 4) = i;
			_exit(wrong_pages(p + 20 * PAGE, 30 * PAGE, 1) != 0);
		}
		CHECK(wait_child(pid) == 0);
		CHECK(*(uint32_t *)(both + 4) == (uint32_t)i);
		CHECK(wrong_pages(file, 16 * PAGE, 7) == 0);
	}
	CHECK(wrong_pages(p + 20 * PAGE, 80 * PAGE, 1) == 0);
}

/* U14: ten generations, each writes one page of one table and sees its own history. */
static void ten_generations(void)
{
	area_setup(1);
	for (int g = 0; g < 10; g++) {
		pid_t pid = fork();

		if (pid) {
			int st = wait_child(pid);

			CHECK(st == 0);
			CHECK(wrong_pages(area, area_size, 1) == (size_t)g);
			if (g)
				_exit(tap_failures != 0);
			return;
		}
		*(uint32_t *)(area + g * PAGE) ^= 1;
	}
	_exit(wrong_pages(area, area_size, 1) != 10);
}

/* U15 */
static void three_hundred_sharers(void)
{
	enum { N = 300 };
	pid_t pid[N];
	struct turn go;
	int good = 0;

	area_setup(1);
	turn_init(&go);
	for (int i = 0; i < N; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			turn_await(&go);
			_exit(wrong_pages(area, area_size, 1) != 0);
		}
		NEED(pid[i] > 0);
	}
	fill_pages(area, area_size, 2);
	for (int i = 0; i < N; i++)
		turn_give(&go);
	for (int i = 0; i < N; i++)
		good += wait_child(pid[i]) == 0;
	CHECK(good == N);
}

/* U19 */
static void truncated_file(void)
{
	char *p;
	int fd;
	struct turn go;
	pid_t pid;

	enter_scratch();
	fd = make_page_file("f", 8 * PAGE, 1);
	p = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	NEED(p != MAP_FAILED);
	CHECK(wrong_pages(p, 8 * PAGE, 1) == 0);
	turn_init(&go);
	pid = fork();
	if (pid == 0) {
		turn_await(&go);
		CHECK(read_fault(p + 4 * PAGE) == SIGBUS && !read_fault(p + 3 * PAGE));
		_exit(tap_failures);
	}
	CHECK(ftruncate(fd, 4 * PAGE) == 0);
	turn_give(&go);
	CHECK(read_fault(p + 5 * PAGE) == SIGBUS);
	CHECK(wait_child(pid) == 0);
}

/* U20: split and merge in the middle, then write everything. */
static void split_and_merge(void)
{
	area_setup(1);
	CHECK(mprotect(area + 50 * PAGE, 10 * PAGE, PROT_READ) == 0);
	CHECK(in_child(write_one) == 0);
	CHECK(mprotect(area + 50 * PAGE, 10 * PAGE, PROT_READ | PROT_WRITE) == 0);
	CHECK(in_child(write_one) == 0);
	CHECK(wrong_pages(area, area_size, 1) == 0);
	fill_pages(area, area_size, 2);
	CHECK(wrong_pages(area, area_size, 2) == 0);
}

static const struct test tests[] = {
	{t_write_one, "U1: one page written on one side leaves the other 511 and the other side"},
	{file_page_after_fork, "U2: a file page read in after fork by both is private when written"},
	{untouched_page, "U3: a page the parent first wrote after fork is zero in the child"},
	{new_area_in_a_shared_table, "U4: a new area in a hole of the table is the child's alone"},
	{break_grows_in_the_child, "U4: the break grows in the child alone"},
	{t_over_part, "U5: MAP_FIXED over a part changes only the caller"},
	{t_over_edge, "U5: MAP_FIXED across the edge of two tables changes only the caller"},
	{t_over_table, "U5: MAP_FIXED over a whole table changes only the caller"},
	{t_unmap_first, "U6: munmap of the first page leaves the sibling whole"},
	{t_unmap_middle, "U6: munmap in the middle leaves the sibling whole"},
	{t_unmap_last, "U6: munmap of the last page leaves the sibling whole"},
	{t_unmap_whole, "U6: munmap of a whole table leaves the sibling whole"},
	{t_unmap_across, "U6: munmap across two tables leaves the sibling whole"},
	{t_unmap_all, "U6: munmap of everything leaves the sibling whole"},
	{t_protect_part, "U7: rights to a part differ between the processes"},
	{t_protect_none, "U7: PROT_NONE and back keeps the data and the sibling's rights"},
	{t_move_out, "U8: mremap out of a shared table moves in the caller only"},
	{t_move_part, "U8: mremap from one shared table into another moves in the caller only"},
	{t_discard, "U9: MADV_DONTNEED of a part keeps the sibling's data"},
	{t_discard_table, "U9: MADV_DONTNEED of a whole table keeps the sibling's data"},
	{mixed_table, "U10: in one table shared pages are shared and private ones private"},
	{whole_table_of_shared_memory, "U10: a whole table of shared memory is written by both"},
	{last_sharer_writes, "U13: the last sharer of a table writes it and forks again"},
	{repeated_forks_with_writes_between, "U13: forty children come and go while the parent writes"},
	{ten_generations, "U14: ten generations each see their own history"},
	{three_hundred_sharers, "U15: three hundred sharers of one table keep their data"},
	{populated_then_forked, "U16: a populated private mapping copies on write after fork"},
	{many_kinds_in_one_table, "U18: areas of every kind in one table end once each"},
	{truncated_file, "U19: beyond a truncation every sharer gets SIGBUS"},
	{split_and_merge, "U20: split and merge in a shared table keep copy on write"},
};

TAP_MAIN(tests)
