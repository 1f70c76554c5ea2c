/* SPDX-License-Identifier: MIT */
/* scene.h: what most tests of mm/ begin with: address spaces, areas, pages with known contents. */
#pragma once

#include "tap.h"
#include "machine.h"
#include "core/count.h"
#include "lib/errno.h"
#include "mm/filemap.h"
#include "mm/pgtable.h"
#include "mm/ptshare.h"
#include "mm/verify.h"

/* Where the areas lie: a table boundary, one table below a gigabyte's. */
#define BASE     (0x40000000u - PMD_SIZE)
#define TABLE(n) (BASE + (n)*PMD_SIZE)
#define PAGES(n) ((n)*PAGE_SIZE)
/* Enough for ptshare=auto to think a table worth sharing. */
#define MANY 128u

#define RW (VM_READ | VM_WRITE | VM_MAYWRITE)
#define RO (VM_READ | VM_MAYWRITE)

struct mm *new_mm(void);
/* A child by the policy that runs. */
struct mm *fork_mm(struct mm *parent);
struct mm *fork_choice(struct mm *parent, u32 choice);

/* `pages` private anonymous pages at addr; the mapping must succeed. */
void map_anon(struct mm *mm, u32 addr, u32 pages);
/* Pages of an object from pgoff on. */
void map_object(struct mm *mm, u32 addr, u32 pages, u32 flags, struct address_space *m, u32 pgoff);
/* The first word of each page is to be seed << 16 | number of the page, counted from BASE. */
void fill(struct mm *mm, u32 addr, u32 pages, u32 seed);
void expect(struct mm *mm, u32 addr, u32 pages, u32 seed);
/* The same with the first page's number given: moved memory, and files. */
void expect_from(struct mm *mm, u32 addr, u32 pages, u32 seed, u32 first);
/* The first word of one page; -errno if it cannot be read. */
u32 word_at(struct mm *mm, u32 addr);
/* Each page reads as v. */
void expect_all(struct mm *mm, u32 addr, u32 pages, u32 v);

/* A file of `pages` pages in memory, filled as fill does. free_file when nobody maps it. */
struct address_space *new_file(u32 pages, u32 seed);
void free_file(struct address_space *m);

/* A parent whose `pages` pages at addr are filled with seed 1. */
struct mm *new_filled(u32 addr, u32 pages);
/* Do two mms use the same table for addr? */
bool same_table(const struct mm *a, const struct mm *b, u32 addr);
/* The fork that has just been made shared the table of addr, if the policy shares at all. */
void check_shared(const struct mm *a, const struct mm *b, u32 addr);
bool policy_shares(void);
/* The frame behind addr. */
struct page *page_at(struct mm *mm, u32 addr);
/* Number of entries of all tables, each table once, that map page. */
s32 count_entries(const struct page *page);
