"""Runs sqllogictest files, which the user fetches, against `rread select`: DuckDB holds the tables, and writes them as Parquet.

    python3 benches/logictest.py RREAD FOLDER [EVERY] [REPORT.jsonl]

The answers are those of the files, if DuckDB gives them too. EVERY 10 asks every tenth query; REPORT gets those that are not
right. Needs duckdb.
"""

import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import duckdb

# What changes the engine, or repeats what follows with other words.
UNREAD = "halt load restart loop foreach concurrentloop concurrentforeach template include unzip require-env"

# Words after `require` that nothing here lacks.
HAS = "vector_size noforcestorage no_extension_autoloading skip_reload json parquet"

QUERY = re.compile(r"\s*(SELECT|WITH|VALUES|FROM|\()", re.I)

TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"


def records(text):
    """The records of a file: the words of the first line, the SQL, and the lines of the answer, if it has one.

    >>> list(records("query I rowsort\\nSELECT 1\\n----\\n1\\n\\nonlyif mysql\\nquery I\\nSELECT 2\\n\\nstatement ok\\nDROP TABLE t\\n"))
    [(['query', 'I', 'rowsort'], 'SELECT 1', ['1']), (['statement', 'ok'], 'DROP TABLE t', None)]
    """
    for block in re.split(r"\n[ \t]*\n", text):
        lines = [line for line in block.strip("\n").split("\n") if not line.startswith("#")]
        conditions = []
        while lines and lines[0].startswith(("skipif", "onlyif")):
            conditions.append(lines.pop(0).split("#")[0].split()[:2])
        is_foreign = any(verb == "onlyif" or name in ("sqlite", "duckdb") for verb, name in conditions)
        if is_foreign or not lines or not lines[0].split("#")[0].strip():
            continue
        at = lines.index("----") if "----" in lines else len(lines)
        answer = lines[at + 1:] if at < len(lines) else None
        yield lines[0].split("#")[0].split(), "\n".join(lines[1:at]), answer


def plain(value):
    """A value as text that programs agree on: numbers to 9 digits, conditions as numbers, times without blanks.

    >>> [plain(value) for value in ("1.000", True, None, [1, "a"], "", "2026-01-31 00:00:00")]
    ['1', '1', 'NULL', '[1,a]', '(empty)', '2026-01-31']
    """
    if value is None:
        return "NULL"
    text = json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (list, dict)) else str(value)
    text = {"true": "1", "false": "0", "": "(empty)"}.get(text.lower(), text)
    try:
        return f"{float(text):.9g}"
    except ValueError:
        text = re.sub(r"[\"' ]", "", re.sub(r"(\d) (\d\d:)", r"\1T\2", text))
        return re.sub(r"T00:00:00$", "", re.sub(r"(T\d\d:\d\d:\d\d)(\.0+)?(Z|\+00(:00)?)?$", r"\1", text))


def classic(value, kind):
    """A value as SQLite's files have it, which may state only the sum of their text.

    >>> classic(True, "I"), classic("0.5", "I"), classic(1, "R"), classic("", "T"), classic(None, "I")
    ('1', '0', '1.000', '(empty)', 'NULL')
    """
    if value is None:
        return "NULL"
    try:
        return f"{float(value):.3f}" if kind == "R" else str(int(float(value))) if kind == "I" else str(value) or "(empty)"
    except (ValueError, TypeError, OverflowError):
        return str(value)


def is_same(rows, kinds, mode, answer):
    """Whether `rows` are those of the file: the sum of all values, one value a line, or one row a line."""
    width = max(1, len(kinds))
    texts = [[classic(value, kind) for value, kind in zip(row, kinds)] for row in rows]

    def ordered(values):
        parts = [values[at:at + width] for at in range(0, len(values), width)]
        values = [value for part in sorted(parts) for value in part] if mode in ("rowsort", "sort") else values
        return sorted(values) if mode == "valuesort" else values

    texts = ordered([text for row in texts for text in row])
    summed = re.fullmatch(r"(\d+) values hashing to (\w+)", answer[0]) if answer else None
    if summed:
        return hashlib.md5("".join(text + "\n" for text in texts).encode()).hexdigest() == summed[2]
    is_row = len(answer) == len(rows) and (width > 1 or "\t" in "".join(answer))
    cells = [cell for line in answer for cell in (line.split("\t") if is_row else [line])]
    ours = ordered([plain(value) for row in rows for value in row])
    return texts == ordered(cells) or ours == ordered([plain(cell) for cell in cells])


