"""The Debian package; `[package.metadata.deb]` of Cargo.toml says what is in it."""

import os
import subprocess

import tools
from contents import licence_files
from licences import NAME
from table import RELEASE, ROOT, cargo


def make(platform):
    write_licences(platform)
    command = [tools.cargo("deb"), "deb", "--no-build", "--target", platform.target, "--maintainer", maintainer()]
    subprocess.run([*command, "--output", f"{RELEASE}/"], cwd=ROOT, check=True)


def write_licences(platform):
    """The file that `assets` names."""
    (ROOT / "target").mkdir(exist_ok=True)
    (ROOT / "target" / NAME).write_bytes(licence_files(platform)[-1].data)


def maintainer():
    command = ["git", "log", "-1", "--format=%an <%ae>"]
    commit = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return os.environ.get("MAINTAINER") or commit.stdout.strip()


def assets():
    return cargo()["metadata"]["deb"]["assets"]
