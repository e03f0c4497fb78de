"""The most memory that a process has at once, and the table of it that compare.py prints."""

import os
import platform
import re
import sys
import time
from pathlib import Path

from jobs import ENVIRONMENT, KIB, MIB, Job, shown_size
from running import largest, shown, start


def peak_memory(argv, environment):
    """The most memory that was resident at once, in bytes; None where the system does not report it.

    What wait4 reports is no less than the memory of the process that started it, which is this one. So ask
    while it runs: its standard output is a pipe that is full already, and it cannot end before it is read.
    """
    if platform.system() != "Linux":
        return None
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writing, True)
    (pid,) = start([argv], writing, environment)
    os.close(writing)
    peak, ticks, idle, is_ended = 0, None, 0, False
    try:
        while idle < 5:
            peak = max(peak, high_water(pid))
            time.sleep(0.02)
            stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            is_ended, now = stat[0] == "Z", stat[11:13]
            if is_ended:
                break
            idle, ticks = (idle + 1, ticks) if now == ticks else (0, now)
        while os.read(reading, MIB):
            peak = max(peak, high_water(pid))
    finally:
        os.close(reading)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        sys.exit(f"failed: {shown([argv])}")
    # A program that makes the pipe larger may end before its memory is seen.
    return largest(argv, environment) if is_ended else peak


def high_water(pid):
    try:
        found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * KIB if found else 0


def measure_memory(jobs, rread, log, folder):
    """Commands with their targets and peaks: those of all jobs, which get to know theirs, and more."""
    known, rows = {}, []

    def row(argv, environment, target):
        key = (tuple(argv), tuple(sorted(environment.items())))
        if key not in known:
            known[key] = peak_memory(argv, environment)
            rows.append((argv, target, known[key]))
        return known[key]

    for job in jobs:
        # Jobs that do not end by themselves have measured their memory.
        if job.run:
            rows.append((job.ours[0], job.memory, job.peak or None))
        else:
            job.peak = row(job.ours[0], job.environment, job.memory)
    line = str(folder / "ONE_LINE_OF_1_GIB")
    with open(line, "wb") as file:
        for _ in range(1024):
            file.write(b"x" * MIB)
    more = [[rread, "stat", "--count", log], [rread, "lines", log, "-100000:", "--json"]]
    more += [[rread, "lines", line, "1", f"--format={name}"] for name in ("raw", "frontmatter", "json", "xml")]
    more += [[rread, "lines", line, "-1:", "-n"], [rread, "lines", line, "1", "--max-columns=80"]]
    for argv in more:
        row(argv, ENVIRONMENT, Job.memory)
    os.remove(line)
    return rows


def report_memory(rows, log, folder):
    """Prints the table; returns how many targets were missed."""
    print("\n| peak memory of | | target | |\n|---|--:|--:|---|")
    missed = 0
    for argv, target, peak in rows:
        name = "`" + shown([argv], log).replace(f"{folder}/", "") + "`"
        if peak is None:
            print(f"| {name} | not measured here | | |")
            continue
        good = peak <= target
        missed += not good
        print(f"| {name} | {peak / MIB:.1f} MiB | {shown_size(target)} | {'pass' if good else '**miss**'} |")
    return missed
