"""What every package has to know: the facts of Cargo.toml, and the one table of platforms."""

import functools
import json
import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# `.ci/release all` builds in a clone, and collects here.
RELEASE = Path(os.environ.get("RREAD_RELEASE_DIR") or ROOT / "release")
# The features of every package. RREAD_FEATURES is for trials.
FEATURES = os.environ.get("RREAD_FEATURES", "full")


@dataclass(frozen=True)
class Platform:
    """A target of Rust, and its names in each kind of package; None where that kind does not exist."""

    target: str
    # As `uname -s` and `uname -m` print them: for install.sh.
    uname: tuple = None
    npm: tuple = None
    wheel: tuple = None
    deb: str = None
    rpm: str = None
    container: str = None
    homebrew: str = None
    # How a machine of another kind runs the program.
    emulator: tuple = ()

    @property
    def program(self):
        return "rread.exe" if "-windows-" in self.target else "rread"

    @property
    def folder(self):
        return f"rread-{self.target}"

    @property
    def archive(self):
        return self.folder + (".zip" if "-windows-" in self.target else ".tgz")

    @property
    def built(self):
        return target_directory() / self.target / "release" / self.program

    @property
    def is_native(self):
        """Whether this machine runs the program without an emulator."""
        system = {"Linux": "-linux-", "Darwin": "-darwin", "Windows": "-windows-"}[platform.system()]
        machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
        return system in self.target and self.target.startswith(machine)


# A static program runs on every Linux, so it is the one in all packages that do not say what they need.
PLATFORMS = [
    Platform("x86_64-unknown-linux-gnu", deb="amd64"),
    Platform("aarch64-unknown-linux-gnu", deb="arm64"),
    Platform(
        "x86_64-unknown-linux-musl",
        uname=("Linux", "x86_64"),
        npm=("linux", "x64"),
        wheel=("manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"),
        rpm="x86_64",
        container="amd64",
        homebrew=("linux", "intel"),
    ),
    Platform(
        "aarch64-unknown-linux-musl",
        uname=("Linux", "aarch64"),
        npm=("linux", "arm64"),
        wheel=("manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"),
        rpm="aarch64",
        container="arm64",
        homebrew=("linux", "arm"),
        emulator=("qemu-aarch64",),
    ),
    Platform(
        "x86_64-apple-darwin",
        uname=("Darwin", "x86_64"),
        npm=("darwin", "x64"),
        wheel=("macosx_10_12_x86_64",),
        homebrew=("macos", "intel"),
    ),
    Platform(
        "aarch64-apple-darwin",
        uname=("Darwin", "arm64"),
        npm=("darwin", "arm64"),
        wheel=("macosx_11_0_arm64",),
        homebrew=("macos", "arm"),
    ),
    Platform("x86_64-pc-windows-msvc", npm=("win32", "x64"), wheel=("win_amd64",)),
    # For trials from Linux; the release has the program for msvc.
    Platform("x86_64-pc-windows-gnu", npm=("win32", "x64"), wheel=("win_amd64",), emulator=("wine64",)),
]


def find(target):
    for one in PLATFORMS:
        if one.target == target:
            return one
    raise SystemExit(f"{target} is not in the table of .ci/packages/table.py")


@functools.cache
def metadata():
    command = ["cargo", "metadata", "--no-deps", "--locked", "--format-version", "1"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


@functools.cache
def cargo():
    """The facts of the package in Cargo.toml: name, version, description, license, keywords, metadata."""
    return next(package for package in metadata()["packages"] if package["name"] == "rread")


def target_directory():
    return Path(metadata()["target_directory"])


def base_url():
    """Where the files of this release will be; RREAD_BASE_URL is set by the workflow."""
    version = cargo()["version"]
    repository = cargo()["repository"]
    return os.environ.get("RREAD_BASE_URL") or (
        f"{repository}/releases/download/v{version}" if repository else RELEASE.as_uri()
    )


def homepage():
    return os.environ.get("RREAD_REPOSITORY_URL") or cargo()["repository"]
