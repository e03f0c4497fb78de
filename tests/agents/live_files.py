"""The code, documents and archives of the live tasks. Each function writes the files of one task and returns its `Answer`."""

import gzip
import html
import io
import json
import re
import tarfile
import zipfile
import zlib

from live_logs import Answer, at, count_of, word

NOUNS = "invoice order parcel refund voucher contract ledger tenant basket charge delivery account".split()
VERBS = "load store check merge split round export import assign release".split()


def code(folder, dice, scale):
    """A source tree; one function of it, with callers, and with names and comments that look like calls."""
    outcome = dice.choice(["Outcome.DEFERRED", "Outcome.SKIPPED", "Outcome.UNTOUCHED"])
    target = f'''def settle_invoice(invoice, ledger, *, force=False):
    """Books an invoice and closes it.

    settle_invoice() of a credit note books it with the other sign.
    """
    if invoice.is_closed and not force:
        return Outcome.ALREADY_DONE
    if invoice.is_draft:
        log.debug("invoice %s is a draft", invoice.number)
        return {outcome}
    with ledger.transaction() as entry:
        for item in invoice.items:
            entry.add(item.account, item.amount)
        if entry.balance != invoice.total:
            return Outcome.MISMATCH
        entry.commit()
    invoice.close()
    return Outcome.BOOKED
'''
    names = [f"{verb}_{noun}" for verb in dice.sample(VERBS, 5) for noun in ("month", "reminder")]
    callers = dice.sample(names, 5)
    bodies = {
        callers[0]: "    outcome = settle_invoice(find(number), ledger)\n    return outcome is Outcome.BOOKED\n",
        callers[1]: "    for invoice in pending(ledger):\n        # Drafts are booked too.\n        settle_invoice(invoice, ledger, force=True)\n",
        callers[2]: "    results = {\n        invoice.number: settle_invoice(\n            invoice, ledger\n        )\n        for invoice in number\n    }\n    return results\n",
        callers[3]: "    retry(3, lambda: settle_invoice(number, ledger))\n",
        callers[4]: "    if number.is_due and settle_invoice(number, ledger) is Outcome.MISMATCH:\n        raise Unbalanced(number)\n",
    }
    modules = count_of(scale, 420, 40)
    special = dict(zip(dice.sample(range(modules), 6), [*callers, "target"]))
    for n in range(modules):
        noun, text = NOUNS[n % 12], ['"""Part of the shop."""\n\nfrom shop.billing import Outcome, log, resettle_invoice\n\n']
        for k in range(36):
            verb, hint = VERBS[(n + k) % 10], "; see settle_invoice" if k == n % 36 else ""
            text.append(f'\ndef {verb}_{noun}_{n}_{k}({noun}, ledger):\n    """Does {verb} for {noun}{hint}."""\n    value = {noun}.amount * {k + n}\n    if value > {dice.randrange(9000)}:\n        ledger.add("{noun}", value)\n    return value\n\n')
        if n % 9 == 4:
            text.append("\ndef review(ledger, number):\n    # settle_invoice(number, ledger) is left to the nightly run.\n    return resettle_invoice(number, ledger)\n\n")
        what = special.get(n)
        if what == "target":
            text.insert(dice.randrange(1, len(text)), "\n" + target + "\n")
        elif what == callers[4]:
            text.insert(dice.randrange(1, len(text)), f"\nclass Desk:\n    def open(self, number):\n        return number\n\n    def {what}(self, ledger, number):\n" + "".join("    " + line + "\n" for line in bodies[what].splitlines()) + "\n")
        elif what:
            text.insert(dice.randrange(1, len(text)), f"\ndef {what}(ledger, number):\n{bodies[what]}\n")
        place = folder / "shop" / f"{noun}s"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"part_{n}.py").write_text("".join(text))
    never = [word("resettle_invoice")] + [word(name) for name in names if name not in callers]
    return Answer(
        f"{outcome}; called by {', '.join(callers)}",
        [re.escape(outcome.lower())] + [rf"(?<!\w){name}(?!\w)" for name in callers],
        [f"{outcome}; called by {', '.join(callers[:4])}", f"Outcome.ALREADY_DONE; called by {', '.join(callers)}", f"{outcome}; called by {', '.join(callers)}, resettle_invoice"],
        never + [word("review")],
    )


