"""Files merged by time: what rread returns against a merge that knows the time of every line, and against sort -m.

python3 benches/merge.py RREAD [SETS] [SEED] [MIB]

The sets have ties, disorder, records of several lines, zones, files without times, empty files, and are plain, compressed
or in UTF-16. Then two logs of MIB each (150) are merged by rread and by `LC_ALL=C sort -m`: bytes, time and memory.
"""

import concurrent.futures
import datetime as dt
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

ZONES = [("UTC", 0), ("Asia/Tokyo", 9 * 3600), ("+05:30", 5 * 3600 + 1800)]
FORMATS = [
    lambda t: t.strftime("%Y-%m-%d %H:%M:%S "),
    lambda t: t.strftime("%Y-%m-%dT%H:%M:%S,000 "),
    lambda t: t.strftime("[%d/%b/%Y:%H:%M:%S] "),
    lambda t: t.strftime("%a %b %e %H:%M:%S %Y "),
]


class File:
    """Lines, each with the seconds of the record that it begins, or None."""

    def __init__(self, rng, name):
        self.name, (self.zone, ahead) = name, rng.choice(ZONES)
        self.lines, write = [("%s banner" % name, None)] * rng.choice([0, 0, 2]), rng.choice(FORMATS)
        clock = 1793500000 + rng.randrange(60)
        for n in range(rng.choice([2, 10, 60])):
            clock += rng.choice([0, 0, 1, 3])
            at = clock - (rng.randrange(6) if rng.random() < 0.1 else 0)
            shown = write(dt.datetime.fromtimestamp(at + ahead, dt.timezone.utc))
            self.lines.append(("%s%s größer %d %s" % (shown, name, n, "x" * rng.choice([0, 5, 300])), at))
            self.lines += [("\tat %s %d" % (name, n), None)] * rng.choice([0, 0, 0, 2])

    def store(self, rng, folder):
        text = "".join(line + rng.choice(["\n", "\n", "\r\n"]) for line, _ in self.lines)
        text = text.rstrip("\r\n") if rng.random() < 0.3 else text
        data = rng.choice([text.encode(), ("\ufeff" + text).encode("utf-16-le"), text.encode()])
        if rng.random() < 0.2:
            self.name, data = self.name + ".gz", gzip.compress(data, 1)
        with open(os.path.join(folder, self.name), "wb") as file:
            file.write(data)


def merged(files):
    keyed = []
    for index, file in enumerate(files):
        latest = next(at for _, at in file.lines if at is not None)
        for number, (line, at) in enumerate(file.lines):
            latest = max(latest, at if at is not None else latest)
            keyed.append((latest, index, number, line))
    return [(files[index].name, number + 1, line) for _, index, number, line in sorted(keyed)]


def run(rread, words, folder):
    environment = dict(os.environ, RREAD_INDEX="off", TZ="UTC")
    return subprocess.run([rread, *words], capture_output=True, cwd=folder, env=environment, timeout=60)


