"""Installs each package of release/ into an empty place, and runs it there. Fails if a check fails."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import prefixes
from checks import CHECKS, write_files
from emulators import Missing
from licences import NAME
from table import PLATFORMS, RELEASE


def attempts():
    """Name and way to install of each package that is there."""
    packed = [platform for platform in PLATFORMS if (RELEASE / platform.archive).is_file()]
    for platform in packed:
        yield platform.archive, prefixes.archive, platform
    for platform in packed:
        if not platform.is_native:
            continue
        if platform.deb:
            yield "deb, in a chroot", prefixes.deb, platform
        if platform.rpm:
            yield "rpm, in an empty root", prefixes.rpm, platform
        if platform.wheel:
            yield "wheel, in a venv", prefixes.wheel, platform
        if platform.npm:
            yield "npm install", prefixes.npm_install, platform
            yield "npx", prefixes.npx
        if platform.container:
            yield "image, as a root", prefixes.container, platform
        if platform.uname:
            yield "install.sh, over HTTP", prefixes.installer
            yield "install.sh, in a chroot", prefixes.installer_in_chroot


def attempt(install, *platform):
    """A row of the table: the result of each check, and what failed."""
    folder = Path(tempfile.mkdtemp(prefix="rread-try-"))
    try:
        program = install(*platform, folder)
        features = program.facts()["features"]
        write_files(program.folder)
        results = [result(check, program, need is None or need in features) for check, need in CHECKS.values()]
        return [*results, "ok" if any(folder.rglob(NAME)) else "FAILED"]
    except Missing as missing:
        return [f"skipped: {missing}"]
    except Exception as error:
        return [f"FAILED: {error}"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def result(check, program, is_built):
    if not is_built:
        return "not built"
    try:
        check(program)
        return "ok"
    except Exception as error:
        print(f"{' '.join(program.command)}: {check.__name__}: {error}", file=sys.stderr)
        return "FAILED"


def main():
    start = time.time()
    rows = [("package", *CHECKS, "licences")]
    for name, install, *platform in attempts():
        rows.append((name, *attempt(install, *platform)))
    if len(rows) == 1:
        raise SystemExit(f"{RELEASE} has no archive: .ci/release all")
    width = max(len(row[0]) for row in rows) + 2
    for name, *cells in rows:
        print(name.ljust(width) + "".join(cell.ljust(11) for cell in cells).rstrip())
    failed = sum(any(cell.startswith("FAILED") for cell in row) for row in rows)
    print(f"{len(rows) - 1} ways to install, {failed} failed, in {time.time() - start:.0f} s")
    raise SystemExit(min(failed, 1))
