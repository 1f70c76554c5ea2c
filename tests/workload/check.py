#!/usr/bin/python3
"""Is a tree what the series of patches makes of it?

usage: check.py pushed|popped TREE      compare a tree, such as one brought back from a guest
       check.py run ROOT WORKLOAD       push all, make the last patch anew and pop all with the
                                        programs below ROOT, on this machine, and compare after
                                        each; as root in a changed root, else by PATH

What lies beside the files that the generator knows (copies, records, rejects) must be the
scripts' own; after popping all, no copy is left.
"""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402  (it lies beside this file)

RECORDS = {"series", "applied-patches", "journal"}
RECORD_FOLDERS = {"patches", "pc", "txt"}


def differences(tree, expected, copies_allowed):
    found = {}
    for path in tree.rglob("*"):
        name = str(path.relative_to(tree))
        if path.is_file() and name not in RECORDS and name.split("/")[0] not in RECORD_FOLDERS:
            found[name] = path.read_text()
    for name, lines in sorted(expected.items()):
        if found.get(name) != "".join(lines):
            yield f"{name}: {'differs' if name in found else 'is missing'}"
    for name in sorted(set(found) - set(expected)):
        if not (copies_allowed and "~" in name):
            yield f"{name}: should not be there"


def check(tree, state, work):
    expected = work.last if state == "pushed" else work.first
    wrong = list(differences(tree, expected, state == "pushed"))
    for line in wrong[:10]:
        print(f"# {line}")
    print(f"{'not ok' if wrong else 'ok'} - the {state} tree is the expected one, byte for byte "
          f"({len(expected)} files, {len(wrong)} wrong)")
    return not wrong


def run_line(root, work, line):
    """A line of shell in the tree; in the guest's root if we may change to it."""
    env = {"PATH": f"{root}/static/bin:{root}/bin", "WORK": str(work), "TMPDIR": "/tmp"}
    command = ["sh", "-c", line]
    if os.geteuid() == 0:
        env = {"PATH": "/bin:/static/bin", "WORK": "/work", "TMPDIR": "/tmp"}
        command = ["/usr/sbin/chroot", str(root), "/bin/sh", "-c", line]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    print(f"# {line}: {done.stdout.strip().splitlines()[-1:]}")
    return done.returncode == 0


def run(root, workload):
    made = generate.Workload()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        work = scratch / "work"
        if os.geteuid() == 0:
            shutil.copytree(root, scratch, symlinks=True, dirs_exist_ok=True)
            (scratch / "dev").mkdir(exist_ok=True)
            os.mknod(scratch / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            root = scratch
        shutil.copytree(workload, work)
        good = True
        for line, state in (("patchwork push", "pushed"), ("cd $WORK/tree && refpatch", "pushed"),
                            ("patchwork pop", "popped")):
            good &= run_line(root, work, line)
            good &= check(work / "tree", state, made)
        return good


def main():
    if len(sys.argv) == 3 and sys.argv[1] in ("pushed", "popped"):
        return not check(pathlib.Path(sys.argv[2]), sys.argv[1], generate.Workload())
    if len(sys.argv) == 4 and sys.argv[1] == "run":
        return not run(pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve())
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
