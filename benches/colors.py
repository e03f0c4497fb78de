"""The jobs of compare.py that colour source code: bat is the peer, with the same theme."""

import shutil
import subprocess
from pathlib import Path

from jobs import Job

LINES = 5000


def color_jobs(rread, folder):
    """Nothing without bat, or if rread was built without the feature."""
    bat = shutil.which("bat") or shutil.which("batcat")
    usage = subprocess.run([rread, "lines", "--help"], capture_output=True, text=True, check=True).stdout
    if not bat or "--highlight" not in usage:
        return []
    sources = sorted((Path(__file__).parent.parent / "src").rglob("*.rs"))
    lines = [line for source in sources for line in source.read_text(encoding="utf-8").splitlines(True)]
    file = folder / "source.rs"
    file.write_text("".join(lines[:LINES]), encoding="utf-8")
    first, last = LINES // 2, LINES // 2 + 39
    ours = [rread, "lines", str(file), "--color", "always", "-f", "text"]
    theirs = [bat, "--no-config", "--theme=ansi", "--style=plain", "--color=always", "--paging=never", str(file)]
    few, their_few = [*ours, f"{first}:{last}"], [*theirs, f"--line-range={first}:{last}"]
    return [
        Job("colours: 40 lines from the middle of 5,000", [few], [([their_few], {"wall": 0.8})], same=False, repeat=10),
        Job("colours: 5,000 lines", [ours], [([theirs], {})], same=False, repeat=2),
    ]
