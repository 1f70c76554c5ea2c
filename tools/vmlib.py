"""The one way to run Tablefork in QEMU; tools/vm is its command line.

A run without a command is a terminal. With one, the command is packed into the
guest's root as /etc/run.sh; the guest's init runs it and sends back, on the second
serial line, a cpio archive of /out and a line "exit N".
"""
import bisect
import codecs
import dataclasses
import os
import re
import shlex
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

import cpio

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build")

STATUS_OFF, STATUS_PANIC = 33, 35  # arch/x86/power.h: 2 * verdict + 1
HANG, PANIC, BROKEN = 124, 125, 126  # what a run exits with when the command could not


@dataclasses.dataclass
class Options:
    """What kind of machine. mem in MiB or with a suffix (7G); add: folders or .cpio files laid over the root."""
    mem: str = "512"
    accel: str = "icount"
    cpu: str = "qemu32,+pse36"
    boot: str = "kernel"
    append: str = ""
    add: list = dataclasses.field(default_factory=list)
    timeout: float = 300
    vga: bool = False
    kernel: str = os.path.join(BUILD, "tablefork.elf")
    root: str = os.path.join(BUILD, "root.cpio")
    qemu: str = "qemu-system-x86_64"


@dataclasses.dataclass
class Result:
    """How a run ended. status: the command's, or HANG, PANIC, BROKEN; files: members of /out."""
    status: int
    console: str
    files: list
    report: str = ""

    def output(self):
        """What the command printed: the console without the loader's and the kernel's lines before it."""
        boot = re.search(r"\[ *0\.0\d+\] Tablefork on .*\n(\[ *\d+\.\d+\] .*\n)*", self.console, re.M)
        return self.console[boot.end():] if boot else self.console

    def file(self, name):
        """The bytes of /out/name, or None."""
        return next((d for n, _, d in self.files if n == name), None)


def busybox_overlay():
    """Debian's static busybox: /bin/busybox, and its applets as links in /busybox."""
    path = os.path.join(BUILD, "sysroot/bin/busybox")
    with open(path, "rb") as f:
        members = [("bin", stat.S_IFDIR | 0o755, b""), ("bin/busybox", stat.S_IFREG | 0o755, f.read()),
                   ("busybox", stat.S_IFDIR | 0o755, b"")]
    for applet in subprocess.check_output([path, "--list"], text=True).split():
        members.append((f"busybox/{applet}", stat.S_IFLNK | 0o777, b"/bin/busybox"))
    return cpio.pack(members)


def overlay(what):
    """The archive for one --add: a folder, a file .cpio, or the word busybox."""
    if what == "busybox":
        return busybox_overlay()
    if os.path.isdir(what):
        return cpio.pack_tree(what)
    with open(what, "rb") as f:
        return f.read()


def command_overlay(command):
    """The archive that holds the command as /etc/run.sh. command: a list of words."""
    line = command[0] if len(command) == 1 else shlex.join(command)
    return cpio.pack([("etc", stat.S_IFDIR | 0o755, b""), ("etc/run.sh", stat.S_IFREG | 0o755, line.encode() + b"\n"),
                      ("out", stat.S_IFDIR | 0o755, b"")])


