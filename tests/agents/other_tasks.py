"""Fourteen tasks of other kinds: what a log, an archive, a document or a table hides behind its format. Each names the features that it needs."""

import gzip
import io
import json
import os
import sqlite3
import subprocess
import sys
import tarfile
import zipfile

SHARED = "http://schemas.openxmlformats.org"


def clock(minute, zone=""):
    return f"2026-04-02T{minute // 60:02}:{minute % 60:02}:00{zone}"


def logs(folder):
    """Two services on one clock, in zones of their own; rotated logs; a log that Windows wrote."""
    gateway = [f"{clock(n)}Z INFO request {n * 37} forwarded\n" for n in range(600)]
    gateway[417] = f"{clock(417)}Z WARN circuit open for billing\n"
    (folder / "gateway.log").write_text("".join(gateway))
    worker = [f"{clock(n + 120, '+02:00')} INFO job {n * 11} done in {n % 83} ms\n" for n in range(600)]
    worker[417] = f"{clock(537, '+02:00')} ERROR job 4587 lost its lock: lease of 30 s is over\n"
    (folder / "worker.log").write_text("".join(worker))
    for name, seed in (("kernel.log", 3), ("kernel.log.1", 5), ("kernel.log.2.gz", 7)):
        lines = "".join(f"[{n}] {'Out of memory: killed process' if n % (seed * 100) == 99 else 'usb reset'} {n}\n" for n in range(3000))
        (folder / name).write_bytes(gzip.compress(lines.encode(), mtime=0) if name.endswith("gz") else lines.encode())
    events = [f"{n} Information service {n % 7} running\r\n" for n in range(900)] + ["900 Error disk D: is full\r\n", "901 Information ok\r\n"]
    (folder / "events.txt").write_bytes("".join(events).encode("utf-16"))
    (folder / "live.log").write_text("started\n")


def archive(folder):
    with tarfile.open(folder / "runs.tar.gz", "w:gz") as tar:
        for run in range(40):
            lines = [f"step {n} ok\n" for n in range(200)]
            if run == 23:
                lines[150:153] = ["step 150 SIGSEGV\n", "  at parse_header+0x4c\n", "  at main+0x90\n"]
            data = "".join(lines).encode()
            member = tarfile.TarInfo(f"runs/{run:02}/run.log")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


def workbook(folder):
    rows = [("article", "price", "stock")] + [(f"Schraube M{n}", n * 0.37, n * 3 % 50) for n in range(2, 400)]
    rows[231] = ("Dichtung 12 mm", 4.15, 77)

    def cell(value):
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>' if isinstance(value, str) else f"<c><v>{value}</v></c>"

    sheet = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{SHARED}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{SHARED}/package/2006/relationships"><Relationship Id="r1" Type="{SHARED}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHARED}/spreadsheetml/2006/main" xmlns:r="{SHARED}/officeDocument/2006/relationships"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{SHARED}/package/2006/relationships"><Relationship Id="r1" Type="{SHARED}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHARED}/spreadsheetml/2006/main"><sheetData>{sheet}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(folder / "prices.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)


def manual(folder):
    """A PDF of 30 pages, one line a page."""
    lines = [f"Page {n}: nothing to set here." for n in range(1, 31)]
    lines[18] = "The watchdog resets the device after 45 seconds."
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count 30/Kids[{' '.join(f'{4 + 2 * n} 0 R' for n in range(30))}]>>", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    for n, line in enumerate(lines):
        text = f"BT /F 12 Tf 72 700 Td ({line}) Tj ET"
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents {5 + 2 * n} 0 R>>",
            f"<</Length {len(text)}>>stream\n{text}\nendstream",
        ]
    body, places = "%PDF-1.4\n", []
    for n, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{n} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    body += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF\n"
    (folder / "manual.pdf").write_text(body)


