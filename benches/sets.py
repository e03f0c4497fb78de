"""The jobs of compare.py that are queries on many files, compressed tables and JSON lines, and of many groups."""

import gzip
import os
import subprocess

from jobs import MIB, Job

GROUPS = "SELECT k, count(*) AS n, sum(v) AS total FROM {t} GROUP BY k ORDER BY k"

# A row takes 60 bytes as CSV and 99 as JSON, nearly.
ROWS = """
CREATE TABLE r AS SELECT i AS id, 'key-' || (hash(i) % 40) AS k, CAST(hash(i * 3) % 1000000 AS BIGINT) AS v,
 CAST(hash(i * 5) % 100000 AS INT) / 100.0 AS price, 'what was said of it, ' || (hash(i * 11) % 100000) AS note FROM range({rows}) x(i);
COPY r TO '{folder}/all.csv' (HEADER);
COPY (SELECT id, k, v, price, note, 'word' AS word FROM r) TO '{folder}/all.jsonl' (FORMAT json);
"""

# The groups of a query that needs more memory than it is given.
MANY = "COPY (SELECT CAST(hash(i) % {groups} AS BIGINT) AS g, i AS v FROM range({rows}) x(i)) TO '{path}' (HEADER);"


def divided(source, folder, count, name, write):
    """Divides a CSV into so many files of whole records, each with the header."""
    os.mkdir(folder)
    size = os.path.getsize(source)
    with open(source, "rb") as file:
        header, at = file.readline(), 0
        for number in range(count):
            rest = file.read(max(0, (number + 1) * size // count - file.tell())) + file.readline()
            write(str(folder / name.format(number)), header + rest)


def plain(path, text):
    with open(path, "wb") as file:
        file.write(text)


def packed(path, text):
    with gzip.open(path, "wb", compresslevel=6) as file:
        file.write(text)


def set_jobs(rread, size, folder, duck):
    """`duck` runs a statement of DuckDB, and `duck.argv` is a command that prints the rows of a query."""
    folder = folder / "sets"
    folder.mkdir()
    duck.run(ROWS.format(rows=size // 5 // 60, folder=folder))
    csv, lines = str(folder / "all.csv"), str(folder / "all.jsonl")
    divided(csv, folder / "csv", 1000, "part-{:04}.csv", plain)
    divided(csv, folder / "gz", 40, "part-{:02}.csv.gz", packed)
    with open(csv, "rb") as file:
        packed(str(folder / "all.csv.gz"), file.read())
    (folder / "parquet").mkdir()
    duck.run(f"SET threads = 1; COPY (SELECT *, id // {size // 5 // 60 // 200 + 1} AS f FROM '{csv}') TO '{folder}/parquet' (FORMAT parquet, PARTITION_BY f, WRITE_PARTITION_COLUMNS false, OVERWRITE)")
    parquet = f"{folder}/parquet/*/*.parquet"
    return [*csv_jobs(rread, folder, duck, csv), *json_jobs(rread, duck, lines), *parquet_jobs(rread, duck, parquet, size // 5 // 60),
            *group_jobs(rread, size, folder, duck)]


def query(rread, file, text, *options):
    return [[rread, "select", file, text, "--raw", *options]]


def csv_jobs(rread, folder, duck, csv):
    many, packed_set, one = f"{folder}/csv/*.csv", f"{folder}/gz/*.csv.gz", str(folder / "all.csv.gz")
    groups, ours = GROUPS.format(t="t"), []
    whole = Job("40 groups over 1,000 files of CSV (SQL)", query(rread, many, groups),
                [(query(rread, csv, groups), {"wall": 1.3}), (duck.argv(GROUPS, many), {"wall": 0.2})], same=False)
    counted = "SELECT count(*) AS n FROM t"
    picked = Job("one of 1,000 files by _file (SQL)", query(rread, many, f"{counted} WHERE _file LIKE '%0007.csv'"),
                 [(query(rread, f"{folder}/csv/part-0007.csv", counted), {"wall": 1.5})], repeat=3)
    for name, path, most in (("40 files of .csv.gz", packed_set, 0.6), ("one .csv.gz", one, 0.8)):
        ours.append(Job(f"40 groups over {name} (SQL)", query(rread, path, groups), [(duck.argv(GROUPS, path), {"wall": most})], same=False))
    return [whole, picked, *ours]


def json_jobs(rread, duck, path):
    queries = {
        "a count": "SELECT count(*) AS n FROM {t}",
        "one column": "SELECT max(v) AS v FROM {t}",
        "40 groups": GROUPS,
        "LIKE": "SELECT count(*) AS n FROM {t} WHERE note LIKE '%it, 999%'",
    }
    return [Job(f"{name} over JSON lines (SQL)", query(rread, path, text.format(t="t")), [(duck.argv(text, path), {"wall": 1.0})], same=name != "40 groups")
            for name, text in queries.items()]


def parquet_jobs(rread, duck, path, rows):
    """Nine of ten files have no row that is asked for, which their statistics tell."""
    text = f"SELECT count(*) AS n, max(price) AS price FROM {{t}} WHERE id >= {rows - rows // 10}"
    return [Job("a filter over 200 files of Parquet (SQL)", query(rread, path, text.format(t="t")), [(duck.argv(text, path), {"wall": 1.0})], same=False, repeat=3)]


def group_jobs(rread, size, folder, duck):
    text, jobs = "SELECT count(*) AS n, max(s) AS most FROM (SELECT g, sum(v) AS s FROM t GROUP BY g)", []
    for groups in (size // 1024, size // 80):
        path = str(folder / f"groups-{groups}.csv")
        duck.run(MANY.format(groups=groups, rows=max(groups * 5 // 4, size // 340), path=path))
        job = Job(f"{groups:,} groups in 64 MiB (SQL)", query(rread, path, text, "--memory", "64MiB"), [(query(rread, path, text), {"wall": 3.0})])
        job.memory = 768 * MIB
        jobs.append(job)
    return jobs
