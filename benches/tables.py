"""The jobs of compare.py that are queries: DuckDB, in Python or its own shell, is the peer, with as many threads."""

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
"""

# Bytes that a row takes in a CSV, nearly.
ROW = 83

QUERIES = {
    "a filter": "SELECT id, customer, amount FROM t WHERE amount > 9999.5",
    "an aggregate": "SELECT region, count(*) AS n, sum(amount) AS total FROM t WHERE quantity > 25 GROUP BY region ORDER BY region",
    "a count of many groups": "SELECT customer, count(*) AS n, avg(amount) AS mean FROM t GROUP BY customer ORDER BY n DESC, customer LIMIT 10",
}

ASK = "import duckdb, sys; c = duckdb.connect(); c.execute('SET threads = {threads}; SET enable_progress_bar = false'); c.execute(sys.argv[1])"


def python():
    """A Python that has DuckDB: the one that RREAD_DUCKDB names, the one of the tests, or this one."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for path in (os.environ.get("RREAD_DUCKDB"), os.path.join(root, "target/servers/duckdb/bin/python"), sys.executable):
        if path and os.access(path, os.X_OK) and subprocess.run([path, "-c", "import duckdb"], capture_output=True).returncode == 0:
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


def one_file_jobs(rread, size, folder, duck):
    csv, parquet = str(folder / "sales.csv"), str(folder / "sales.parquet")
    duck.run(FILL.format(rows=size // ROW, csv=csv, parquet=parquet))
    jobs, name = [], shown_size(size)
    for path, kind in ((csv, "CSV"), (parquet, "Parquet")):
        for what, query in QUERIES.items():
            of = f"the same as {kind}" if kind == "Parquet" else f"{name} of CSV"
            theirs = duck.argv(query.replace("FROM t", "FROM {t} t"), path)
            job = Job(f"{what} over {of} (SQL)", [[rread, "select", path, query, "--raw"]], [(theirs, {"wall": 1.5})])
            # What DuckDB rounds otherwise in the last digit is no other answer.
            job.same = what == "a filter"
            jobs.append(job)
    return jobs
