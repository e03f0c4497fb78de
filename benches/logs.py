"""The jobs of compare.py on logs: queries, kinds of lines, a window of time, and records merged by time."""

import os
import shutil
import subprocess
from datetime import datetime, timedelta, timezone

from jobs import MIB, Job, tool
from programs import peers_of

DUCK_LINES = "read_csv('{path}', delim='\\x01', quote='', escape='', header=false, columns={{'line': 'VARCHAR'}}, auto_detect=false)"


def make_log(path, size, step=timedelta(milliseconds=7)):
    """Writes lines in the order of time, of about 95 bytes; returns the time in its middle."""
    at, state, number = datetime(2026, 11, 1, tzinfo=timezone.utc), 1, 0
    levels = ["DEBUG"] * 5 + ["INFO"] * 8 + ["WARN"] * 2 + ["ERROR"]
    times = []
    with open(path, "wb") as file:
        left = size
        while left > 0:
            block = []
            for _ in range(4096):
                state = (state * 1103515245 + 12345) % (1 << 31)
                stamp = at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"
                block.append(f"{stamp} {levels[state // 7 % 16]} svc-{state // 11 % 40} user={state % 99991} "
                             f"GET /api/v2/items/{state % 7919} status={200 + state % 5} took={state % 2000}ms\n")
                at += step
                number += 1
            times.append(at)
            left -= file.write("".join(block).encode())
    return times[len(times) // 2]


def log_jobs(rread, size, folder, duck):
    folder = folder / "logs"
    folder.mkdir()
    log, large = str(folder / "app.log"), str(folder / "large.log")
    make_log(log, size * 3 // 10)
    middle = make_log(large, size)
    return [*query_jobs(rread, log, duck), *scan_jobs(rread, large, middle), *merge_jobs(rread, size, folder)]


def query_jobs(rread, log, duck):
    lines = DUCK_LINES.format(path=log)
    counted = "SELECT count(*) AS n FROM {t} WHERE line LIKE '%ERROR%'"
    found = Job("a count of lines LIKE '%ERROR%' in a log (SQL)", [[rread, "select", log, counted.format(t="t"), "--raw"]],
                [([[*duck.argv(counted, lines, False)[0]]], {"wall": 0.3}), *peers_of("rg", [["-c", "ERROR", log]], target={"wall": 2.0})], same=False)
    mine = "SELECT service, count(*) AS n FROM t GROUP BY service ORDER BY service"
    theirs = "SELECT regexp_extract(line, 'svc-[0-9]+') AS service, count(*) AS n FROM {t} GROUP BY service ORDER BY service"
    grouped = Job("groups of a field of a log (SQL)", [[rread, "select", log, mine, "--parse", "<_> <_> <service> <_>", "--raw"]],
                  [(duck.argv(theirs, lines, False), {"wall": 0.8})], same=False)
    return [found, grouped]


def scan_jobs(rread, log, middle):
    kinds = Job("the kinds of lines of a log (SQL and logs)", [[rread, "stat", log, "--patterns", "10"]], [([[tool("wc"), "-l", log]], {"wall": 6.0})], same=False)
    since = middle.strftime("%Y-%m-%dT%H:%M:%SZ")
    # A process that does nothing takes a millisecond; a tenth of a second is what the target allows.
    window = Job("10 seconds of a log by time (SQL and logs)", [[rread, "lines", log, "--since", since, "--until", "+10s", "--raw"]],
                 [([[tool("sleep"), "0.1"]], {"wall": 1.0})], same=False, repeat=5)
    return [kinds, window]


def merge_jobs(rread, size, folder):
    pair = [str(folder / "a.log"), str(folder / "b.log")]
    for path, milliseconds in zip(pair, (7, 9)):
        make_log(path, size * 3 // 20, timedelta(milliseconds=milliseconds))
    job = Job("two logs merged by time (SQL and logs)", [[rread, "lines", *pair, "--merge", "--raw"]],
              [([[tool("sort"), "-m", "-s", "-k1,1", *pair]], {"wall": 2.0})])
    job.memory = 32 * MIB
    return [job]
