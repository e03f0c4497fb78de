"""Searching against ripgrep, and in gzip against ripgrep's own decoder."""

import shutil
import subprocess
import sys

from jobs import WITH_INDEX, Job, tool

def search_jobs(rread, log, size, folder):
    rg = shutil.which("rg")
    if not rg:
        print("rg is not there: no search is measured", file=sys.stderr)
        return []
    cat, gzip = tool("cat"), tool("gzip")
    # Every line of the log has its number in 8 MiB; the last request has one that comes once in each of them.
    rare, common = "request=00012345 ", "ERROR"

    def job(what, ours, theirs, target, **kept):
        return Job(f"search: {what}", [[rread, "search", *ours]], [([[rg, "--no-config", "--color=never", *theirs]], target)], **kept)

    jobs = [
        job("a rare string", ["--raw", rare, log], ["-N", rare, log], {"wall": 0.6, "cpu": 1.1}),
        job("a rare string, with line numbers", ["-f", "text", rare, log], ["-n", rare, log], {"wall": 0.6, "cpu": 1.1}),
        job("a rare regex", ["--raw", "request=0001234[0-5] user", log], ["-N", "request=0001234[0-5] user", log], {"wall": 0.7}),
        job("counting a common word", ["--raw", "-c", common, log], ["-c", common, log], {"wall": 0.6, "cpu": 1.1}),
        job("counting without case", ["--raw", "-i", "-c", "error", log], ["-i", "-c", "error", log], {"wall": 0.7}),
        job("the first of a common word", ["--raw", "-m", "1", common, log], ["-N", "-m", "1", common, log], {}, repeat=20),
    ]
    quarter = job("a quarter of all lines, to a pipe", ["--raw", common, log], ["-N", common, log], {"wall": 1.0})
    quarter.ours.append([cat])
    quarter.peers[0][0].append([cat])
    packed = str(folder / "big.log.gz")
    with open(packed, "wb") as out:

        subprocess.run([gzip, "-1", "-c", log], stdout=out, check=True)
    gz = job("a rare string in gzip, the first time", ["--raw", rare, packed], ["-z", "-N", rare, packed], {"wall": 0.5})
    cache = folder / "cache of searched"
    subprocess.run([rread, "index", "build", packed], env=WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)}, check=True, capture_output=True)
    again = job("a rare string in gzip, from then on", ["--raw", rare, packed], ["-z", "-N", rare, packed], {"wall": 0.25}, cache=cache)
    return [*jobs, quarter, gz, again]
