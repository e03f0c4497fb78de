"""Colours of source code against those of bat, with the same theme: jobs of compare.py, and rows of peers.py."""

import subprocess
from pathlib import Path

from jobs import Job
from rows import UTF8, Peer, Row, sign, skipped
from running import ended
from words import same_styles

LINES, LARGE = 5000, 50_000
# This theme is the same in all versions of bat; `ansi` is not.
THEMED = UTF8 | {"RREAD_THEME": "GitHub", "COLORTERM": "truecolor"}


def bat():
    return Peer("bat", "--version", at="batcat")


def colours(rread):
    """Whether rread was built with them."""
    usage = subprocess.run([rread, "lines", "--help"], capture_output=True, text=True, check=True).stdout
    return "--highlight" in usage


def sides(rread, peer, folder, count):
    """The commands of both sides for a file of so many lines of the sources of rread, and for 40 lines in its middle."""
    sources = sorted((Path(__file__).parent.parent / "src").rglob("*.rs"))
    lines = [line for source in sources for line in source.read_text(encoding="utf-8").splitlines(True)]
    file = folder / f"source-{count}.rs"
    # A large file has all sources several times.
    file.write_text("".join((lines * (1 + count // len(lines)))[:count]), encoding="utf-8")
    first, last = count // 2, count // 2 + 39
    ours = [rread, "lines", str(file), "--color", "always", "-f", "text"]
    theirs = [str(peer.path), "--no-config", "--theme=GitHub", "--style=plain", "--color=always", "--paging=never", str(file)]
    return (ours, theirs), ([*ours, f"{first}:{last}"], [*theirs, f"--line-range={first}:{last}"])


def color_jobs(rread, folder):
    """Nothing without bat, or if rread was built without the feature."""
    peer = bat()
    if not peer.path or not colours(rread):
        return []
    (ours, theirs), (few, their_few) = sides(rread, peer, folder, LINES)
    jobs = [
        Job(f"colours: 40 lines from the middle of {LINES:,}", [few], [([their_few], {"wall": 0.8})], same=False, repeat=10),
        Job(f"colours: {LINES:,} lines", [ours], [([theirs], {})], same=False, repeat=2),
    ]
    for job in jobs:
        job.environment = THEMED
    return jobs


def color_rows(rread, folder):
    peer = bat()
    if not colours(rread):
        skipped("colours", "this rread was built without the feature highlight")
        return []

    def row(name, commands, lacks):
        def judge(_):
            texts = [ended(argv, THEMED, 120)[0].decode() for argv in commands]
            total, same = same_styles(*texts)
            shown = same / max(1, total)
            return f"{shown:.4f} of {total:,} characters have the same colour", sign(shown, 1, 0.01)

        ours, theirs = commands
        return Row(name, peer, judge, lacks, [ours], [theirs], environment=THEMED)

    whole, few = sides(rread, peer, folder, LINES)
    _, far = sides(rread, peer, folder, LARGE)
    lacks = "no grid, header, marks of changes or own themes"
    return [
        row(f"colours of {LINES:,} lines of Rust", whole, lacks),
        row("colours of 40 lines from their middle (`--line-range`)", few, lacks),
        row(f"colours of 40 lines from the middle of {LARGE:,}", far, "a comment or string of more than 200 lines before the slice may be missed"),
    ]
