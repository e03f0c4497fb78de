"""Windows of generated logs: what rread returns against a filter that knows the time of every line.

python3 benches/times.py RREAD [WINDOWS] [SEED]

The logs mix formats, have preambles, stretches without times, zones, hours that clocks show twice, times without years,
long JSON records, and are plain, compressed or members of archives.
"""

import datetime as dt
import gzip
import io
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import zoneinfo

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/St_Johns"]
CLOCK_12 = "%I:%M:%S %p"


def offset(t, colon):
    text = t.strftime("%z")
    return text[:3] + ":" + text[3:] if colon else text


def javascript(t):
    return t.strftime("%a %b %d %Y %H:%M:%S GMT") + offset(t, False) + " (X)"


# A format, and whether it has its own zone and its year.
FORMATS = [
    (lambda t: t.strftime("%Y-%m-%dT%H:%M:%S") + offset(t, True) + " host m", True, True),
    (lambda t: t.strftime("%Y-%m-%d %H:%M:%S,123 INFO m"), False, True),
    (lambda t: t.strftime("%Y-%m-%d " + CLOCK_12 + " m"), False, True),
    (lambda t: t.strftime("%Y-%m-%d %H:%M:%S:123") + offset(t, False) + " m", True, True),
    (lambda t: t.strftime("%b %e %H:%M:%S host app[1]: m"), False, False),
    (lambda t: t.strftime("%Y %b %d %H:%M:%S host app[1]: m"), False, True),
    (lambda t: t.strftime("10.0.0.1 - - [%d/%b/%Y:%H:%M:%S ") + offset(t, False) + '] "GET /" 200 1', True, True),
    (lambda t: javascript(t) + " m", True, True),
    (lambda t: t.strftime("[%Y-%m-%d] [%H:%M:%S] m"), False, True),
    (lambda t: t.strftime("%Y-%m-%d %H:%M:%S UTC") + offset(t, True) + " m", True, True),
    (lambda t: '{"level":"info","msg":"%s","time":"%s"}' % ("z" * random.choice([3, 300, 70000]), t.strftime("%Y-%m-%dT%H:%M:%S") + offset(t, True)), True, True),
    (lambda t: t.strftime("order 15000%S%M1 shipped %Y-%m-%d %H:%M:%S"), False, True),
    (lambda t: t.strftime("%m/%d/%Y, " + CLOCK_12 + " m"), False, True),
    (lambda t: t.strftime("%Y%m%d_%H%M%S m"), False, True),
]


class Log:
    """Lines, each with the seconds as they are read, or None."""

    def __init__(self, rng):
        self.zone_name = rng.choice(ZONES)
        self.zone = zoneinfo.ZoneInfo(self.zone_name)
        base = rng.choice([1710136800, 1729980000, 1762056000, 1741496400, 1704060000, 1709100000])
        clock = base + rng.randrange(7200)
        self.lines = [("export V%d=x" % n, None) for n in range(rng.choice([0, 0, 3, 80, 400]))]
        chosen = rng.sample(FORMATS, rng.choice([1, 1, 2, 3]))
        # A zone that is set and one that is not would be in disorder beside each other.
        if any(own for _, own, _ in chosen) and not all(own for _, own, _ in chosen):
            self.zone_name, self.zone = "UTC", dt.timezone.utc
        self.has_year = all(year for _, _, year in chosen)
        mixes = rng.random() < 0.3
        for at, part in enumerate(chosen):
            for n in range(rng.choice([70, 200, 500])):
                clock += rng.choice([0, 1, 1, 7, 30])
                write, own, _ = rng.choice(chosen[: at + 1]) if mixes else part
                t = dt.datetime.fromtimestamp(clock, self.zone)
                self.lines.append((write(t), clock if own else self.read(t)))
                if rng.random() < 0.05:
                    self.lines += [("\tat Main.run(Main.java:%d)" % k, None) for k in range(rng.choice([1, 3, 40]))]
            if rng.random() < 0.2:
                self.lines += [("a line without a time", None)] * rng.choice([5, 100])
        self.last = clock

    def read(self, t):
        """A record without a zone is read as the first pass of an hour that is shown twice."""
        return int(t.replace(fold=0).timestamp())

    def text(self):
        return "".join(line + "\n" for line, _ in self.lines).encode()

    def window(self, since, until):
        kept, inside = [], since is None
        for line, time in self.lines:
            if time is not None:
                inside = (since is None or time >= since) and (until is None or time < until)
            if inside:
                kept.append(line)
        times = [time for _, time in self.lines if time is not None]
        if since is None and not any(until is None or time < until for time in times):
            kept = []
        return "".join(line + "\n" for line in kept).encode()


def store(rng, log, folder):
    """Writes the log as a file of some kind, and returns its name."""
    text, path = log.text(), os.path.join(folder, "a.log")
    kind = rng.choice(["plain", "gz", "tar", "tar"] if not log.has_year else ["plain", "plain", "gz", "tar"])
    if kind == "gz":
        with open(path + ".gz", "wb") as file, gzip.GzipFile("a.log", "wb", 6, file, mtime=log.last) as packed:
            packed.write(text)
        return path + ".gz"
    if kind == "tar":
        with tarfile.open(path + ".tar", "w") as archive:
            member = tarfile.TarInfo("a.log")
            member.size, member.mtime = len(text), log.last
            archive.addfile(member, io.BytesIO(text))
        return "tar:" + path + ".tar/a.log"
    with open(path, "wb") as file:
        file.write(text)
    os.utime(path, (log.last, log.last))
    return path


def main():
    rread, windows = sys.argv[1], int((sys.argv + ["", "200"])[2] or 200)
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    environment = dict(os.environ, RREAD_INDEX="off")
    wrong = tried = 0
    while tried < windows:
        seed += 1
        rng = random.Random(seed)
        random.seed(seed)
        log = Log(rng)
        with tempfile.TemporaryDirectory() as folder:
            name = store(rng, log, folder)
            times = [time for _, time in log.lines if time is not None]
            for _ in range(10):
                a = rng.randrange(min(times) - 60, max(times) + 60)
                b = a + rng.choice([0, 1, 60, 3600, rng.randrange(1, max(times) - min(times) + 2)])
                since, until = rng.choice([(a, b), (a, b), (a, None), (None, b)])
                command = [rread, "lines", name, "--tz", log.zone_name, "--raw"]
                show = lambda t: dt.datetime.fromtimestamp(t, dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
                command += ["--since", show(since)] if since is not None else []
                command += ["--until", show(until)] if until is not None else []
                command += ["--scan"] if rng.random() < 0.2 else []
                got = subprocess.run(command, capture_output=True, env=environment, timeout=20)
                tried += 1
                expected = log.window(since, until)
                if got.stdout != expected or got.returncode != 0:
                    wrong += 1
                    if wrong <= 10:
                        print(seed, command[2:], got.returncode, len(got.stdout), len(expected), got.stderr[:200])
    print(f"{tried} windows, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
