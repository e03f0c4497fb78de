"""The jobs of compare.py against programs for one kind of file: qsv and xan for CSV, hl and lnav for logs."""

import subprocess
from datetime import datetime, timedelta, timezone

from jobs import ENVIRONMENT, MIB, WITH_INDEX, Job
from logs import make_log
from programs import every, of_rread, peers_of

# Rows differ within so many bytes.
BLOCK = 8 * MIB


def write_blocks(path, head, line, size):
    """Writes a head and lines again and again until the file has the size; returns how many lines there are."""
    block, number, state = bytearray(), 0, 1
    while len(block) < BLOCK:
        state = (state * 1103515245 + 12345) % (1 << 31)
        block += line(number, state).encode()
        number += 1
    blocks = max(1, size // len(block))
    with open(path, "wb") as file:
        file.write(head.encode())
        for _ in range(blocks):
            file.write(block)
    return number * blocks


def sale(number, state):
    """A row of a CSV, one field of which needs quotes."""
    day = datetime(2020, 1, 1) + timedelta(days=number % 2000)
    region = ("north", "south", "east", "west", "centre")[state // 7 % 5]
    return (f"{number},{day:%Y-%m-%d},{region},customer {state % 99991},item-{state // 11 % 5000},{1 + state // 3 % 50},"
            f"{state // 5 % 1000000 / 100:.2f},\"a note about it, {state // 13 % 1000}\"\n")


def csv_jobs(rread, size, folder):
    """Nothing without qsv and xan; queries only with the feature sql."""
    if not every("qsvlite") + every("xan"):
        return []
    csv = str(folder / "rows.csv")
    rows = write_blocks(csv, "id,day,region,customer,item,quantity,amount,note\n", sale, size)
    jobs = slice_jobs(rread, csv, rows, folder)
    if "sql" in of_rread(rread).get("features", ()):
        jobs += query_jobs(rread, csv)
    return [job for job in jobs if job.peers]


def slice_jobs(rread, csv, rows, folder):
    def ours(first):
        # No field has a line end, so a row is a line; the header is the first.
        return [[rread, "lines", csv, f"{first + 2}:+10", "--header", "1", "--raw"]]

    near, middle, cache = rows - rows // 100, rows // 2, folder / "cache of rows"
    subprocess.run([rread, "index", "build", csv], env=WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)}, check=True, capture_output=True)
    found = Job("CSV: 10 rows near the end", ours(near), [
        *peers_of("qsvlite", [["slice", "-s", str(near), "-l", "10", csv]]),
        *peers_of("xan", [["slice", "-s", str(near), "-l", "10", csv]]),
    ])
    # qsv keeps its index beside the file.
    copy = str(folder / "indexed.csv")
    for qsv in every("qsvlite"):
        subprocess.run(["cp", csv, copy], check=True)
        subprocess.run([qsv, "index", copy], check=True, capture_output=True)
    indexed = Job("CSV: 10 rows in the middle, indexed", ours(middle),
                  peers_of("qsvlite", [["slice", "-s", str(middle), "-l", "10", copy]]), repeat=10, cache=cache)
    return [found, indexed]


def query_jobs(rread, csv):
    def job(what, query, qsv=None, xan=None, same=False):
        peers = (peers_of("qsvlite", [[*qsv, csv]]) if qsv else []) + (peers_of("xan", [[*xan, csv]]) if xan else [])
        made = Job(f"CSV: {what}", [[rread, "select", csv, query, "--raw"]], peers, same=same)
        made.memory = 768 * MIB
        return made

    one = "customer 4711"
    return [
        job("counting rows", "SELECT count(*) AS n FROM t", ["count"], ["count"]),
        job("the rows of one customer", f"SELECT * FROM t WHERE customer = '{one}'",
            ["search", "-s", "customer", f"^{one}$"], ["search", "-s", "customer", "-e", one]),
        job("a filter of numbers", "SELECT * FROM t WHERE amount > 9999.5", xan=["filter", "amount > 9999.5"]),
        job("sums of 5 groups", "SELECT region, count(*) AS n, sum(amount) AS total FROM t GROUP BY region",
            xan=["groupby", "region", "count() as n, sum(amount) as total"]),
    ]


def record(number, state):
    """A record of a log in JSON, a part of a second after the one before."""
    at = datetime(2026, 11, 1, tzinfo=timezone.utc) + timedelta(milliseconds=20 * number)
    level = ("debug", "info", "info", "warn", "error")[state // 7 % 5]
    return (f'{{"ts":"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z","level":"{level}","logger":"svc-{state // 11 % 40}",'
            f'"msg":"GET /api/v2/items/{state % 7919}","status":{200 + state % 5},"took":{state % 2000}}}\n')


def window_jobs(rread, size, folder):
    """Windows of time, and records of a level: hl reads logs of JSON, lnav those of plain text. Both read the whole file."""
    jobs, home = [], ENVIRONMENT | {"HOME": str(folder), "RREAD_CACHE_DIR": str(folder / "cache of windows")}
    size = min(size, 256 * MIB)
    if every("hl"):
        log = str(folder / "app.jsonl")
        with open(log, "wb") as file:
            at, left = 0, size
            while left > 0:
                left -= file.write("".join(record(number, number * 2654435761 % (1 << 31)) for number in range(at, at + 8192)).encode())
                at += 8192
        since = datetime(2026, 11, 1, tzinfo=timezone.utc) + timedelta(milliseconds=20 * (at // 2))
        jobs.append(window(rread, log, since, "hl", lambda start, end: ["-P", "-r", "--since", start, "--until", end, log]))
        jobs.append(Job("logs: the errors of JSON lines", [[rread, "search", "--raw", '"level":"error"', log]],
                        peers_of("hl", [["-P", "-r", "--level", "error", log]])))
    if every("lnav"):
        log = str(folder / "plain.log")
        since = make_log(log, size)
        # lnav shows what is not hidden, and without -n it would show it full-screen.
        jobs.append(window(rread, log, since, "lnav", lambda start, end: [
            "-n", "-c", f":hide-lines-before {start}", "-c", f":hide-lines-after {end}", log]))
    for job in jobs:
        job.environment = home
    return jobs


def window(rread, log, since, name, theirs):
    start = since.replace(microsecond=0)
    # Both include the last millisecond, and rread the time before --until.
    end = start + timedelta(milliseconds=9999)
    times = [f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z" for at in (start, end)]
    kind = "JSON lines" if log.endswith(".jsonl") else "plain text"
    ours = [rread, "lines", log, "--since", f"{start:%Y-%m-%dT%H:%M:%SZ}", "--until", "+10s", "--raw"]
    return Job(f"logs: 10 seconds of {kind} by time", [ours], peers_of(name, [theirs(*times)]))
