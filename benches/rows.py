"""A row of the table of peers.py: two sides of one job, how they are checked and measured, and the verdict."""

import itertools
import os
import shutil
import statistics
import subprocess
import sys
import time

from jobs import ENVIRONMENT, MIB
from running import largest, run

# Documents are not in ASCII, and most of their readers write what the locale says.
UTF8 = ENVIRONMENT | {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
# Less of a difference is none.
MARGIN = 0.1
ROUNDS = 3


class Peer:
    """A program that rread is compared with."""

    def __init__(self, name, *question, at=None):
        self.name, self.path = name, shutil.which(name) or (at and shutil.which(at))
        self.version = self.asked(question) if self.path else ""

    def asked(self, question):
        done = subprocess.run([self.path, *question], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return next((word.strip(",") for word in (done.stdout + done.stderr).replace("/", " ").split() if word[0].isdigit()), "")

    def __str__(self):
        return f"{self.name} {self.version}".strip()


class Wrong(Exception):
    """The output of rread, which was compared before it is timed, is not right."""


class Row:
    """One job. `judge` runs both sides and returns what is in the column of the result, with 1, 0 or -1 for rread.

    The sides are lists of commands: one command for a job, or one for each of many files. `judge` may be what makes
    them, if it is known only afterwards which files both sides can read.
    """

    def __init__(self, job, peer, judge, lacks, ours=(), theirs=(), call="", environment=ENVIRONMENT):
        self.job, self.peer, self.judge, self.lacks, self.call = job, peer, judge, lacks, call
        self.ours, self.theirs, self.environment = list(ours), list(theirs), environment

    def measured(self, seconds):
        """Medians over rounds of wall and CPU seconds of both sides, of the ratios of each round, and their memory."""
        rounds, begun = [], time.monotonic()
        while len(rounds) < ROUNDS or time.monotonic() - begun < seconds:
            sides = [[0.0, 0.0], [0.0, 0.0]]
            for pair in itertools.zip_longest(self.ours, self.theirs):
                for side, argv in zip(sides, pair):
                    if argv:
                        wall, cpu, _ = run([argv], os.devnull, self.environment, quiet=True)
                        side[0] += wall
                        side[1] += cpu
            rounds.append(sides)
        middle = lambda values: statistics.median(list(values))
        walls = [middle(sides[side][0] for sides in rounds) for side in (0, 1)]
        ratios = [middle(ours[column] / max(theirs[column], 1e-9) for ours, theirs in rounds) for column in (0, 1)]
        peaks = [max((largest(argv, self.environment) or 0 for argv in side), default=0) / MIB for side in (self.ours, self.theirs)]
        return walls, ratios, peaks

    def line(self, seconds):
        """The cells of the row in Markdown, and whether the output was right."""
        start = [self.job, f"`{self.peer}`{' ' + self.call if self.call else ''}"]
        try:
            result, sign = self.judge(self)
        except Wrong as wrong:
            return [*start, "", "", "", "", f"**wrong: {wrong}**", "worse", ""], False
        walls, ratios, peaks = self.measured(seconds)
        worse = behind(sign, *ratios, peaks)
        lacks = "; ".join(filter(None, [", ".join(worse), self.lacks]))
        times = " / ".join(shown_time(wall) for wall in walls)
        memory = " / ".join(f"{peak:.0f}" if peak else "?" for peak in peaks)
        return [*start, times, *map(shown_ratio, ratios), memory, result, f"**{verdict(sign, *ratios)}**", lacks], True


def verdict(sign, wall, cpu):
    """Better if nothing of result, time and CPU is worse and something is better.

    >>> verdict(0, 0.5, 1.0), verdict(1, 1.0, 1.05), verdict(0, 0.95, 1.05), verdict(1, 0.5, 1.2), verdict(-1, 0.1, 0.1)
    ('better', 'better', 'equal', 'worse', 'worse')
    """
    slower = [ratio for ratio in (wall, cpu) if ratio > 1 + MARGIN]
    faster = [ratio for ratio in (wall, cpu) if ratio < 1 - MARGIN]
    if sign < 0 or slower:
        return "worse"
    return "better" if sign > 0 or faster else "equal"


def behind(sign, wall, cpu, peaks):
    """In what rread is worse, by the numbers.

    >>> behind(-1, 1.0, 2.0, [30, 10])
    ['result', 'CPU', 'memory']
    """
    ours, theirs = peaks
    found = [(sign < 0, "result"), (wall > 1 + MARGIN, "time"), (cpu > 1 + MARGIN, "CPU")]
    found.append((theirs and ours > theirs * (1 + MARGIN), "memory"))
    return [name for is_worse, name in found if is_worse]


def shown_time(seconds):
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def shown_ratio(ratio):
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def sign(ours, theirs, margin):
    """Which of two shares is larger, if the difference counts."""
    return (ours > theirs + margin) - (ours < theirs - margin)


def skipped(name, why):
    print(f"{name}: {why}, so its rows are not here", file=sys.stderr)
