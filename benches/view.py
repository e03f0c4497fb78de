#!/usr/bin/env python3
"""Compares `rread view` with `less -n` on a pseudo terminal: the first screen, a far line, keys while a scan runs.

Usage: benches/view.py RREAD [FOLDER]; FOLDER gets files of 4 KiB, 4 GiB and 4 TiB (sparse).
"""
import fcntl
import os
import pty
import resource
import select
import statistics
import struct
import sys
import tempfile
import termios
import time

RREAD = os.path.abspath(sys.argv[1])
FOLDER = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()
LINES, COLUMNS = 40, 100


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *words):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.started = time.perf_counter()
        self.process = os.fork()
        if self.process == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for number in range(3):
                os.dup2(slave, number)
            os.closerange(3, 64)
            home = os.path.join(FOLDER, "home")
            os.execvpe(words[0], words, dict(os.environ, TERM="xterm", HOME=home, LESSHISTFILE="-"))
        os.close(slave)
        self.seen = b""

    def until(self, mark, timeout=300):
        """Seconds from now until `mark` is written."""
        begun = time.perf_counter()
        while mark not in self.seen:
            if not select.select([self.master], [], [], timeout)[0]:
                raise SystemExit(f"{mark} was not written: {self.seen[-300:]}")
            self.seen += os.read(self.master, 1 << 16)
        return time.perf_counter() - begun

    def keys(self, keys):
        self.seen = b""
        os.write(self.master, keys)

    def drain(self, seconds):
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self.master], [], [], left)[0]:
                self.seen += os.read(self.master, 1 << 16)

    def memory(self):
        for line in open(f"/proc/{self.process}/status", encoding="ascii"):
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
        return 0

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.master)


def first_screen(words, mark):
    terminal = Terminal(*words)
    terminal.until(mark)
    took = time.perf_counter() - terminal.started
    terminal.close()
    return took


def best(measure, times):
    return min(measure() for _ in range(times))


def make(name, size):
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        return path
    with open(path, "wb") as file:
        if size > 1 << 40:
            file.write(b"".join(b"line %09d of the file\n" % n for n in range(1, 1000)))
            file.truncate(size)
            return path
        number, written = 1, 0
        while written < size:
            block = b"".join(b"line %09d %s\n" % (n, b"x" * (n % 200)) for n in range(number, number + 50_000))
            file.write(block[: size - written])
            number, written = number + 50_000, written + len(block)
    return path


def main():
    screen = b"line %09d" % (LINES - 2)
    files = [("4 KiB", make("small", 4 << 10), 20), ("4 GiB", make("large", 4 << 30), 10), ("4 TiB", make("sparse", 4 << 40), 10)]
    for name, path, times in files:
        less = best(lambda: first_screen(["less", "-n", path], b"line %09d" % 12), times)
        ours = best(lambda: first_screen([RREAD, "view", path], b"line %09d" % 12), times)
        print(f"first screen, {name}: less -n {less * 1e3:.1f} ms, rread {ours * 1e3:.1f} ms, ratio {ours / less:.2f}")
    large = files[1][1]
    line = 30_000_000
    mark = b"line %09d" % line
    first = first_screen([RREAD, "view", large, str(line)], mark)
    again = best(lambda: first_screen([RREAD, "view", large, str(line)], mark), 5)
    less = first_screen(["less", f"+{line}g", large], mark)
    print(f"line {line}: less {less:.2f} s, rread {first:.2f} s, ratio {first / less:.3f}; again {again * 1e3:.1f} ms")
    terminal = Terminal(RREAD, "view", files[2][1])
    terminal.until(b"000000012")
    terminal.keys(b"/absent\r")
    terminal.drain(1)
    took = []
    for n in range(300):
        terminal.keys(b"j" if n % 2 == 0 else b"k")
        took.append(terminal.until(b"line 0", 10) * 1e3)
        terminal.drain(0.01)
    print(f"keys while a search runs: median {statistics.median(took):.2f} ms, 99 % within {sorted(took)[-4]:.2f} ms")
    print(f"memory: {terminal.memory():.1f} MiB")
    terminal.close()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
