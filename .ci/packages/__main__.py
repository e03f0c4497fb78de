"""The commands of `.ci/release` about packages: docs/dev/release.md."""

import hashlib
import subprocess
import sys

import archive
import container
import contents
import debian
import homebrew
import installer
import npm
import rpm
import trial
import wheel
from build import build, zig
from licences import licences
from measure import measure
from table import PLATFORMS, RELEASE, find


def packages(platform):
    """Every kind of package that there is for this platform."""
    contents.check(platform)
    archive.make(platform)
    if platform.deb:
        debian.make(platform)
    if platform.rpm:
        rpm.make(platform)
    if platform.wheel:
        wheel.make(platform)
    if platform.npm:
        npm.make(platform)


def shared():
    """What is made once for all platforms that were packed."""
    packed = [platform for platform in PLATFORMS if (RELEASE / platform.archive).is_file()]
    npm.make_launcher()
    homebrew.make(packed)
    installer.make()
    container.make([platform for platform in packed if platform.container])
    sums()


def sums():
    files = sorted(file for file in RELEASE.iterdir() if file.is_file() and file.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    contents.write("SHA256SUMS", "".join(lines).encode())


def main(command, *words):
    each = {"archive": archive.make, "build": build, "packages": packages}
    others = {"licences": print_licences, "measure": measure, "shared": shared, "try": trial.main, "zig": zig}
    if command in others:
        others[command](*words)
    elif command in each and words:
        for target in words:
            each[command](find(target))
    else:
        raise SystemExit(f"unknown: {command}")


def print_licences(target):
    sys.stdout.write(licences(target))


try:
    main(*sys.argv[1:])
except subprocess.CalledProcessError as error:
    raise SystemExit(f"{' '.join(str(word) for word in error.cmd[:4])}: exit code {error.returncode}") from None
