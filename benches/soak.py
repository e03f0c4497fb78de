#!/usr/bin/env python3
"""One MCP server for a long time: 50 clients at once, calls cancelled and clients killed at random.

    nice -n 15 python3 benches/soak.py target/release/rread --minutes 60

Most clients share one `rread mcp`, as agents of one program do. The others start a server each and leave it in the middle of a
call. A row is what the shared server holds: at the start, each minute under load, and at rest. Every answer is compared with
the one that the same call had when it was alone. Exit code 1: an answer is wrong or missing, or something grew.
Files of the folder RREAD_CORPUS are read too. Linux only; URLs need nginx.
"""

import argparse
import asyncio
import io
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

import gzip

MIB = 1 << 20
# A call that has no answer after this is lost.
LOST = 180
ENDLESS = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
CELL = '<row r="{0}"><c r="A{0}"><v>{0}</v></c><c r="B{0}"><v>{1}</v></c></row>'


def log_lines(count, chance):
    for n in range(count):
        level = chance.choices(["INFO", "WARN", "ERROR"], [90, 8, 2])[0]
        yield f"2026-11-23T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.{n % 1000:03}Z {level} worker-{n % 17} request id={n:08x} took {n * 37 % 5000} ms\n"


def png(side):
    """A picture of random pixels, which does not become smaller."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + random.Random(row).randbytes(3 * side) for row in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def pdf(pages):
    """Pages of one line each."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(pages))
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {pages}/Kids[{kids}]>>", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    for n in range(pages):
        text = f"BT /F1 12 Tf 72 700 Td (Page {n + 1} of the report) Tj ET"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {5 + 2 * n} 0 R>>")
        objects.append(f"<</Length {len(text)}>>\nstream\n{text}\nendstream")
    out, offsets = io.BytesIO(b"%PDF-1.4\n"), []
    out.seek(0, io.SEEK_END)
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode())
    start = out.tell()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def office(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)


def make_documents(folder, pages):
    (folder / "report.pdf").write_bytes(pdf(pages))
    (folder / "page.html").write_text("<html><body><h1>Report</h1>" + "".join(f"<p>Line {n}</p>" for n in range(2000)) + "</body></html>")
    cells = [{"cell_type": "code", "source": [f"print({n})"], "outputs": [], "metadata": {}, "execution_count": n} for n in range(200)]
    (folder / "notes.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    kind = "application/vnd.openxmlformats-officedocument"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    first = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{}/{}" Target="{}"/></Relationships>'
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rows = "".join(CELL.format(n, n * 7 % 100) for n in range(1, 3000))
    office(folder / "book.xlsx", {
        "[Content_Types].xml": types + f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": first.format(relation, "officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relation}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": first.format(relation, "worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    })
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    text = "".join(f"<w:p><w:r><w:t>Paragraph {n} of the letter</w:t></w:r></w:p>" for n in range(2000))
    office(folder / "letter.docx", {
        "[Content_Types].xml": types + f'<Override PartName="/word/document.xml" ContentType="{kind}.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": first.format(relation, "officeDocument", "word/document.xml"),
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>{text}</w:body></w:document>',
    })


