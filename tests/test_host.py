"""lib/ and mm/ on the host, under the sanitizers, against a software machine."""
import glob
import os
import subprocess

import pytest

PROGRAMS = sorted(p for p in glob.glob(os.path.join(os.path.dirname(__file__), "host/test_*.c")))


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda p: os.path.basename(str(p))[:-2])
def test_host(source, check_tap, root):
    program = os.path.join("build/host", os.path.basename(source)[:-2])
    done = subprocess.run([program], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    text = done.stdout if not done.returncode else done.stdout + f"\nnot ok - exit status {done.returncode}\n"
    check_tap(text, program)