class Run:
    def __init__(self, rread, folder, every):
        self.rread, self.folder, self.every = rread, folder, every
        self.asked, self.counts, self.report = 0, collections.Counter(), []
        self.pool = ThreadPoolExecutor(os.cpu_count())
        (folder / "one.csv").write_text("one\n1\n")

    def file(self, path):
        state, tables, waiting = duckdb.connect(), None, []
        state.execute("SET threads = 1; SET integer_division = true")
        for words, sql, answer in records(path.read_text(encoding="utf-8", errors="replace")):
            if words[0] in UNREAD.split() or words[0] == "require" and words[1] not in HAS.split():
                break
            if words[0] == "statement":
                tables = None
                is_known(state, sql)
            elif words[0] == "query" and answer is not None and QUERY.match(sql) and len(words) > 1:
                self.asked += 1
                if self.asked % self.every == 0:
                    tables = tables or self.written(state)
                    named = [(name, file) for name, file in tables.items() if re.search(rf"\b{re.escape(name)}\b", sql, re.I)]
                    mode = words[2] if len(words) > 2 else "nosort"
                    as_there = as_in_file(state, sql, words[1], mode, answer)
                    waiting.append((sql, words[1], mode, answer, as_there, self.pool.submit(self.ask, sql, named)))
        for one in waiting:
            self.judge(path, *one)

    def written(self, state):
        """Every table and view as a file of Parquet."""
        found = {"": ""}
        for (name,) in state.execute(TABLES).fetchall():
            file = self.folder / f"{name}-{self.asked}-{len(found)}.parquet"
            if is_known(state, f"""COPY (SELECT * FROM "{name}") TO '{file}' (FORMAT parquet)"""):
                found[name] = str(file)
        del found[""]
        return found or {"one": str(self.folder / "one.csv")}

    def ask(self, sql, tables):
        """The exit code, and the rows of a query or the message that refuses it."""
        # t is the name of the file itself.
        words = [word for name, path in tables if name.lower() != "t" for word in ("--table", f"{name}={path}")]
        first = next((path for name, path in tables if name.lower() == "t"), tables[0][1] if tables else str(self.folder / "one.csv"))
        command = [self.rread, "select", first, sql, "--output", "jsonl", "--raw", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode not in (0, 1):
            return done.returncode, done.stderr
        return 0, [list(json.loads(line, parse_float=str).values()) for line in done.stdout.splitlines()]

    def judge(self, path, sql, kinds, mode, answer, as_there, asked):
        code, rows = asked.result()
        if any(line.startswith("<") for line in answer):
            verdict = "by pattern"
        elif code == 0 and is_same(rows, kinds, mode, answer):
            verdict = "right"
        elif code == 0 and is_same(rows, kinds, "rowsort", answer):
            # Mostly NULL, which is last here.
            verdict = "other order"
        elif not as_there:
            verdict = "not so in DuckDB"
        else:
            verdict = "other" if code == 0 else "refused" if code in (2, 3, 6) else f"exit {code}"
        self.counts[verdict] += 1
        if verdict not in ("right", "by pattern"):
            shown = rows[:20] if code == 0 else rows
            self.report.append({"verdict": verdict, "file": str(path), "sql": sql, "answer": answer[:20], "rows": shown})


def as_in_file(state, sql, kinds, mode, answer):
    """Whether DuckDB answers as the file does: otherwise the tables are not those of the file, or the dialect is another one."""
    try:
        return is_same(state.execute(sql).fetchall(), kinds, mode, answer)
    except (duckdb.Error, TypeError, OverflowError):
        return False


def is_known(state, sql):
    try:
        state.execute(sql)
    except duckdb.Error:
        return False
    return True


def main():
    rread, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    files = sorted(root.rglob("*.test")) if root.is_dir() else [root]
    with tempfile.TemporaryDirectory() as folder:
        run = Run(rread, pathlib.Path(folder), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
        for path in files:
            run.file(path)
    print(sum(run.counts.values()), dict(run.counts.most_common()))
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[4]).write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in run.report), encoding="utf-8")


if __name__ == "__main__":
    main()
