"""Files merged by time: what rread returns against a merge that knows the time of every line, and against sort -m.

python3 benches/merge.py RREAD [SETS] [SEED] [MIB]

Each set is merged whole, page by page, in a window of time and as a search, and the records are counted. At the end, a line
says in how many sets there were ties, disorder, records of several lines, zones, files without times, empty files, pipes,
line ends, encodings and compression. Then two logs of MIB each (150) are merged by rread and by `LC_ALL=C sort -m`: bytes,
time and memory.
"""

import bz2
import collections
import concurrent.futures
import datetime as dt
import gzip
import json
import lzma
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

ZONES = [("UTC", 0), ("Asia/Tokyo", 9 * 3600), ("+05:30", 5 * 3600 + 1800), ("-03:00", -3 * 3600)]


def moment(ms, ahead):
    return dt.datetime.fromtimestamp(ms // 1000 + ahead, dt.timezone.utc)


# Each writes a time in milliseconds in a zone so far ahead, and has its unit, and whether it shows no zone.
FORMATS = [
    (lambda ms, a: moment(ms, a).strftime("%Y-%m-%d %H:%M:%S "), 1000, True),
    (lambda ms, a: moment(ms, a).strftime("%Y-%m-%dT%H:%M:%S,") + "%03d " % (ms % 1000), 1, True),
    (lambda ms, a: moment(ms, a).strftime("[%d/%b/%Y:%H:%M:%S] "), 1000, True),
    (lambda ms, a: moment(ms, a).strftime("%a %b %e %H:%M:%S %Y "), 1000, True),
    (lambda ms, a: moment(ms, a).strftime("%b %e %H:%M:%S host "), 1000, True),
    (lambda ms, a: moment(ms, 0).strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ " % (ms % 1000), 1, False),
    (lambda ms, a: moment(ms, 7200).strftime("%Y-%m-%d %H:%M:%S +0200 "), 1000, False),
    (lambda ms, a: '{"ts":%d.%03d,"msg":"' % (ms // 1000, ms % 1000), 1, False),
    (lambda ms, a: '{"time":"%s.%03dZ","msg":"' % (moment(ms, 0).strftime("%Y-%m-%dT%H:%M:%S"), ms % 1000), 1, False),
]
FIRST = 1793500000000


class File:
    """Lines, each with the time of the record that it begins in milliseconds, or None."""

    def __init__(self, rng, name, made):
        self.name, (self.zone, ahead), self.path = name, rng.choice(ZONES), None
        write, unit, lacks_zone = rng.choice(FORMATS)
        made["zones" if lacks_zone else "zone in the line"] += 1
        # A bare number is a time only where most lines have it.
        is_bare = write(FIRST, 0).startswith('{"ts"')
        self.lines = [("%s banner" % name, None)] * (0 if is_bare else rng.choice([0, 0, 2]))
        clock, late = FIRST + rng.randrange(60000), rng.choice([0, 0.1, 0.3])
        for n in range(rng.choice([1, 2, 10, 60])):
            clock += rng.choice([0, 0, 1, 1000, 3000])
            at = clock - (rng.randrange(6000) if rng.random() < late else 0)
            at -= at % unit
            text = "x" * rng.choice([0, 5, 300] if rng.random() < 0.99 else [70000])
            start = write(at, ahead)
            self.lines.append(("%s%s größer %d %s%s" % (start, name, n, text, '"}' if start[0] == "{" else ""), at))
            more = [] if is_bare else rng.choice([[], [], [], ["\tat %s %d" % (name, n)] * 2, [""]])
            self.lines += [(line, None) for line in more]
        made["lines before the first time"] += self.lines[0][1] is None
        made["several lines"] += any(at is None for _, at in self.lines[2:])
        times = [at for _, at in self.lines if at is not None]
        made["disorder"] += times != sorted(times)
        made["ties in a file"] += len(set(times)) < len(times)
        made["long line"] += any(len(line) > 65536 for line, _ in self.lines)

    def store(self, rng, folder, made, may_be_piped):
        ends = rng.choice([["\n"], ["\r\n"], ["\n", "\n", "\r\n"]])
        text = "".join(line + rng.choice(ends) for line, _ in self.lines)
        made["CRLF"] += "\r\n" in text
        if rng.random() < 0.3 and self.lines[-1][0]:
            text = text.rstrip("\r\n")
            made["no last newline"] += 1
        encodings = ["utf-8"] * 4 + ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-16-le without a mark"]
        encoding = rng.choice(encodings)
        made[encoding] += 1
        mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
        data = (mark + text).encode(encoding.split(" ")[0])
        pack, ending = rng.choice([(None, "")] * 8 + [(gzip.compress, ".gz"), (bz2.compress, ".bz2"), (lzma.compress, ".xz")])
        if pack:
            self.name, data = self.name + ending, pack(data)
            made[ending] += 1
        self.path = os.path.join(folder, self.name)
        with open(self.path, "wb") as file:
            file.write(data)
        if may_be_piped and rng.random() < 0.1:
            self.name = "-"
            made["pipe"] += 1

    def part(self, since, until):
        """The lines from the first record in a window to the last, each with its number."""
        lines = list(enumerate(self.lines, 1))
        inside = [place for place, (_, (_, at)) in enumerate(lines) if at is not None and since <= at < until]
        if not inside:
            return []
        end = inside[-1] + 1
        while end < len(lines) and lines[end][1][1] is None:
            end += 1
        return lines[inside[0] : end]


def merged(parts):
    """The lines of parts of files in order: the file, the number and the text of each."""
    keyed = []
    for index, part in enumerate(parts):
        latest = next((at for _, (_, at) in part if at is not None), 0)
        for number, (line, at) in part:
            latest = max(latest, at if at is not None else latest)
            keyed.append((latest, index, number, line))
    return [(index, number, line) for _, index, number, line in sorted(keyed)]


def run(rread, words, folder, piped):
    environment = dict(os.environ, RREAD_INDEX="off", TZ="UTC")
    with open(piped or os.devnull, "rb") as stream:
        process = subprocess.Popen(["cat"], stdin=stream, stdout=subprocess.PIPE) if piped else None
        stdin = process.stdout if process else stream
        got = subprocess.run([rread, *words], stdin=stdin, capture_output=True, cwd=folder, env=environment, timeout=60)
        if process:
            process.stdout.close()
            process.wait()
    return got


class Set:
    """Files, and the command line that merges them."""

    def __init__(self, rng, rread, folder, made):
        self.rread, self.folder, self.code = rread, folder, 0
        self.files = [File(rng, "%d.log" % n, made) for n in range(rng.choice([1, 2, 2, 3, 6]))]
        for file in self.files:
            file.store(rng, folder, made, all(other.name != "-" for other in self.files))
        self.piped = next((file.path for file in self.files if file.name == "-"), None)
        self.names = [file.name for file in self.files]
        if rng.random() < 0.2:
            self.add("empty.log", rng.choice([b"", b"\xef\xbb\xbf", b"\xff\xfe"]), rng.randrange(len(self.names) + 1))
            made["empty file"] += 1
        if rng.random() < 0.2 and len(self.names) > 1:
            self.add("none.txt", rng.choice([b"no time\n", b"\n", b"two\nlines"]), len(self.names))
            made["no times"] += 1
            self.code = 6
        # The zone of most of the files, or of each.
        common = rng.choice([None, self.files[0].zone])
        self.zones = ["--tz=%s" % common] if common else []
        self.zones += ["--tz=%s=%s" % (file.name, file.zone) for file in self.files if file.zone != common]
        made["--tz ZONE"] += common is not None
        made["--tz FILE=ZONE"] += len(self.zones) > (common is not None)
        times = [{at for _, at in file.lines if at is not None} for file in self.files]
        made["ties of files"] += sum(map(len, times)) > len(set().union(*times))
        made["sets"] += 1

    def add(self, name, data, place):
        self.names.insert(place, name)
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    def run(self, words):
        return run(self.rread, words, self.folder, self.piped)

    def differs(self, words, parts, code=None):
        """What is wrong with the lines that a command prints."""
        got = self.run(words)
        alone = len(self.names) == 1 and words[0] != "search"
        show = (lambda name, number, line: line) if alone else (lambda name, number, line: "%s:%d:%s" % (name, number, line))
        expected = [show(self.files[index].name, number, line) for index, number, line in parts]
        lines = got.stdout.decode().replace("\r\n", "\n").split("\n")
        # A file alone is as it is.
        lines = lines[:-1] if lines[-1] == "" else lines
        if got.returncode != (self.code if code is None else code) or lines != expected:
            wrong = next((n for n, two in enumerate(zip(lines, expected)) if two[0] != two[1]), min(len(lines), len(expected)))
            return "%s: exit %d, %d of %d lines, line %d: %r, not %r, %s" % (
                " ".join(words), got.returncode, len(lines), len(expected), wrong + 1, lines[wrong : wrong + 1], expected[wrong : wrong + 1], got.stderr.decode()[:300])
        return None

    def whole(self):
        parts = [list(enumerate(file.lines, 1)) for file in self.files]
        return self.differs(["lines", *self.names, "--merge", "-f", "text", *self.zones], merged(parts))

    def counts(self):
        got = self.run(["lines", *self.names, "--merge", "--json", "--metadata-only", *self.zones])
        receipt = json.loads(got.stdout)["metadata"]
        records, late = 0, 0
        for file in self.files:
            latest = 0
            for at in (at for _, at in file.lines if at is not None):
                records, late, latest = records + 1, late + (at < latest), max(latest, at)
        found = receipt.get("records"), receipt.get("out_of_order", 0)
        return None if found == (records, late) else "records and out_of_order are %s, not %s" % (found, (records, late))

    def window(self, rng, made):
        since = FIRST + rng.randrange(90000)
        if rng.random() < 0.3:
            # The window begins at the time of a record.
            since = rng.choice([at for _, at in rng.choice(self.files).lines if at is not None])
        until = since + rng.choice([1, 500, 3000, 20000, 100000])
        parts = [file.part(since, until) for file in self.files]
        shown = [moment(ms, 0).strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (ms % 1000) for ms in (since, until)]
        words = ["lines", *self.names, "--merge", "-f", "text", "--since", shown[0], "--until", shown[1], *self.zones]
        made["window with lines"] += any(parts)
        return self.differs(words, merged(parts))

    def search(self, rng, made):
        pattern = rng.choice(["größer 1", "at ", "0.log", "banner", "größer [05] "])
        texts = [pattern.replace("[05]", digit) for digit in "05"]
        parts, window = [list(enumerate(file.lines, 1)) for file in self.files], []
        if rng.random() < 0.4:
            since = FIRST + rng.randrange(60000)
            parts = [file.part(since, since + 30000) for file in self.files]
            window = ["--since", moment(since, 0).strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (since % 1000), "--until", "+30s"]
        found = [one for one in merged(parts) if any(text in one[2] for text in texts)]
        made["search with matches"] += bool(found)
        words = ["search", "-F" if "[" not in pattern else "-s", "-e", pattern, *self.names, "--merge", "-f", "text", *window, *self.zones]
        return self.differs(words, found, self.code if found or self.code else 1)

    def pages(self, rng):
        """The pages that `next` names join to the whole."""
        budget = rng.choice(["--max-lines=1", "--max-lines=7", "--max-bytes=200", "--max-bytes=1000"])
        pages, words = b"", ["lines", *self.names, "--merge", "--raw", *self.zones]
        whole = self.run(words).stdout
        for _ in range(3000):
            got = self.run([*words, budget])
            pages += got.stdout
            note = [line for line in got.stderr.decode().split("\n") if "; next: " in line]
            if not note:
                return None if pages == whole else "%s: %d bytes of %d" % (budget, len(pages), len(whole))
            words = [word.strip("'") for word in note[0].split("; next: ")[1].split(" ")] + ["--raw"]
        return "%s: there is always a next page" % budget


def check(rread, seed):
    """What is wrong with one set, None if nothing is, and what was made."""
    rng, made = random.Random(seed), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        some = Set(rng, rread, folder, made)
        wrong = some.whole() or some.counts() or some.window(rng, made) or some.search(rng, made)
        if not wrong and rng.random() < 0.25 and sum(len(file.lines) for file in some.files) < 60 and not some.piped:
            made["page by page"] += 1
            wrong = some.pages(rng)
    return wrong, made


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
        found = list(pool.map(lambda one: (one, *check(rread, one)), range(seed, seed + sets)))
    wrong = [(one, what) for one, what, _ in found if what]
    for one, what in wrong[:10]:
        print("seed %d: %s" % (one, what))
    made = sum((made for *_, made in found), collections.Counter())
    print(", ".join("%s %d" % one for one in sorted(made.items())))
    print("%d sets, %d wrong" % (sets, len(wrong)))
    same = large(rread, mib) if mib else True
    sys.exit(bool(wrong) or not same)


if __name__ == "__main__":
    main()
