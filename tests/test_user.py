"""User programs that print TAP: on this Linux host, and in the guest under every policy, with the laws checked."""
import glob
import os
import re
import subprocess

import pytest

import vmlib

ROOT = vmlib.ROOT
PROGRAMS = sorted(os.path.basename(p)[:-2] for p in glob.glob(os.path.join(ROOT, "tests/user/*.c")))
ALL = "cd /tmp; for t in /tests/*; do echo \"# program $t\"; \"$t\"; echo \"# status $?\"; done; " \
      "echo \"# broken laws: $(cat /proc/sys/vm/verify)\""

MATRIX = [f"rmap={rmap} ptshare={ptshare} ptshare_min=0 forkfirst={first}"
          for rmap in ("none", "chain", "object") for ptshare in ("off", "fork", "auto") for first in ("parent", "child")]


def as_one_tap(console):
    """One TAP text of all programs' outputs: the plans are added up, an early death fails."""
    parts = re.split(r"^# program (\S+)\n", console, flags=re.M)
    points, plan = [], 0
    for name, text in zip(parts[1::2], parts[2::2]):
        program = os.path.basename(name)
        found = re.search(r"^1\.\.(\d+)", text, re.M)
        mine = re.findall(r"^(ok|not ok)\b *\d* *-? *(.*)$", text, re.M)
        points += [f"{verdict} - {program}: {what}" for verdict, what in mine]
        plan += int(found.group(1)) if found else 1
        status = re.search(r"^# status (\d+)", text, re.M)
        if not status or status.group(1) != "0":
            points.append(f"not ok - {program}: exit status {status.group(1) if status else 'missing'}")
            plan += 1
    laws = re.search(r"^# broken laws: (\d+)", console, re.M)
    points.append(f"{'ok' if laws and laws.group(1) == '0' else 'not ok'} - no law is broken at the end")
    return "\n".join(points + [f"1..{plan + 1}"])


@pytest.mark.parametrize("words", MATRIX)
def test_user_matrix(words, check_tap):
    result = vmlib.run([ALL], append=f"verify=2000 {words}", mem="256", timeout=400)
    check = as_one_tap(result.console)
    if result.status:
        check += f"\nnot ok - {result.report or 'exit status'} {result.status}\n{result.console[-3000:]}"
    check_tap(check, f"tools/vm --mem 256 --append 'verify=2000 {words}' -- '{ALL}'")


@pytest.mark.parametrize("program", PROGRAMS)
def test_user_on_linux(program, check_tap, tmp_path):
    path = os.path.join(ROOT, "build/root/tests", program)
    done = subprocess.run([path], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, start_new_session=True)
    text = done.stdout if not done.returncode else done.stdout + f"\nnot ok - exit status {done.returncode}\n"
    check_tap(text, path)


def test_shell_prints_what_busybox_prints(root):
    done = subprocess.run(["tests/user/sh/run"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_wrong_use_is_said_and_exits_2(root):
    done = subprocess.run(["tests/user/sh/run-usage"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_shell_cases_print_the_same_in_the_guest(root, guest, tmp_path):
    """Each case under the guest's shell prints what it prints on the host."""
    import cpio
    cases = {os.path.basename(p): open(p).read() for p in sorted(glob.glob(os.path.join(root, "tests/user/sh/*.sh")))}
    overlay = tmp_path / "cases.cpio"
    overlay.write_bytes(cpio.pack([(d, 0o40755, b"") for d in ("cases", "usr", "usr/bin", "usr/lib")] + [(f"cases/{n}", 0o100755, t.encode()) for n, t in cases.items()]))
    loop = "for c in /cases/*.sh; do rm -rf /tmp/dir; mkdir /tmp/dir; cd /tmp/dir; n=/out/$(basename $c); " \
           "env -i PATH=/bin:/busybox HOME=/home/x LC_ALL=C SHELL_UNDER_TEST=/bin/sh TMPDIR=/tmp/dir " \
           "/bin/sh $c >$n 2>/dev/null </dev/null; echo status $? >>$n; done"
    result = guest(loop, add=["busybox", str(overlay)])
    work = tmp_path / "dir"
    for name in cases:
        subprocess.run(["rm", "-rf", str(work)], check=True)
        work.mkdir()
        links = tmp_path / "bb"
        if not links.exists():
            links.mkdir()
            for applet in subprocess.check_output([f"{root}/build/sysroot/bin/busybox", "--list"], text=True).split():
                (links / applet).symlink_to(f"{root}/build/sysroot/bin/busybox")
        shell = f"{root}/build/root/static/bin/sh"
        env = {"PATH": f"{root}/build/root/static/bin:{links}", "HOME": "/home/x", "LC_ALL": "C",
               "SHELL_UNDER_TEST": shell, "TMPDIR": str(work)}
        done = subprocess.run([shell, f"{root}/tests/user/sh/{name}"], cwd=work, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
        assert result.file(name) == done.stdout + b"status %d\n" % done.returncode, name
