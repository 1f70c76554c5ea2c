"""What is built: the same bits anywhere, and the verbs."""
import hashlib
import os
import re
import subprocess


def build_iso(source, folder):
    """The digest of the ISO built from a clone of source in folder, with the sysroot that is there."""
    subprocess.run(["git", "clone", "-q", source, folder], check=True)
    os.makedirs(os.path.join(folder, "build"))
    os.symlink(os.path.join(source, "build/sysroot"), os.path.join(folder, "build/sysroot"))
    done = subprocess.run(["make", "-s", "iso"], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    with open(os.path.join(folder, "build/tablefork.iso"), "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def test_same_sources_give_the_same_iso_anywhere(root, tmp_path):
    first = build_iso(root, str(tmp_path / "one"))
    assert first == build_iso(root, str(tmp_path / "another folder".replace(" ", "-") / "deeper"))


def test_help_lists_the_verbs(root):
    text = subprocess.check_output(["make", "-s", "help"], cwd=root, text=True)
    for verb in ("compare", "test", "run", "run-vga", "gdb", "bench", "iso", "check", "format", "doctor", "setup",
                 "compile_commands.json", "clean"):
        assert re.search(rf"\bmake {re.escape(verb)}\b", text), verb


def test_doctor_finds_every_tool(root):
    subprocess.run(["tools/doctor"], cwd=root, check=True, stdout=subprocess.PIPE)


def test_check_finds_nothing(root):
    done = subprocess.run(["tools/check"], cwd=root, text=True, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stdout
