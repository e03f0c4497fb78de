"""The jobs of compare.py that are queries: DuckDB, in Python or its own shell, is the peer, with as many threads."""

import os
import subprocess
import sys

from jobs import ENVIRONMENT, MIB, Job, shown_size

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
        if path and subprocess.run([path, "-c", "import duckdb"], capture_output=True).returncode == 0:
            return path
    return None


def table_jobs(rread, size, folder):
    peer = python()
    if not peer:
        print("DuckDB is not there (pip install duckdb): no query is measured", file=sys.stderr)
        return []
    csv, parquet = str(folder / "sales.csv"), str(folder / "sales.parquet")
    if subprocess.run([rread, "select", "-", "SELECT 1"], input=b"a\n1\n", capture_output=True).returncode:
        print("this rread knows no SQL (--features sql): no query is measured", file=sys.stderr)
        return []
    fill = FILL.format(rows=size // ROW, csv=csv, parquet=parquet)
    # A bar that tells how far it is would be part of its answer.
    subprocess.run([peer, "-c", "import duckdb, sys; duckdb.execute(sys.argv[1])", "SET enable_progress_bar = false;" + fill], check=True)
    ask, jobs = ASK.format(threads=os.cpu_count()), []
    name = shown_size(size)
    for path, kind in ((csv, "CSV"), (parquet, "Parquet")):
        for what, query in QUERIES.items():
            theirs = f"COPY ({query.replace('FROM t', f'FROM {path!r} t')}) TO '/dev/stdout' (HEADER)"
            of = f"the same as {kind}" if kind == "Parquet" else f"{name} of CSV"
            job = Job(f"{what} over {of} (SQL)", [[rread, "select", path, query, "--raw"]], [([[peer, "-c", ask, theirs]], {"wall": 1.5})])
            # What DuckDB rounds otherwise in the last digit is no other answer.
            job.same = what == "a filter"
            job.memory = 768 * MIB
            jobs.append(job)
    return jobs