KEYS = ["min_size", "max_size", "idle_timeout", "connect_timeout", "max_lifetime", "retries", "backoff", "prefetch", "statement_cache", "tls", "region", "weight"]


def pool(name, dice):
    return [f"[pool.{name}]", f"# Sizes of {name} are from the load test."] + [f"{key} = {dice.choice(['on', 'off']) if key == 'tls' else dice.randrange(1, 4) * 10}" for key in KEYS] + [""]


def edited(folder, dice, scale):
    """A configuration of sections that look alike. The second version comes while the task is worked on."""
    names = [f"{region}-{n}" for region in ("eu-west", "eu-north", "us-east", "ap-south") for n in range(1, 46)]
    sections = [pool(name, dice) for name in names]
    place = dice.randrange(60, 120)
    before = "\n".join(line for section in sections for line in section) + "\n"
    section = list(sections[place])
    changed, gone = dice.sample(["idle_timeout", "connect_timeout", "retries", "backoff"], 2)
    value, limit = dice.randrange(41, 90), dice.randrange(100, 900)
    section = [f"{changed} = {value}" if line.startswith(changed + " ") else line for line in section if not line.startswith(gone + " ")]
    section.insert(-1, f"queue_limit = {limit}")
    after = [list(other) for other in sections]
    after[place] = section
    # Others are edited as well: one that looks like it, and a new one further up.
    near = place + dice.choice([-1, 1])
    after[near] = [line for line in after[near] if not line.startswith("prefetch ")]
    after.insert(dice.randrange(5, 50), pool("eu-west-reserve", dice) + ["# The reserve is not used yet.", ""])
    lines = [line for section in after for line in section]
    first = lines.index(section[0]) + 1
    (folder / "pools.ini").write_text(before)
    return Answer(
        f"header now at line {first}; {changed} = {value}; removed: {gone}; added: queue_limit = {limit}",
        [word(first), word(changed), word(value), word(gone), word("queue_limit"), word(limit)],
        [f"header now at line {first - 17}; {changed} = {value}; removed: {gone}; added: queue_limit = {limit}", f"line {first}; {changed} = {value}; removed: prefetch; added: queue_limit = {limit}"],
        [word("prefetch")],
    ), {"section": section[0], "after": "\n".join(lines) + "\n"}


