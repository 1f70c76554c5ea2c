"""lib/ and mm/ on the host, under the sanitizers, against a software machine."""
import glob
import os
import subprocess

import pytest

PROGRAMS = sorted(glob.glob(os.path.join(os.path.dirname(__file__), "host/test_*.c")))


@pytest.mark.parametrize("source", PROGRAMS, ids=[os.path.basename(p)[:-2] for p in PROGRAMS])
def test_host(source, check_tap, root):
    program = os.path.join("build/host", os.path.basename(source)[:-2])
    done = subprocess.run([program], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    check_tap(done.stdout, program, done.returncode and f"exit status {done.returncode}")
