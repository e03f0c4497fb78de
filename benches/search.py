"""Searching against every version of ripgrep and ugrep, and in gzip against their own decoders."""

import subprocess

from jobs import WITH_INDEX, Job, tool
from programs import peers_of


def search_jobs(rread, log, size, folder):
    """Nothing if neither of them is installed."""
    cat, gzip = tool("cat"), tool("gzip")
    # Every line of the log has its number in 8 MiB; the last request has one that comes once in each of them.
    rare, common = "request=00012345 ", "ERROR"

    def job(what, ours, theirs, target, pipe=(), **kept):
        """`theirs` are arguments that both peers know; rg alone has to be told to leave out numbers."""
        rest = [list(argv) for argv in pipe]
        peers = peers_of("rg", [["--no-config", "--color=never", "-N", *theirs]], target=target)
        for pipeline, _ in peers:
            pipeline += rest
        # If its output is /dev/null, ugrep ends at the first match.
        peers += [([*pipeline, [cat]], {}) for pipeline, _ in peers_of("ugrep", [["--color=never", *theirs]])]
        return Job(f"search: {what}", [[rread, "search", *ours], *rest], peers, **kept)

    jobs = [
        job("a rare string", ["--raw", rare, log], [rare, log], {"wall": 0.6, "cpu": 1.1}),
        job("a rare string, with line numbers", ["-f", "text", rare, log], ["-n", rare, log], {"wall": 0.6, "cpu": 1.1}),
        job("a rare regex", ["--raw", "request=0001234[0-5] user", log], ["request=0001234[0-5] user", log], {"wall": 0.7}),
        job("counting a common word", ["--raw", "-c", common, log], ["-c", common, log], {"wall": 0.6, "cpu": 1.1}),
        job("counting without case", ["--raw", "-i", "-c", "error", log], ["-i", "-c", "error", log], {"wall": 0.7}),
        job("the first of a common word", ["--raw", "-m", "1", common, log], ["-m", "1", common, log], {}, repeat=20),
        job("a quarter of all lines, to a pipe", ["--raw", common, log], [common, log], {"wall": 1.0}, pipe=[[cat]]),
        job("the same beside a receipt", [common, log], ["-n", common, log], {"wall": 2.0}, pipe=[[cat]], same=False),
        job("the same with two lines of context", ["--raw", "-C2", common, log], ["-C2", common, log], {"wall": 2.0}, pipe=[[cat]]),
    ]
    packed = str(folder / "big.log.gz")
    with open(packed, "wb") as out:
        subprocess.run([gzip, "-1", "-c", log], stdout=out, check=True)
    cache = folder / "cache of searched"
    subprocess.run([rread, "index", "build", packed], env=WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)}, check=True, capture_output=True)
    ours, theirs = ["--raw", rare, packed], ["-z", rare, packed]
    jobs += [
        job("a rare string in gzip, the first time", ours, theirs, {"wall": 0.5}),
        job("a rare string in gzip, from then on", ours, theirs, {"wall": 0.25}, cache=cache),
    ]
    return [job for job in jobs if job.peers]
