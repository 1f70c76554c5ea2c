#!/usr/bin/python3
"""The patch scripts' tree and its series of patches, the same for the same seed.

usage: generate.py FOLDER [--files N] [--patches N] [--seed S]

Writes FOLDER/tree: some hundreds of C-like files, `series`, patches/NAME.patch
and txt/NAME.txt. A patch changes about three files, now and then makes one or
removes one, and stands on the patches before it.
"""

import argparse
import difflib
import pathlib
import random

FOLDERS = ["arch", "block", "core", "drivers/char", "drivers/net", "fs", "fs/proc", "include",
           "ipc", "kernel", "lib", "mm", "net"]
NOUNS = ["page", "inode", "buffer", "queue", "lock", "timer", "task", "slab", "zone", "vma",
         "entry", "table", "list", "node", "request", "device", "signal", "mount", "route", "frame"]
VERBS = ["get", "put", "find", "alloc", "free", "insert", "remove", "scan", "flush", "wait",
         "wake", "map", "unmap", "copy", "check", "init", "lock", "unlock", "read", "write"]


class Workload:
    """`first` and `last` map a path to its lines; `patches` are (name, text) in order."""

    def __init__(self, files=320, patches=80, seed=2002):
        self.rnd = random.Random(seed)
        self.first = {}
        while len(self.first) < files:
            self.first[self.new_path(self.first)] = self.new_file()
        self.last = dict(self.first)
        self.patches = [self.new_patch(i) for i in range(patches)]

    def word(self):
        return f"{self.rnd.choice(NOUNS)}_{self.rnd.choice(VERBS)}"

    def new_path(self, taken):
        while True:
            folder = self.rnd.choice(FOLDERS)
            path = f"{folder}/{self.word()}.{'h' if folder == 'include' else 'c'}"
            if path not in taken:
                return path

    def statement(self, depth=1):
        tab = "\t" * depth
        kind = self.rnd.randrange(6)
        name, value = self.word(), self.rnd.randrange(4096)
        if kind == 0 and depth < 3:
            return [f"{tab}if ({name}(p, {value})) {{\n", *self.statement(depth + 1), f"{tab}}}\n"]
        if kind == 1:
            return [f"{tab}/* {name.replace('_', ' ')} needs {value} of them here */\n"]
        if kind == 2:
            return [f"{tab}p->{name} = {value};\n"]
        if kind == 3:
            return ["\n"]
        return [f"{tab}n += {name}(p, n, {value:#x});\n"]

    def function(self):
        lines = [f"static int {self.word()}_{self.rnd.randrange(1000)}(struct "
                 f"{self.rnd.choice(NOUNS)} *p, int n)\n", "{\n"]
        for _ in range(self.rnd.randrange(4, 16)):
            lines += self.statement()
        return lines + ["\treturn n;\n", "}\n", "\n"]

    def new_file(self):
        lines = [f"/* {self.word()}: {self.rnd.randrange(10**6)} */\n",
                 f"#include <{self.rnd.choice(NOUNS)}.h>\n", "\n"]
        for _ in range(self.rnd.randrange(3, 12)):
            lines += self.function()
        return lines

    def changed(self, lines):
        """One to four places of the file look otherwise."""
        lines = list(lines)
        for _ in range(self.rnd.randrange(1, 5)):
            at = self.rnd.randrange(len(lines))
            kind = self.rnd.randrange(3)
            if kind == 0:
                lines[at:at] = self.statement()
            elif kind == 1 and len(lines) > 20:
                del lines[at:at + self.rnd.randrange(1, 4)]
            else:
                lines[at:at + 1] = self.statement()
        return lines

    def pick(self, count):
        """Files of one folder more often than not, as real patches have it."""
        paths = sorted(self.last)
        folder = self.rnd.choice(paths).rsplit("/", 1)[0]
        near = [p for p in paths if p.startswith(folder)]
        return sorted(self.rnd.sample(near if len(near) >= count and self.rnd.random() < 0.6
                                      else paths, count))

    def new_patch(self, number):
        name = f"{number + 1:02d}-{self.word().replace('_', '-')}"
        text = [f"# {name}\n"]
        after = dict(self.last)
        for path in self.pick(self.rnd.choice([2, 3, 3, 3, 4])):
            after[path] = self.changed(self.last[path])
            if after[path] == self.last[path]:
                after[path] = self.last[path] + self.function()
        if number % 11 == 5:
            after[self.new_path(after)] = self.new_file()
        if number % 17 == 9:
            del after[self.rnd.choice(sorted(p for p in after if after[p] == self.last.get(p)))]
        for path in sorted(set(after) | set(self.last)):
            text += self.diff(path, self.last.get(path), after.get(path))
        self.last = after
        return name, "".join(text)

    @staticmethod
    def diff(path, old, new):
        return difflib.unified_diff(old or [], new or [],
                                    f"a/{path}" if old is not None else "/dev/null",
                                    f"b/{path}" if new is not None else "/dev/null")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=320)
    parser.add_argument("--patches", type=int, default=80)
    parser.add_argument("--seed", type=int, default=2002)
    args = parser.parse_args()
    work = Workload(args.files, args.patches, args.seed)
    tree = args.folder / "tree"
    for path, lines in work.first.items():
        write(tree / path, "".join(lines))
    for name, text in work.patches:
        write(tree / "patches" / f"{name}.patch", text)
        write(tree / "txt" / f"{name}.txt", f"{name}\nchanges {text.count('+++ ')} files\n")
    write(tree / "series", "".join(f"{name}.patch\n" for name, _ in work.patches))


if __name__ == "__main__":
    main()
