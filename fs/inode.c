// SPDX-License-Identifier: MIT
/* fs/inode.c: the life of an inode. */
#include "core/clock.h"
#include "fs/vfs.h"
#include "lib/string.h"
#include "mm/slab.h"

static struct kmem_cache inode_cache;

struct inode *inode_alloc(u32 mode)
{
	static u32 next_ino = 1;
	struct inode *i;

	if (!inode_cache.size)
		kmem_cache_init(&inode_cache, "inode", sizeof(struct inode), 4);
	i = kmem_cache_zalloc(&inode_cache);
	if (!i)
		return NULL;
	i->count = 1;
	i->ino = next_ino++;
	i->mode = mode;
	i->nlink = 1;
	i->atime = i->mtime = i->ctime = clock_wall_ns();
	return i;
}

void iput(struct inode *i)
{
	if (!i || --i->count)
		return;
	if (i->ops && i->ops->release)
		i->ops->release(i);
	else if (is_link(i) && !i->ops)
		kfree(i->link);
	if (i->mapping.ops)
		mapping_free_pages(&i->mapping);
	kmem_cache_free(&inode_cache, i);
}