def make(folder, chance):
    """Logs, tables, archives, pictures and documents; the same in every run."""
    small = "".join(log_lines(20_000, chance))
    (folder / "app.log").write_text(small)
    (folder / "wide.txt").write_text(small[:MIB], encoding="utf-16")
    (folder / "latin.txt").write_bytes("Größe, façade, naïve\n".encode("windows-1252") * 5000)
    (folder / "growing.log").write_text("")
    with open(folder / "big.log", "w") as big:
        for _ in range(64 * MIB // len(small)):
            big.write(small)
    with gzip.GzipFile(folder / "old.log.gz", "wb", mtime=0) as packed:
        packed.write(small.encode() * 8)
    (folder / "cut.log.gz").write_bytes((folder / "old.log.gz").read_bytes()[:50_000])
    with tarfile.open(folder / "logs.tar.gz", "w:gz") as tar, zipfile.ZipFile(folder / "logs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(20):
            part = small[n * 50_000:(n + 1) * 50_000].encode()
            entry = tarfile.TarInfo(f"day/{n:02}.log")
            entry.size = len(part)
            tar.addfile(entry, io.BytesIO(part))
            archive.writestr(f"day/{n:02}.log", part)
    (folder / "t.csv").write_text("id,city,amount\n" + "".join(f"{n},{'ABCDE'[n % 5]},{n * 31 % 1000 / 10}\n" for n in range(50_000)))
    (folder / "t.jsonl").write_text("".join(json.dumps({"id": n, "user": {"name": f"u{n % 50}"}, "ok": n % 3 == 0}) + "\n" for n in range(20_000)))
    with sqlite3.connect(folder / "app.db") as database:
        database.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT)")
        database.executemany("INSERT INTO jobs VALUES (?, ?)", ((n, "done" if n % 4 else "failed") for n in range(20_000)))
    database.close()
    source = folder / "src"
    source.mkdir()
    for n in range(300):
        (source / f"m{n}.py").write_text(f"def f{n}(x):\n    # TODO {n}\n    return x + {n}\n" * 20)
    (folder / "noise.png").write_bytes(png(700))
    (folder / "bad.png").write_bytes(png(60)[:5000] + b"rubbish" * 900)
    make_documents(folder, 30)


def plain_calls(folder, url):
    """Calls whose answer is the same each time."""
    logs = ["app.log", "big.log", "old.log.gz", "wide.txt", "tar:logs.tar.gz/day/03.log", "zip:logs.zip/day/07.log"]
    documents = ["report.pdf", "letter.docx", "book.xlsx", "notes.ipynb", "page.html", "app.db", "latin.txt"]
    for path in logs:
        yield "read", {"path": path, "lines": "100:140"}
        yield "read", {"path": path, "lines": "-20:", "hash": True}
        yield "read", {"path": path, "bytes": "4KiB:+2000"}
        yield "search", {"path": path, "pattern": "ERROR.*took [0-9]{4}", "max_count": 5, "context": 1}
        yield "stat", {"path": path}
    yield "read", {"path": "app.log", "since": "03:00", "until": "+2m"}
    yield "read", {"paths": ["app.log", "t.csv", "gone.txt"], "lines": "1:3"}
    yield "read", {"path": "cut.log.gz", "lines": "-5:"}
    yield "read", {"path": "cut.log.gz", "lines": "-5:", "salvage": True}
    yield "read", {"path": "noise.png", "encode": "hex", "bytes": "0:64"}
    yield "read", {"path": "../outside"}
    yield "search", {"pattern": "TODO 1", "path": "src", "glob": "*.py"}
    yield "search", {"pattern": "ERROR", "path": "tar:logs.tar.gz/**/*.log", "count": True}
    yield "search", {"pattern": "f7|FATAL", "files_only": True, "glob": "!growing*"}
    yield "search", {"pattern": "(", "path": "app.log"}
    yield "search", {"pattern": "WARN", "path": "big.log", "count": True}
    yield "stat", {"path": "app.log", "count": True}
    yield "stat", {"path": "app.log", "patterns": 5}
    yield "verify", {"path": "app.log", "anchors": ["12#a1b2c3", "40#000000"]}
    yield "image", {"path": "noise.png", "max_side": 300}
    yield "image", {"path": "noise.png", "facts_only": True}
    yield "image", {"path": "bad.png"}
    for path in documents:
        yield "read", {"path": path, "lines": "1:20"}
        yield "search", {"path": path, "pattern": "1[05]", "max_count": 3}
        yield "stat", {"path": path}
    yield "select", {"path": "t.csv", "sql": "SELECT city, count(*) AS n, sum(amount) AS s FROM t GROUP BY city ORDER BY city"}
    yield "select", {"path": "t.csv", "sql": "SELECT a.city, count(*) AS n FROM t a JOIN t b ON a.id = b.id + 1 GROUP BY 1 ORDER BY 1"}
    yield "select", {"path": "t.jsonl", "sql": "SELECT t.user.name AS name, count(*) AS n FROM t GROUP BY 1 ORDER BY 1 LIMIT 5"}
    yield "select", {"path": "book.xlsx", "sql": "SELECT count(*) FROM t"}
    yield "select", {"path": "app.db", "sql": "SELECT state, count(*) FROM jobs GROUP BY 1 ORDER BY 1"}
    yield "select", {"path": "t.csv", "sql": "SELECT nothing FROM t"}
    if url:
        yield "read", {"path": f"{url}/app.log", "lines": "-5:"}
        yield "search", {"path": f"{url}/old.log.gz", "pattern": "ERROR", "count": True}
        yield "read", {"path": f"{url}/gone.log"}
    corpus = os.environ.get("RREAD_CORPUS")
    if corpus:
        shutil.copytree(corpus, folder / "corpus")
        for path in sorted(path for path in (folder / "corpus").rglob("*") if path.is_file()):
            name = str(path.relative_to(folder))
            yield "read", {"path": name, "max_lines": 5}
            yield "search", {"path": name, "pattern": "the", "max_count": 2}
            if path.parent.name == "images":
                yield "image", {"path": name, "max_side": 200}


def other_calls(chance):
    """Calls with an answer of their own each time, and calls that do not end by themselves. `None`: any answer will do."""
    number = chance.randrange(1000)
    return chance.choice([
        ("follow", {"path": "growing.log", "pattern": f"number {number % 10}", "timeout": chance.choice([0.2, 2, 5])}),
        ("follow", {"path": "growing.log", "pattern": "never", "timeout": 4}),
        ("capture", {"command": f"seq 1 {number * 10}; echo done", "max_bytes": 500}),
        ("capture", {"command": "sleep 30 & echo started", "timeout": 1}),
        ("select", {"path": "t.csv", "sql": ENDLESS, "timeout": 1}),
        ("select", {"path": "t.csv", "sql": "SELECT count(*) FROM t a, t b, t c WHERE a.id + b.id > c.id", "timeout": 2}),
        ("select", {"path": "t.csv", "sql": "SELECT length(string_agg(repeat('x', 20000), '')) FROM t", "timeout": 5}),
        ("search", {"path": "big.log", "pattern": r"(\w+\s+){6}zzz", "timeout": 2}),
    ])


def difference(got, expected):
    """The places where two answers begin to differ."""
    got, expected = json.dumps(got, ensure_ascii=False), json.dumps(expected, ensure_ascii=False)
    at = max(0, len(os.path.commonprefix([got, expected])) - 60)
    return f"{got[at:at + 200]!r}, expected {expected[at:at + 200]!r}"


class Server:
    """A server, and the calls that wait for its answers."""

    def __init__(self, argv, folder, environment):
        self.argv, self.folder, self.environment = argv, folder, environment
        self.last, self.waiting, self.notes = 0, {}, 0

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.argv, cwd=self.folder, env=self.environment, limit=64 * MIB,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        self.reader = asyncio.create_task(self.read())
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
        await self.request("initialize", hello)
        self.send({"method": "notifications/initialized"})
        return self

    async def read(self):
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            answer = self.waiting.pop(message.get("id"), None)
            if answer and not answer.done():
                answer.set_result(message)
            self.notes += "method" in message

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def begin(self, method, params):
        self.last += 1
        answer = self.waiting[self.last] = asyncio.get_running_loop().create_future()
        self.send({"id": self.last, "method": method, "params": params})
        return self.last, answer

    async def request(self, method, params):
        _, answer = self.begin(method, params)
        return await asyncio.wait_for(answer, LOST)

    async def call(self, tool, arguments):
        return await self.request("tools/call", {"name": tool, "arguments": arguments})

    def cancel(self, number):
        self.waiting.pop(number, None)
        self.send({"method": "notifications/cancelled", "params": {"requestId": number, "reason": "soak"}})

    def held(self, folders):
        """What the server holds now: resident memory, threads, open files, deleted files among them, child processes, files of its folders."""
        status = dict(line.split(":", 1) for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines())
        files = []
        for name in os.listdir(f"/proc/{self.process.pid}/fd"):
            try:
                files.append(os.readlink(f"/proc/{self.process.pid}/fd/{name}"))
            except OSError:
                pass
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        held = {"MB": int(status["VmRSS"].split()[0]) / 1024, "threads": int(status["Threads"]), "open files": len(files),
                "deleted": sum(name.endswith(" (deleted)") for name in files), "children": len(children)}
        for name, folder in folders.items():
            held[name] = sum(len(names) for _, _, names in os.walk(folder))
        return held

    def ticks(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


class Soak:
    def __init__(self, options, folder, environment, url):
        self.options, self.folder, self.environment = options, folder, environment
        self.chance = random.Random(options.seed)
        self.calls = list(plain_calls(folder / "files", url))
        self.folders = {"temporary": folder / "tmp", "kept": folder / "home"}
        # On a busy machine, no call that would end by itself is to reach its limit.
        self.argv = [options.rread, "mcp", "--allow-capture", "--timeout", f"{LOST - 30}s", "--allow-remote"][: None if url else 5]
        self.expected, self.faults, self.times, self.leaving = {}, [], {}, []
        self.done = {"answered": 0, "cancelled": 0, "servers left": 0}
        self.open, self.busy = asyncio.Event(), 0

    def fault(self, what):
        self.faults.append(what)
        print(f"FAULT: {what}"[:1000], flush=True)

    async def caller(self, chance):
        """A client of the shared server."""
        while True:
            await asyncio.sleep(chance.expovariate(1 / self.options.pause))
            await self.open.wait()
            index = chance.randrange(len(self.calls))
            is_plain = chance.random() < 0.9
            tool, arguments = self.calls[index] if is_plain else other_calls(chance)
            params = {"name": tool, "arguments": arguments}
            if chance.random() < 0.1:
                params["_meta"] = {"progressToken": f"p{chance.random()}"}
            is_cancelled = chance.random() < 0.15
            self.busy += 1
            begun = time.monotonic()
            number, answer = self.shared.begin("tools/call", params)
            try:
                message = await asyncio.wait_for(answer, chance.expovariate(4) if is_cancelled else LOST)
                self.done["answered"] += 1
                self.times.setdefault(tool, []).append(time.monotonic() - begun)
                if "result" not in message:
                    self.fault(f"{tool} {arguments}: {message}")
                elif is_plain and message["result"] != self.expected[index]:
                    self.fault(f"{tool} {arguments}: {difference(message['result'], self.expected[index])}")
            except asyncio.TimeoutError:
                if not is_cancelled:
                    self.fault(f"no answer: {tool} {arguments}")
                self.shared.cancel(number)
                self.done["cancelled"] += 1
            self.busy -= 1

    async def leaver(self, chance):
        """A client with a server of its own, which it leaves in the middle of calls."""
        while True:
            await asyncio.sleep(chance.expovariate(1 / (4 * self.options.pause)))
            await self.open.wait()
            self.busy += 1
            server = await Server(self.argv, self.folder / "files", self.environment).start()
            for _ in range(chance.randrange(1, 5)):
                tool, arguments = self.calls[chance.randrange(len(self.calls))] if chance.random() < 0.7 else other_calls(chance)
                server.begin("tools/call", {"name": tool, "arguments": arguments})
            await asyncio.sleep(chance.expovariate(3))
            way = chance.choice(["killed", "SIGTERM", "end of input"])
            begun = time.monotonic()
            if way == "SIGTERM":
                server.process.send_signal(signal.SIGTERM)
            elif way == "killed":
                # What a server sees of a client that is killed: both pipes close at once.
                server.reader.cancel()
                server.process._transport.get_pipe_transport(1).close()
            server.process.stdin.close()
            try:
                await asyncio.wait_for(server.process.wait(), 20)
            except asyncio.TimeoutError:
                self.fault(f"the server runs on after {way}")
                server.process.kill()
            server.reader.cancel()
            self.leaving.append(time.monotonic() - begun)
            self.done["servers left"] += 1
            self.busy -= 1

    async def writer(self):
        """Appends to the log that `follow` waits for, and rotates it."""
        path, number = self.folder / "files/growing.log", 0
        while True:
            number += 1
            with open(path, "a") as file:
                file.write(f"2026-11-23T06:00:00Z number {number}\n")
            if number % 600 == 0:
                os.replace(path, path.with_suffix(".1"))
            await asyncio.sleep(0.1)

    def strangers(self):
        """Processes of this run that neither the shared server nor this program is."""
        mark = f"RREAD_SOAK={os.getpid()}".encode()
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != self.shared.process.pid:
                try:
                    if mark in (folder / "environ").read_bytes().split(b"\0"):
                        yield (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                except OSError:
                    pass

    def row(self, name, held):
        if not self.faults and name == "start":
            print("| | " + " | ".join(held) + " | answered | cancelled | left |\n|---|" + "--:|" * (len(held) + 3))
        cells = [f"{value:.0f}" for value in [*held.values(), *self.done.values()]]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    async def rest(self, name):
        """Lets all calls end; returns what the server holds then."""
        self.open.clear()
        until = time.monotonic() + LOST
        while self.busy and time.monotonic() < until:
            await asyncio.sleep(0.2)
        # Threads without work end after ten seconds.
        await asyncio.sleep(20)
        before = self.shared.ticks()
        await asyncio.sleep(2)
        if self.shared.ticks() - before > 20:
            self.fault(f"{name}: the server works although nobody waits")
        for stranger in self.strangers():
            self.fault(f"{name}: a process is left: {stranger}")
        held = self.shared.held(self.folders)
        self.row(name, held)
        return held

    async def references(self):
        """The answer of each call while it is alone. The first round builds the line indexes, from which answers know more."""
        for _ in range(2):
            for index, (tool, arguments) in enumerate(self.calls):
                self.expected[index] = (await self.shared.call(tool, arguments)).get("result")
        for seed in range(8):
            await self.shared.call(*other_calls(random.Random(seed)))

    async def run(self):
        self.shared = await Server(self.argv, self.folder / "files", self.environment).start()
        begun = time.monotonic()
        tasks = [asyncio.create_task(self.writer())]
        await self.references()
        print(f"{len(self.calls)} calls have their answers after {time.monotonic() - begun:.0f} s")
        start = await self.rest("start")
        leavers = self.options.clients // 5
        for number in range(self.options.clients):
            what = self.leaver if number < leavers else self.caller
            tasks.append(asyncio.create_task(what(random.Random(self.options.seed * 1000 + number))))
        begun, rests, minutes = time.monotonic(), [], self.options.minutes
        step, samples = min(60, minutes * 10), max(6, round(minutes))
        for sample in range(1, samples + 1):
            self.open.set()
            await asyncio.sleep(max(0, begun + sample * step - time.monotonic()))
            name = f"{sample * step / 60:.3g} min"
            self.row(name, self.shared.held(self.folders))
            if sample % max(1, samples // 6) == 0:
                rests.append(await self.rest(f"{name}, at rest"))
            for task in tasks:
                if task.done():
                    task.result()
        for task in tasks:
            task.cancel()
        self.judge(start, rests)
        self.shared.process.stdin.close()
        await asyncio.wait_for(self.shared.process.wait(), 20)

    def judge(self, start, rests):
        end = rests[-1]
        for name in ("threads", "open files", "deleted", "children", "temporary"):
            if end[name] > start[name]:
                self.fault(f"{name}: {start[name]} at the start, {end[name]} at the end")
        # The allocator keeps pages of the busiest moment: memory that grows from rest to rest is a leak.
        middle = rests[len(rests) // 2]["MB"]
        if end["MB"] > 1.2 * max(middle, start["MB"]):
            self.fault(f"memory grows: {start['MB']:.0f} MB at the start, {middle:.0f} in the middle, {end['MB']:.0f} at the end")
        print("\n| tool | calls | median | 99 % | longest |\n|---|--:|--:|--:|--:|")
        for tool, times in sorted(self.times.items()) + [("end of a server", self.leaving)]:
            times.sort()
            if times:
                print(f"| {tool} | {len(times)} | {times[len(times) // 2]:.3f} s | {times[len(times) * 99 // 100]:.2f} s | {times[-1]:.1f} s |")
        print(f"{self.shared.notes} notes of progress; {len(self.faults)} faults")


def web_server(folder):
    """nginx for the files, if it is installed: the process and its URL."""
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if not nginx:
        return None, None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off; client_body_temp_path {folder}/b; server {{ listen 127.0.0.1:{port}; root {folder}/files; }} }}\n")
    process = subprocess.Popen([nginx, "-c", str(configuration), "-e", str(folder / "errors")], stderr=subprocess.DEVNULL)
    return process, f"http://127.0.0.1:{port}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rread", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--pause", type=float, default=1, help="seconds between two calls of a client, on average")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rread-soak-") as name:
        folder = Path(name).resolve()
        for part in ("files", "tmp", "home"):
            (folder / part).mkdir()
        make(folder / "files", random.Random(options.seed))
        web, url = web_server(folder)
        home = {name: str(folder / "home" / name) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "HOME")}
        environment = {"PATH": os.environ["PATH"], "TMPDIR": str(folder / "tmp"), "RREAD_SOAK": str(os.getpid()), **home}
        soak = Soak(options, folder, environment, url)
        try:
            asyncio.run(soak.run())
        finally:
            if web:
                web.terminate()
                web.wait()
    sys.exit(1 if soak.faults else 0)


if __name__ == "__main__":
    main()
