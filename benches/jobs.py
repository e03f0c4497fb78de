"""The jobs that compare.py runs: what rread is asked, what its peers are asked for the same, and the targets."""

import json
import os
import shutil
import subprocess
import sys

from programs import peers_of

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
# Peers are fastest in the C locale; rread does not look at it.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("RREAD_")} | {"LC_ALL": "C", "RREAD_INDEX": "off"}
# For the jobs that are about the index; where it lives is set below.
WITH_INDEX = {k: v for k, v in ENVIRONMENT.items() if k != "RREAD_INDEX"}


def shown_size(size):
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"


class Job:
    """One thing to do, by rread and by its peers. `target` maps "wall" and "cpu" to the most that the ratio may be."""

    # The most memory that rread may take for it.
    memory = 16 * MIB
    # The most that it took, once that is measured.
    peak = None
    # Runs one pipeline, if it does not end by itself.
    run = None

    def __init__(self, name, ours, peers, target=os.devnull, same=True, repeat=1, first_only=False, cache=None):
        self.name, self.ours, self.peers, self.target = name, ours, peers, target
        self.cache, self.builds = cache, False
        self.environment = WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)} if cache else ENVIRONMENT
        self.same, self.repeat, self.first_only = same, repeat, first_only
        self.samples = [[] for _ in range(1 + len(peers))]

    def before(self, index):
        """A job that builds the index finds none."""
        if self.builds and index == 0:
            shutil.rmtree(self.cache, ignore_errors=True)

    def check(self):
        """Ends the program if the pipelines do not do the same, where comparing their whole output cannot show it."""

    def pipelines(self):
        return [self.ours] + [pipeline for pipeline, _ in self.peers]


def tool(name):
    path = shutil.which(name)
    if not path:
        sys.exit(f"{name} is not there to be compared with")
    return path


