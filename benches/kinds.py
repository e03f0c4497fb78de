#!/usr/bin/env python3
"""How well do the kinds of lines of `stat --patterns` agree with kinds that people named?

    git clone https://github.com/logpai/loghub && pip install drain3
    python3 benches/kinds.py target/release/rread loghub

Loghub has 2,000 lines of 16 logs, and for each line its message and the template that a person gave it. A line is right if
its kind has exactly the lines that its template has; the share of right lines is the *grouping accuracy*. Both programs read
the messages. Drain3 has the masks and numbers of its example (drain3.ini). `--show LOG` prints the templates of one log that
are not one kind. Nothing is fetched.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

EDGES = r"((?<=[^A-Za-z0-9])|^)", r"((?=[^A-Za-z0-9])|$)"
# The masks of Drain3's example.
MASKS = {
    "ID": r"(([0-9a-f]{2,}:){3,}([0-9a-f]{2,}))",
    "IP": r"(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})",
    "SEQ": r"([0-9a-f]{6,} ?){3,}",
    "SEQ ": r"([0-9A-F]{4} ?){4,}",
    "HEX": r"(0x[a-f0-9A-F]+)",
    "NUM": r"([\-\+]?\d+)",
}


def messages(folder):
    """The message and the template of each line."""
    with open(next(folder.glob("*_2k.log_structured.csv")), newline="", encoding="utf-8", errors="replace") as file:
        return [(row["Content"].replace("\n", " "), row["EventId"]) for row in csv.DictReader(file)]


def of_drain(lines):
    from drain3 import TemplateMiner
    from drain3.masking import MaskingInstruction
    from drain3.template_miner_config import TemplateMinerConfig

    config = TemplateMinerConfig()
    config.drain_extra_delimiters = ["_"]
    config.masking_instructions = [MaskingInstruction(EDGES[0] + mask + EDGES[1], name.strip()) for name, mask in MASKS.items()]
    miner = TemplateMiner(config=config)
    return [miner.add_log_message(line)["cluster_id"] for line in lines]


def of_rread(rread, lines):
    """The first line and the number of lines of each kind."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".log") as file:
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        argv = [rread, "stat", "--patterns", "100000", "--json", file.name]
        done = subprocess.run(argv, capture_output=True, check=True, text=True)
    return {(kind["first_line"], kind["count"]): kind["pattern"] for kind in json.loads(done.stdout)["patterns"]}


def spans(groups):
    """The lines of each group."""
    found = defaultdict(list)
    for number, group in enumerate(groups, 1):
        found[group].append(number)
    return list(found.values())


def accuracy(truth, found):
    return sum(len(lines) for lines in truth if found(lines)) / sum(map(len, truth))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("rread")
    parser.add_argument("loghub", type=Path)
    parser.add_argument("--show", metavar="LOG")
    options = parser.parse_args()
    print("| log | templates | kinds | rread | Drain3 |\n|---|--:|--:|--:|--:|")
    rows = []
    for folder in sorted(folder for folder in options.loghub.iterdir() if any(folder.glob("*_2k.log_structured.csv"))):
        if options.show and folder.name != options.show:
            continue
        lines, templates = zip(*messages(folder))
        truth, kinds = spans(templates), of_rread(options.rread, lines)
        ours = accuracy(truth, lambda group: (group[0], len(group)) in kinds)
        drains = {tuple(group) for group in spans(of_drain(lines))}
        theirs = accuracy(truth, lambda group: tuple(group) in drains)
        rows.append((ours, theirs))
        print(f"| {folder.name} | {len(truth)} | {len(kinds)} | {ours:.3f} | {theirs:.3f} |", flush=True)
        if options.show:
            show(lines, truth, kinds)
    mean = [sum(row[at] for row in rows) / len(rows) for at in (0, 1)]
    print(f"| mean of {len(rows)} | | | {mean[0]:.3f} | {mean[1]:.3f} |")
    print(f"\nat least as good as Drain3 in {sum(ours >= theirs for ours, theirs in rows)} of {len(rows)}")


def show(lines, truth, kinds):
    for group in sorted((group for group in truth if (group[0], len(group)) not in kinds), key=len, reverse=True)[:25]:
        print(f"\n{len(group)} lines, the first is {group[0]}")
        print("\n".join(sorted({lines[number - 1] for number in group})[:6]))
    print("\nkinds:")
    for (first, count), pattern in sorted(kinds.items(), key=lambda kind: -kind[0][1])[:60]:
        print(count, first, pattern)


if __name__ == "__main__":
    main()
