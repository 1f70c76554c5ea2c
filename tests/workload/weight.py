#!/usr/bin/python3
"""How many forks and execs a patch costs, counted by strace on this machine.

usage: weight.py ROOT WORKLOAD          needs strace, and root to change to ROOT

The literature's figures for the scripts of 2002: push 45 + N forks and 23 + N
execs a patch of N files, pop 36 + N and 22 + N. Ours must be within 3 of them.
"""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

WANTED = {"pushpatch": (45, 23), "poppatch": (36, 22)}
PATCHES = 80


def count(root, script):
    """Forks and execs of one run over all patches, less the script's own exec."""
    log = root.parent / "strace.log"
    subprocess.run(["strace", "-f", "-o", str(log), "-e", "trace=fork,vfork,clone,clone3,execve",
                    "/usr/sbin/chroot", str(root), "/bin/sh", "-c",
                    f"cd /work/tree && exec /bin/{script} {PATCHES}"],
                   env={"PATH": "/bin:/static/bin"}, stdout=subprocess.DEVNULL, check=True)
    forks = execs = 0
    for line in log.read_text().splitlines():
        if re.search(r"\b(fork|clone|vfork)(\(.*| resumed.*)= [1-9]", line):
            forks += 1
        if re.search(r"\bexecve(\(.*| resumed.*)= 0", line):
            execs += 1
    return forks, execs - 3


def main():
    if len(sys.argv) != 3 or os.geteuid():
        print(__doc__, file=sys.stderr)
        return 2
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "root"
        shutil.copytree(sys.argv[1], root, symlinks=True)
        shutil.copytree(sys.argv[2], root / "work")
        (root / "dev").mkdir(exist_ok=True)
        os.mknod(root / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        for script, wanted in WANTED.items():
            forks, execs = count(root, script)
            touched = sum(len(p.read_text().split()) for p in (root / "work/tree/pc").iterdir())
            mine = ((forks - touched) / PATCHES, (execs - touched) / PATCHES)
            ok = all(abs(a - b) <= 3 for a, b in zip(mine, wanted))
            bad += not ok
            print(f"{'ok' if ok else 'not ok'} - {script}: {mine[0]:.2f} + N forks and "
                  f"{mine[1]:.2f} + N execs a patch (wanted {wanted[0]} and {wanted[1]}; "
                  f"{forks} and {execs} in all, {touched} files)")
    return bad


if __name__ == "__main__":
    sys.exit(main())
