"""How the tests are run and counted.

A test that drives a TAP or KTAP program counts as many as the program's plan says;
any other counts one. The last line is "N passed, N failed".
"""
import os
import re
import shlex
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import vmlib  # noqa: E402


class Tap:
    """What a TAP text says: plan (the sum of its plans; None: no plan), points passed and failed by name."""

    def __init__(self, text):
        plans = re.findall(r"^1\.\.(\d+)", text, re.M)
        self.plan = sum(map(int, plans)) if plans else None
        self.skipped = bool(re.search(r"^1\.\.0 # SKIP", text, re.M | re.I))
        points = re.findall(r"^(ok|not ok)\b *\d* *-? *(.*)$", text, re.M)
        self.passed = [name for verdict, name in points if verdict == "ok"]
        self.failed = [name for verdict, name in points if verdict != "ok"]

    def complaint(self):
        """Why the program did not pass; empty if it did. A plan that is not met is early death."""
        if self.failed:
            return "failed: " + "; ".join(self.failed)
        if not self.plan and not self.skipped:
            return "there is no plan" if self.plan is None else "the plan is empty"
        if len(self.passed) != (self.plan or 0):
            return f"{len(self.passed)} of {self.plan} points were reached"
        return ""


@pytest.fixture
def check_tap(request):
    """Counts a TAP text's points; fails if one failed, the plan was not met, or the run broke otherwise."""
    def check(text, repeat, broke=None):
        tap = Tap(text)
        complaint = tap.complaint() or broke
        request.node.user_properties.append(("tap", (len(tap.passed), len(tap.failed) or int(bool(complaint)))))
        if complaint:
            pytest.fail(f"{complaint}\n{text[-4000:]}\nrepeat with: {repeat}", pytrace=False)
    return check


class Guest:
    """Runs commands in fresh guests; a failure shows the console and the command that repeats it."""

    def __call__(self, command, status=0, **options):
        result = vmlib.run([command] if command else None, **options)
        if result.status != status:
            pytest.fail(f"exit status {result.status}, expected {status}. {result.report}\n{result.console[-4000:]}\n"
                        f"repeat with: {self.repeat(command, **options)}", pytrace=False)
        return result

    @staticmethod
    def repeat(command, **o):
        words = ["tools/vm"]
        for key in ("mem", "accel", "cpu", "boot", "append", "root"):
            if key in o:
                words += [f"--{key}", o[key]]
        for what in o.get("add", []):
            words += ["--add", what]
        return shlex.join(words + (["--", command] if command else []))


@pytest.fixture
def guest():
    return Guest()


@pytest.fixture
def root():
    return ROOT


def _points(report):
    """(passed, failed) that a report counts for."""
    for name, value in report.user_properties:
        if name == "tap":
            return value
    return (1, 0) if report.passed else (0, 1)


def pytest_terminal_summary(terminalreporter):
    passed = failed = 0
    for kind, reports in terminalreporter.stats.items():
        for report in reports:
            if kind == "error":
                failed += 1
            elif getattr(report, "when", None) == "call":
                p, f = _points(report)
                passed, failed = passed + p, failed + f
    terminalreporter.config.points = (passed, failed)


def pytest_unconfigure(config):
    if hasattr(config, "points"):
        print("\n%d passed, %d failed" % config.points)
