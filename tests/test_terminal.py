"""What a person at the machine sees: the serial terminal, the screen and keyboard, and gdb."""
import os
import re
import socket
import subprocess
import time

import pytest

import vmlib


class Machine:
    """A guest with its serial console on pipes and QEMU's monitor on a socket."""

    def __init__(self, folder):
        self.monitor = os.path.join(folder, "monitor")
        o = vmlib.Options(accel="tcg")
        args = vmlib.qemu_arguments(o) + vmlib.boot_arguments(o, [], "", folder)
        args += ["-serial", "stdio", "-monitor", f"unix:{self.monitor},server,nowait"]
        self.qemu = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        os.set_blocking(self.qemu.stdout.fileno(), False)
        self.seen = ""

    def expect(self, pattern, seconds=30):
        """Waits until what came since the last match holds the pattern, and forgets up to its end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.seen += (self.qemu.stdout.read() or b"").decode(errors="replace").replace("\r", "")
            found = re.search(pattern, self.seen)
            if found:
                self.seen = self.seen[found.end():]
                return
            time.sleep(0.05)
        pytest.fail(f"{pattern!r} did not come; what came: {self.seen!r}", pytrace=False)

    def send(self, text):
        self.qemu.stdin.write(text.encode())

    def ask(self, *commands):
        return vmlib.ask_monitor(self.monitor, list(commands))

    def screen(self):
        """The text on the VGA screen: 25 lines."""
        dump = self.ask("xp /1000xw 0xb8000")
        words = re.findall(r"0x([0-9a-f]{8})", re.sub(r"^[0-9a-f]+:", "", dump, flags=re.M))
        cells = "".join(chr(int(w, 16) & 0xff) + chr(int(w, 16) >> 16 & 0xff) for w in words)
        return [cells[i:i + 80].replace("\0", " ").rstrip() for i in range(0, 2000, 80)]


@pytest.fixture
def machine(tmp_path):
    m = Machine(str(tmp_path))
    m.expect(r"# $")
    yield m
    m.qemu.kill()
    m.qemu.wait()


def test_ctrl_c_ends_the_foreground_job_only(machine):
    machine.send("sleep 100\n")
    machine.expect(r"sleep 100\n")
    time.sleep(0.5)
    machine.send("\x03")
    machine.expect(r"# $")
    machine.send("echo status $?\n")
    machine.expect(r"\nstatus 130\n")


def test_ctrl_z_stops_a_pipeline(machine):
    machine.send("sleep 100 | cat\n")
    time.sleep(1)
    machine.send("\x1a")
    machine.expect(r"# $")
    machine.send("jobs\n")
    machine.expect(r"\[1\].* Stopped")


def test_line_editing(machine):
    machine.send("echo abx\x7fc; cat\n")
    machine.expect(r"\nabc\n")
    machine.send("line\n\x04")
    machine.expect(r"line\nline\n# $")


def test_screen_and_keyboard(machine):
    for key in ("e", "c", "h", "o", "spc", "shift-a", "b", "backspace", "7", "ret"):
        machine.ask(f"sendkey {key}")
        time.sleep(0.1)
    for _ in range(50):
        if "A7" in machine.screen():
            break
        time.sleep(0.2)
    text = machine.screen()
    assert any(line.endswith("# echo A7") for line in text) and "A7" in text, text


def test_gdb_stops_where_it_is_told_and_asks_nothing(root):
    script = ["-batch", "-ex", "break do_wp_page", "-ex", "continue", "-ex", "bt 3", "-ex", "print/x v->start"]
    done = subprocess.run(["tools/gdb", "--", *script], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert re.search(r"Breakpoint 1, do_wp_page \(", done.stdout), done.stdout
    assert "handle_mm_fault" in done.stdout and re.search(r"\$1 = 0x", done.stdout), done.stdout
    assert "safe-path" not in done.stdout and "too long" not in done.stdout
