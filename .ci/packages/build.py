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
    """What the compilers of a platform need beside what Cargo and Zig give them."""
    name = platform.target.replace("-", "_")
    if "-musl" in platform.target:
        # A program at a fixed address starts sooner: nothing in it has to be moved.
        return {f"CARGO_TARGET_{name.upper()}_RUSTFLAGS": "-C relocation-model=static"}
    if "-windows-gnu" in platform.target:
        # Zig refuses C code with the time of its build, and mimalloc has it on Windows.
        return {f"CFLAGS_{name}": "-Wno-date-time"}
    return {}


def commit():
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
