"""A Python wheel with the program that all other packages have: `pip install rread`, `uvx rread`.

A wheel is a ZIP archive: what is below `*.data/scripts/` goes into the `bin` of the environment, and `rread/` is the
module that runs it. maturin would
compile the program once more; `pyproject.toml` has it for `pip install .` and the source distribution.
"""

import base64
import hashlib

from contents import Entry, below, licence_files, program, write_zip
from table import ROOT, cargo, homepage

MODULE = ROOT / "packaging/python/rread"


def make(platform):
    name = f"{cargo()['name']}-{cargo()['version']}"
    info = f"{name}.dist-info"
    licences = licence_files(platform)
    files = [
        program(platform, f"{name}.data/scripts/{platform.program}"),
        *(Entry(f"rread/{file.name}", file.read_bytes()) for file in sorted(MODULE.glob("*.*"))),
        *below(f"{info}/licenses", licences),
        Entry(f"{info}/METADATA", metadata(licences).encode()),
        Entry(f"{info}/WHEEL", wheel(platform).encode()),
    ]
    record = "".join(f"{file.name},sha256={digest(file.data)},{len(file.data)}\n" for file in files)
    files.append(Entry(f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    write_zip(f"{name}-py3-none-{'.'.join(platform.wheel)}.whl", files)


def metadata(licences):
    facts = cargo()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {facts['name']}",
        f"Version: {facts['version']}",
        f"Summary: {facts['description']}",
        f"Keywords: {','.join(facts['keywords'])}",
        f"License-Expression: {facts['license']}",
        *(f"License-File: {file.name}" for file in licences),
        *([f"Project-URL: Homepage, {homepage()}"] if homepage() else []),
        "Requires-Python: >=3.7",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def wheel(platform):
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.wheel)
    return f"Wheel-Version: 1.0\nGenerator: rread\nRoot-Is-Purelib: false\n{tags}"


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
