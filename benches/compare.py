#!/usr/bin/env python3
"""Compares rread with sed, tail, head, wc, dd and awk on one large log: medians and ratios, as Markdown.

    cargo build --release && python3 benches/compare.py --size 1GiB

Every job is run by rread and by its peers in turn (A B A B ...), as whole processes, with the log in the
page cache. Seconds depend on the machine and on what else it does; the ratios of one run are what counts.
The exit code is 1 when a target was missed, or when a peer did not give the same bytes.
Needs Python 3.9 and the tools it compares with; the memory figures need Linux. With nginx and curl, a rread that was
built with --features cloud is measured over HTTP too.
"""

import argparse
import os
import platform
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from colors import color_jobs
from follow import follow_jobs
from jobs import ENVIRONMENT, GIB, KIB, MIB, Job, jobs_for, shown_size
from remote import remote_jobs, served
from running import digest, machine, run, seconds, shown, start
from search import search_jobs
from tables import table_jobs

UNITS = {"": 1, "K": KIB, "M": MIB, "G": GIB, "T": 1 << 40}


def size_of(text):
    found = re.fullmatch(r"(\d+)\s*([KMGT]?)(?:iB)?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 512MiB or 4GiB")
    return int(found[1]) * UNITS[found[2]]


# The log


def make_log(path, size):
    """Writes lines of about 141 bytes, no two alike within 8 MiB; returns how many lines there are."""
    levels, parts = ["INFO", "DEBUG", "WARN", "ERROR"], ["storage", "auth", "scheduler", "http", "billing"]
    block, number, state = bytearray(), 0, 1
    while len(block) < 8 * MIB:
        state = (state * 1103515245 + 12345) % (1 << 31)
        pad = "abcdefghijklmnopqrstuvwxyz"[: state // 13 % 17]
        block += (
            f"2025-03-{1 + number // 4000 % 28:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}."
            f"{state % 1000:03}Z {levels[state // 7 % 4]} [{parts[state // 11 % 5]}] request={number:08} "
            f"user=u{state % 99991:05} path=/api/v2/items/{state % 7919} status={200 + state % 5} "
            f"took={state % 2000}ms trace={state:010x} {pad}\n"
        ).encode()
        number += 1
    lines = 0
    with open(path, "wb") as log:
        left = size
        while left > 0:
            piece = bytes(block[:left])
            lines += piece.count(b"\n")
            left -= log.write(piece)
        if not piece.endswith(b"\n"):
            log.seek(-1, os.SEEK_END)
            log.write(b"\n")
            lines += 1
        # Writing back later would disturb what is measured.
        log.flush()
        os.fsync(log.fileno())
    return lines


def warm(path):
    with open(path, "rb", buffering=0) as file:
        while file.read(8 * MIB):
            pass


# Running


def peak_memory(argv, environment):
    """The most memory that was resident at once, in bytes; None where the system does not tell.

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
    peak, ticks, idle = 0, None, 0
    try:
        while idle < 5:
            peak = max(peak, high_water(pid))
            time.sleep(0.02)
            stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            now = stat[11:13]
            idle, ticks = (idle + 1, ticks) if now == ticks else (0, now)
        while os.read(reading, MIB):
            peak = max(peak, high_water(pid))
    finally:
        os.close(reading)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        sys.exit(f"failed: {shown([argv])}")
    return peak


def high_water(pid):
    found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * KIB if found else 0


def check(jobs):
    for job in jobs:
        job.check()
        if job.same:
            expected = digest(job.ours)
            for pipeline, _ in job.peers:
                if digest(pipeline) != expected:
                    sys.exit(f"{job.name}: these do not give the same bytes:\n{shown(job.ours)}\n{shown(pipeline)}")


def measure(jobs, rounds):
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for job in jobs:
            for _ in range(job.repeat):
                for index, pipeline in enumerate(job.pipelines()):
                    job.before(index)
                    wall, cpu, first = (job.run or run)(pipeline, job.target, job.environment)
                    job.samples[index].append((wall, first if job.first_only else cpu))


# Reporting


def ratio(job, index, column):
    """The median of the ratios of neighbours in time, and how far its quarters lie apart."""
    pairs = zip(job.samples[0], job.samples[index])
    ratios = [a[column] / max(b[column], 1e-9) for a, b in pairs]
    middle = statistics.median(ratios)
    quarters = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [middle] * 3
    return middle, (quarters[2] - quarters[0]) / middle


def report_times(jobs, log):
    print("| job | program | wall | CPU | wall ratio | CPU ratio | target | |")
    print("|---|---|--:|--:|--:|--:|---|---|")
    wide, missed = [], 0
    for job in jobs:
        for index, pipeline in enumerate(job.pipelines()):
            wall, cpu = (seconds(statistics.median(s[column] for s in job.samples[index])) for column in (0, 1))
            label = "`" + shown(pipeline, log).replace("|", "\\|") + "`"
            if index == 0:
                print(f"| {job.name} | {label} | {wall} | {cpu} | | | | |")
                continue
            targets, cells, good = job.peers[index - 1][1], [], True
            for column, key in enumerate(("wall", "cpu")):
                middle, spread = ratio(job, index, column)
                cells.append(f"{middle:.2f}" if middle >= 0.1 else f"{middle:.3f}")
                good &= middle <= targets.get(key, middle)
                if spread > 0.2 and key in targets:
                    wide.append(f"{job.name} / {os.path.basename(pipeline[0][0])} {key} ±{spread / 2:.0%}")
            wanted = ", ".join(f"{'CPU' if key == 'cpu' else key} ≤ {limit:.2f}" for key, limit in targets.items())
            mark = "" if not targets else "pass" if good else "**miss**"
            missed += mark == "**miss**"
            print(f"| | {label} | {wall} | {cpu} | {' | '.join(cells)} | {wanted} | {mark} |")
    print("\nRatios are rread / peer, medians of pairs that ran one after the other.")
    if wide:
        print(f"\nRatios that varied (half the distance of the quarters): {'; '.join(wide)}.")
    return missed


def report_memory(jobs, rread, log, folder):
    print("\n| peak memory of | | target | |\n|---|--:|--:|---|")
    # Other jobs do not end by themselves, and have measured their memory.
    commands = [(job.ours[0], job.environment, job.memory) for job in jobs if not job.run]
    more = [[rread, "stat", "--count", log], [rread, "lines", log, "-100000:", "--json"]]
    commands += [(argv, ENVIRONMENT, Job.memory) for argv in more]
    commands = [command for at, command in enumerate(commands) if command not in commands[:at]]
    line = str(folder / "one-line.txt")
    with open(line, "wb") as file:
        for _ in range(1024):
            file.write(b"x" * MIB)
    one = [[rread, "lines", line, "1", f"--format={name}"] for name in ("raw", "frontmatter", "json", "xml")]
    one += [[rread, "lines", line, "-1:", "-n"], [rread, "lines", line, "1", "--max-columns=80"]]
    missed = 0
    peaks = [(job.ours[0], job.memory, job.peak or None) for job in jobs if job.run]
    for argv, environment, target in commands + [(argv, ENVIRONMENT, Job.memory) for argv in one]:
        peaks.append((argv, target, peak_memory(argv, environment)))
    for argv, target, peak in peaks:
        name = "`" + shown([argv], log).replace(line, "ONE_LINE_OF_1_GIB") + "`"
        if peak is None:
            print(f"| {name} | not measured here | | |")
            continue
        good = peak <= target
        missed += not good
        print(f"| {name} | {peak / MIB:.1f} MiB | {shown_size(target)} | {'pass' if good else '**miss**'} |")
    os.remove(line)
    return missed


def main():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=size_of, default=GIB, help="size of the log (default: 1GiB)")
    parser.add_argument("--rounds", type=int, default=7, help="how often every job is run (default: 7)")
    parser.add_argument("--binary", default=root / "target/release/rread", help="the rread to measure")
    parser.add_argument("--dir", default=root / "target", help="where the log goes (default: target)")
    parser.add_argument("--only", default="", help="only jobs with this in their names")
    options = parser.parse_args()
    if options.size < 16 * MIB:
        parser.error("--size must be at least 16MiB")
    rread = str(Path(options.binary).resolve())
    if not os.access(rread, os.X_OK):
        sys.exit(f"{rread} is not there: cargo build --release")
    Path(options.dir).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="compare-", dir=options.dir) as folder:
        folder = Path(folder).resolve()
        log = str(folder / "big.log")
        lines = make_log(log, options.size)
        warm(log)
        with served(rread, log, folder) as url:
            jobs = jobs_for(rread, log, options.size, lines, folder) + remote_jobs(rread, url, options.size, lines, folder)
            # They are long to make, so they are made only if they may be asked for.
            if not options.only or "SQL" in options.only:
                jobs += table_jobs(rread, options.size, folder)
            if not options.only or "search" in options.only:
                jobs += search_jobs(rread, log, options.size, folder)
            jobs += follow_jobs(rread, log, folder)
            jobs += color_jobs(rread, folder)
            jobs = [job for job in jobs if options.only in job.name]
            check(jobs)
            measure(jobs, options.rounds)
            command = " ".join(["python3 benches/compare.py", *sys.argv[1:]])
            print(f"A log of {shown_size(options.size)}, {lines:,} lines, in the page cache; {machine()}; "
                  f"{options.rounds} interleaved rounds by `{command}`.\n")
            missed = report_times(jobs, log)
            missed += report_memory(jobs, rread, log, folder)
    if missed:
        sys.exit(f"{missed} targets missed")


if __name__ == "__main__":
    main()
