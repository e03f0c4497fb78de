"""The logs and tables of the live tasks. Each function writes the files of one task and returns its `Answer`."""

import csv
import datetime
import gzip
import json
import random
import re
from dataclasses import dataclass, field


@dataclass
class Answer:
    """What is right: a text that is, the patterns that a right one has (small letters), and texts that are wrong."""

    true: str
    need: list[str]
    wrong: list[str]
    never: list[str] = field(default_factory=list)

    def accepts(self, text):
        text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", " ".join(text.lower().split()))
        return all(re.search(pattern, text) for pattern in self.need) and not any(re.search(pattern, text) for pattern in self.never)


def word(text):
    """A pattern of these words, with nothing that would make them longer at either side."""
    return rf"(?<![\w-]){re.escape(' '.join(str(text).lower().split()))}(?![\w-])"


def number(value):
    """A pattern of a number with two decimals, which may be left out if they are 0."""
    text = f"{value:.2f}"
    short = text.rstrip("0").rstrip(".")
    return rf"(?<![\d.])(?:{re.escape(text)}|{re.escape(short)})(?!\d|\.\d)"


DAY = datetime.datetime(2026, 5, 12)


def at(seconds, zone=0):
    """The time so many seconds after the start of the day, on the clock of a zone."""
    return DAY + datetime.timedelta(seconds=seconds, hours=zone)


def clock(seconds):
    """Patterns that have a time of day to the second."""
    return rf"(?<!\d){at(seconds):%H:%M:%S}"


def count_of(scale, lines, least=3000):
    return max(int(lines * scale), least)


def incident(folder, dice, scale):
    """Three services, each on its own clock; the same day of UTC."""
    lines = count_of(scale, 110_000, 9000)
    start = 14 * 3600 + 36 * 60 + dice.randrange(5, 40)
    database, order, later = f"ledger-{dice.randrange(10, 99)}", dice.randrange(400_000, 500_000), dice.randrange(500_000, 600_000)
    told = [
        (start, "payments", "WARN ", f"pool of {database} exhausted, 0 of 40 connections free"),
        (start + 6, "orders", "ERROR", f"order {order} failed: payments answered 503 after 5000 ms"),
        (start + 9, "gateway", "WARN ", "upstream orders is slow: 4 of 5 probes late"),
        (start + 11, "gateway", "ERROR", "POST /checkout answered 502 to 17 clients"),
        (start + 13, "payments", "ERROR", "charge rejected: no connection within 5000 ms"),
        (start + 20, "orders", "ERROR", f"order {later} failed: payments answered 503 after 5000 ms"),
    ]
    shapes = {
        "gateway": lambda s, level, text, n: f"{at(s):%Y-%m-%dT%H:%M:%S}.{n * 37 % 1000:03}Z {level} gateway {text}\n",
        "orders": lambda s, level, text, n: f"{at(s, 2):%Y-%m-%d %H:%M:%S},{n * 41 % 1000:03} +0200 [worker-{n % 9}] {level} {text}\n",
        "payments": lambda s, level, text, n: f"[{at(s, -4):%d/%b/%Y:%H:%M:%S} -0400] {level} payments {text}\n",
    }
    usual = {
        "gateway": (["GET /catalog/{} answered 200 in {} ms", "POST /cart/{} answered 201 in {} ms", "GET /health/{} answered 204 in {} ms"], "client {} aborted its request", "GET /legacy/{} answered 500"),
        "orders": (["order {} accepted, {} items", "order {} packed in {} ms", "basket {} restored after {} s"], "order {} waits for stock", "order {} failed: address unknown"),
        "payments": (["charge {} captured in {} ms", "refund {} booked in {} ms", "token {} renewed for {} s"], "charge {} repeated", "charge {} failed: card expired"),
    }
    for name, shape in shapes.items():
        info, warn, error = usual[name]
        events = [(s, level, text) for s, service, level, text in told if service == name]
        for n in range(lines):
            second = n * 86_400 // lines
            key, took = dice.randrange(100_000, 400_000), dice.randrange(2, 900)
            # From a while before the incident, only the told lines warn or fail.
            calm = start - 400 < second < start + 30
            roll = dice.random()
            if roll < 0.0008 and not start - 1800 < second < start + 30:
                events.append((second, "ERROR", error.format(key)))
            elif roll < 0.006 and not calm:
                events.append((second, "WARN ", warn.format(key)))
            else:
                events.append((second, "INFO ", info[n % 3].format(key, took)))
        events.sort(key=lambda event: event[0])
        with open(folder / f"{name}.log", "w") as file:
            file.writelines(shape(*event, n) for n, event in enumerate(events))
    return Answer(
        f"First ERROR: orders, order {order} failed (payments answered 503). Last WARN before it: payments, pool of {database} exhausted",
        [word("orders"), word(order), word("payments"), word(database)],
        [f"First ERROR: gateway, POST /checkout answered 502. Last WARN: payments, pool of {database}", f"orders, order {order}; WARN: gateway, upstream orders is slow"],
        [word(later)],
    )


