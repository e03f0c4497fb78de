#!/usr/bin/env python3
"""Draws the picture of a terminal in the README from what rread really prints.

    cargo build && python3 docs/terminal.py             writes docs/terminal.svg
    python3 docs/terminal.py --check --program PATH     exit code 1 if the picture is not what PATH prints

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
PICTURE = ROOT / "docs" / "terminal.svg"
COMMANDS = [
    "rread lines service.log 100:+3",
    "rread lines service.log.gz -1: --raw",
    "grep -n ERROR service.log | head -n 1 | rread ranges service.log --from - -C 1 -n -f text",
]
# Columns; what is longer is cut, as with `less -S`.
WIDTH = 104
CHARACTER, LINE, MARGIN = 7.83, 18, 16
COLORS = {"1": "#e6edf3", "2": "#8b949e", "31": "#ff7b72", "32": "#7ee787", "33": "#d29922", "34": "#79c0ff",
          "35": "#d2a8ff", "36": "#76e3ea", "90": "#8b949e"}
FOREGROUND, PROMPT = "#c9d1d9", "#7ee787"
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def output(command, program, folder):
    """What `command` prints, painted as on a terminal, without the syntax colours that some builds have."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RREAD_")}
    environment.pop("NO_COLOR", None)
    environment.update(RREAD_CACHE_DIR=folder, RREAD_STATE_DIR=os.path.join(folder, "state"), TERM="xterm")
    os.symlink(program, os.path.join(folder, "rread"))
    environment["PATH"] = folder + os.pathsep + environment.get("PATH", "")
    painted = re.sub(r"\brread (\w+)", r"rread \1 --color always --highlight never", command)
    done = subprocess.run(["sh", "-c", painted], cwd=ROOT / "fixtures", env=environment, stdout=subprocess.PIPE, check=True)
    os.unlink(os.path.join(folder, "rread"))
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


def draw(lines):
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
        "<title>rread in a terminal: lines of a log with their receipt, the last line of a compressed log, lines around a match</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n{dots}\n'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">\n'
        f'{"".join(rows)}</g>\n</svg>\n'
    )


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=ROOT / "target" / "debug" / "rread", type=Path)
    options.add_argument("--check", action="store_true", help="compare with the picture instead of writing it")
    options = options.parse_args()
    lines = []
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            printed = output(command, options.program.resolve(), folder)
        lines += [[]] if lines else []
        lines.append([(PROMPT, "$ "), ("#e6edf3", command[: WIDTH - 2])])
        lines += [spans(line) for line in printed.splitlines()]
    picture = draw(lines)
    if not options.check:
        PICTURE.write_text(picture, encoding="utf-8")
    elif not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != picture:
        sys.exit("docs/terminal.svg is not what rread prints; to draw it again: cargo build && python3 docs/terminal.py")


if __name__ == "__main__":
    main()
