"""Machines and boot roads: CPUs, memory sizes, CD and disk, and what is said when it cannot be."""
import re

import pytest

import vmlib

HELLO = "echo hello from $(uname -s); cat /proc/sys/vm/verify"


@pytest.mark.parametrize("cpu", ["pentium2", "pentium3", "n270", "max", "qemu32,+pse36"])
def test_boots_on_cpu(cpu, guest):
    assert guest(HELLO, cpu=cpu).output() == "hello from Linux\n0\n"


@pytest.mark.parametrize("cpu", ["486", "pentium"])
def test_cpu_without_pae_gets_one_sentence(cpu):
    result = vmlib.run(None, cpu=cpu, timeout=60)
    assert result.status == 0
    assert result.console == "Tablefork needs a CPU with PAE (a Pentium Pro or later); this one has none. Halted.\n"


@pytest.mark.parametrize("mem", ["32", "512", "7G"])
def test_boots_with_memory(mem, guest):
    total = int(guest("grep MemTotal /proc/meminfo", mem=mem).output().split()[1])
    wanted = int(mem[:-1]) << 20 if mem.endswith("G") else int(mem) << 10
    assert 0.8 * wanted < total <= wanted


def test_mem_word_limits_memory(guest):
    assert int(guest("grep MemTotal /proc/meminfo", append="mem=64M").output().split()[1]) <= 64 << 10


def test_too_little_memory_is_a_sentence():
    result = vmlib.run(None, mem="8", timeout=60)
    assert result.status == vmlib.PANIC
    assert "PANIC: too little memory: " in result.console


@pytest.mark.parametrize("boot", ["cd", "disk"])
def test_iso_boots_from(boot, guest):
    assert guest(HELLO, boot=boot, accel="tcg").output() == "hello from Linux\n0\n"


def test_a_run_repeats_to_the_byte(guest):
    script = "for i in 1 2 3; do sleep 0.1; done; cat /proc/uptime /proc/vmstat"
    first, second = guest(script), guest(script)
    assert first.console == second.console


def test_prompt_within_150_million_instructions(guest):
    up = guest("cat /proc/uptime", mem="7G").output().split()[0]
    assert float(up) <= 0.150


def test_panic_explains_itself(tmp_path, guest):
    import cpio
    empty = tmp_path / "empty.cpio"
    empty.write_bytes(cpio.pack([]))
    result = vmlib.run(None, root=str(empty), append="rmap=chain", timeout=60)
    assert result.status == vmlib.PANIC
    assert "PANIC: there is no program to run" in result.console
    assert re.search(r"^  c0\w{6} \w+\+0x", result.console, re.M), "no symbolised backtrace"
    assert re.search(r"^task 1 \(", result.console, re.M)
    assert "policy: " in result.console and "rmap=chain" in result.console


@pytest.mark.parametrize("name, says", [
    ("crash-stack", r"PANIC: kernel stack overflow: task \d+ \(\w+\), stack f8\w{6}, esp f8\w{6}"),
    ("crash-null", r"PANIC: the kernel cannot read address 00000004"),
    ("crash-law", r"PANIC: broken law at tests/kernel/crash.c:\d+: 1"),
])
def test_crash_is_explained(name, says):
    result = vmlib.run(None, append=f"ktest={name}", timeout=60)
    assert result.status == vmlib.PANIC
    assert re.search(says, result.console), result.console
    assert re.search(r"^  c0\w{6} (ktest_|overflow)", result.console, re.M), result.console


@pytest.mark.parametrize("words", ["rmap=chian", "rmpa=chain", "nonsense", "ptshare_min=-1"])
def test_run_refuses_a_misspelt_policy(words):
    result = vmlib.run(["echo must not run"], append=words, timeout=60)
    assert "must not run" not in result.console
    assert "boot line: " in result.console and "run= does not run" in result.console


def test_hang_is_reported_with_registers_and_names():
    result = vmlib.run(["while :; do :; done"], timeout=5)
    assert result.status == vmlib.HANG
    assert "EIP=" in result.report and "no end after 5 s" in result.report


def test_a_full_tmp_leaves_room_to_clear_it(guest):
    script = "cat /dev/zero >/tmp/full 2>/dev/null; echo status $?; rm /tmp/full && echo removed"
    assert guest(script, mem="32").output() == "status 1\nremoved\n"


def test_command_status_and_files_come_back(guest):
    result = guest("mkdir -p /out/d; echo one > /out/d/f; ln -s f /out/d/l; exit 7", status=7)
    assert result.file("d/f") == b"one\n"
    assert result.file("d/l") == b"f"


def test_debians_busybox_shell_runs(guest):
    result = guest("/busybox/sh -c 'for i in 1 2 3; do echo $i | /busybox/tr 123 abc; done; /busybox/ls /bin/busybox'",
                   add=["busybox"])
    assert result.output() == "a\nb\nc\n/bin/busybox\n"
