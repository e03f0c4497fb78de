#!/usr/bin/env python3
"""Draws the pictures of terminals in the tasks of the book from what rread really prints.

    cargo build && python3 docs/terminal.py             writes the PICTURES
    python3 docs/terminal.py --check --program PATH     exit code 1 if a picture is not what PATH prints

Needs Python 3.8 and nothing else. What differs from one checkout to the next (the version of a file) is shown as "…".
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
# Each picture in docs/, with its title, the folder where its commands run, and the commands.
PICTURES = {
    "incident.svg": (
        "rread in a terminal: the first lines of five services about a failure, in the order of time",
        FIXTURES / "incident",
        [
            "rread search -c '\" 502 ' gateway.log -f text",
            "rread lines * --merge --since 06:02:05 --until 06:02:17 --tz UTC -f text \\\n    --tz payments.log=Europe/Berlin",
            "rread search 'A-1057' * --merge --tz UTC --tz payments.log=Europe/Berlin -f text",
        ],
    ),
    "bug.svg": (
        "rread in a terminal: the output of failed tests is kept and searched; a function is read with anchors",
        FIXTURES / "bug",
        [
            "rread capture --brief --metadata-only -- sh test.sh",
            "rread search '^not ok' fd:1 --max-tokens 60 --brief",
            "rread lines postage.awk 18:23 --hash --brief",
        ],
    ),
    "ci.svg": (
        "rread in a terminal: a failed test is found in a log, cut out of it, and made an annotation of its line",
        FIXTURES / "ci",
        [
            "rread search '^test .* FAILED$' test.log --brief",
            "rread search 'panicked at' test.log -B 4 -A 3 -f text",
            "rread search -o -r '::error file=$1,line=$2::' 'panicked at (\\S+?):(\\d+):' test.log --raw",
        ],
    ),
}
# Columns; what is longer is cut, as with `less -S`.
WIDTH = 104
CHARACTER, LINE, MARGIN = 7.83, 18, 16
COLORS = {"1": "#e6edf3", "2": "#8b949e", "31": "#ff7b72", "32": "#7ee787", "33": "#d29922", "34": "#79c0ff",
          "35": "#d2a8ff", "36": "#76e3ea", "90": "#8b949e"}
FOREGROUND, PROMPT = "#c9d1d9", "#7ee787"
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def output(command, place, folder):
    """What `command` prints in `place`, painted as on a terminal, without the syntax colours that some builds have."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RREAD_")}
    environment.pop("NO_COLOR", None)
    environment.update(RREAD_CACHE_DIR=folder, RREAD_STATE_DIR=os.path.join(folder, "state"), TERM="xterm")
    environment["PATH"] = folder + os.pathsep + environment.get("PATH", "")
    painted = re.sub(r"\brread (\w+)", r"rread \1 --color always", command)
    painted = re.sub(r"\brread (lines|ranges) ", r"rread \1 --highlight never ", painted)
    done = subprocess.run(["sh", "-c", painted], cwd=place, env=environment, stdout=subprocess.PIPE)
    # 1 is an answer: tests that fail, or no match.
    if done.returncode > 1:
        sys.exit(f"{command}: exit code {done.returncode}")
    text = done.stdout.decode("utf-8")
    return re.sub(r"^((?:\x1b\[[0-9;]*m)*version(?:\x1b\[[0-9;]*m)*:) .*$", r"\1 …", text, flags=re.M)


def spans(line):
    """The line as pieces of one colour each: (colour, text)."""
    color, column, pieces = FOREGROUND, 0, []
    for index, part in enumerate(ESCAPE.split(line)):
        if index % 2:
            codes = [code for code in part.split(";") if code.lstrip("0")]
            color = next((COLORS[code] for code in codes if code in COLORS), color if codes else FOREGROUND)
            color = FOREGROUND if codes and codes[-1] == "39" else color
            continue
        part = part[: WIDTH - column]
        column += len(part)
        if part:
            pieces.append((color, part))
    return pieces


def draw(title, lines):
    width, height = round(WIDTH * CHARACTER + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN + 20
    rows = []
    for number, pieces in enumerate(lines):
        top = MARGIN + 34 + number * LINE
        inner = "".join(f'<tspan fill="{color}">{escape(text)}</tspan>' for color, text in pieces)
        rows.append(f'<text x="{MARGIN}" y="{top}" xml:space="preserve">{inner}</text>\n' if inner else "")
    dots = "".join(
        f'<circle cx="{MARGIN + 6 + 18 * index}" cy="16" r="5" fill="{color}"/>'
        for index, color in enumerate(["#ff5f57", "#febc2e", "#28c840"])
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n{dots}\n'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">\n'
        f'{"".join(rows)}</g>\n</svg>\n'
    )


def picture(title, place, commands, program):
    """The picture of a terminal with `commands` and their output; all of them have one home."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, os.path.join(folder, "rread"))
        for command in commands:
            printed = output(command, place, folder)
            lines += [[]] if lines else []
            first, *more = command.split("\n")
            lines.append([(PROMPT, "$ "), ("#e6edf3", first[: WIDTH - 2])])
            lines += [[("#e6edf3", line[:WIDTH])] for line in more]
            lines += [spans(line) for line in printed.splitlines()]
    return draw(title, lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=ROOT / "target" / "debug" / "rread", type=Path)
    options.add_argument("--check", action="store_true", help="compare with the pictures instead of writing them")
    options = options.parse_args()
    for name, (title, place, commands) in PICTURES.items():
        path = ROOT / "docs" / name
        drawn = picture(title, place, commands, options.program.resolve())
        if not options.check:
            path.write_text(drawn, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != drawn:
            sys.exit(f"docs/{name} is not what rread prints; to draw it again: cargo build && python3 docs/terminal.py")


if __name__ == "__main__":
    main()
