"""The files of the fourteen reading tasks: awkward ones of a real machine, the same at every run."""

import gzip
import os
import struct
import zlib
from pathlib import Path

WORDS = "cache hit|index rebuilt|session opened|queue drained|token renewed|page served|lease kept|batch written".split("|")

SERVICE = '''"""Prices of orders."""


def net(order):
    return sum(item.price * item.count for item in order.items)


def discount(order):
    return 0.05 if net(order) > 100 else 0


def total(order, vat):
    price = net(order) * (1 - discount(order))
    price = price * (1 + vat)
    return round(price, 2)


def label(order):
    return f"{order.number}: {total(order, 0.19)} EUR"
'''

# The same after somebody else's edit: three new lines above, and another rate in the middle.
EDITED = SERVICE.replace('"""Prices of orders."""\n', '"""Prices of orders."""\nimport logging\n\nlog = logging.getLogger(__name__)\n').replace(
    "price * (1 + vat)", "price * (1 + vat / 100)"
)

BUILD = r"""#!/bin/sh
i=0
while [ $i -lt 3000 ]; do
  i=$((i + 1))
  echo "[$i/3000] CC src/module_$i.c -> obj/module_$i.o"
  if [ $i = 1377 ]; then
    echo "src/module_1377.c:88:14: error: 'struct lease' has no member named 'expires_at'" >&2
  fi
done
echo "make: *** [Makefile:12: all] stopped, 1 of 3000 targets failed" >&2
exit 2
"""

TESTS = r"""#!/bin/sh
i=0
while [ $i -lt 1500 ]; do
  i=$((i + 1))
  printf '\033[32mok\033[0m %d - case number %d\n' $i $i
  printf '\r\033[2K  %d of 1500' $i >&2
done
printf '\r\033[2K' >&2
echo
echo "1498 passed, 2 skipped in 41.70 s"
"""


# Five minutes around the stack trace.
WINDOW = "07:58:00", "08:03:00"


def second(n):
    return f"2026-03-11 {n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}"


def log_lines(size):
    """A log of one day in about `size` bytes, as a generator of its lines."""
    lines = max(size // 82, 4000)
    fatal, trace = lines * 7 // 10, lines // 3
    for n in range(lines):
        at = second(n * 86_400 // lines)
        if n == fatal:
            yield f"{at} WARN  worker-7 pool exhausted, 0 of 64 connections free\n"
            yield f"{at} ERROR worker-7 lost the lease of shard 12\n"
            yield f"{at} FATAL worker-7 shutting down: shard 12 has no owner\n"
        elif n == trace:
            yield f"{at} ERROR worker-3 request 5f3a failed\n"
            yield "java.lang.IllegalStateException: balance below zero\n"
            yield "\tat shop.Ledger.book(Ledger.java:214)\n"
            yield "\tat shop.Checkout.pay(Checkout.java:77)\n"
        elif n == lines - 2345:
            yield f"{at} WARN  worker-5 upstream payments.internal timed out after 30000 ms\n"
        else:
            yield f"{at} INFO  worker-{n % 9} {WORDS[n * 7919 % 8]} in {n * 31 % 977} ms, request {n:09} of tenant {n % 211}\n"


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + bytes((y * 5 + x * 3) % 256 for x in range(width * 3)) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make(folder, size, log=None):
    """Fills `folder`; `size` is that of the large log, unless `log` is one that is there already."""
    folder = Path(folder)
    items = [f'{{"id":{n},"name":"service-{n}","tags":["a","b"],"owner":"team-{n * 7 % 90}"}}' for n in range(10_000)]
    items[6000] = '{"id":6000,"name":"billing","tags":["b"],"retry_limit":37,"owner":"team-6"}'
    (folder / "config.json").write_text('{"services":[' + ",".join(items) + "]}\n")

    notes = [f"{n}: nothing to report in sector {n * 13 % 97}\n" for n in range(1, 2001)]
    notes[1233] = "1234: ERROR disk 3 of rack B is full\n"
    (folder / "notes.txt").write_bytes("".join(notes).encode("utf-16le"))

    if log:
        os.link(log, folder / "app.log")
    else:
        with open(folder / "app.log", "w") as file:
            file.writelines(log_lines(size))
    old = [f"{second(n * 3)} GET /item/{n * 7919 % 6007} took {n * 31 % 977} ms\n" for n in range(20_000)]
    old[12_345] = f"{second(37_035)} GET /report/annual took 9417 ms\n"
    packed = gzip.compress("".join(old).encode(), mtime=0)
    (folder / "old.log.gz").write_bytes(packed)
    (folder / "broken.log.gz").write_bytes(packed[: len(packed) * 2 // 3])

    (folder / "logo.txt").write_bytes(png(64, 48))
    letter = ["Szanowni Państwo,\n", "dziękujemy za zamówienie.\n"] * 20 + ["Cena: 37 zł, płatność do środy.\n", "Z poważaniem, Żaneta Wójcik\n"]
    (folder / "letter.txt").write_bytes("".join(letter).encode("cp1250"))

    for name, text in (("build.sh", BUILD), ("tests.sh", TESTS)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "services").mkdir()
    for n in range(1, 26):
        lines = [f"option_{k} = {k * n}\n" for k in range(200)]
        lines[137] = f"timeout = {9000 if n == 17 else 30}\n"
        (folder / "services" / f"s{n:02}.conf").write_text("".join(lines))
    os.mkfifo(folder / "events")
    (folder / "prices.py").write_text(SERVICE)
