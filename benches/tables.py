"""The jobs of compare.py that are queries: DuckDB in Python is the peer, with as many threads, and on one file Polars and ClickHouse (chdb) where they are installed."""

import csv as rows
import io
import os
import subprocess
import sys

from jobs import MIB, Job, shown_size
from logs import log_jobs
from sets import set_jobs

# Of the values that a log of sales has: numbers, dates, a few words, many words, and text that needs quotes.
FILL = """
COPY (SELECT i AS id, DATE '2020-01-01' + CAST(i % 2000 AS INT) AS day,
 ['north', 'south', 'east', 'west', 'centre'][1 + CAST(hash(i) % 5 AS INT)] AS region,
 'customer ' || (hash(i * 7) % 100000) AS customer, 'item-' || (hash(i * 13) % 5000) AS item,
 CAST(hash(i * 3) % 50 AS INT) + 1 AS quantity, CAST(hash(i * 5) % 1000000 AS INT) / 100.0 AS amount,
 'a note about it, ' || (hash(i * 11) % 1000) AS note FROM range({rows}) r(i)) TO '{csv}' (HEADER);
COPY (SELECT * FROM read_csv('{csv}')) TO '{parquet}';
COPY (SELECT * FROM read_csv('{csv}')) TO '{json}';
COPY (SELECT * FROM read_csv('{csv}')) TO '{gzip}' (HEADER, COMPRESSION gzip);
"""

# Bytes that a row takes in a CSV, nearly.
ROW = 83

QUERIES = {
    "a filter": "SELECT id, customer, amount FROM t WHERE amount > 9999.5",
    "an aggregate": "SELECT region, count(*) AS n, sum(amount) AS total FROM t WHERE quantity > 25 GROUP BY region ORDER BY region",
    "a count of many groups": "SELECT customer, count(*) AS n, avg(amount) AS mean FROM t GROUP BY customer ORDER BY n DESC, customer LIMIT 10",
}

ASK = "import duckdb, sys; c = duckdb.connect(); c.execute('SET threads = {threads}; SET enable_progress_bar = false'); c.execute(sys.argv[1])"

POLARS = """import polars, sys
scan = {"csv": polars.scan_csv, "gz": polars.scan_csv, "jsonl": polars.scan_ndjson, "parquet": polars.scan_parquet}[sys.argv[2].rsplit(".")[-1]]
polars.SQLContext(t=scan(sys.argv[2])).execute(sys.argv[1]).collect().write_csv("/dev/stdout")"""

CLICKHOUSE = "import chdb, sys; sys.stdout.write(str(chdb.query(sys.argv[1], 'CSVWithNames')))"


def has(path, package):
    return subprocess.run([path, "-c", f"import {package}"], capture_output=True).returncode == 0


def python():
    """A Python that has DuckDB: the one that RREAD_DUCKDB names, the one of the tests, or this one."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for path in (os.environ.get("RREAD_DUCKDB"), os.path.join(root, "target/servers/duckdb/bin/python"), sys.executable):
        if path and os.access(path, os.X_OK) and has(path, "duckdb"):
            return path
    return None


class Duck:
    """DuckDB in a Python, a process for each query, as a program that is asked once is."""

    def __init__(self, path):
        self.path = path
        self.ask = ASK.format(threads=os.cpu_count())

    def run(self, statements):
        # A bar that tells how far it is would be part of its answer.
        subprocess.run([self.path, "-c", "import duckdb, sys; duckdb.execute(sys.argv[1])", "SET enable_progress_bar = false;" + statements], check=True)

    def argv(self, query, table, quoted=True):
        """The pipeline that prints the rows of a query, whose `{t}` is the table."""
        text = query.format(t=f"'{table}'" if quoted else table)
        return [[self.path, "-c", self.ask, f"COPY ({text}) TO '/dev/stdout' (HEADER)"]]


def table_jobs(rread, size, folder):
    peer = python()
    if not peer:
        print("DuckDB is not there (pip install duckdb): no query is measured", file=sys.stderr)
        return []
    if subprocess.run([rread, "select", "-", "SELECT 1"], input=b"a\n1\n", capture_output=True).returncode:
        print("this rread knows no SQL (--features sql): no query is measured", file=sys.stderr)
        return []
    duck = Duck(peer)
    jobs = [*one_file_jobs(rread, size, folder, duck), *set_jobs(rread, size, folder, duck), *log_jobs(rread, size, folder, duck)]
    for job in jobs:
        job.memory = max(job.memory, 768 * MIB) if job.ours[0][1] == "select" else job.memory
    return jobs


class TableJob(Job):
    """A query whose rows may come in another order, and with other last digits of numbers."""

    def check(self):
        answers = [self.answer(pipeline) for pipeline in self.pipelines()]
        if any(answer != answers[0] for answer in answers):
            sys.exit(f"{self.name}: the programs have other rows")

    @staticmethod
    def answer(pipeline):
        def plain(cell):
            try:
                return f"{float(cell):.9g}"
            except ValueError:
                return cell

        output = subprocess.run(pipeline[0], capture_output=True, text=True, check=True).stdout
        return sorted([plain(cell) for cell in row] for row in list(rows.reader(io.StringIO(output)))[1:])


def one_file_jobs(rread, size, folder, duck):
    paths = {kind: str(folder / f"sales.{ending}") for kind, ending in (("CSV", "csv"), ("JSON lines", "jsonl"), ("Parquet", "parquet"), ("CSV in gzip", "csv.gz"))}
    duck.run(FILL.format(rows=size // ROW, csv=paths["CSV"], parquet=paths["Parquet"], json=paths["JSON lines"], gzip=paths["CSV in gzip"]))
    others = [package for package in ("polars", "chdb") if has(sys.executable, package)]
    jobs, name = [], shown_size(size)
    for kind, path in paths.items():
        for what, query in QUERIES.items():
            of = f"{name} of CSV" if kind == "CSV" else f"the same as {kind}"
            goal = {"wall": 0.8}
            peers = [(duck.argv(query.replace("FROM t", "FROM {t} t"), path), goal)]
            if "polars" in others:
                peers.append(([[sys.executable, "-c", POLARS, query, path, "polars"]], goal))
            if "chdb" in others:
                peers.append(([[sys.executable, "-c", CLICKHOUSE, query.replace("FROM t", f"FROM file('{path}') AS t"), "chdb"]], goal))
            jobs.append(TableJob(f"{what} over {of} (SQL)", [[rread, "select", path, query, "--raw"]], peers, same=False))
    return jobs