def check(rread, seed):
    """What is wrong with one set; None if nothing is."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        files = [File(rng, "%d.log" % n) for n in range(rng.choice([2, 2, 3, 6]))]
        for file in files:
            file.store(rng, folder)
        names, code = [file.name for file in files], 0
        if rng.random() < 0.2:
            names.insert(rng.randrange(len(names) + 1), "empty.log")
            open(os.path.join(folder, "empty.log"), "w").close()
        if rng.random() < 0.2:
            names.append("none.txt")
            with open(os.path.join(folder, "none.txt"), "w") as file:
                file.write("no time\n")
            code = 6
        zones = ["--tz=%s=%s" % (file.name, file.zone) for file in files]
        expected = ["%s:%d:%s" % one for one in merged(files)]
        command = ["lines", *names, "--merge", "-f", "text", *zones]
        got = run(rread, command, folder)
        lines = got.stdout.decode().replace("\r\n", "\n").split("\n")
        if got.returncode != code or lines != expected + [""]:
            return "%s: exit %d" % (command, got.returncode)
        # Page by page.
        budget = rng.choice(["--max-lines=1", "--max-lines=7", "--max-bytes=200", "--max-bytes=1000"])
        pages, words = b"", ["lines", *names, "--merge", "--raw", *zones]
        whole = run(rread, words, folder).stdout
        while len(expected) < 60:
            got = run(rread, [*words, budget], folder)
            pages += got.stdout
            note = [line for line in got.stderr.decode().split("\n") if "; next: " in line]
            if not note:
                break
            words = [word.strip("'") for word in note[0].split("; next: ")[1].split(" ")] + ["--raw"]
        if len(expected) < 60 and pages != whole:
            return "%s %s: %d bytes of %d" % (command, budget, len(pages), len(whole))
    return None


def log(path, seed, size):
    rng, clock, count = random.Random(seed), 0, 0
    with open(path, "w") as file:
        while size > 0:
            lines = []
            for _ in range(10000):
                clock += rng.randrange(40)
                second, milli = divmod(clock, 1000)
                minute, second = divmod(second, 60)
                hour, minute = divmod(minute, 60)
                day, hour = divmod(hour, 24)
                stamp = "2026-11-%02dT%02d:%02d:%02d.%03dZ" % (day + 1, hour, minute, second, milli)
                lines.append("%s INFO svc-%d GET /path/%d/item?id=%d 200 12ms ok\n" % (stamp, seed, count % 977, count))
                count += 1
            text = "".join(lines)
            file.write(text)
            size -= len(text)


def measure(command, path, environment):
    best, memory = None, 0
    for _ in range(3):
        with open(path, "wb") as out:
            begun = time.monotonic()
            process = subprocess.Popen(command, stdout=out, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begun
        if status:
            sys.exit("%s: status %d" % (command, status))
        best = seconds if best is None else min(best, seconds)
        memory = max(memory, usage.ru_maxrss)
    return best, memory


def large(rread, mib):
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("a.log", "b.log")]
        for seed, name in enumerate(names):
            log(name, seed, mib << 20)
        sorted_, merged_ = os.path.join(folder, "sorted"), os.path.join(folder, "merged")
        peer, _ = measure(["sort", "-m", *names], sorted_, dict(os.environ, LC_ALL="C"))
        own, memory = measure([rread, "lines", *names, "--merge", "--raw"], merged_, dict(os.environ, RREAD_INDEX="off"))
        with open(sorted_, "rb") as a, open(merged_, "rb") as b:
            same = all(x == y for x, y in zip(iter(lambda: a.read(1 << 20), b""), iter(lambda: b.read(1 << 20), b""), strict=False))
        same = same and os.path.getsize(sorted_) == os.path.getsize(merged_)
        print("two logs of %d MiB: sort -m %.2f s, rread %.2f s (%.2f times), %.0f MiB, %s" % (mib, peer, own, own / peer, memory / 1024, "same bytes" if same else "OTHER BYTES"))
        window = ["--since", "2026-11-01T01:00:00Z", "--until", "+10s"]
        begun = time.monotonic()
        subprocess.run([rread, "lines", *names, "--merge", "--raw", *window], capture_output=True, check=True)
        print("a window of 10 s: %.0f ms" % (1000 * (time.monotonic() - begun)))
        return same


def main():
    rread = os.path.abspath(sys.argv[1])
    sets, seed = int((sys.argv + ["", "200"])[2] or 200), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    mib = int(sys.argv[4]) if len(sys.argv) > 4 else 150
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda one: (one, check(rread, one)), range(seed, seed + sets)))
    wrong = [(one, what) for one, what in found if what]
    for one, what in wrong[:10]:
        print("seed %d: %s" % (one, what))
    print("%d sets, %d wrong" % (sets, len(wrong)))
    same = large(rread, mib) if mib else True
    sys.exit(bool(wrong) or not same)


if __name__ == "__main__":
    main()
