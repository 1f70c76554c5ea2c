"""Tests that run inside the kernel (KTAP), under each way of keeping rmap and with and without highmem."""
import pytest

import vmlib


@pytest.mark.parametrize("words", ["rmap=object ptshare=auto", "rmap=chain ptshare=fork highpte=1", "rmap=none ptshare=off ptfree=scan"])
@pytest.mark.parametrize("mem", ["64", "1200"])
def test_kernel(words, mem, check_tap):
    result = vmlib.run(None, append=f"ktest=all {words}", mem=mem, timeout=120)
    check_tap(result.console, f"tools/vm --log --mem {mem} --append 'ktest=all {words}'", result.report)
