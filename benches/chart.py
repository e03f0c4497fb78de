#!/usr/bin/env python3
"""Draws the ratios of a result of compare.py as a picture, or prints them as a table in Markdown.

    python3 benches/chart.py                                      writes docs/speed.svg from the newest of benches/measured
    python3 benches/chart.py target/now.json --picture now.svg    of another result, into another file
    python3 benches/chart.py --check                              exit code 1 if docs/speed.svg is not what would be drawn
    python3 benches/chart.py --table                              prints the table

Each row has one bar, which begins at 1 on a logarithmic scale: to the left if rread takes less time than the peer, to the
right if it takes more. A dot is the ratio of the processor times. The picture follows the colours of the reader, light or
dark, and needs no font but a monospaced one.
"""

import argparse
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from jobs import shown_size
from results import read, shown_ratio

ROOT = Path(__file__).resolve().parent.parent
PICTURE, MEASURED = ROOT / "docs" / "speed.svg", ROOT / "benches" / "measured"
# Sizes in pixels; a character of 12 pixels is at most as wide as this.
CHARACTER, LINE, MARGIN, HEAD = 7.3, 17, 16, 78
JOB, PEER, SCALE, NUMBER = 62, 34, 300, 7
LEGEND = "Time of rread / time of the other program: bar. Processor time: dot. Left of 1, rread is faster."
STYLE = """
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre; }
.ground { fill: #ffffff; } .quiet { fill: #59636e; } .grid { stroke: #d1d9e0; } .one { stroke: #59636e; }
.fast { fill: #2da44e; } .slow { fill: #d4622a; } .dot { fill: #1f2328; stroke: #ffffff; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .ground { fill: #0d1117; } .quiet { fill: #9198a1; } .grid { stroke: #30363d; } .one { stroke: #9198a1; }
.fast { fill: #3fb950; } .slow { fill: #db6d28; } .dot { fill: #e6edf3; stroke: #0d1117; }
}
"""


