#!/usr/bin/env python3
"""Names what got slower, faster or larger from one release to the next, beyond noise.

    python3 benches/releases.py benches/measured/0.1.0.json target/now.json

Both files are of `compare.py --json`. A row is a job with one version of a peer, and its ratio is rread / peer, so that a
quicker or busier machine changes nothing. The rule, for wall and for CPU time by themselves:

- The value of a round is the median of its ratios. Repetitions within a round follow one another, so they share the state
  of the machine, and only rounds are independent.
- The values of all rounds give an interval of their median by the sign test, which assumes no distribution: the narrowest
  pair of order statistics that covers the median with 95 % or more. Of 6 to 8 rounds, these are the least and the
  greatest. Fewer than 6 rounds never reach 95 %, so their rows are not judged.
- A row got slower if the intervals of both files do not overlap, and its median grew by 5 % or more (--least). If the
  rounds of both files are alike, the first alone happens by chance in less than one of 100 rows.
- A job needs more memory if its peak grew by 20 % and by 1 MiB or more.

The exit code is 1 if a row got slower or a job needs more memory, 2 if a file cannot be read or no row can be judged. Rows that
one file lacks are named: another version of a peer is another row.
"""

import argparse
import math
import statistics
import sys

from jobs import MIB
from results import COLUMNS, read, shown_ratio

COVER = 0.95
LEAST = 0.05


def interval(values):
    """The least and greatest value of the interval of the median; None if there are too few values.

    >>> interval([1, 2, 3, 4, 5]), interval([3, 1, 2, 6, 5, 4]), interval(range(1, 10))
    (None, (1, 6), (2, 8))
    """
    ordered, count = sorted(values), len(values)
    best, below = None, 0
    for outside in range(count // 2):
        # So many values are less than the median with this probability: tosses of a coin.
        below += math.comb(count, outside)
        if 1 - 2 * below / 2**count < COVER:
            break
        best = ordered[outside], ordered[-1 - outside]
    return best


def ratios_of(row, column):
    """The value of each round: the median of its ratios.

    >>> ratios_of({"rounds": [[[2, 4, 1, 1], [3, 4, 1, 1], [4, 4, 1, 1]]]}, "wall")
    [0.75]
    """
    at = 2 * COLUMNS.index(column)
    return [statistics.median(pair[at] / max(pair[at + 1], 1) for pair in pairs) for pairs in row["rounds"]]


def change(old, new, column, least):
    """How many times as slow as before a row is, and 1, -1 or 0 if that is slower, faster or noise; None if it cannot be judged."""
    values = [ratios_of(row, column) for row in (old, new)]
    before, after = map(interval, values)
    if before is None or after is None:
        return None
    times = statistics.median(values[1]) / statistics.median(values[0])
    if after[0] > before[1] and times >= 1 + least:
        return times, 1
    if after[1] < before[0] and times <= 1 / (1 + least):
        return times, -1
    return times, 0


def keyed(result):
    """Rows by what they are; a second one of the same kind has a number."""
    found = {}
    for row in result["rows"]:
        versions = " ".join(version for version in row["versions"].values() if version)
        name = f"{row['job']} / {row['peer']} {versions}".rstrip()
        while name in found:
            name += " again"
        found[name] = row
    return found


def differences(old, new):
    """What makes two files hard to compare."""
    for key, title in (("size", "size of the log"), ("rounds", "rounds")):
        if old[key] != new[key]:
            yield f"{title}: {old[key]} and {new[key]}"
    for key in ("processor", "cores", "kernel"):
        if old["machine"][key] != new["machine"][key]:
            yield f"{key}: {old['machine'][key]} and {new['machine'][key]}"
    if old["rread"].get("features") != new["rread"].get("features"):
        yield f"features: {shown_features(old)} and {shown_features(new)}"


def shown_features(result):
    return " ".join(result["rread"].get("features", ["unknown"])) or "none"


def compared(old, new, least):
    """Names of rows by what became of them."""
    before, after = keyed(old), keyed(new)
    found = {"slower": [], "faster": [], "more memory": [], "not judged": [], "same": []}
    for name in (name for name in before if name in after):
        pair, kinds = (before[name], after[name]), set()
        for column in COLUMNS:
            known = change(*pair, column, least)
            if known is None:
                kinds.add("not judged")
                continue
            times, sign = known
            kind = {1: "slower", -1: "faster", 0: "same"}[sign]
            kinds.add(kind)
            if sign:
                ratios = " -> ".join(shown_ratio(statistics.median(ratios_of(row, column))) for row in pair)
                found[kind].append(f"{name}: {'CPU' if column == 'cpu' else column} x {times:.2f} ({ratios})")
        for kind in ("not judged", "same"):
            if kind in kinds and not kinds & {"slower", "faster"}:
                found[kind].append(name)
    found["more memory"] = larger(old, new)
    found["only in the first file"] = [name for name in before if name not in after]
    found["only in the second file"] = [name for name in after if name not in before]
    return found


def larger(old, new):
    """The jobs that need more memory."""
    before, after = ({row["job"]: row["memory"] for row in result["rows"] if row["memory"]} for result in (old, new))
    both = ((name, before[name], peak) for name, peak in after.items() if name in before)
    return [f"{name}: {a / MIB:.1f} -> {b / MIB:.1f} MiB" for name, a, b in both if b >= max(a * 1.2, a + MIB)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD.json")
    parser.add_argument("new", metavar="NEW.json")
    parser.add_argument("--least", type=float, default=LEAST, help="the least change that counts (default: 0.05)")
    options = parser.parse_args()
    try:
        old, new = read(options.old), read(options.new)
    except (OSError, ValueError) as error:
        print(f"{error}", file=sys.stderr)
        return 2
    print(f"rread {old['rread']['version']} of {old['date']} and {new['rread']['version']} of {new['date']}")
    for difference in differences(old, new):
        print(f"not the same {difference}")
    found = compared(old, new, options.least)
    for kind, names in found.items():
        if names and kind != "same":
            print(f"\n{kind}:\n  " + "\n  ".join(names))
    print(f"\nrows that changed no more than noise: {len(found['same'])}")
    judged = found["same"] or found["slower"] or found["faster"]
    if not judged:
        print("no row can be judged: none is in both files with 6 rounds or more", file=sys.stderr)
    return 1 if found["slower"] or found["more memory"] else 0 if judged else 2


if __name__ == "__main__":
    sys.exit(main())