def pdf(pages):
    """A PDF of pages of lines, compressed, with a table of its objects."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
    for n, page in enumerate(pages):
        shown = "".join("({}) Tj T*\n".format(re.sub(r"([()\\])", r"\\\1", line)) for line in page)
        stream = zlib.compress(f"BT /F 10 Tf 72 780 Td 16 TL\n{shown}ET".encode("cp1252"))
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents {5 + 2 * n} 0 R>>".encode())
        objects.append(f"<</Length {len(stream)}/Filter/FlateDecode>>stream\n".encode() + stream + b"\nendstream")
    out, places = bytearray(b"%PDF-1.4\n"), []
    for n, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{n} 0 obj\n".encode() + text + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def manual(folder, dice, scale):
    """A manual of a machine."""
    pages, pumps = count_of(scale, 260, 120), [f"KP-{n}" for n in range(3, 12)]
    pump, hours = dice.choice(pumps), dice.randrange(31, 98) * 100
    place, other = dice.sample(range(pages // 3, pages - 4), 2)
    filler = [
        "The operator checks the level of {} before each shift.", "Tighten the four screws of {} crosswise.", "The display shows the pressure of {} in bar.",
        "Do not open the cover of {} while the spindle turns.", "Lubricate the bearing of {} with grease of class 2.", "{} stops the machine if its temperature is over 85 degrees.",
    ]
    things = ["the hydraulic unit", "the coolant filter", "the tool changer", "coolant pump KP-{}", "the chip conveyor", "the door switch"]
    text = []
    for n in range(1, pages + 1):
        lines = [f"{n // 13 + 1}.{n % 13 + 1}  Operation and maintenance", ""]
        lines += [dice.choice(filler).format(dice.choice(things).format(dice.randrange(3, 12))) for _ in range(38)]
        lines = [line[0].upper() + line[1:] for line in lines if line]
        told = [(place, pump, hours), (other, dice.choice([p for p in pumps if p != pump]), hours - 700)]
        for page, name, after in told:
            if n == page:
                lines[20:20] = [f"Replace the shaft seal of coolant pump {name}", f"after {after} operating hours, or once it drips."]
        text.append([*lines, "", f"Page {n}"])
    (folder / "manual.pdf").write_bytes(pdf(text))
    return Answer(
        f"after {hours} operating hours, page {place}",
        [word(hours), word(place)],
        [f"after {hours - 700} operating hours, page {other}", f"after {hours} hours, page {place + 1}"],
    ), {"pump": pump}


OFFICE = "http://schemas.openxmlformats.org"


def book(path, sheets):
    """A workbook: sheets are pairs of a name and rows; texts are shared, as spreadsheets write them."""
    shared = {}

    def cell(place, value):
        if isinstance(value, str):
            return f'<c r="{place}" t="s"><v>{shared.setdefault(value, len(shared))}</v></c>'
        return f'<c r="{place}"><v>{value}</v></c>'

    parts, kinds = {}, f"{OFFICE}/officeDocument/2006/relationships"
    for n, (_, rows) in enumerate(sheets, 1):
        body = "".join(f'<row r="{r}">{"".join(cell("ABCDEFGH"[c] + str(r), value) for c, value in enumerate(row) if value != "")}</row>' for r, row in enumerate(rows, 1))
        parts[f"xl/worksheets/sheet{n}.xml"] = f'<worksheet xmlns="{OFFICE}/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>'
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{OFFICE}/spreadsheetml/2006/main">{"".join(f"<si><t>{html.escape(text)}</t></si>" for text in shared)}</sst>'
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, (name, _) in enumerate(sheets, 1))
    parts["xl/workbook.xml"] = f'<workbook xmlns="{OFFICE}/spreadsheetml/2006/main" xmlns:r="{kinds}"><sheets>{listed}</sheets></workbook>'
    links = "".join(f'<Relationship Id="r{n}" Type="{kinds}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in range(1, len(sheets) + 1))
    parts["xl/_rels/workbook.xml.rels"] = f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{links}<Relationship Id="s" Type="{kinds}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    parts["_rels/.rels"] = f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r" Type="{kinds}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    overrides = "".join(f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{types}.worksheet+xml"/>' for n in range(1, len(sheets) + 1))
    head = f'<Types xmlns="{OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="{types}.sharedStrings+xml"/>{overrides}</Types>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in {"[Content_Types].xml": head, **parts}.items():
            entry = zipfile.ZipInfo(name, (2026, 5, 12, 9, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{part}')


def workbook(folder, dice, scale):
    """Three sheets; the table of the second begins below a title."""
    rows, towns = count_of(scale, 26_000), ["Linz", "Graz", "Wels", "Bregenz"]
    suppliers = [(f"{dice.choice(['Nord', 'Alpen', 'Donau', 'Stahl'])}{dice.choice(['metall', 'technik', 'handel', 'werk'])} {n}", dice.choice(["Passau", "Brno", "Verona"]), f"+49 851 {dice.randrange(100_000, 999_999)}") for n in range(1, 320)]
    town, stock, lacks = dice.choice(towns), [], []
    for n in range(rows):
        where, least, supplier = dice.choice(towns), dice.randrange(10, 400), dice.choice(suppliers)
        pieces = least + dice.randrange(-9, 900) if dice.random() < 0.97 else dice.randrange(least)
        article = f"A-{100_000 + n * 7}"
        stock.append((article, f"Schraube M{n % 30 + 2} x {n % 90 + 10}", where, max(pieces, 0), least, supplier[0]))
        lacks.append((least - max(pieces, 0), article, where, supplier[2]))
    here = sorted(entry for entry in lacks if entry[2] == town)[::-1]
    top = here[0]
    if here[1][0] == top[0]:
        # Only one article may be right.
        at_row = next(n for n, row in enumerate(stock) if row[0] == top[1])
        row = stock[at_row]
        stock[at_row] = (*row[:4], row[4] + 17, row[5])
        top = (top[0] + 17, *top[1:])
    book(folder / "stock.xlsx", [
        ("Notes", [("Stock at the end of April",), ("Counted by hand; see sheet Stock",)]),
        ("Stock", [("Stock of all warehouses, 30 April 2026",), ("Pieces below the minimum are ordered",), ("",), ("Article", "Name", "Warehouse", "Pieces", "Minimum", "Supplier"), *stock]),
        ("Suppliers", [("Supplier", "City", "Phone"), *suppliers]),
    ])
    phone = r"\D*".join(top[3].replace("+", "").replace(" ", ""))
    return Answer(
        f"{top[1]}, {top[0]} below its minimum, phone {top[3]}",
        [word(top[1]), word(top[0]), phone],
        [f"{here[1][1]}, {here[1][0]} below its minimum, phone {here[1][3]}", f"{top[1]}, {top[0] - 17} below, phone {top[3]}"],
    ), {"town": town}


def zipped(folder, dice, scale):
    """The logs of eighty machines in one archive."""
    hosts, lines = count_of(scale, 80, 30), count_of(scale, 2600, 300)
    struck = sorted(dice.sample(range(hosts), 3))
    moments = [dice.randrange(3600, 80_000) for _ in struck]
    killed = [(dice.choice(["java", "node", "postgres", "ruby", "php-fpm"]), dice.randrange(1000, 30_000)) for _ in struck]
    with zipfile.ZipFile(folder / "hosts.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for host in range(hosts):
            text = []
            for n in range(lines):
                second = n * 86_400 // lines
                text.append(f"{at(second):%b %d %H:%M:%S} host{host:02} {('systemd[1]: Started session', 'sshd[811]: Accepted publickey for deploy', 'cron[402]: run of job', 'kernel: memory cgroup of pid')[n % 4]} {dice.randrange(1000, 30_000)}\n")
            if host in struck:
                k = struck.index(host)
                place = moments[k] * lines // 86_400
                text.insert(place, f"{at(moments[k]):%b %d %H:%M:%S} host{host:02} kernel: Out of memory: Killed process {killed[k][1]} ({killed[k][0]}) total-vm:{dice.randrange(10**6, 10**7)}kB\n")
            elif host % 11 == 3:
                text.insert(lines // 2, f"{at(43_200):%b %d %H:%M:%S} host{host:02} monitor[77]: memory: 91 percent used, no process was killed\n")
            entry = zipfile.ZipInfo(f"logs/host{host:02}/syslog", (2026, 5, 13, 1, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, "".join(text))
    first = min(range(3), key=lambda k: moments[k])
    names = [f"host{host:02}" for host in struck]
    return Answer(
        f"{', '.join(names)}; first on {names[first]}: {killed[first][0]}, pid {killed[first][1]}, at {at(moments[first]):%H:%M:%S}",
        [word(name) for name in names] + [word(killed[first][1]), re.escape(killed[first][0])],
        [f"{', '.join(names)}, host03, host14; first {killed[first][0]} {killed[first][1]}", f"{', '.join(names)}; first {killed[first - 1][0]}, pid {killed[first - 1][1]}"],
        [word(f"host{host:02}") for host in range(3, hosts, 11) if host not in struck] + [word(killed[k][1]) for k in range(3) if k != first],
    )


def trace(folder, dice, scale):
    """A trace of spans in one line of JSON."""
    spans, failing = count_of(scale, 30_000), []
    tables = ["orders", "items", "prices", "tenants", "audit_log"]
    marks = set(dice.sample(range(spans), dice.randrange(9, 20)))
    out = []
    for n in range(spans):
        took = dice.randrange(200, 90_000)
        statement = f"SELECT * FROM {dice.choice(tables)} WHERE id = {dice.randrange(10_000, 99_999)} AND region = {n % 40}"
        span = {"traceId": f"{dice.getrandbits(64):016x}", "spanId": f"{dice.getrandbits(32):08x}", "name": ("db.query", "http.request", "cache.get", "queue.publish")[n % 4], "startUs": n * 1111, "durationUs": took, "attributes": {"service": ("web", "orders", "billing")[n % 3], "error": n in marks}}
        if n in marks:
            span["name"] = "db.query"
            span["attributes"]["exception.message"] = f"lock wait timeout after {took} us"
            failing.append((took, statement, span["traceId"]))
        if span["name"] == "db.query":
            span["attributes"]["db.statement"] = statement
        out.append(span)
    (folder / "trace.json").write_text(json.dumps({"resource": {"env": "production", "error": False}, "spans": out}, separators=(",", ":")))
    failing.sort()
    _, statement, trace_id = failing[-1]
    _, other, _ = failing[-2]
    key = re.search(r"id = (\d+)", statement)[1]
    return Answer(
        f"{len(failing)} spans; the slowest: trace {trace_id}, {statement}",
        [word(len(failing)), word(trace_id), word(key)],
        [f"{len(failing) + 1} spans; trace {trace_id}, {statement}", f"{len(failing)} spans; trace {trace_id}, {other}"],
    )


def archive(folder, dice, scale):
    """A backup, and beside it today's version of one of its files."""
    settings = {f"{area}_{what}": dice.randrange(1, 5000) for area in ("request", "upload", "session", "query", "worker", "cache", "mail", "report") for what in ("limit", "burst", "timeout", "retries", "size", "queue")}
    one, two, new, old = dice.sample(list(settings), 4)
    today = {key: value for key, value in settings.items() if key != new}
    backup = {key: value for key, value in settings.items() if key != old}
    today[one], today[two] = settings[one] + 7, settings[two] + 30

    def text(values, title):
        return "".join([f"# {title}\n"] + [f"{key} = {value}\n" for key, value in values.items()])

    (folder / "limits.conf").write_text(text(today, "Limits of the shop"))
    members = {"etc/shop/limits.conf": text(backup, "Limits of the shop"), "etc/shop-old/limits.conf": text(settings | {one: 1, two: 2}, "Limits of the old shop"), "etc/shop/limits.conf.example": text({key: 0 for key in settings}, "An example")}
    for n in range(count_of(scale, 2600, 200)):
        kind = ("var/log/shop", "usr/share/shop/templates", "home/deploy/releases")[n % 3]
        members[f"{kind}/{n:04}.txt"] = "".join(f"{n} {k} {dice.getrandbits(96):024x}\n" for k in range(240))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name in sorted(members):
            data = members[name].encode()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(data), 1_778_000_000
            tar.addfile(entry, io.BytesIO(data))
    (folder / "backup.tar.gz").write_bytes(gzip.compress(packed.getvalue(), 4, mtime=0))
    same = next(key for key in settings if key not in (one, two, new, old))
    return Answer(
        f"{one}: {backup[one]} in the backup, {today[one]} today; {two}: {backup[two]}, {today[two]} today; {new} is only in the backup; {old} is only in today's",
        [word(key) for key in (one, two, new, old)] + [word(value) for key in (one, two) for value in (backup[key], today[key])],
        [f"{one}: {backup[one]}, {today[one]}; {two}: {backup[two]}, {today[two]}", f"{one}: 1, {today[one]}; {two}: 2, {today[two]}; {new}; {old}"],
        [word(same)],
    )
