#!/usr/bin/env python3
"""Compares rread with sed, tail, head, wc, dd, awk and many more on one large log: medians and ratios, as Markdown.

    cargo build --release && python3 benches/compare.py --size 1GiB
    python3 benches/compare.py --size 1GiB --peers FOLDER --json benches/measured/0.1.0.json

Every job is run by rread and by its peers in turn (A B A B ...), as whole processes, with the log in the
page cache. Seconds depend on the machine and on what else it does; the ratios of one run are what counts.
The exit code is 1 when a target was missed, or when a peer did not give the same bytes.
Needs Python 3.9 and the tools it compares with; the memory figures need Linux. With nginx and curl, a rread that was
built with --features cloud is measured over HTTP too. Programs of today (a new rg, uutils, bat, hl, lnav, qsv, xan, ugrep)
are looked for on PATH, then in each folder of --peers and in its bin. If there are two versions of rg, both are measured.
With --json, all pairs are kept: releases.py compares two such files, and chart.py draws one.
"""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from colors import color_jobs
from formats import csv_jobs, window_jobs
from follow import follow_jobs
from jobs import GIB, KIB, MIB, jobs_for, shown_size
from memory import measure_memory, report_memory
from programs import add_folders
from remote import remote_jobs, served
from results import as_json, report_times, report_versions, write
from running import digest, machine, run, shown
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


def check(jobs):
    for job in jobs:
        job.check()
        if job.same:
            expected = digest(job.ours, job.environment)
            for pipeline, _ in job.peers:
                if digest(pipeline, job.environment) != expected:
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


def all_jobs(rread, log, lines, options, folder, url):
    only, size = options.only, options.size
    jobs = jobs_for(rread, log, size, lines, folder) + remote_jobs(rread, url, size, lines, folder)
    # Their files take long to make, so they are made only if the jobs may be asked for.
    if not only or "SQL" in only:
        jobs += table_jobs(rread, size, folder)
    if not only or "search" in only:
        jobs += search_jobs(rread, log, size, folder)
    if not only or "CSV" in only:
        jobs += csv_jobs(rread, size, folder)
    if not only or "logs" in only:
        jobs += window_jobs(rread, size, folder)
    jobs += follow_jobs(rread, log, folder)
    jobs += color_jobs(rread, folder)
    return [job for job in jobs if only in job.name]


def arguments():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=size_of, default=GIB, help="size of the log (default: 1GiB)")
    parser.add_argument("--rounds", type=int, default=7, help="how often every job is run (default: 7)")
    parser.add_argument("--binary", default=root / "target/release/rread", help="the rread to measure")
    parser.add_argument("--dir", default=root / "target", help="where the log goes (default: target)")
    parser.add_argument("--only", default="", help="only jobs with this in their names")
    parser.add_argument("--peers", metavar="FOLDER", action="append", default=[], help="where more programs are, in it or in its bin")
    parser.add_argument("--json", metavar="FILE", help="also write everything that was measured to this file")
    options = parser.parse_args()
    if options.size < 16 * MIB:
        parser.error("--size must be at least 16MiB")
    return options


def main():
    options = arguments()
    add_folders(options.peers)
    binary = Path(options.binary).resolve()
    if not os.access(binary, os.X_OK):
        sys.exit(f"{binary} is not there: cargo build --release")
    Path(options.dir).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="compare-", dir=options.dir) as folder:
        folder = Path(folder).resolve()
        log, rread = str(folder / "big.log"), str(folder / "rread")
        # Results name it so, whatever the file is called.
        os.symlink(binary, rread)
        lines = make_log(log, options.size)
        warm(log)
        with served(rread, log, folder) as url:
            jobs = all_jobs(rread, log, lines, options, folder, url)
            check(jobs)
            measure(jobs, options.rounds)
            command = " ".join(["python3 benches/compare.py", *sys.argv[1:]])
            print(f"A log of {shown_size(options.size)}, {lines:,} lines, in the page cache; {machine()}; "
                  f"{options.rounds} interleaved rounds by `{command}`.\n")
            missed = report_times(jobs, log)
            report_versions(jobs)
            missed += report_memory(measure_memory(jobs, rread, log, folder), log, folder)
        if options.json:
            write(as_json(jobs, rread, log, options.size, lines, options.rounds), options.json)
    if missed:
        sys.exit(f"{missed} targets missed")


if __name__ == "__main__":
    main()
