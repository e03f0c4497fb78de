#!/usr/bin/env python3
"""Compares the text that rread reads from PDF files with that of pdftotext: words, order, time, memory, failures.

    benches/documents.py [--rread PROGRAM] [--worst N] DIRECTORY...

For every directory with PDF files it prints one row for each program. Words are runs of letters and digits. Recall is
the share of pdftotext's words that rread has too, precision the share of rread's words that pdftotext has, and order
the share of pdftotext's words that rread has in the same order on the same page, by the matcher of difflib.
"""

import argparse
import collections
import difflib
import json
import pathlib
import re
import resource
import subprocess
import sys
import time

WORD = re.compile(r"\w+")
LIMIT = 60


def run(command):
    """Output, exit code, CPU seconds and peak memory in KiB of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    # A shell with `time` would count less: GNU time sees the whole tree of processes.
    timed = ["/usr/bin/time", "-f", "\n%M"] + command
    try:
        done = subprocess.run(timed, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "", None, LIMIT, 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    memory = int(done.stderr.split()[-1])
    return done.stdout.decode("utf-8", "replace"), done.returncode, min(cpu, time.monotonic() - began + cpu), memory


def words(text):
    # A hyphen at the end of a line is kept by both; ligatures are letters for both.
    return WORD.findall(text)


def common(ours, theirs):
    return sum((collections.Counter(ours) & collections.Counter(theirs)).values())


def in_order(ours, theirs):
    """Words of `theirs` that `ours` has in the same order, page by page."""
    total = 0
    for own, other in zip(ours, theirs):
        matcher = difflib.SequenceMatcher(None, own, other, autojunk=False)
        total += sum(block.size for block in matcher.get_matching_blocks())
    return total


def pages(answer):
    """The text of every page in an answer of `rread page --all --json`."""
    answer = json.loads(answer)
    return [part["content"] for part in answer.get("segments", [answer])]


def measure(directory, rread, worst):
    files = sorted(path for path in pathlib.Path(directory).iterdir() if path.suffix == ".pdf")
    sums = collections.Counter()
    seconds = {"rread": 0.0, "pdftotext": 0.0}
    memory = {"rread": 0, "pdftotext": 0}
    failed = {"rread": [], "pdftotext": []}
    bad = []
    for path in files:
        theirs, code, cpu, peak = run(["pdftotext", str(path), "-"])
        seconds["pdftotext"] += cpu
        memory["pdftotext"] = max(memory["pdftotext"], peak)
        if code != 0:
            failed["pdftotext"].append(path.name)
        ours, own_code, cpu, peak = run([rread, "page", str(path), "--all", "--json"])
        seconds["rread"] += cpu
        memory["rread"] = max(memory["rread"], peak)
        if own_code != 0:
            failed["rread"].append(path.name)
        if code != 0 or own_code != 0:
            continue
        ours = [words(page) for page in pages(ours)]
        theirs = [words(page) for page in theirs.split("\f")]
        ordered = in_order(ours, theirs)
        ours, theirs = sum(ours, []), sum(theirs, [])
        both = common(ours, theirs)
        sums.update(ours=len(ours), theirs=len(theirs), both=both, ordered=ordered)
        bad.append((ordered / max(1, len(theirs)), both / max(1, len(ours)), len(theirs), path.name))
    share = lambda part, whole: f"{sums[part] / max(1, sums[whole]):.3f}"
    only = sorted(set(failed["rread"]) - set(failed["pdftotext"]))
    print(f"| {directory} | rread | {len(files)} | {sums['ours']} | {share('both', 'theirs')} | {share('both', 'ours')} "
          f"| {share('ordered', 'theirs')} | {seconds['rread']:.1f} | {memory['rread'] // 1024} | {len(failed['rread'])} |")
    print(f"| {directory} | pdftotext | {len(files)} | {sums['theirs']} | | | | {seconds['pdftotext']:.1f} "
          f"| {memory['pdftotext'] // 1024} | {len(failed['pdftotext'])} |")
    sys.stdout.flush()
    if only:
        print(f"refused by rread alone: {', '.join(only)}", file=sys.stderr)
    for ordered, precise, count, name in sorted(bad)[:worst]:
        print(f"order {ordered:.3f} precision {precise:.3f} of {count:6} words: {name}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rread", default="target/release/rread")
    parser.add_argument("--worst", type=int, default=0, help="also print the N files with the least order")
    parser.add_argument("directories", nargs="+")
    arguments = parser.parse_args()
    print("| files | program | count | words | recall | precision | order | CPU s | peak MB | refused |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for directory in arguments.directories:
        measure(directory, arguments.rread, arguments.worst)


if __name__ == "__main__":
    main()