def tables(folder):
    requests = [json.dumps({"user": f"u{n % 9}", "status": 500 if n % 13 == 0 else 200, "http": {"bytes": n * 7 % 4001}}) for n in range(5000)]
    (folder / "requests.jsonl").write_text("\n".join(requests) + "\n")
    orders = ["id,note,total"] + [f'{n},"line one\nline, two",{n * 17 % 2000}' for n in range(1, 901)]
    (folder / "orders.csv").write_text("\n".join(orders) + "\n")
    with sqlite3.connect(folder / "app.db") as db:
        db.execute("CREATE TABLE flags (id INTEGER PRIMARY KEY, name TEXT, state TEXT)")
        db.executemany("INSERT INTO flags VALUES (?, ?, ?)", [(n, f"flag-{n}", "canary" if n == 411 else "on") for n in range(1, 800)])
    db.close()


def texts(folder):
    items = [f'{{"id":{n},"name":"node-{n}","load":{n * 31 % 100}}}' for n in range(100_000)]
    items[70_001] = '{"id":70001,"name":"node-70001","state":"quarantined","since":"2026-04-01"}'
    (folder / "nodes.json").write_text('{"nodes":[' + ",".join(items) + "]}\n")
    cells = [{"cell_type": "code", "execution_count": n, "metadata": {}, "source": [f"step({n})\n"], "outputs": []} for n in range(1, 40)]
    cells[16]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["epoch 17: val_loss 0.0831\n"]}]
    (folder / "train.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    limits = [f"LIMIT_{n} = {n * 10}\n" for n in range(1, 301)]
    (folder / "limits.py").write_text("".join(limits))
    (folder / "docs").mkdir()
    for n in range(12):
        text = f"Datei {n}\n" * 30 + f"Größe: {n * 3} MB\n"
        (folder / "docs" / f"d{n:02}.txt").write_bytes(text.encode("cp1252" if n == 7 else "utf-8"))


def make(folder):
    for part in (logs, archive, workbook, manual, tables, texts):
        part(folder)


def rotate(folder):
    """Renames the log under whoever waits, and writes the line into the new one."""
    script = "sleep 1; mv live.log live.log.1; echo starting > live.log; sleep 0.5; echo 'READY on port 8317' >> live.log"
    return subprocess.Popen(["sh", "-c", script], cwd=folder, start_new_session=True)


def edit(folder):
    lines = (folder / "limits.py").read_text().replace("LIMIT_118 = 1180\n", "LIMIT_118 = 9\n").splitlines(keepends=True)
    (folder / "limits.py").write_text("".join(["import os\n"] + lines))


PYTHON = os.path.basename(sys.executable)

# Name, question, features of rread, programs of the shell's side, the calls of both sides, and what the answers show.
TASKS = [
    (
        "two logs on one clock",
        "What went wrong in worker.log in the minute in which gateway.log says 'circuit open'?",
        [],
        [],
        ["grep 'circuit open' gateway.log; head -n 1 worker.log", "grep 2026-04-02T08:57 worker.log"],
        ["rread search 'circuit open' gateway.log -f text", "rread lines worker.log --since 2026-04-02T06:57:00Z --until +1m -f text"],
        [r"lost its lock: lease of 30 s"],
    ),
    (
        "rotated logs, one in .gz",
        "How many processes did the kernel kill, by file of kernel.log*?",
        [],
        ["zgrep"],
        ["zgrep -c 'killed process' kernel.log*"],
        ["rread search -c 'killed process' kernel.log* -f text"],
        [r"kernel.log:\s*10\b", r"kernel.log.1:\s*6\b", r"kernel.log.2.gz:\s*5\b"],
    ),
    (
        "a log in UTF-16",
        "What is the last Error in events.txt?",
        [],
        ["file", "iconv"],
        ["grep -a Error events.txt || file events.txt", "iconv -f UTF-16 events.txt | grep Error | tail -n 1"],
        ["rread search Error events.txt --last 1 -f text"],
        [r"disk D: is full"],
    ),
    (
        "an archive",
        "Which run of runs.tar.gz ended with a SIGSEGV, and where?",
        [],
        ["tar"],
        ["mkdir out && tar -xzf runs.tar.gz -C out && grep -rn -A 2 SIGSEGV out"],
        ["rread search SIGSEGV runs.tar.gz -A 2 -f text"],
        [r"23/run.log", r"main\+0x90"],
    ),
    (
        "a workbook",
        "What does 'Dichtung 12 mm' cost, and how many are in stock (prices.xlsx)?",
        ["documents"],
        ["unzip"],
        ["unzip -p prices.xlsx 'xl/worksheets/*' | sed 's/<row/\\n<row/g' | grep -e article -e 'Dichtung 12 mm'"],
        ["rread search 'Dichtung 12 mm' prices.xlsx --brief"],
        [r"4\.15", r"article.*price.*stock"],
    ),
    (
        "a PDF",
        "After how long does the watchdog reset the device, and on which page of manual.pdf is that?",
        ["documents"],
        ["pdftotext"],
        ["pdftotext manual.pdf - | awk '/\\f/ { page += gsub(/\\f/, \"\") } /watchdog/ { print page + 1 \": \" $0 }'"],
        ["rread search watchdog manual.pdf --brief"],
        [r"45 seconds", r"\b19\b"],
    ),
    (
        "a log that is rotated while one waits",
        "On which port is the service of live.log READY? It starts now.",
        [],
        ["timeout"],
        [rotate, "timeout 10 tail -F -n 0 live.log 2>/dev/null | grep -m 1 READY"],
        [rotate, "rread follow live.log -n 0 --until-match READY --timeout 10s -q -f text"],
        [r"READY on port 8317"],
    ),
    (
        "JSON lines",
        "Which user caused the most bytes with status 500 in requests.jsonl?",
        ["sql"],
        ["jq"],
        ["head -n 1 requests.jsonl; jq -s 'map(select(.status == 500)) | group_by(.user) | map({u: .[0].user, b: (map(.http.bytes) | add)}) | max_by(.b)' requests.jsonl"],
        ["rread select requests.jsonl 'SELECT \"user\", sum(t.http.bytes) b FROM t WHERE status = 500 GROUP BY 1 ORDER BY 2 DESC LIMIT 1' --brief"],
        [r"\bu\d\b"],
    ),
    (
        "a CSV with quoted newlines",
        "How many orders of orders.csv have a total of more than 1900?",
        ["sql"],
        [],
        [f"head -n 3 orders.csv; {PYTHON} -c 'import csv; print(sum(float(r[\"total\"]) > 1900 for r in csv.DictReader(open(\"orders.csv\"))))'"],
        ["rread select orders.csv 'SELECT count(*) FROM t WHERE total > 1900' --brief"],
        [r"\b40\b"],
    ),
    (
        "a file that is edited in between",
        "Read lines 110 to 120 of limits.py. After somebody has edited the file: where are they, and which one is another?",
        [],
        ["diff"],
        ["cp limits.py before.py; sed -n 110,120p limits.py", edit, "diff before.py limits.py"],
        ["rread lines limits.py 110:120 --hash -f text", edit, "rread verify limits.py --since last -C 0 -f text"],
        [r"LIMIT_118 = 9\b"],
    ),
    (
        "a line of 4 MB",
        "Since when is a node of nodes.json quarantined, and which one?",
        [],
        [],
        ["grep -o '.\\{0,60\\}quarantined.\\{0,60\\}' nodes.json"],
        ["rread search quarantined nodes.json --max-columns 120 -f text"],
        [r"node-70001", r"2026-04-01"],
    ),
    (
        "a notebook",
        "What val_loss does train.ipynb report, and which cell printed it?",
        ["documents"],
        ["jq"],
        ["jq -c '.cells[] | {n: .execution_count, t: [.outputs[].text[]?]}' train.ipynb | grep val_loss"],
        ["rread search val_loss train.ipynb -B 4 -f text"],
        [r"0\.0831", r"\b17\b"],
    ),
    (
        "a database",
        "Which flag of app.db is in canary?",
        ["sqlite"],
        ["sqlite3"],
        ["sqlite3 app.db .dump | grep canary"],
        ["rread search canary app.db --brief"],
        [r"flag-411"],
    ),
    (
        "a folder with one odd encoding",
        "Which sizes (Größe) do the files of docs state?",
        [],
        ["iconv"],
        ["grep -rn Größe docs; grep -rLa Größe docs", "iconv -f WINDOWS-1252 -t UTF-8 docs/d07.txt | grep Größe"],
        ["rread search Größe docs -f text", "rread search Größe docs/d07.txt -E windows-1252 -f text"],
        [r"d11.txt:?\s*31:Größe: 33 MB", r"Größe: 21 MB"],
    ),
]
