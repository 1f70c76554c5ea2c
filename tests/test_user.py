"""User programs, the shell and the patch scripts: in the guest, and the same on this Linux."""
import glob
import itertools
import os
import re
import subprocess
import sys

import pytest

import cpio
import vmlib

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = sorted(os.path.basename(p)[:-2] for p in glob.glob(os.path.join(HERE, "user/*.c")))
SHELL_CASES = sorted(os.path.basename(p) for p in glob.glob(os.path.join(HERE, "user/sh/*.sh")))
MATRIX = [f"rmap={r} ptshare={s} ptshare_min=0 forkfirst={f}" for r, s, f in itertools.product(
    ("none", "chain", "object"), ("off", "fork", "auto"), ("parent", "child"))]
WORKLOAD = os.path.join(vmlib.BUILD, "workload")
PATCHES = 80
# Forks and execs of the scripts of 2002 for a patch of N files are these plus N.
WEIGHT = {"push": (45, 23), "pop": (36, 22)}


@pytest.mark.parametrize("words", MATRIX)
def test_user_programs_under_matrix(words, check_tap):
    """Every user test under each policy, all laws recomputed at each thousandth system call."""
    words += " verify=1000"
    result = vmlib.run(["runtests"], append=words, timeout=300)
    check_tap(result.console, f"tools/vm --append '{words}' -- runtests", result.status and (result.report or "runtests failed"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_user_program_on_linux(program, check_tap, tmp_path):
    path = os.path.join(vmlib.BUILD, "root/tests", program)
    done = subprocess.run([path], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    check_tap(done.stdout, os.path.relpath(path, vmlib.ROOT), done.returncode and f"exit status {done.returncode}")


def points(text):
    """The result lines of a TAP text, without what depends on where it ran."""
    return [line.split(" # ")[0] for line in text.splitlines() if re.match(r"(not )?ok |1\.\.", line)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_user_program_says_the_same_on_both(program, tmp_path):
    path = os.path.join(vmlib.BUILD, "root/tests", program)
    linux = subprocess.run([path], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    if "1..0 # SKIP" in linux.stdout:
        pytest.skip("not for Linux")
    here = vmlib.run([f"/tests/{program}"], timeout=300)
    assert points(here.output()) == points(linux.stdout), f"repeat with: tools/vm -- /tests/{program}; {path}"


@pytest.mark.parametrize("case", SHELL_CASES)
def test_shell_case_as_busybox(case, root):
    done = subprocess.run(["tests/user/sh/run", case], cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{done.stdout}\nrepeat with: tests/user/sh/run {case}"


def shell_on_linux(case):
    """What a shell case prints on this host, with our shell and utilities."""
    bin_folder = os.path.join(vmlib.BUILD, "root/static/bin")
    return subprocess.run([f"{bin_folder}/sh", os.path.join(HERE, "user/sh", case)], text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          env={"PATH": bin_folder})


def check_tree(state, tree):
    """tests/workload/check.py's verdict on a tree that came back."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "workload/check.py"), state, str(tree)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout


PATCHWORK = f"""
set -e
for phase in push pop; do
	cat /proc/vmstat >/out/before-$phase
	patchwork $phase {PATCHES}
	cat /proc/vmstat >/out/after-$phase
	cp -r /work/tree /out/$phase
done
"""


def events(result, name):
    return {k: int(v) for k, v in (line.split() for line in result.file(name).decode().splitlines())}


@pytest.mark.parametrize("words", ["rmap=object ptshare=auto", "rmap=chain ptshare=fork highpte=1", "rmap=none ptfree=scan"])
def test_patch_scripts_give_the_expected_trees(words, guest, tmp_path):
    result = guest(PATCHWORK, append=words, add=[WORKLOAD], mem="1200")
    cpio.write_tree(result.files, tmp_path)
    check_tree("pushed", tmp_path / "push")
    check_tree("popped", tmp_path / "pop")


def test_patch_scripts_give_the_expected_trees_on_linux(root):
    command = ["tests/workload/check.py", "run", "build/root", "build/workload/work"]
    done = subprocess.run(command, cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{done.stdout}\nrepeat with: {' '.join(command)}"


def test_patch_scripts_fork_as_those_of_2002(guest):
    result = guest(PATCHWORK, add=[WORKLOAD])
    files = 3
    for phase, (forks, execs) in WEIGHT.items():
        before, after = events(result, f"before-{phase}"), events(result, f"after-{phase}")
        a_patch = {k: (after[k] - before[k]) / PATCHES for k in ("forks", "vforks", "execs")}
        assert abs(a_patch["forks"] + a_patch["vforks"] - forks - files) <= 3, (phase, a_patch)
        assert abs(a_patch["execs"] - execs - files) <= 3, (phase, a_patch)