def jobs_for(rread, log, size, lines, folder):
    sed, tail, head, wc, dd, awk, cat = map(tool, ["sed", "tail", "head", "wc", "dd", "awk", "cat"])
    first = max(1, lines - 2000)
    last = first + 19
    # uutils 0.12 leaves lines out if the first of them is near the start of the file.
    many = min(1_000_000, lines * 9 // 10)
    line_job = Job(
        "20 lines near the end",
        [[rread, "lines", log, f"{first}:{last}", "--raw"]],
        [
            ([[sed, "-n", f"{first},{last}p;{last}q", log]], {"wall": 1 / 3, "cpu": 0.30}),
            ([[tail, "-n", f"+{first}", log], [head, "-n", "20"]], {"wall": 1 / 1.5, "cpu": 0.65}),
            ([[head, "-n", str(last), log], [tail, "-n", "20"]], {}),
            *peers_of("coreutils", [["tail", "-n", f"+{first}", log], ["head", "-n", "20"]]),
            *peers_of("bat", [["--no-config", "--style=plain", "--color=never", "--paging=never", f"--line-range={first}:{last}", log]]),
        ],
    )
    counting = Job(
        "the same, against counting all lines",
        line_job.ours,
        [([[wc, "-l", log]], {"wall": 0.6, "cpu": 1.0}), *peers_of("coreutils", [["wc", "-l", log]])],
        same=False,
    )
    everything = Job(
        "counting lines, line ends, the longest line and invalid text",
        [[rread, "stat", "--count", log]],
        [([[wc, "-l", log]], {"cpu": 2.0}), *peers_of("coreutils", [["wc", "-l", log]])],
        same=False,
    )
    spots = [1 + (lines - 21) * n // 99 for n in range(100)]
    ends = [spot + 20 for spot in spots]
    sed_program = ";".join(f"{a},{b}p" for a, b in zip(spots, ends)) + f";{ends[-1]}q"
    # Looks at one range at a time, as somebody would write it who knows that the ranges are sorted.
    awk_program = (
        'BEGIN { n = split("' + " ".join(map(str, spots)) + '", from, " "); i = 1; a = from[1]; b = a + 20 } '
        "NR >= a { print; if (NR == b) { if (++i > n) exit; a = from[i]; b = a + 20 } }"
    )
    ranges = Job(
        "100 ranges of 21 lines",
        [[rread, "ranges", log, ",".join(f"{a}:{b}" for a, b in zip(spots, ends)), "--raw"]],
        [([[sed, "-n", sed_program, log]], {"cpu": 0.06}), ([[awk, awk_program, log]], {"cpu": 0.3})],
    )
    backwards = [
        Job(
            f"last {count:,} lines",
            [[rread, "lines", log, f"-{count}:", "--raw"]],
            [([[tail, "-n", str(count), log]], {"wall": 1.5}), *peers_of("coreutils", [["tail", "-n", str(count), log]])],
            repeat=repeat,
        )
        for count, repeat in ((20, 20), (many, 2))
    ]
    bytes_jobs = byte_jobs(rread, log, size, folder, dd, head, cat)
    paged = page_jobs(rread, log, size, folder, dd)
    encoded = wide_jobs(rread, log, size, folder, sed)
    packed = packed_jobs(rread, log, size, lines, folder, sed)
    indexed = index_jobs(rread, log, size, lines, folder, dd)
    return [line_job, counting, everything, *aligned_jobs(log), ranges, *backwards, *bytes_jobs, *paged, *encoded, *packed, *indexed]


# Reads a file into memory that begins so many bytes after the start of a page.
READ = """
import mmap, os, sys
file, offset, size = os.open(sys.argv[1], os.O_RDONLY), int(sys.argv[2]), 256 << 10
window = memoryview(mmap.mmap(-1, size + 4096))[offset:offset + size]
while os.readv(file, [window]):
    pass
"""


def aligned_jobs(log):
    """What the processor makes of where a buffer begins. There is no target: on Intel it makes nothing of it."""
    ours, peer = ([[sys.executable, "-c", READ, log, offset]] for offset in ("0", "16"))
    return [Job("aligned: reading to the start of a page, against 16 bytes after it (no rread)", ours, [(peer, {})], same=False)]


def byte_jobs(rread, log, size, folder, dd, head, cat):
    def ours(start, length):
        return [rread, "bytes", log, f"{start}:+{length}", "--align", "none", "--raw"]

    def theirs(start, length, block):
        return [dd, f"if={log}", f"bs={block}", f"skip={start // block}", f"count={length // block}", "status=none"]

    middle, last = size // 2 // (4 * KIB) * 4 * KIB, (size // MIB - 1) * MIB
    large, dumped = min(GIB, size // MIB * MIB), min(64 * MIB, size)
    within = {"wall": 1.5}
    name = shown_size(large)
    pipe = [[*ours(0, large)], [cat]], [theirs(0, large, MIB), [cat]]
    # `cat` has the quickest way to a pipe, but only for a whole file.
    whole = peers_of("coreutils", [["cat", log]]) if large == size else []
    pipe_peers = [(pipe[1], {"wall": 1.5, "cpu": 0.5}), *[([*pipeline, [cat]], target) for pipeline, target in whole]]
    return [
        Job("4 KiB in the middle", [ours(middle, 4 * KIB)], [([theirs(middle, 4 * KIB, 4 * KIB)], within)], repeat=20),
        Job("1 MiB at the end", [ours(last, MIB)], [([theirs(last, MIB, MIB)], within)], repeat=20),
        Job(f"{name} to a pipe (CPU of the sender)", pipe[0], pipe_peers, first_only=True),
        Job(
            f"{name} to a file",
            [ours(0, large)],
            [([theirs(0, large, MIB)], within)],
            target=str(folder / "copy"),
        ),
        Job(f"{name} to /dev/null", [ours(0, large)], [([theirs(0, large, MIB)], within)]),
        Job(
            f"a hex dump of {shown_size(dumped)}",
            [[rread, "bytes", log, f"0:{dumped}", "--encode", "hexdump", "--raw"]],
            [
                ([[tool("hexdump"), "-v", "-C", "-n", str(dumped), log]], {"wall": 0.2}),
                # xxd writes fewer bytes for each row.
                ([[tool("xxd"), "-l", str(dumped), log]], {}),
            ],
            same=False,
        ),
        Job(
            "the first byte: start-up",
            [[rread, "bytes", log, "0:1", "--raw"]],
            [([[head, "-c1", log]], {"wall": 2.0}), *peers_of("coreutils", [["head", "-c1", log]])],
            repeat=50,
        ),
    ]


def page_jobs(rread, log, size, folder, dd):
    """A page and lines that are pinned: what they cost must not depend on the size of the file."""
    small, page = str(folder / "paged.log"), 4000
    with open(log, "rb") as source, open(small, "wb") as copy:
        copy.write(source.read(MIB))
    middle = size // 2 // page

    def ours(file, number):
        return [rread, "page", file, str(number), "--raw"]

    same = [dd, f"if={log}", f"bs={page}", f"skip={middle}", "count=1", "status=none"]
    lines = 100
    pinned = subprocess.run([rread, "lines", log, f"1:{lines}", "--hash", "--raw"], env=ENVIRONMENT, check=True, capture_output=True)
    anchors = [line.split("|")[0] for line in pinned.stdout.decode("utf-8", "replace").splitlines()]
    sum_lines = [tool("sed"), "-n", f"1,{lines}p;{lines}q", log], [tool("sha1sum")]
    return [
        Job("a page in the middle", [ours(log, middle)], [([same], {"wall": 2.0})], same=False, repeat=20),
        Job("the same, in 1 MiB", [ours(log, middle)], [([ours(small, 100)], {"wall": 1.25})], same=False, repeat=20),
        Job("verifying 100 lines", [[rread, "verify", log, *anchors, "--json"]], [(list(sum_lines), {})], same=False, repeat=20),
    ]


def wide_jobs(rread, log, size, folder, sed):
    """Text of UTF-16, which its peers have to convert before they can count its lines."""
    iconv, wide = tool("iconv"), str(folder / "utf-16le.log")
    left, lines = min(128 * MIB, size // 2), 0
    with open(log, "rb") as source, open(wide, "wb") as copy:
        copy.write(b"\xff\xfe")
        while left > 0 and (block := source.read(min(MIB, left))):
            lines += block.count(b"\n")
            # Byte by byte, so that no block can cut a character: lines and lengths are what counts here.
            copy.write(block.decode("latin-1").encode("utf-16-le"))
            left -= len(block)
    first = max(1, lines - 2000)
    last = first + 19
    return [
        Job(
            f"20 lines near the end of {shown_size(os.path.getsize(wide))} of UTF-16",
            [[rread, "lines", wide, f"{first}:{last}", "--format", "text"]],
            [([[iconv, "-f", "utf-16le", "-t", "utf-8", wide], [sed, "-n", f"{first},{last}p;{last}q"]], {"wall": 1 / 3, "cpu": 1 / 3})],
        )
    ]


def packed_jobs(rread, log, size, lines, folder, sed):
    """Compressed text: a line that is looked for the first time, and any line after that."""
    cache, jobs = folder / "cache of packed", []
    near, middle = max(1, lines - 2000), lines // 2
    # The decoder of zstd is the same on both sides, and the peers have a core each.
    for name, packer, unpacker, most in (("gzip", "gzip", "zcat", 1 / 1.3), ("zstd", "zstd", "zstdcat", 1.0)):
        packer, unpacker = tool(packer), tool(unpacker)
        packed = str(folder / f"big.{name}")
        with open(packed, "wb") as file:
            subprocess.run([packer, "-c", log], stdout=file, stderr=subprocess.DEVNULL, check=True)
        subprocess.run([rread, "index", "build", packed], env=WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)},
                       check=True, stdout=subprocess.DEVNULL)

        def peer(first):
            return [[unpacker, packed], [sed, "-n", f"{first},{first + 19}p;{first + 19}q"]]

        def ours(first):
            return [[rread, "lines", packed, f"{first}:+20", "--raw"]]

        title = f"{shown_size(size)} of text in {name}"
        jobs.append(Job(f"20 lines near the end of {title}", ours(near), [(peer(near), {"wall": most})]))
        jobs.append(Job(f"20 lines in the middle of {title}, indexed", ours(middle), [(peer(middle), {"wall": 0.05})],
                        cache=cache))
    return jobs


def index_jobs(rread, log, size, lines, folder, dd):
    cache, small = folder / "cache", str(folder / "small.log")
    with open(log, "rb") as source, open(small, "wb") as copy:
        for _ in range(max(1, min(256 * MIB, size // 4) // MIB)):
            copy.write(source.read(MIB))
    middle, near = lines // 2, lines // 32

    def lookup(file, first):
        return [rread, "lines", file, f"{first}:+20", "--raw"]

    for file in (log, small):
        subprocess.run([rread, "index", "build", file], env=WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)},
                       check=True, stdout=subprocess.DEVNULL)
    where = subprocess.run([rread, "lines", log, f"{middle}:+20", "--json", "--metadata-only", "--no-index"],
                           check=True, capture_output=True)
    place = json.loads(where.stdout)["metadata"]["actual_range"]
    start, length = place["start_byte"], place["end_byte"] - place["start_byte"]
    same = [dd, f"if={log}", "bs=64K", f"skip={start}", f"count={length}", "iflag=skip_bytes,count_bytes", "status=none"]
    name = f"20 lines in the middle of {shown_size(size)}, indexed"
    found = Job(name, [lookup(log, middle)], [([same], {"wall": 2.0})], repeat=20, cache=cache)
    flat = Job(
        "the same, against a smaller file",
        found.ours,
        [([lookup(small, near)], {"wall": 1.25})],
        same=False,
        repeat=20,
        cache=cache,
    )
    build = Job(
        "building the index, against the plain scan",
        [[rread, "index", "build", log, "--format", "text"]],
        [
            ([[rread, "lines", log, str(lines), "--raw", "--no-index"]], {"wall": 1.15}),
            ([[tool("wc"), "-l", log]], {"cpu": 1.15}),
        ],
        same=False,
        cache=folder / "building",
    )
    build.builds = True
    return [found, flat, build]
