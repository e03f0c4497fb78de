"""Writes the tables of docs/install.md: how large each package is; what a build has, and how long it takes."""

import json
import re
import subprocess
import tarfile
import tempfile
import time
import zipfile
from fnmatch import fnmatch
from pathlib import Path

from table import PLATFORMS, RELEASE, ROOT, cargo

PAGE = ROOT / "docs/install.md"
# The features that people choose: the options of `cargo install --path .`.
BUILDS = ["--no-default-features", "", "--features documents,highlight,mcp,sqlite", "--features full"]


def measure(what, *options):
    """The rows of `builds` may be measured one by one: `measure builds "--features full"`."""
    text = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- {what}: written by .ci/release measure {what} -->\n\n", f"\n<!-- end of {what} -->"
    before, rest = text.split(start)
    old, after = rest.split(end)
    old = old.splitlines(keepends=True)
    rows = packages(old) if what == "packages" else merged(old, options or BUILDS)
    PAGE.write_text(before + start + "".join(rows) + end + after, encoding="utf-8")


def merged(rows, options):
    """The rows that were there, with those of these options measured again."""
    known = dict.fromkeys(command(one) for one in BUILDS)
    known.update((row.split(" | ")[0], row) for row in rows[2:])
    known.update((command(one), build(one)) for one in options)
    head = ["| command | features | minutes of processor time | minutes | program |\n", "|---|---|--:|--:|--:|\n"]
    return head + [row for row in known.values() if row]


def command(options):
    return f"| `{f'cargo install --path . {options}'.strip()}`"


def packages(rows):
    """The rows that were there, with those of what is in release/ measured again: no machine makes all packages."""
    known = {row.split("`")[1]: row for row in rows[2:]}
    known = {name: row for name, row in known.items() if is_of_this_version(name)}
    for platform in PLATFORMS:
        path = RELEASE / platform.archive
        if path.is_file():
            known[path.name] = package(path, megabytes(unpacked(path, platform)) + " ")
    kinds = ["*.deb", "*.rpm", "*.whl", "npm-*.tgz", "rread-container.tgz"]
    known.update((path.name, package(path)) for kind in kinds for path in RELEASE.glob(kind))
    order = [*(platform.archive for platform in PLATFORMS), *kinds]
    head = ["| package | size | program |\n", "|---|--:|--:|\n"]
    return head + [known[name] for pattern in order for name in sorted(known) if fnmatch(name, pattern)]


def package(path, program=""):
    return f"| `{path.name}` | {megabytes(path.stat().st_size)} | {program}|\n"


def is_of_this_version(name):
    version = re.search(r"\d+\.\d+\.\d+", name)
    return not version or version[0] == cargo()["version"]


def unpacked(path, platform):
    name = f"{platform.folder}/{platform.program}"
    if path.suffix == ".zip":
        return zipfile.ZipFile(path).getinfo(name).file_size
    return tarfile.open(path).getmember(name).size


def build(options):
    """The build begins with nothing: its target directory is new. Only the downloads are there."""
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as folder:
        before, start = processor_time(), time.time()
        cargo = ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", folder, *options.split()]
        subprocess.run(cargo, cwd=ROOT, check=True)
        took, waited = (processor_time() - before) / 60, (time.time() - start) / 60
        program = Path(folder) / "release/rread"
        size = megabytes(program.stat().st_size)
        return f"{command(options)} | {features(program)} | {took:.1f} | {waited:.1f} | {size} |\n"


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
