"""Asks rread and DuckDB random queries on the same rows, as CSV, JSON lines and Parquet in turn.

    python3 benches/queries.py RREAD [COUNT] [SEED]

Prints each query whose rows differ or that one refuses, and the counts. Needs duckdb.
"""

import collections
import datetime
import decimal
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import duckdb

# Numbers with gaps, few and many words, quotes and commas in texts, dates, times, and NULL in all but the first.
TABLE = """
SELECT setseed(0.{seed});
CREATE TABLE {name} AS SELECT i AS id, CASE WHEN random() < 0.9 THEN CAST(random() * {rows} / 3 AS BIGINT) END AS k,
 CASE WHEN random() < 0.9 THEN CAST(random() * 2000 - 1000 AS INT) / 8 END AS f,
 CASE WHEN random() < 0.9 THEN ['north', 'south', 'a, b', 'it''s', 'say "x"', 'Zürich', '日本', 'x'][1 + CAST(random() * 7 AS INT)] END AS s,
 CASE WHEN random() < 0.9 THEN random() < 0.5 END AS b,
 CASE WHEN random() < 0.9 THEN DATE '2024-01-01' + CAST(random() * 800 AS INT) END AS d,
 CASE WHEN random() < 0.9 THEN TIMESTAMP '2026-01-01 00:00:00' + to_seconds(CAST(random() * 9999999 AS BIGINT)) END AS ts
 FROM range({rows}) r(i);
"""

NUMBERS = """t.id|t.k|t.f|t.k + t.id|t.k * 2 - 1|t.k / 3|t.id % 7|abs(t.f)|coalesce(t.k, 0)|length(t.s)|date_part('year', t.d)|round(t.f)
CASE WHEN t.b THEN t.k ELSE -t.id END|floor(t.f)"""
TEXTS = """t.s|upper(t.s)|t.s || '-' || t.k|substr(t.s, 2, 3)|coalesce(t.s, '?')|replace(t.s, 'o', '0')|trim(t.s)|left(t.s, 2)|nullif(t.s, 'x')"""
TIMES = """t.d|t.ts|date_trunc('month', t.ts)|CAST(t.ts AS DATE)|t.d + INTERVAL '3 days'"""

# N and M are small numbers.
CONDITIONS = """t.s = 'south'|t.s <> 'it''s'|t.s < 'south'|t.s > 'it''s'|t.s LIKE '%o%'|t.s LIKE 'a, _'|t.s LIKE 'Z%'|t.k IS NULL
t.k IS NOT NULL|t.b|t.b IS NOT TRUE|t.d < DATE '2025-0M-15'|t.d >= DATE '2025-0M-15'|t.ts > TIMESTAMP '2026-02-0M 12:00:00'
t.k BETWEEN N AND N + 9|t.s IN ('x', 'north', '日本')|t.k NOT IN (1, 2, N)|t.k IS DISTINCT FROM N|t.f > (SELECT avg(f) FROM u)"""
MEMBERS = """|WHERE w.k IS NOT NULL|WHERE w.k > 12|WHERE w.id < 0"""
EXISTS = """w.k = t.k|w.id < t.k|w.k = t.id AND w.b|w.id = t.id + 1|w.id < 0|w.id > 3|w.k > t.k AND w.s = t.s"""
SCALARS = """w.k = t.k|w.id = t.k|w.id < t.k|w.b"""
TOTALS = """count(*)|count(t.s)|sum(NUMBER)|min(NUMBER)|max(TEXT)|avg(NUMBER)|count(DISTINCT t.s)|bool_or(t.b)|stddev(t.f)|min(t.d)
max(t.ts)|sum(t.k) FILTER (WHERE CONDITION)|sum(CASE WHEN CONDITION THEN 1 ELSE 0 END)"""
WINDOWS = """row_number() OVER (BY ORDER BY t.id)|rank() OVER (BY ORDER BY t.k NULLS FIRST)|lag(t.k) OVER (BY ORDER BY t.id)
CALL OVER (BY ORDER BY t.id FRAME)|ntile(4) OVER (ORDER BY t.id)|dense_rank() OVER (ORDER BY t.s NULLS LAST)"""
CALLS = """sum(t.k)|count(t.f)|min(t.k)|first_value(t.s)|last_value(t.k)"""
FRAMES = """|ROWS BETWEEN 2 PRECEDING AND CURRENT ROW|ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING"""
SOURCES = """t|t|t JOIN u ON ON|t LEFT JOIN u ON ON|t RIGHT JOIN u ON ON|t FULL JOIN u ON ON|(SELECT * FROM t WHERE id % 3 = 1) t
t JOIN (SELECT k, count(*) AS n FROM u GROUP BY k) q ON q.k = t.k"""
JOINS = """u.k = t.k|u.id = t.id|u.id = t.k AND u.b|u.k = t.k AND u.s = t.s|u.id = t.k"""
KEYS = """t.s|t.b|t.k % 5|date_part('month', t.d)|t.s || 'x'|t.k IS NULL"""
ORDERS = """t.id|t.k DESC NULLS LAST, t.id|t.s NULLS FIRST, t.id"""


