#!/usr/bin/env python3
"""Counts wrong guesses: generated files of known truth, read by rread, as a matrix guess by truth.

    cargo build --release && python3 benches/guesses.py encodings|times|tables|files [FOLDER...] [--rread PATH]

Each part is a file guessed_PART.py with `cases()`, which yields (truth, name, bytes), and `outcome(run, truth, bytes)`, which
returns what rread guessed and one of `right`, `not evident` and `wrong`. Only a wrong answer with exit code 0 and without a
notice is `wrong`. The exit code is 1 if there is one.
"""

import argparse
import collections
import importlib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["encodings", "times", "tables", "files"])
    parser.add_argument("folders", nargs="*", help="of files, the folders to read")
    parser.add_argument("--rread", default=ROOT / "target" / "release" / "rread")
    args = parser.parse_args()
    part = importlib.import_module(f"guessed_{args.part}")
    matrix, counts = collections.Counter(), collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:

        def run(*words):
            return subprocess.run([args.rread, *words], cwd=folder, capture_output=True)

        for truth, name, content in part.cases(*args.folders):
            (pathlib.Path(folder) / name).write_bytes(content)
            guess, outcome = part.outcome(run, name, truth, content)
            matrix[truth, guess, outcome] += 1
            counts[part.kind(name)][outcome] += 1
            if outcome == "wrong":
                print("wrong:", name, "read as", guess)
            (pathlib.Path(folder) / name).unlink()
    print("| truth | guess | outcome | files |\n|---|---|---|---|")
    for (truth, guess, outcome), files in sorted(matrix.items()):
        print(f"| {truth} | {guess} | {outcome} | {files} |")
    print("\n| kind | right | not evident | wrong |\n|---|---|---|---|")
    for kind, found in counts.items():
        print(f"| {kind} | {found['right']} | {found['not evident']} | {found['wrong']} |")
    return 1 if any(found["wrong"] for found in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
