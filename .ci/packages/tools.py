"""The programs that link and pack, in versions that work, installed into target/tools where they are missing."""

import os
import subprocess
import sys
from pathlib import Path

from table import ROOT

FOLDER = Path(os.environ.get("RREAD_TOOLS_DIR") or ROOT / "target" / "tools")
# Packages of PyPI: they link for other processors and systems.
PYTHON = {"cargo-zigbuild": "0.24.1", "ziglang": "0.17.1", "maturin": "1.16.0"}
# Packages of crates.io.
CARGO = {"cargo-deb": "3.8.0"}


def cargo(name):
    """The program `cargo-NAME`, compiled if this version is not there."""
    name, version = f"cargo-{name}", CARGO[f"cargo-{name}"]
    folder = FOLDER / f"{name}-{version}"
    program = folder / "bin" / name
    if not program.exists():
        command = ["cargo", "install", "--locked", "--root", folder, f"{name}@{version}"]
        subprocess.run(command, check=True)
    return program


def python(name):
    """A program of a package of PyPI."""
    versions = [f"{package}=={version}" for package, version in PYTHON.items()]
    folder = FOLDER / "-".join(["python", *PYTHON.values()])
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    if not (scripts / "python-zig").exists() and not (scripts / "python-zig.exe").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *versions]
        subprocess.run(install, check=True)
    return Path(scripts / name)
