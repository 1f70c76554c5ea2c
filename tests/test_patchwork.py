"""The patch scripts: what they make of the tree, in the guest and on this Linux, and what they cost."""
import csv
import glob
import json
import os
import subprocess
import sys

import pytest

import cpio
import vmlib

WORKLOAD = os.path.join(vmlib.BUILD, "workload")
PATCHES = 80
# Forks and execs for a patch of N files: these plus N, as the scripts of 2002 had them.
WEIGHT = {"push": (45, 23), "pop": (36, 22)}

BOTH = f"""
set -e
for phase in push pop; do
	cat /proc/vmstat >/out/before-$phase
	patchwork $phase {PATCHES}
	cat /proc/vmstat >/out/after-$phase
	cp -r /work/tree /out/$phase
done
"""


def check_tree(root, state, tree):
    """tests/workload/check.py's verdict on a tree that came back; state is "pushed" or "popped"."""
    done = subprocess.run([sys.executable, f"{root}/tests/workload/check.py", state, str(tree)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout


def files_a_patch():
    """How many files a patch of the series changes, on average."""
    patches = glob.glob(os.path.join(WORKLOAD, "work/tree/patches/*.patch"))
    assert len(patches) == PATCHES
    return sum(line.startswith("+++ ") for p in patches for line in open(p)) / PATCHES


def check_weight(result):
    """Forks and execs of both phases are those of 2002, give or take three a patch."""
    def counted(name):
        return {k: int(v) for k, v in (line.split() for line in result.file(name).decode().splitlines())}

    for phase, (forks, execs) in WEIGHT.items():
        before, after = counted(f"before-{phase}"), counted(f"after-{phase}")
        a_patch = {k: (after[k] - before[k]) / PATCHES - files_a_patch() for k in ("forks", "execs")}
        assert abs(a_patch["forks"] - forks) <= 3, (phase, a_patch)
        assert abs(a_patch["execs"] - execs) <= 3, (phase, a_patch)


@pytest.mark.parametrize("words", ["rmap=object ptshare=auto verify=20000", "rmap=chain ptshare=fork highpte=1 verify=20000", "rmap=none ptfree=scan"])
def test_patchwork_in_guest(words, guest, root, tmp_path):
    result = guest(BOTH, append=words, add=[WORKLOAD], mem="1200")
    cpio.write_tree(result.files, tmp_path)
    check_tree(root, "pushed", tmp_path / "push")
    check_tree(root, "popped", tmp_path / "pop")
    check_weight(result)


def test_patchwork_on_linux(root):
    command = ["tests/workload/check.py", "run", "build/root", "build/workload/work"]
    done = subprocess.run(command, cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{done.stdout}\nrepeat with: {' '.join(command)}"


def test_fork_weight_is_that_of_2002(root):
    done = subprocess.run(["tests/workload/weight.py", "build/root", "build/workload/work"], cwd=root,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_readprofile_reads_the_profile(guest, root, tmp_path):
    """util-linux's readprofile and our own `profile` print the same ticks for the same functions."""
    script = "patchwork push 3; cat /proc/profile >/out/raw; profile >/out/table"
    result = guest(script, add=["build/workload"], append="profile=2 prof_hz=20011")
    raw = tmp_path / "raw"
    raw.write_bytes(result.file("raw"))
    text = subprocess.check_output(["readprofile", "-m", os.path.join(root, "build/System.map"), "-p", str(raw)], text=True)
    theirs = {f[1]: int(f[0]) for f in (line.split() for line in text.splitlines()) if int(f[0])}
    assert theirs["total"] > 100 and theirs.get("do_wp_page", 0) > 0
    ours = {}
    for line in result.file("table").decode().splitlines():
        fields = line.split()
        if len(fields) == 4:
            ours[fields[1]] = int(fields[2])
    # /proc/profile goes on counting between the two readings: the functions are the same, the ticks nearly.
    for name, ticks in theirs.items():
        if ticks >= 20 and name != "total":
            assert abs(ours.get(name, 0) - ticks) <= 0.2 * ticks + 10, name


def compare(root, folder, **environment):
    """tools/compare in a short form, what it leaves in folder; the finished process."""
    env = dict(os.environ, COMPARE_OUT=str(folder), **environment)
    return subprocess.run(["tools/compare"], cwd=root, text=True, env=env, capture_output=True)


def test_compare_prints_profiles_and_ratios(root, tmp_path):
    done = compare(root, tmp_path, CONFIGS="2.4 2.5-shpte", PATCHES="3", MEM="64")
    assert done.returncode == 0, done.stderr
    for text in ("00000000 total", "s user ", "tables unshared", "the thread's, elapsed time", "do not show"):
        assert text in done.stdout
    figures = json.load(open(tmp_path / "compare.json"))["figures"]
    assert figures["2.5-shpte"]["push"]["pt_shared"] > figures["2.4"]["push"]["pt_shared"] == 0
    rows = list(csv.DictReader(open(tmp_path / "compare.csv")))
    assert {(r["kernel"], r["phase"]) for r in rows} == {(k, p) for k in ("2.4", "2.5-shpte") for p in ("push", "pop")}


@pytest.mark.parametrize("wrong", [{"CONFIGS": "2.6"}, {"PATCHES": "many"}, {"PATCHES": "81"}, {"MEM": "much"}, {"ACCEL": "fast"}])
def test_compare_refuses_with_a_sentence(wrong, root, tmp_path):
    done = compare(root, tmp_path, **wrong)
    assert done.returncode == 2
    assert done.stderr.startswith("compare: ") and done.stderr.count("\n") == 1
