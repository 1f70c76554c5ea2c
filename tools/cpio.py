"""cpio archives of the "newc" kind: the guest's root, and what comes back from it.

A member is (name, mode, data): a path without a leading slash, st_mode, bytes (a
link's target for a symbolic link).
"""
import os
import stat

MAGIC = b"070701"
HEADER = 110


def _member(number, name, mode, data):
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = MAGIC + b"".join(b"%08X" % f for f in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def pack(members):
    """The archive of a list of members, as bytes; owner root, times 0."""
    body = [_member(i + 1, *m) for i, m in enumerate(members)]
    return b"".join(body) + _member(0, "TRAILER!!!", 0, b"")


def tree_members(root):
    """The members of a folder, sorted, each directory before what lies in it."""
    members = []
    for folder, dirs, files in os.walk(root):
        dirs.sort()
        here = os.path.relpath(folder, root)
        if here != ".":
            members.append((here, stat.S_IFDIR | 0o755, b""))
        links = [d for d in dirs if os.path.islink(os.path.join(folder, d))]
        for name in sorted(files + links):
            path = os.path.join(folder, name)
            members.append(_from_file(path, os.path.normpath(os.path.join(here, name))))
    return members


def _from_file(path, name):
    if os.path.islink(path):
        return name, stat.S_IFLNK | 0o777, os.readlink(path).encode()
    with open(path, "rb") as f:
        mode = 0o755 if os.stat(path).st_mode & 0o100 else 0o644
        return name, stat.S_IFREG | mode, f.read()


def pack_tree(root):
    """The archive of a folder, as bytes."""
    return pack(tree_members(root))


def unpack(data):
    """(members, rest): what an archive holds, and the bytes behind its end. ValueError if it is cut short."""
    members, at = [], 0
    while True:
        head = data[at:at + HEADER]
        if len(head) < HEADER or head[:6] != MAGIC:
            raise ValueError(f"no cpio member at byte {at}")
        fields = [int(head[6 + 8 * i:14 + 8 * i], 16) for i in range(13)]
        mode, size, name_size = fields[1], fields[6], fields[11]
        start = at + (HEADER + name_size + 3) // 4 * 4
        name = data[at + HEADER:at + HEADER + name_size - 1].decode()
        at = start + (size + 3) // 4 * 4
        if name == "TRAILER!!!":
            return members, data[at:]
        if start + size > len(data):
            raise ValueError(f"{name} is cut short")
        members.append((name, mode, data[start:start + size]))


def write_tree(members, folder):
    """Writes members below a folder. Names that lead out of it are refused."""
    for name, mode, data in members:
        path = os.path.join(folder, name)
        if os.path.isabs(name) or ".." in name.split("/"):
            raise ValueError(f"{name} leads out of {folder}")
        if stat.S_ISDIR(mode):
            os.makedirs(path, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if stat.S_ISLNK(mode):
            os.symlink(data.decode(), path)
        else:
            with open(path, "wb") as f:
                f.write(data)
