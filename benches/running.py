"""Programs that are run and measured, as compare.py and peers.py need it."""

import ctypes
import hashlib
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from jobs import ENVIRONMENT, KIB, MIB


def spawn(argv, stdin, stdout, environment, quiet):
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, stdout, 1)]
    if quiet:
        actions.append((os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0))
    # Python ignores broken pipes, and what it starts would too.
    return os.posix_spawn(argv[0], argv, environment, file_actions=actions, setsigdef=[signal.SIGPIPE])


def start(pipeline, stdout, environment=ENVIRONMENT, quiet=False):
    """Starts the programs of a pipeline, without a shell, whose cost would be counted; returns their ids."""
    null, last = os.open(os.devnull, os.O_RDONLY), len(pipeline) - 1
    ids, stdin = [], null
    for index, argv in enumerate(pipeline):
        reading, writing = os.pipe() if index < last else (None, stdout)
        ids.append(spawn(argv, stdin, writing, environment, quiet))
        os.close(stdin)
        if index < last:
            os.close(writing)
            stdin = reading
    return ids


# Whether this process adopts processes whose parents have ended, and so counts them.
ADOPTS = False


def adopt():
    """From now on, what a program leaves running is waited for and counted, on Linux: not every parent reaps its children."""
    global ADOPTS
    if platform.system() == "Linux":
        set_child_subreaper = 36
        ADOPTS = ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) == 0


def left_over():
    """The usage of each process that the last program left over; returns when they have ended."""
    while ADOPTS:
        try:
            yield os.wait4(-1, 0)[2]
        except ChildProcessError:
            return


def run(pipeline, target, environment, quiet=False):
    """Wall and CPU seconds of the whole pipeline, and the CPU seconds of its first program."""
    flags = os.O_WRONLY if target == os.devnull else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    out = os.open(target, flags, 0o600)
    begun = time.perf_counter()
    ids = start(pipeline, out, environment, quiet)
    spent, codes = [], []
    for pid in ids:
        _, status, usage = os.wait4(pid, 0)
        spent.append(usage.ru_utime + usage.ru_stime)
        codes.append(os.waitstatus_to_exitcode(status))
    wall = time.perf_counter() - begun
    spent += [usage.ru_utime + usage.ru_stime for usage in left_over()]
    os.close(out)
    # Programs before the last may end by a pipe that nobody reads any more.
    if codes[-1] != 0:
        sys.exit(f"exit code {codes[-1]}: {shown(pipeline)}")
    return wall, sum(spent), spent[0]


def digest(pipeline, environment=ENVIRONMENT):
    reading, writing = os.pipe()
    ids = start(pipeline, writing, environment)
    os.close(writing)
    found = hashlib.blake2b()
    while piece := os.read(reading, MIB):
        found.update(piece)
    os.close(reading)
    for pid in ids:
        os.waitpid(pid, 0)
    return found.hexdigest()


def ended(argv, environment, limit):
    """Output and exit code of a program that is stopped after `limit` seconds; its exit code is None then."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return b"", None
    finally:
        list(left_over())
    return done.stdout, done.returncode


def capped(argv, seconds, most):
    """The first `most` bytes that a program writes, its exit code and errors; the code is None if it takes too long.

    What a program would write after that counts as right: its exit code is 0 then.
    """
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        errors = []
        reading = threading.Thread(target=lambda: errors.append(process.stderr.read(most)))
        reading.start()
        output = process.stdout.read(most)
        is_cut = len(output) == most
        if is_cut:
            process.kill()
        code = process.wait()
        is_late = not timer.is_alive()
        timer.cancel()
        reading.join()
    return output, 0 if is_cut else None if is_late else code, b"".join(errors).decode("utf-8", "replace")


def largest(argv, environment):
    """The memory of the largest process that a program starts, itself included, in bytes; None without GNU time."""
    try:
        with tempfile.NamedTemporaryFile() as note:
            # Started by Python, a program seems to need as much memory as Python: so a small program starts it.
            timed = ["/usr/bin/time", "--quiet", "--format=%M", f"--output={note.name}", *argv]
            subprocess.run(timed, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False)
            # The decoder of documents is a process of its own, which is often larger.
            return max(int(note.read().split()[-1]), *(usage.ru_maxrss for usage in left_over()), 0) * KIB
    except (OSError, ValueError, IndexError):
        return None


def shown(pipeline, log=None):
    programs = []
    for argv in pipeline:
        words = [os.path.basename(argv[0])] + [word.replace(log, "LOG") if log else word for word in argv[1:]]
        words = [word if len(word) <= 60 else "..." for word in words]
        programs.append(" ".join(f"'{w}'" if re.search(r"[; ]", w) else w for w in words))
    return " | ".join(programs)


def seconds(value):
    return f"{value * 1000:.2f} ms" if value < 0.1 else f"{value:.2f} s"


def processor():
    """The model, with the family and its number where the system has them: several generations have one name."""
    try:
        text = Path("/proc/cpuinfo").read_text()
        name, family, model = (re.search(rf"{key}\s*:\s*(.*)", text)[1] for key in ("model name", "cpu family", "model\\b"))
        return f"{name} (family {family}, model {model})"
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def machine():
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"
