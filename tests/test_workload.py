"""The patch scripts: on Linux and in the guest they make the tree that the generator expects, and cost what 2002's cost."""
import os
import subprocess

import pytest

import cpio

PUSH_AND_POP = "export WORK=/work; cp -r /work /tmp/w; WORK=/tmp/w; export WORK; patchwork push 80; cp -r /tmp/w/tree /out/pushed; " \
               "patchwork pop 80; cp -r /tmp/w/tree /out/popped"


def test_on_linux_the_tree_is_as_expected(root):
    done = subprocess.run(["tests/workload/check.py", "run", "build/root", "build/workload/work"], cwd=root,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("words", ["rmap=chain ptshare=fork highpte=1", "rmap=object ptshare=auto"])
def test_in_the_guest_the_tree_is_as_expected(words, guest, root, tmp_path):
    result = guest(PUSH_AND_POP, add=["build/workload"], append=f"verify=20000 {words}", mem="1200", timeout=400)
    cpio.write_tree(result.files, str(tmp_path))
    for state in ("pushed", "popped"):
        done = subprocess.run(["tests/workload/check.py", state, str(tmp_path / state)], cwd=root,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, f"{state}: {done.stdout}"


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


def test_compare_prints_profiles_and_ratios(root, tmp_path):
    env = dict(os.environ, CONFIGS="2.4 2.5-shpte ours", PATCHES="4", MEM="1200")
    text = subprocess.run(["tools/compare"], cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert text.returncode == 0, text.stderr
    for needed in ("2.5-shpte, push:", "page_remove_rmap", "ratio to 2.4: kernel", "tables unshared", "poppatch"):
        assert needed in text.stdout, needed
    assert os.path.exists(os.path.join(root, "build/compare/compare.json"))
    assert os.path.exists(os.path.join(root, "build/compare/compare.csv"))