def choices(text):
    return text.replace("\n", "|").split("|") if "||" not in text else text.replace("\n", "|").replace(" || ", " \0 ").split("|")


class Asker:
    """Makes one query; every choice comes from the seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def of(self, text):
        return self.random.choice(choices(text)).replace("\0", "||")

    def is_in(self, share):
        return self.random.random() < share

    def condition(self, depth=0):
        if depth < 2 and self.is_in(0.45):
            one, other = self.condition(depth + 1), self.condition(depth + 1)
            return self.random.choice((f"({one} AND {other})", f"({one} OR {other})", f"NOT ({one})", f"({one}) IS NULL", f"coalesce({one}, false)"))
        number = self.random.randrange(40)
        kind = self.random.random()
        if kind < 0.15:
            sign = self.random.choice(("=", "<>", "<", ">=", "<=", ">"))
            return f"{self.of(NUMBERS)} {sign} {self.random.choice((str(number), self.of(NUMBERS)))}"
        if kind < 0.35:
            return self.random.choice((self.member, self.exists))()
        return self.of(CONDITIONS).replace("N AND N", f"{number} AND {number}").replace(", N)", f", {number})").replace(
            "FROM N", f"FROM {number}").replace("0M", f"0{number % 8 + 1}")

    def member(self):
        return f"t.k {self.random.choice(('IN', 'NOT IN'))} (SELECT w.k FROM u w {self.of(MEMBERS)})"

    def exists(self):
        return f"{self.random.choice(('', 'NOT '))}EXISTS (SELECT 1 FROM u w WHERE {self.of(EXISTS)})"

    def value(self):
        kind = self.random.random()
        if kind < 0.12:
            return self.random.choice((self.member, self.exists, self.condition))()
        if kind < 0.2:
            total = self.random.choice(("count(*)", "max(w.k)", "min(w.s)", "sum(w.id)"))
            return f"(SELECT {total} FROM u w WHERE {self.of(SCALARS)})"
        return self.of(self.random.choice((NUMBERS, TEXTS, TIMES)))

    def values(self):
        return ", ".join(f"{self.value()} AS c{nth}" for nth in range(self.random.randrange(1, 4)))

    def totals(self):
        def total():
            return self.of(TOTALS).replace("NUMBER", self.of(NUMBERS)).replace("TEXT", self.of(TEXTS)).replace("CONDITION", self.condition(2))

        return ", ".join(f"{total()} AS n{nth}" for nth in range(self.random.randrange(1, 4)))

    def query(self):
        source = self.of(SOURCES).replace("ON ON", f"ON {self.of(JOINS)}")
        where = f" WHERE {self.condition()}" if self.is_in(0.6) else ""
        kind = self.random.random()
        if kind < 0.1:
            limit = f"LIMIT {self.random.randrange(1, 40)}{self.random.choice(('', ' OFFSET 5'))}"
            return f"SELECT t.id, {self.values()} FROM t{where} ORDER BY {self.of(ORDERS)} {limit}"
        if kind < 0.4:
            return f"SELECT {self.random.choice(('', '', 'DISTINCT '))}{self.values()} FROM {source}{where}"
        if kind < 0.7:
            keys = ", ".join(key.replace("\0", "||") for key in self.random.sample(choices(KEYS), self.random.randrange(1, 3)))
            having = f" HAVING count(*) > {self.random.randrange(5)}" if self.is_in(0.3) else ""
            group = self.random.choice((keys, keys, f"ROLLUP ({keys})", f"GROUPING SETS (({keys}), ())"))
            return f"SELECT {keys}, {self.totals()} FROM {source}{where} GROUP BY {group}{having}"
        if kind < 0.8:
            return f"SELECT {self.totals()} FROM {source}{where}"
        if kind < 0.9:
            by = f"PARTITION BY {self.random.choice(('t.s', 't.b', 't.k'))}"
            window = self.of(WINDOWS).replace("(BY", f"({by}").replace("CALL", self.of(CALLS)).replace("FRAME", self.of(FRAMES))
            return f"SELECT t.id, {window} AS w FROM t{where}"
        column, word = self.random.choice("ksbd"), self.random.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
        return f"SELECT {column} FROM t{where} {word} SELECT {column} FROM u t WHERE {self.condition(1)}"


def plain(value):
    """A value as both have it: numbers as floats, times as text, midnight as a date.

    >>> plain(decimal.Decimal("1.50")), plain(datetime.datetime(2026, 1, 31)), plain("2026-01-31T00:00:00"), plain(True)
    (1.5, '2026-01-31', '2026-01-31', True)
    """
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float, decimal.Decimal)):
        return float(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        value = value.isoformat()
    return value.removesuffix("T00:00:00") if isinstance(value, str) else value


def is_near(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other or abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-6)
    return one == other


def is_same(ours, theirs, ordered):
    """Whether the rows are the same, in any order unless they are ordered; sums of floats may differ in the last digits."""
    def key(row):
        return [(value is not None, str(type(value)), f"{value:.6g}" if isinstance(value, float) else str(value)) for value in row]

    ours, theirs = ([[plain(value) for value in row] for row in rows] for rows in (ours, theirs))
    if not ordered:
        ours, theirs = sorted(ours, key=key), sorted(theirs, key=key)
    return len(ours) == len(theirs) and all(len(one) == len(other) and all(map(is_near, one, other)) for one, other in zip(ours, theirs))


def ask(rread, state, folder, sql, ending):
    """What came of a query, and what to show of it."""
    cursor = state.cursor()
    cursor.execute("SET integer_division = true")
    try:
        theirs = cursor.execute(sql).fetchall()
    except duckdb.Error as error:
        return "refused by DuckDB", str(error)
    words = [rread, "select", f"{folder}/t.{ending}", sql, "--table", f"u={folder}/u.{ending}", "--output", "jsonl", "--raw"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return f"refused, exit {done.returncode}", done.stderr
    ours = [list(json.loads(line).values()) for line in done.stdout.splitlines()]
    same = is_same(ours, theirs, "ORDER BY" in sql.rsplit(")", 1)[-1])
    return "same" if same else "different", f"{ending}: {ours[:6]} and {theirs[:6]}"


def main():
    rread, count, seed = os.path.abspath(sys.argv[1]), *(int(word) for word in (sys.argv[2:] + ["200", "1"][len(sys.argv) - 2:])[:2])
    state, counts = duckdb.connect(), collections.Counter()
    state.execute("SET threads = 1")
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("t", 400), ("u", 60)):
            state.execute(TABLE.format(seed=seed % 9 + 1, name=name, rows=rows))
            for ending, form in (("csv", "FORMAT csv, HEADER"), ("jsonl", "FORMAT json"), ("parquet", "FORMAT parquet")):
                state.execute(f"COPY {name} TO '{folder}/{name}.{ending}' ({form})")
        queries = [Asker(seed * 1_000_000 + nth).query() for nth in range(count)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            endings = [("csv", "jsonl", "parquet")[nth % 3] for nth in range(count)]
            answers = pool.map(lambda one: ask(rread, state, folder, *one), zip(queries, endings))
            for sql, (verdict, text) in zip(queries, answers):
                counts[verdict] += 1
                if verdict != "same":
                    print(f"{verdict}: {sql}\n    {text.strip()[:600]}")
    print(count, dict(counts.most_common()))


if __name__ == "__main__":
    main()
