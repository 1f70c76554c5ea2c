// SPDX-License-Identifier: MIT
/* arch/x86/bootinfo.c: Multiboot 1 (flags word) and Multiboot 2 (tags) into struct boot_info. */
#include "arch/x86/bootinfo.h"
#include "arch/x86/memlayout.h"
#include "lib/errno.h"
#include "lib/string.h"

struct boot_info boot_info;

/* Multiboot 1, section 3.3 */
struct mb1_info {
	u32 flags, mem_lower, mem_upper, boot_device, cmdline;
	u32 mods_count, mods_addr, syms[4];
	u32 mmap_length, mmap_addr, drives_length, drives_addr, config, loader_name;
};
struct mb1_module {
	u32 start, end, string, reserved;
};
struct mb1_range {
	u32 size;
	u64 base, length;
	u32 type;
} __packed;

/* Multiboot 2, section 3.6 */
struct mb2_tag {
	u32 type, size;
};
struct mb2_module {
	struct mb2_tag tag;
	u32 start, end;
};
struct mb2_mmap {
	struct mb2_tag tag;
	u32 entry_size, entry_version;
};
struct mb2_range {
	u64 base, length;
	u32 type, reserved;
};
enum { MB2_END = 0, MB2_CMDLINE = 1, MB2_LOADER = 2, MB2_MODULE = 3, MB2_MMAP = 6 };

static void add_range(u64 base, u64 length, u32 type)
{
	struct mem_range *r = &boot_info.range[boot_info.nr_ranges];

	if (boot_info.nr_ranges == MAX_RANGES || !length)
		return;
	r->start = base;
	/* A length that wraps the 64-bit space ends at its top. */
	r->end = base + length < base ? ~0ull : base + length;
	r->type = type;
	boot_info.nr_ranges++;
}

static void add_module(u32 start, u32 end)
{
	if (boot_info.nr_modules < MAX_MODULES && end > start)
		boot_info.module[boot_info.nr_modules++] = (struct boot_module){start, end};
}

static void read_mb1(u32 info)
{
	const struct mb1_info *mb = phys_to_virt(info);

	if (mb->flags & 1 << 2)
		strlcpy(boot_info.cmdline, phys_to_virt(mb->cmdline), sizeof(boot_info.cmdline));
	if (mb->flags & 1 << 9)
		strlcpy(boot_info.loader, phys_to_virt(mb->loader_name), sizeof(boot_info.loader));
	if (mb->flags & 1 << 3) {
		const struct mb1_module *m = phys_to_virt(mb->mods_addr);

		for (u32 i = 0; i < mb->mods_count; i++)
			add_module(m[i].start, m[i].end);
	}
	if (mb->flags & 1 << 6) {
		for (u32 off = 0; off < mb->mmap_length;) {
			const struct mb1_range *r = phys_to_virt(mb->mmap_addr + off);

			add_range(r->base, r->length, r->type);
			off += r->size + 4;
		}
	} else if (mb->flags & 1) {
		add_range(0, mb->mem_lower * 1024ull, 1);
		add_range(0x100000, mb->mem_upper * 1024ull, 1);
	}
}

static void read_mb2_mmap(const struct mb2_mmap *map)
{
	const char *p = (const char *)(map + 1), *end = (const char *)map + map->tag.size;

	for (; p + sizeof(struct mb2_range) <= end; p += map->entry_size) {
		const struct mb2_range *r = (const void *)p;

		add_range(r->base, r->length, r->type);
	}
}

static void read_mb2_tag(const struct mb2_tag *tag)
{
	const char *text = (const char *)(tag + 1);
	const struct mb2_module *m = (const void *)tag;

	switch (tag->type) {
	case MB2_CMDLINE: strlcpy(boot_info.cmdline, text, sizeof(boot_info.cmdline)); break;
	case MB2_LOADER: strlcpy(boot_info.loader, text, sizeof(boot_info.loader)); break;
	case MB2_MODULE: add_module(m->start, m->end); break;
	case MB2_MMAP: read_mb2_mmap((const void *)tag); break;
	}
}

static void read_mb2(u32 info)
{
	const char *p = phys_to_virt(info), *end = p + *(const u32 *)p;

	for (p += 8; p + sizeof(struct mb2_tag) <= end;) {
		const struct mb2_tag *tag = (const void *)p;

		if (tag->type == MB2_END || tag->size < sizeof(*tag))
			return;
		read_mb2_tag(tag);
		p += round_up(tag->size, 8);
	}
}

int bootinfo_read(u32 magic, u32 info)
{
	if (magic == MULTIBOOT1_MAGIC)
		read_mb1(info);
	else if (magic == MULTIBOOT2_MAGIC)
		read_mb2(info);
	else
		return -EINVAL;
	return 0;
}