def qemu_arguments(o):
    """The machine, without what it boots from and where its lines go."""
    args = [o.qemu, "-machine", "pc", "-cpu", o.cpu, "-m", o.mem, "-nodefaults", "-no-reboot",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04"]
    args += ["-vga", "std"] if o.vga else ["-display", "none", "-vga", "std"]
    if o.accel == "icount":
        args += ["-accel", "tcg", "-icount", "shift=0,sleep=off", "-rtc", "base=2002-12-28T00:00:00,clock=vm"]
    else:
        args += ["-accel", o.accel]
    return args


def boot_arguments(o, overlays, words, folder):
    """What the machine boots from. overlays: archives; words: the boot line; folder: for temporary files."""
    modules = [o.root]
    for i, data in enumerate(overlays):
        modules.append(os.path.join(folder, f"overlay{i}.cpio"))
        with open(modules[-1], "wb") as f:
            f.write(data)
    if o.boot == "kernel":
        return ["-kernel", o.kernel, "-initrd", ",".join(modules), "-append", words]
    image = os.path.join(folder, "boot.iso")
    subprocess.run([os.path.join(ROOT, "tools/mkiso"), "--words", words, image, *modules[1:]], check=True)
    if o.boot == "cd":
        return ["-cdrom", image, "-boot", "d"]
    return ["-drive", f"file={image},format=raw,if=ide"]


class Symbols:
    """System.map: addresses to names."""

    def __init__(self, path=os.path.join(BUILD, "System.map")):
        self.table = []
        with open(path) as f:
            for line in f:
                address, kind, name = line.split()
                if kind in "tT":
                    self.table.append((int(address, 16), name))
        self.table.sort()
        self.starts = [a for a, _ in self.table]
        self.end = self.starts[-1] + 4096 if self.starts else 0

    def name(self, address):
        """name+0xoffset for an address in the kernel's text, else None."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or not 0xC0100000 <= address < self.end:
            return None
        return f"{self.table[i][1]}+{address - self.starts[i]:#x}"


def ask_monitor(path, commands):
    """What QEMU's monitor answers to commands; an error's text if it does not."""
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(5)
            s.connect(path)
            answer = b""
            for command in [""] + commands:
                if command:
                    s.sendall(command.encode() + b"\n")
                mark = time.monotonic()
                while not answer.endswith(b"(qemu) ") and time.monotonic() - mark < 5:
                    answer += s.recv(65536)
                answer += b"\n"
            return re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", answer.decode(errors="replace")).replace("\r", "")
    except OSError as e:
        return f"(the monitor does not answer: {e})"


def hang_report(monitor):
    """Registers and stack of a machine that has not ended, with the kernel's names."""
    text = ask_monitor(monitor, ["stop", "info registers", "x/64xw $esp"])
    lines = [line for line in text.splitlines() if re.match(r"(E[A-Z]{2}=|E[SID]P=|CR\d=|[0-9a-f]{8,16}: )", line)]
    try:
        symbols = Symbols()
    except OSError:
        return "\n".join(lines)
    named = []
    for word in re.findall(r"(?:EIP=|0x)([0-9a-f]{8})", "\n".join(lines)):
        name = symbols.name(int(word, 16))
        if name:
            named.append(f"  {word} {name}")
    return "\n".join(lines + ["names on the stack:"] + named)


def parse_way_back(data):
    """(status, members) from the second serial line, or (None, [])."""
    try:
        members, rest = cpio.unpack(data)
    except ValueError:
        members, rest = [], data
    last = re.search(rb"exit (\d+)\s*\Z", rest)
    return (int(last.group(1)) if last else None), members


def run(command, options=None, echo=None, **changes):
    """Runs a command (a list of words; one word: a shell line) in a fresh guest.

    echo: called with each piece of console output as it comes. changes: fields of
    Options. Returns a Result; never raises for what the guest does.
    """
    o = dataclasses.replace(options or Options(), **changes)
    folder = tempfile.mkdtemp(prefix="tablefork-")
    try:
        return _run_in(folder, command, o, echo)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run_in(folder, command, o, echo):
    overlays = [overlay(a) for a in o.add]
    words = o.append
    if command:
        overlays.append(command_overlay(command))
        words = f"run=/etc/run.sh {words}".strip()
    back, monitor = os.path.join(folder, "back"), os.path.join(folder, "monitor")
    args = qemu_arguments(o) + boot_arguments(o, overlays, words, folder)
    args += ["-serial", "stdio", "-serial", f"file:{back}", "-monitor", f"unix:{monitor},server,nowait"]
    qemu = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    pieces = []
    reader = threading.Thread(target=_read_console, args=(qemu.stdout, pieces, echo), daemon=True)
    reader.start()
    report, status = "", None
    try:
        status = qemu.wait(o.timeout)
    except subprocess.TimeoutExpired:
        report = f"no end after {o.timeout:.0f} s\n" + hang_report(monitor)
        qemu.kill()
        qemu.wait()
    reader.join(5)
    console = "".join(pieces)
    code, members = None, []
    if os.path.exists(back):
        with open(back, "rb") as f:
            code, members = parse_way_back(f.read())
    if report:
        return Result(HANG, console, members, report)
    if status == STATUS_PANIC:
        return Result(PANIC, console, members, "the kernel has panicked")
    if status != STATUS_OFF:
        return Result(BROKEN, console, members, f"QEMU ended with status {status}: {shlex.join(args)}")
    if command and code is None:
        return Result(BROKEN, console, members, "the guest went off without saying how the command ended")
    return Result(code or 0, console, members)


def _read_console(stream, pieces, echo):
    """Collects console text as it comes, "\\r\\n" as "\\n"; a line's end may be torn between two reads."""
    decoder, held = codecs.getincrementaldecoder("utf-8")(errors="replace"), ""
    while True:
        data = stream.read1(65536)
        text = held + decoder.decode(data, final=not data)
        held = "\r" if data and text.endswith("\r") else ""
        text = text[:len(text) - len(held)].replace("\r\n", "\n")
        pieces.append(text)
        if echo and text:
            echo(text)
        if not data:
            return


def terminal(options):
    """Boots with the console in this terminal (or a window with vga); QEMU's exit status."""
    folder = tempfile.mkdtemp(prefix="tablefork-")
    try:
        args = qemu_arguments(options)
        args += boot_arguments(options, [overlay(a) for a in options.add], options.append, folder)
        args += ["-serial", "mon:stdio"]
        status = subprocess.call(args)
        return 0 if status == STATUS_OFF else status
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fail(message):
    """One sentence on standard error, exit status 2."""
    print(message, file=sys.stderr)
    sys.exit(2)
