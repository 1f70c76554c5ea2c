// SPDX-License-Identifier: MIT
/* kernel/sys_mm.c: calls on the address space: what mm/ does, with Linux's arguments. */
#include "core/task.h"
#include "fs/file.h"
#include "kernel/syscalls.h"
#include "mm/mm.h"
#include "mm/uaccess.h"

#define PROT_READ  1u
#define PROT_WRITE 2u
#define PROT_EXEC  4u

#define LOCKED(call)                              \
	({                                        \
		long _r;                          \
		mutex_lock(&current->mm->lock);   \
		_r = (call);                      \
		mutex_unlock(&current->mm->lock); \
		_r;                               \
	})

/* PROT_* and VM_* rights have the same bits. */
static u32 rights(u32 prot)
{
	return prot & VM_ACCESS;
}

/* What a file allows a mapping of it: 0 or -EACCES. */
static int check_file(const struct file *f, u32 prot, u32 flags)
{
	if (!file_reads(f))
		return -EACCES;
	return (flags & MAP_TYPE) == MAP_SHARED && (prot & PROT_WRITE) && !file_writes(f) ? -EACCES : 0;
}

static long map_file(u32 addr, u32 len, u32 vm, u32 prot, u32 flags, u32 fd, u32 pgoff)
{
	struct file *f = fd_file(fd);
	struct address_space *mapping;
	int err;

	if (!f)
		return -EBADF;
	err = check_file(f, prot, flags);
	if (err)
		return err;
	if (!f->ops->mmap)
		return -ENODEV;
	mapping = f->ops->mmap(f, &err);
	if (err)
		return err;
	if ((flags & MAP_TYPE) == MAP_SHARED && !file_writes(f))
		vm &= ~VM_MAYWRITE;
	return LOCKED(do_mmap(current->mm, addr, len, vm, flags, mapping, mapping ? f : NULL, pgoff));
}

/* Shared memory without a file is an object of its own, which its areas hold. */
static long map_shared_anonymous(u32 addr, u32 len, u32 vm, u32 flags)
{
	struct address_space *m = shmem_create(round_up(len, PAGE_SIZE));
	long at;

	if (!m)
		return -ENOMEM;
	at = LOCKED(do_mmap(current->mm, addr, len, vm, flags, m, NULL, 0));
	shmem_put(m);
	return at;
}

long sys_mmap2(u32 addr, u32 len, u32 prot, u32 flags, u32 fd, u32 pgoff)
{
	u32 vm = rights(prot) | VM_MAYWRITE, type = flags & MAP_TYPE;

	if (type != MAP_SHARED && type != MAP_PRIVATE && type != 3)
		return -EINVAL;
	if (!len)
		return -EINVAL;
	if (type != MAP_PRIVATE) {
		vm |= VM_SHARED;
		flags = (flags & ~MAP_TYPE) | MAP_SHARED;
	}
	if (!(flags & MAP_ANONYMOUS))
		return map_file(addr, len, vm, prot, flags, fd, pgoff);
	if (vm & VM_SHARED)
		return map_shared_anonymous(addr, len, vm, flags);
	if (flags & MAP_GROWSDOWN)
		vm |= VM_GROWSDOWN;
	return LOCKED(do_mmap(current->mm, addr, len, vm, flags, NULL, NULL, 0));
}

long sys_old_mmap(u32 args)
{
	u32 a[6];

	if (copy_from_user(a, args, sizeof(a)) < 0)
		return -EFAULT;
	if (a[5] & ~PAGE_MASK)
		return -EINVAL;
	return sys_mmap2(a[0], a[1], a[2], a[3], a[4], a[5] >> PAGE_SHIFT);
}

long sys_munmap(u32 addr, u32 len)
{
	return LOCKED(do_munmap(current->mm, addr, len));
}

long sys_mprotect(u32 addr, u32 len, u32 prot)
{
	if (prot & ~VM_ACCESS)
		return -EINVAL;
	return LOCKED(do_mprotect(current->mm, addr, len, rights(prot)));
}

long sys_brk(u32 brk)
{
	return LOCKED(do_brk(current->mm, brk));
}

long sys_mremap(u32 addr, u32 old_len, u32 new_len, u32 flags, u32 new_addr)
{
	return LOCKED(do_mremap(current->mm, addr, old_len, new_len, flags, new_addr));
}

#define MADV_DONTNEED 4u

long sys_madvise(u32 addr, u32 len, u32 advice)
{
	if (advice == MADV_DONTNEED)
		return LOCKED(do_madvise_dontneed(current->mm, addr, len));
	return addr & ~PAGE_MASK ? -EINVAL : 0;
}

long sys_msync(u32 addr)
{
	return addr & ~PAGE_MASK ? -EINVAL : 0;
}

/* Nothing is ever taken out to a swap device: what is there stays. */
long sys_mlock(u32 addr, u32 len)
{
	return LOCKED(populate_range(current->mm, addr & PAGE_MASK,
				     round_up(len + (addr & ~PAGE_MASK), PAGE_SIZE)));
}
