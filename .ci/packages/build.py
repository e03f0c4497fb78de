"""Builds the program for a target, as every package has it."""

import os
import subprocess

import tools
from table import FEATURES, ROOT


def build(platform):
    command = ["build", "--release", "--locked", "--features", FEATURES, "--target", platform.target]
    environment = {"RREAD_COMMIT": commit(), **os.environ, **flags(platform)}
    if platform.is_native and "-musl" not in platform.target:
        subprocess.run(["cargo", *command], cwd=ROOT, env=environment, check=True)
        return
    zig("zigbuild", *command[1:], environment=environment)


def zig(*command, environment=os.environ):
    """Zig has a C compiler, a linker and a C library for every target.

    cargo-zigbuild calls it through the python beside it.
    """
    program = tools.python("cargo-zigbuild")
    path = {"PATH": f"{program.parent}{os.pathsep}{environment['PATH']}"}
    subprocess.run([program, *command], cwd=ROOT, env={**environment, **path}, check=True)


def flags(platform):
    """A program at a fixed address starts sooner: nothing in it has to be moved."""
    if "-musl" not in platform.target:
        return {}
    name = f"CARGO_TARGET_{platform.target.upper().replace('-', '_')}_RUSTFLAGS"
    return {name: "-C relocation-model=static"}


def commit():
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
