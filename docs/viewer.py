#!/usr/bin/env python3
"""Draws the picture of `rread view` in the README from the screen that it really shows.

    cargo build && python3 docs/viewer.py             writes docs/viewer.svg
    python3 docs/viewer.py --check --program PATH     exit code 1 if the picture is not what PATH shows

Needs Python 3.8 on a Unix system, and nothing else: it runs rread on a pseudo-terminal and follows the few sequences that
rread writes (positions, colours, erasing to the end of the row).
"""

import argparse
import fcntl
import os
import pty
import re
import select
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from xml.sax.saxutils import escape

from terminal import CHARACTER, COLORS, FOREGROUND, LINE, MARGIN, PROMPT, ROOT, WIDTH

PICTURE = ROOT / "docs" / "viewer.svg"
COMMAND = "rread view -NS service.log"
# Keys, and a part of the status line that shows that they are done.
KEYS = [("/ERROR\r", "1 of 20"), ("6k", "lines 25-")]
ROWS = 16
BACKGROUND, BAR = "#0d1117", "#21262d"
SEQUENCE = re.compile(r"\x1b\[(\??[0-9;]*)([A-Za-z])|\x1b\][^\x1b\x07]*(?:\x07|\x1b\\)|([^\x1b])", re.S)


class Screen:
    """Cells of a character and its parameters of SGR."""

    def __init__(self):
        self.cells = [[(" ", ())] * WIDTH for _ in range(ROWS)]
        self.row = self.column = 0
        self.style = ()

    def feed(self, text):
        for match in SEQUENCE.finditer(text):
            params, final, character = match.groups()
            if character and character >= " ":
                if self.column < WIDTH:
                    self.cells[self.row][self.column] = (character, self.style)
                self.column += 1
            elif final == "H":
                self.row, self.column = [int(number) - 1 for number in (params or "1;1").split(";")]
            elif final == "K":
                self.cells[self.row][self.column:] = [(" ", ())] * (WIDTH - self.column)
            elif final == "J":
                self.cells = [[(" ", ())] * WIDTH for _ in range(ROWS)]
            elif final == "m":
                # rread writes each style as a whole, after a reset.
                self.style = tuple(code for code in params.split(";") if code.lstrip("0"))

    def status(self):
        return "".join(character for character, _ in self.cells[-1])


def shown(program):
    """The screen after all keys."""
    with tempfile.TemporaryDirectory() as folder:
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(ROOT / "fixtures")
            environment = {name: value for name, value in os.environ.items() if not name.startswith("RREAD_")}
            environment.pop("NO_COLOR", None)
            environment.update(RREAD_CACHE_DIR=folder, TERM="xterm-256color")
            # Before the program starts, so that it draws no screen of another size.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, WIDTH, 0, 0))
            os.execve(program, COMMAND.split(), environment)
        screen, text = Screen(), b""

        def wait(part):
            nonlocal text
            end = time.monotonic() + 30
            while part not in screen.status():
                if time.monotonic() > end:
                    sys.exit(f"waited in vain for {part!r}; the status line is {screen.status()!r}")
                if select.select([terminal], [], [], 0.1)[0]:
                    text += os.read(terminal, 1 << 16)
                    # The last character may be half of one.
                    whole = text[: text.rfind(b"\x1b")] if b"\x1b" in text[-16:] else text
                    screen.feed(whole.decode("utf-8", "ignore"))
                    text = text[len(whole):]

        wait(" of 500")
        for keys, part in KEYS:
            os.write(terminal, keys.encode())
            wait(part)
            # What the key changes is drawn with the status line.
            time.sleep(0.3)
            wait(part)
        os.write(terminal, b"q")
        os.close(terminal)
        os.waitpid(process, 0)
    return screen


def colour(style):
    """Text and background of a cell."""
    front = next((COLORS[code] for code in style if code in COLORS), FOREGROUND)
    if "7" in style:
        return BACKGROUND, front
    return front, None


def row(cells, number):
    """A row of text, over the backgrounds of its cells."""
    top, boxes, spans, column = MARGIN + 34 + number * LINE, [], [], 0
    last = max((at + 1 for at, cell in enumerate(cells) if cell[0] != " " or colour(cell[1])[1]), default=0)
    while column < last:
        front, back = colour(cells[column][1])
        end = column
        while end < last and colour(cells[end][1]) == (front, back):
            end += 1
        text = "".join(character for character, _ in cells[column:end])
        if back:
            left, width = MARGIN + column * CHARACTER, (end - column) * CHARACTER
            boxes.append(f'<rect x="{left:.1f}" y="{top - 13}" width="{width:.1f}" height="{LINE}" fill="{back}"/>')
        spans.append(f'<tspan fill="{front}">{escape(text)}</tspan>')
        column = end
    text = f'<text x="{MARGIN}" y="{top}" xml:space="preserve">{"".join(spans)}</text>\n' if spans else ""
    return "".join(box + "\n" for box in boxes) + text


def draw(screen):
    width, height = round(WIDTH * CHARACTER + 2 * MARGIN), (ROWS + 1) * LINE + 2 * MARGIN + 20
    prompt = f'<tspan fill="{PROMPT}">$ </tspan><tspan fill="#e6edf3">{escape(COMMAND)}</tspan>'
    rows = [f'<text x="{MARGIN}" y="{MARGIN + 34}" xml:space="preserve">{prompt}</text>\n']
    rows += [row(cells, number + 1) for number, cells in enumerate(screen.cells)]
    dots = "".join(
        f'<circle cx="{MARGIN + 6 + 18 * index}" cy="16" r="5" fill="{color}"/>'
        for index, color in enumerate(["#ff5f57", "#febc2e", "#28c840"])
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        "<title>rread view: a log with line numbers, the colours of its levels, and the first of 20 matches of a search</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>\n{dots}\n'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">\n'
        f'{"".join(rows)}</g>\n</svg>\n'
    )


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=ROOT / "target" / "debug" / "rread", type=Path)
    options.add_argument("--check", action="store_true", help="compare with the picture instead of writing it")
    options = options.parse_args()
    picture = draw(shown(options.program.resolve()))
    if not options.check:
        PICTURE.write_text(picture, encoding="utf-8")
    elif not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != picture:
        sys.exit("docs/viewer.svg is not what rread shows; to draw it again: cargo build && python3 docs/viewer.py")


if __name__ == "__main__":
    main()