def ci(folder, dice, scale):
    """The raw log of a build: times, colours, and progress bars that overwrite themselves."""
    tests = count_of(scale, 48_000)
    places = sorted(dice.sample(range(tests // 4, tests), 4))
    failures = []
    for n, (suite, name) in zip(places, (("shipping/zones", "splits a parcel"), ("billing/proration", "prorates a leap day"), ("accounts/merge", "keeps the older mail"), ("catalog/slug", "folds a sharp s"))):
        line, expected = dice.randrange(40, 400), dice.randrange(2000, 9000) / 100
        failures.append((n, suite, name, line, expected, expected + dice.randrange(3, 90) / 100))
    failing = {failure[0]: failure for failure in failures}
    second = 0.0

    def stamp():
        nonlocal second
        second += 0.013
        return f"{at(9 * 3600 + int(second)):%Y-%m-%dT%H:%M:%S}.{int(second * 10**7) % 10**7:07}Z "

    def bar(file, what, states):
        file.write(stamp())
        for n in range(states + 1):
            done = n * 30 // states
            file.write(f"\r\x1b[2K\x1b[36m{what}\x1b[0m [{'=' * done}{'>' if done < 30 else ''}{' ' * (29 - done)}] {n * 100 // states:3}% {n * 1.7:.1f} MB")
        file.write("\n")

    suites = [f"{area}/{topic}" for area in ("accounts", "billing", "catalog", "search", "shipping") for topic in ("audit", "limits", "merge", "rounding", "slug", "zones")]
    with open(folder / "build.log", "w") as file:
        for line in ("##[group]Run actions/checkout@v4", "Syncing repository: shop/shop", "##[endgroup]", "##[group]Run npm ci"):
            file.write(stamp() + line + "\n")
        bar(file, "Downloading packages", count_of(scale, 24_000, 400))
        file.write(stamp() + "\x1b[33mnpm warn\x1b[0m deprecated error-ex@1.3.1: 0 errors are reported by it\n" + stamp() + "added 1412 packages, 0 failed\n" + stamp() + "##[endgroup]\n")
        bar(file, "Compiling", count_of(scale, 18_000, 400))
        for n in range(tests):
            suite, key = suites[n * 17 % len(suites)], n * 7919 % 90_001
            if n in failing:
                _, suite, name, line, expected, actual = failing[n]
                file.write(f"{stamp()} \x1b[31m✕\x1b[39m {suite}.test.ts \x1b[2m>\x1b[22m {name} \x1b[33m{n % 90} ms\x1b[39m\n")
                file.write(f"{stamp()}   \x1b[31mAssertionError: expected {actual:.2f} to be {expected:.2f}\x1b[39m\n")
                file.write(f"{stamp()}    \x1b[36m❯ {suite}.test.ts:{line}:{line % 30 + 5}\x1b[39m\n")
            else:
                name = ("shows the error of case {}", "refuses a failed login {}", "rounds amount {}", "lists page {}", "keeps the order of {}")[n % 5].format(key)
                file.write(f"{stamp()} \x1b[32m✓\x1b[39m {suite}.test.ts \x1b[2m>\x1b[22m {name} \x1b[2m{n % 90} ms\x1b[22m\n")
            if n % 4000 == 3999:
                bar(file, f"Uploading snapshot {n // 4000}", count_of(scale, 2500, 50))
        file.write(f"{stamp()}\n{stamp()}\x1b[31m Failed Tests 4 \x1b[39m\n")
        for _, suite, name, *_ in sorted(failures, key=lambda failure: failure[1]):
            file.write(f"{stamp()} \x1b[31mFAIL\x1b[39m {suite}.test.ts > {name}\n")
        file.write(f"{stamp()}{tests - 4} passed, 4 failed\n{stamp()}##[error]Process completed with exit code 1.\n")
    _, suite, name, line, expected, actual = failures[0]
    other = failures[2]
    return Answer(
        f"{suite}.test.ts > {name}; expected {expected:.2f}, was {actual:.2f}; {suite}.test.ts:{line}",
        [re.escape(suite), re.escape(name), number(expected), number(actual), word(line)],
        [f"{other[1]}.test.ts > {other[2]}; expected {other[4]:.2f}, was {other[5]:.2f}; line {other[3]}", f"{suite}.test.ts > {name}; expected {expected:.2f}; line {line}"],
        [re.escape(other[1])],
    )


def rotated(folder, dice, scale):
    """Six files of one log; the older ones are compressed."""
    lines, shard = count_of(scale, 80_000), dice.randrange(11, 20)
    hits = []
    for age in range(5, -1, -1):
        text = []
        for n in range(lines):
            second = (5 - age) * 86_400 + n * 86_400 // lines
            key = dice.randrange(1000, 9999)
            roll = dice.random()
            if roll < 0.0011:
                which = dice.choice([shard, shard * 10 + 1, 100 + shard, dice.randrange(20, 99)])
                text.append(f"{at(second):%Y-%m-%d %H:%M:%S} WARN  lease lost: shard {which} has no owner, epoch {key}\n")
                if which == shard:
                    hits.append(second)
            elif roll < 0.004:
                text.append(f"{at(second):%Y-%m-%d %H:%M:%S} INFO  lease renewed: shard {shard}, epoch {key}\n")
            else:
                text.append(f"{at(second):%Y-%m-%d %H:%M:%S} INFO  batch {key} of tenant {key % 211} written in {key % 97} ms, {key * 3} rows\n")
        data = "".join(text).encode()
        if age >= 2:
            (folder / f"store.log.{age}.gz").write_bytes(gzip.compress(data, mtime=0))
        else:
            (folder / ("store.log.1" if age else "store.log")).write_bytes(data)
    first, last = hits[0], hits[-1]
    return Answer(
        f"{len(hits)} times; first {at(first)}, last {at(last)}",
        [word(len(hits)), clock(first), clock(last)],
        [f"{len(hits) + 1} times; first {at(first)}, last {at(last)}", f"{len(hits)}; first {at(first)}, last {at(last + 3600)}"],
    ), {"shard": shard}


ROUTES = ["GET /cart", "GET /catalog", "GET /cart/coupons", "POST /cart", "POST /checkout", "GET /orders"]


def jsonl(folder, dice, scale):
    """Requests, one a line, with objects and lists inside."""
    lines, taken, sold = count_of(scale, 70_000), [], {}
    skus = [f"SKU-{n}" for n in dice.sample(range(1000, 9999), 60)]
    # One sells twice as often: two could sell equally often.
    skus.append(skus[0])
    with open(folder / "requests.jsonl", "w") as file:
        for n in range(lines):
            route, status = dice.choice(ROUTES), dice.choices([200, 404, 503], [90, 6, 4])[0]
            took = round(dice.lognormvariate(4.2, 0.7), 1)
            items = []
            if route in ("POST /cart", "POST /checkout"):
                items = [{"sku": dice.choice(skus), "quantity": dice.randrange(1, 6), "price": {"amount": dice.randrange(100, 9000) / 100, "currency": "EUR"}} for _ in range(dice.randrange(1, 5))]
            if status == 200 and route == "GET /cart":
                taken.append(took)
            if status == 200 and route == "POST /checkout":
                for item in items:
                    sold[item["sku"]] = sold.get(item["sku"], 0) + item["quantity"]
            record = {
                "time": f"{at(n * 86_400 // lines):%Y-%m-%dT%H:%M:%S}.{n % 1000:03}Z",
                "request": {"id": f"{dice.getrandbits(48):012x}", "route": route, "client": {"address": f"10.{n % 250}.{n % 199}.{n % 97}", "agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/150.0"}},
                "response": {"status": status, "duration_ms": took, "bytes": dice.randrange(200, 90_000)},
            }
            if items:
                record["items"] = items
            file.write(json.dumps(record) + "\n")
    taken.sort()
    place = 0.95 * (len(taken) - 1)
    below = taken[int(place)]
    p95 = below + (taken[min(int(place) + 1, len(taken) - 1)] - below) * (place % 1)
    ranks = sorted(sold, key=lambda sku: (-sold[sku], sku))
    # The percentile of other definitions is a neighbour, so whole milliseconds around it are right too.
    near = "|".join(rf"{n}(?:\.\d+)?" for n in range(int(p95 * 0.99), int(p95 * 1.01) + 1))
    return Answer(
        f"95th percentile {p95:.1f} ms; {ranks[0]} with {sold[ranks[0]]} pieces",
        [rf"(?<![\d.-])(?:{near})(?!\d|\.\d)", word(ranks[0]), word(sold[ranks[0]])],
        [f"95th percentile {p95 * 1.2:.1f} ms; {ranks[0]} with {sold[ranks[0]]} pieces", f"95th percentile {p95:.1f} ms; {ranks[1]} with {sold[ranks[1]]} pieces"],
        [word(ranks[1])],
    )


def orders(folder, dice, scale):
    """A CSV whose comments have commas, quotes and newlines."""
    rows, country = count_of(scale, 75_000), dice.choice(["NO", "FI", "PT", "SI"])
    comments = ["", "", "Please ring twice", 'Gift: "for Anna", no invoice', "Leave it at the door,\nthe neighbour knows", "Two parcels:\n\n1. books\n2. lamps, fragile", f"Corrected order, before:\n1001,2026-05-01,Old Ltd,{country},,10.00\nthanks"]
    total, largest, number_of = 0, (0, 0), 0
    with open(folder / "orders.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "placed", "customer", "country", "comment", "amount"])
        for n in range(rows):
            where, cents = dice.choice([country, "DE", "AT", "FR", "NL", "DK"]), dice.randrange(500, 300_000)
            table.writerow([200_000 + n, f"{at(n * 400 % 2_592_000):%Y-%m-%d}", f"{dice.choice(['Berg', 'Lind', 'Holm', 'Dahl'])} & {dice.choice(['Sons', 'Co, Ltd', 'Partners'])}", where, dice.choice(comments), f"{cents / 100:.2f}"])
            if where == country:
                total, number_of, largest = total + cents, number_of + 1, max(largest, (cents, 200_000 + n))
    return Answer(
        f"{rows} orders; {country}: {number_of} orders, {total / 100:.2f}; largest {largest[1]}",
        [word(rows), word(number_of), number(total / 100), word(largest[1])],
        [f"{rows + 7} orders; {country}: {number_of}, {total / 100:.2f}; largest {largest[1]}", f"{rows} orders; {number_of}; {total / 100 + 10:.2f}; largest {largest[1]}"],
    ), {"country": country}


def windows(folder, dice, scale):
    """An export of the event log of Windows: UTF-16 with a byte order mark, lines that end with CR LF."""
    lines = count_of(scale, 70_000)
    services = ["Windows Update", "Druckwarteschlange", "Aufgabenplanung", "Windows-Zeitgeber", "Anmeldedienst für Büro", "DHCP-Client"]
    crashes = sorted(dice.sample(range(lines), 12 + dice.randrange(20)))
    codes = [dice.choice(["0xC0000005", "0xC0000374", "0x80004005", "0xE06D7363", "0xC0000409"]) for _ in crashes]
    # The last one has a code that its neighbour has not.
    codes[-1], codes[-2] = "0xC0000374", "0xC0000005"
    told = dict(zip(crashes, codes))
    text = ["Datum\tEbene\tQuelle\tEreignis\tMeldung\r\n"]
    for n in range(lines):
        stamp, service = f"{at(n * 600_000 // lines):%d.%m.%Y %H:%M:%S}", services[n * 13 % 6]
        if n in told:
            text.append(f"{stamp}\tFehler\tService Control Manager\t7023\tDienst \"Druckwarteschlange\" wurde unerwartet beendet. Rückgabewert: {told[n]}.\r\n")
        elif n % 701 == 5:
            text.append(f"{stamp}\tFehler\tService Control Manager\t7023\tDienst \"{dice.choice(services[2:])}\" wurde unerwartet beendet. Rückgabewert: 0x80070005.\r\n")
        else:
            text.append(f"{stamp}\tInformation\tService Control Manager\t7036\tDienst \"{service}\" befindet sich jetzt im Status \"{('Ausgeführt', 'Beendet')[n % 2]}\".\r\n")
    (folder / "system.txt").write_bytes(b"\xff\xfe" + "".join(text).encode("utf-16le"))
    last = at(crashes[-1] * 600_000 // lines)
    return Answer(
        f"{len(crashes)} times, last {last:%d.%m.%Y %H:%M:%S}, {codes[-1]}",
        [word(len(crashes)), f"{last:%H:%M:%S}", word(codes[-1])],
        [f"{len(crashes) + 2} times, last {last:%d.%m.%Y %H:%M:%S}, {codes[-1]}", f"{len(crashes)} times, last {last:%H:%M:%S}, {codes[-2]}"],
        [word(codes[-2])],
    )


def nuls(folder, dice, scale):
    """A log that a power cut left with a run of NUL bytes, as file systems do."""
    lines, run = count_of(scale, 160_000), dice.randrange(3000, 90_000)
    cut = lines * dice.randrange(30, 80) // 100
    down = dice.randrange(300, 4000)

    def line(n):
        second = n * 80_000 // lines + (down if n >= cut else 0)
        return second, f"{at(second):%b %d %H:%M:%S} nas {('smartd', 'nfsd', 'kernel', 'samba')[n % 4]}[{n % 977 + 300}]: volume {n % 12}: {('scrub at', 'read of', 'sync of')[n % 3]} block {n * 7919 % 1_000_003} done\n"

    with open(folder / "nas.log", "wb") as file:
        file.writelines(line(n)[1].encode() for n in range(cut))
        file.write(b"\0" * run)
        file.writelines(line(n)[1].encode() for n in range(cut, lines))
    before, after = line(cut - 1)[0], line(cut)[0]
    return Answer(
        f"last before: {at(before):%H:%M:%S}, first after: {at(after):%H:%M:%S}, {run} NUL bytes",
        [clock(before), clock(after), word(run)],
        [f"{at(before):%H:%M:%S}, {at(after):%H:%M:%S}, {run + 1} NUL bytes", f"{at(before - 90):%H:%M:%S}, {at(after):%H:%M:%S}, {run}"],
    )


KINDS = [
    "accepted connection from 10.{}.{}.7", "closed connection of client {} after {} s", "session {} opened for tenant {}", "session {} expired, idle for {} s",
    "cache: {} hits, {} misses", "cache: evicted {} entries of tenant {}", "compaction of level {} took {} ms", "flushed memtable {} with {} keys",
    "replica {} is {} entries behind", "replica {} caught up at entry {}", "snapshot {} written, {} MB", "snapshot {} removed, kept {}",
    "config reloaded, {} keys, {} changed", "rotated key {} of tenant {}", "quota of tenant {} at {} percent", "query {} took {} ms",
    "slow query {}: {} ms", "backup of shard {} done, {} files", "checked {} blocks, {} repaired", "lease of shard {} renewed for {} s",
    "leader is node {}, term {}", "vote for node {} in term {}", "gossip: {} members, {} suspected", "throttled tenant {} for {} ms",
    "index {} rebuilt with {} entries", "deleted {} expired rows of table {}",
]


def rare(folder, dice, scale):
    """A log of 26 kinds of lines, each of them many times, and one line of a kind of its own."""
    lines, serial, slot = count_of(scale, 330_000, 8000), dice.randrange(10_000, 99_999), dice.randrange(2, 16)
    place = lines * dice.randrange(20, 90) // 100
    weights = [1 / (n + 1) for n in range(len(KINDS))]
    kinds = dice.choices(KINDS, weights, k=lines)
    levels = ["INFO ", "DEBUG", "INFO ", "WARN "]
    with open(folder / "node.log", "w") as file:
        for n, kind in enumerate(kinds):
            stamp = f"{at(n * 86_000 // lines):%Y-%m-%dT%H:%M:%S}Z"
            if n == place:
                file.write(f"{stamp} INFO  slot {slot} now holds disk with serial WX{serial}, was empty at boot\n")
            else:
                a, b = dice.randrange(250), dice.randrange(10_000)
                file.write(f"{stamp} {levels[KINDS.index(kind) % 4]} {kind.format(a, b)}\n")
    return Answer(
        f"slot {slot} now holds disk with serial WX{serial}",
        [word(f"wx{serial}")],
        [f"slot {slot} now holds disk with serial WX{serial + 1}", "index 7 rebuilt with 412 entries"],
    )


ROLLOUT_STEPS = 75


def rollout_lines(seed):
    """The lines that the rollout appends, one every 0.3 seconds, and its revision, image and slowest pod."""
    dice = random.Random(f"rollout {seed}")
    revision, image, pod = f"{dice.getrandbits(28):07x}", f"shop/web:{dice.randrange(4, 9)}.{dice.randrange(30)}.{dice.randrange(9)}", f"web-{dice.getrandbits(20):05x}"
    lines = [f"INFO  rollout of revision {revision} started"]
    lines += [f"INFO  waiting: {min(n * 12 // 72, 11)} of 12 pods ready, {n % 5} pulling" for n in range(ROLLOUT_STEPS - 3)]
    lines += [f"WARN  pod {pod} was last: it pulled {image} for {dice.randrange(11, 19)} s", f"INFO  rollout of revision {revision} complete: 12 of 12 ready"]
    return lines, revision, image, pod


def rollout(folder, dice, scale):
    """The log of earlier rollouts. `live.py` appends the next one once the task has begun."""
    lines = count_of(scale, 80_000)
    earlier = []
    with open(folder / "deploy.log", "w") as file:
        for n in range(lines):
            stamp = f"{at(n * 40_000 // lines):%Y-%m-%dT%H:%M:%SZ}"
            if n % 2000 < 2:
                revision = earlier[-1] if n % 2000 else f"{dice.getrandbits(28):07x}"
                earlier.append(revision)
                text = f"WARN  pod web-{dice.getrandbits(20):05x} was last: it pulled shop/web:3.{n // 2000}.0 for 12 s" if n % 2000 == 0 else f"INFO  rollout of revision {revision} complete: 12 of 12 ready"
            else:
                text = f"INFO  waiting: {n % 12} of 12 pods ready, {n % 5} pulling"
            file.write(f"{stamp} {text}\n")
    seed = dice.randrange(10**9)
    _, revision, image, pod = rollout_lines(seed)
    return Answer(
        f"revision {revision}, last pod {pod}, image {image}",
        [word(revision), word(pod), re.escape(image)],
        [f"revision {earlier[-1]}, last pod {pod}, image {image}", f"revision {revision}, last pod web-00000, image shop/web:3.39.0"],
    ), {"seed": seed}
