/* SPDX-License-Identifier: MIT */
/* kernel/elf.h: ELF programs for i386 (System V ABI, Intel386 supplement). */
#pragma once

#include "fs/vfs.h"
#include "mm/mm.h"

/* Where a program has been put. */
struct elf_image {
	u32 entry, phdr, phnum; /* of the program itself */
	u32 interp_base;        /* of its interpreter; 0: none */
	u32 start;              /* where to begin: the interpreter's entry, or the program's */
};

/*
 * Maps the program f, and the interpreter it names, into the new mm; sets mm's
 * bounds of code, data and break. 0, -ENOEXEC, -ENOMEM, or what opening the
 * interpreter gave. May sleep.
 */
int elf_load(struct mm *mm, struct file *f, struct elf_image *image);
