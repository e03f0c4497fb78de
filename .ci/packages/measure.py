"""Writes the tables of docs/install.md: what a package has and how large it is; what a build has and how long it takes."""

import os
import json
import subprocess
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

from table import PLATFORMS, RELEASE, ROOT

PAGE = ROOT / "docs/install.md"
# The choices of features that people have, and the command for each.
BUILDS = [
    ("cargo install rread --no-default-features", ["--no-default-features"]),
    ("cargo install rread", []),
    ("cargo install rread --features documents,highlight,mcp,sqlite", ["--features", "documents,highlight,mcp,sqlite"]),
    ("cargo install rread --features full", ["--features", "full"]),
]


def measure(what):
    tables = {"packages": packages, "builds": builds}
    replace(what, tables[what]())


def replace(name, rows):
    text = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- {name}: written by .ci/release measure {name} -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(start)
    PAGE.write_text(before + start + "\n" + "".join(rows) + "\n" + end + rest.split(end)[1], encoding="utf-8")


def packages():
    rows = ["| package | size | program |\n", "|---|--:|--:|\n"]
    for platform in PLATFORMS:
        path = RELEASE / platform.archive
        if path.is_file():
            rows.append(f"| `{path.name}` | {megabytes(path.stat().st_size)} | {megabytes(unpacked(path, platform))} |\n")
    kinds = ["*.deb", "*.rpm", "*.whl", "npm-*.tgz", "rread-container.tgz"]
    for path in [path for kind in kinds for path in sorted(RELEASE.glob(kind))]:
        rows.append(f"| `{path.name}` | {megabytes(path.stat().st_size)} | |\n")
    return rows


def unpacked(path, platform):
    name = f"{platform.folder}/{platform.program}"
    if path.suffix == ".zip":
        return zipfile.ZipFile(path).getinfo(name).file_size
    return tarfile.open(path).getmember(name).size


def builds():
    """Each build begins with nothing: its target directory is new. Only the downloads are there."""
    rows = ["| command | features | minutes of processor time | minutes | program |\n", "|---|---|--:|--:|--:|\n"]
    for command, options in BUILDS:
        with tempfile.TemporaryDirectory(dir=ROOT / "target") as folder:
            before, start = processor_time(), time.time()
            build = ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", folder, *options]
            subprocess.run(build, cwd=ROOT, check=True)
            took, waited = processor_time() - before, time.time() - start
            program = Path(folder) / "release/rread"
            size = megabytes(program.stat().st_size)
            rows.append(f"| `{command}` | {features(program)} | {took / 60:.1f} | {waited / 60:.1f} | {size} |\n")
    return rows


def features(program):
    facts = json.loads(subprocess.run([program, "--version", "--json"], check=True, capture_output=True).stdout)
    return ", ".join(facts["features"]) or "none"


def processor_time():
    # Not on Windows, where packages are made too.
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def megabytes(size):
    return f"{size / 1e6:.1f} MB"