def cut(text, width):
    """
    >>> cut("a long name", 7), cut("short", 7)
    ('a long…', 'short')
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def peer_of(row):
    """The peer with the version of its first program.

    >>> peer_of({"peer": "rg | cat", "versions": {"rg": "15.2.0", "cat": "9.1"}}), peer_of({"peer": "rread lines", "versions": {}})
    ('rg 15.2.0 | cat', 'rread lines')
    """
    first, *rest = row["peer"].split(" ")
    return " ".join(filter(None, [first, row["versions"].get(first), *rest]))


def decades(rows):
    """The powers of ten that the scale goes from and to.

    >>> decades([{"wall": 0.2, "cpu": 0.04}, {"wall": 1.2, "cpu": 2}])
    (-2, 1)
    """
    values = [math.log10(max(value, 1e-4)) for row in rows for value in (row["wall"], row["cpu"])]
    return min(-1, math.floor(min(values, default=0))), max(1, math.ceil(max(values, default=0)))


class Scale:
    """Where a ratio is in the picture."""

    def __init__(self, rows):
        self.low, self.high = decades(rows)
        self.left = MARGIN + (JOB + PEER) * CHARACTER

    def at(self, value):
        power = min(max(math.log10(max(value, 1e-9)), self.low), self.high)
        return round(self.left + SCALE * (power - self.low) / (self.high - self.low), 1)

    def lines(self, height):
        for power in range(self.low, self.high + 1):
            x = self.at(10**power)
            name = f"{10**power:g}"
            yield f'<line class="{"one" if power == 0 else "grid"}" x1="{x}" y1="{HEAD - 8}" x2="{x}" y2="{height - MARGIN}"/>'
            yield f'<text class="quiet" text-anchor="middle" x="{x}" y="{HEAD - 12}">{name}</text>'


def drawn_row(row, above, top, scale):
    """The job, if it is not that of the row above, the peer, the bar, the dot and both numbers."""
    x, one = scale.at(row["wall"]), scale.at(1)
    left, width = min(x, one), max(abs(one - x), 1)
    kind = "fast" if row["wall"] <= 1 else "slow"
    job = "" if row["job"] == above else f'<text x="{MARGIN}" y="{top + 12}">{escape(cut(row["job"], JOB - 2))}</text>'
    end = scale.left + SCALE
    numbers = "".join(
        f'<text text-anchor="end" x="{round(end + (index + 1) * NUMBER * CHARACTER, 1)}" y="{top + 12}">{shown_ratio(row[key])}</text>'
        for index, key in enumerate(("wall", "cpu"))
    )
    peer = escape(cut(peer_of(row), PEER - 2))
    return (
        f'<g><title>{escape(row["job"])}: {escape(peer_of(row))}</title>{job}'
        f'<text class="quiet" x="{round(MARGIN + JOB * CHARACTER, 1)}" y="{top + 12}">{peer}</text>'
        f'<rect class="bar {kind}" x="{left:.1f}" y="{top + 3}" width="{width:.1f}" height="{LINE - 6}" rx="1"/>'
        f'<circle class="dot" cx="{scale.at(row["cpu"])}" cy="{top + LINE / 2}" r="3"/>{numbers}</g>'
    )


def draw(result):
    rows, scale = result["rows"], Scale(result["rows"])
    width = round(scale.left + SCALE + 2 * NUMBER * CHARACTER + MARGIN)
    height = HEAD + len(rows) * LINE + MARGIN
    machine, end = result["machine"], scale.left + SCALE
    made = (f"rread {result['rread']['version']}, {machine['processor']}, {machine['cores']} cores, {machine['kernel']}, "
            f"{shown_size(result['size'])}, {result['rounds']} rounds, {result['date'][:10]}")
    drawn, above = [], None
    for index, row in enumerate(rows):
        drawn.append(drawn_row(row, above, HEAD + index * LINE, scale))
        above = row["job"]
    titles = "".join(
        f'<text class="quiet" text-anchor="end" x="{round(end + (index + 1) * NUMBER * CHARACTER, 1)}" y="{HEAD - 12}">{name}</text>'
        for index, name in enumerate(("time", "CPU"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>Time of rread divided by the time of other programs, for {len(rows)} rows</title>\n<style>{STYLE}</style>\n"
        f'<rect class="ground" width="{width}" height="{height}" rx="8"/>\n'
        f'<text x="{MARGIN}" y="{MARGIN + 10}">{LEGEND}</text>\n'
        f'<text class="quiet" x="{MARGIN}" y="{MARGIN + 27}">{escape(made)}</text>\n{titles}\n'
        + "\n".join([*scale.lines(height), *drawn]) + "\n</svg>\n"
    )


def table(result):
    lines, above = ["| job | compared with | time | processor time |", "|---|---|--:|--:|"], None
    for row in result["rows"]:
        job = "" if row["job"] == above else row["job"]
        peer = peer_of(row).replace("|", "\\|")
        lines.append(f"| {job} | `{peer}` | {shown_ratio(row['wall'])} | {shown_ratio(row['cpu'])} |".replace("|  |", "| |"))
        above = row["job"]
    return "\n".join(lines) + "\n"


def newest():
    """The result that was measured last, of those in the repository."""
    return max(map(read, sorted(MEASURED.glob("*.json"))), key=lambda result: result["date"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", nargs="?", metavar="RESULT.json")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="the file to write (default: docs/speed.svg)")
    parser.add_argument("--check", action="store_true", help="compare with the picture instead of writing it")
    parser.add_argument("--table", action="store_true", help="print a table in Markdown instead")
    options = parser.parse_args()
    result = read(options.result) if options.result else newest()
    if options.table:
        print(table(result), end="")
        return
    picture = draw(result)
    if not options.check:
        options.picture.write_text(picture, encoding="utf-8")
    elif not options.picture.exists() or options.picture.read_text(encoding="utf-8") != picture:
        sys.exit(f"{options.picture.name} is not what chart.py draws; to draw it again: python3 benches/chart.py")


if __name__ == "__main__":
    main()
