"""The results of compare.py: a table in Markdown, and a file of JSON that releases.py and chart.py read."""

import datetime
import json
import os
import platform
import re
import statistics
from pathlib import Path

from jobs import MIB, Job
from programs import ABSENT, CALLED, HOW, first_version, names, of_rread, version_of, versions
from running import processor, seconds, shown

# The form of the file; a change of it gets the next number.
FORM = 1
COLUMNS = ("wall", "cpu")


def ratio(job, index, column):
    """The median of the ratios of neighbours in time, and how far its quarters lie apart."""
    pairs = zip(job.samples[0], job.samples[index])
    ratios = [a[column] / max(b[column], 1e-9) for a, b in pairs]
    middle = statistics.median(ratios)
    quarters = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [middle] * 3
    return middle, (quarters[2] - quarters[0]) / middle


def shown_ratio(value):
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def label(pipeline, log):
    """The command as the table shows it: with the version, if several of the program may be there."""
    text, name = shown(pipeline, log), os.path.basename(pipeline[0][0])
    if name in HOW or name in CALLED:
        text = text.replace(name, f"{name} {version_of(pipeline[0][0])}", 1)
    return "`" + text.replace("|", "\\|") + "`"


def report_times(jobs, log):
    print("| job | program | wall | CPU | wall ratio | CPU ratio | target | |")
    print("|---|---|--:|--:|--:|--:|---|---|")
    wide, missed = [], 0
    for job in jobs:
        for index, pipeline in enumerate(job.pipelines()):
            wall, cpu = (seconds(statistics.median(s[column] for s in job.samples[index])) for column in (0, 1))
            if index == 0:
                print(f"| {job.name} | {label(pipeline, log)} | {wall} | {cpu} | | | | |")
                continue
            targets, cells, good = job.peers[index - 1][1], [], True
            for column, key in enumerate(COLUMNS):
                middle, spread = ratio(job, index, column)
                cells.append(shown_ratio(middle))
                good &= middle <= targets.get(key, middle)
                if spread > 0.2 and key in targets:
                    wide.append(f"{job.name} / {names(pipeline)} {key} ±{spread / 2:.0%}")
            wanted = ", ".join(f"{'CPU' if key == 'cpu' else key} ≤ {limit:.2f}" for key, limit in targets.items())
            mark = "" if not targets else "pass" if good else "**miss**"
            missed += mark == "**miss**"
            print(f"| | {label(pipeline, log)} | {wall} | {cpu} | {' | '.join(cells)} | {wanted} | {mark} |")
    print("\nRatios are rread / peer, medians of pairs that ran one after the other.")
    if wide:
        print(f"\nRatios that varied (half the distance of the quarters): {'; '.join(wide)}.")
    return missed


def report_versions(jobs):
    """Prints what ran, in which versions, and what was not there."""
    ran = ", ".join(f"{name} {', '.join(sorted(found))}".strip() for name, found in sorted(all_versions(jobs).items()))
    print(f"\nVersions: {ran}.")
    for name in ABSENT:
        print(f"\n`{name}` is not installed, so its rows are missing. To get it: {HOW[name]}.")


def all_versions(jobs):
    found = {}
    for job in jobs:
        for pipeline, _ in job.peers:
            for name, version in versions(pipeline).items():
                found.setdefault(name, set()).add(version)
    return found


def rounds_of(job, index):
    """The pairs of each round: wall times of rread and of the peer, and CPU times of both, in microseconds.

    >>> job = Job("", [["rread"]], [([["sed"]], {})], repeat=2)
    >>> job.samples = [[(1e-3, 2e-6), (1e-3, 3e-6), (2e-3, 0)], [(4e-3, 0), (5e-3, 0), (6e-3, 0)]]
    >>> rounds_of(job, 1)
    [[[1000, 4000, 2, 0], [1000, 5000, 3, 0]], [[2000, 6000, 0, 0]]]
    """
    pairs = [
        [round(value * 1e6) for column in (0, 1) for value in (ours[column], theirs[column])]
        for ours, theirs in zip(job.samples[0], job.samples[index])
    ]
    return [pairs[at:at + job.repeat] for at in range(0, len(pairs), job.repeat)]


def rows_of(jobs, log):
    """One row for each peer of each job of rread."""
    rows = []
    for job in (job for job in jobs if names(job.ours).startswith("rread")):
        for index, (pipeline, targets) in enumerate(job.peers, 1):
            row = {
                "job": job.name,
                "peer": names(pipeline),
                "versions": versions(pipeline),
                "command": without_places(shown(pipeline, log)),
                **{key: round(ratio(job, index, column)[0], 5) for column, key in enumerate(COLUMNS)},
                "target": {key: round(limit, 4) for key, limit in targets.items()},
                "memory": job.peak or None,
                "rounds": rounds_of(job, index),
            }
            rows.append(row)
    return rows


def without_places(command):
    """A command without the folders and ports of one machine.

    >>> without_places("zcat /tmp/compare-x1/big.gzip | sed -n 1p"), without_places("curl -s http://127.0.0.1:4112/big.log")
    ('zcat big.gzip | sed -n 1p', 'curl -s http://127.0.0.1/big.log')
    """
    return re.sub(r"(127\.0\.0\.1):\d+", r"\1", re.sub(r"(?<![\w:/.])/(?!dev/)(?:[^\s/'\"]+/)+", "", command))


def as_json(jobs, rread, log, size, lines, rounds):
    """The whole result. Nothing in it names a folder of the machine."""
    return {
        "form": FORM,
        "rread": of_rread(rread),
        "machine": {
            "processor": processor(), "cores": os.cpu_count(), "memory": memory_of_machine(),
            "kernel": f"{platform.system()} {first_version(platform.release())}",
        },
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "size": size,
        "lines": lines,
        "rounds": rounds,
        "programs": {name: sorted(found) for name, found in sorted(all_versions(jobs).items())},
        "absent": {name: HOW[name] for name in ABSENT},
        "rows": rows_of(jobs, log),
    }


def memory_of_machine():
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MIB * MIB
    except (ValueError, OSError):
        return None


def write(result, path):
    """Writes the file with one row on each line, so that two releases can be compared by eye."""
    head = "".join(f' "{key}": {json.dumps(value, ensure_ascii=False)},\n' for key, value in result.items() if key != "rows")
    rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in result["rows"])
    text = f'{{\n{head} "rows": [\n{rows}\n ]\n}}\n'
    Path(path).write_text(text, encoding="utf-8")


def read(path):
    """A file that `write` has written; ValueError if it is something else."""
    result = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(result, dict) or result.get("form") != FORM:
        raise ValueError(f"{path} is not a result of compare.py --json in form {FORM}")
    return result
