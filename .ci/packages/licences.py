"""The licences of everything that is compiled into the program; each package has them."""

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

from table import FEATURES, ROOT

NAME = "LICENSES-THIRD-PARTY.txt"
# The names that a licence has in the source of a package.
FILES = re.compile(r"LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|[Ll]icense")


@functools.cache
def licences(target):
    parts = ["What rread is made of, with its licences; Rust's standard library is under MIT OR Apache-2.0.\n"]
    seen = set()
    for line in compiled_in(target):
        name, version, licence = (line.split(" ", 2) + [""])[:3]
        parts.append(f"\n==== {name} {version.removeprefix('v')}: {licence}\n")
        for source in sources(f"{name}-{version.removeprefix('v')}"):
            for file in sorted(source.iterdir()):
                if not (FILES.match(file.name) and file.is_file()):
                    continue
                text = file.read_text(encoding="utf-8", errors="replace")
                parts.append(f"\n({file.name} is the same as one above)\n" if text in seen else f"\n{text}")
                seen.add(text)
            # The syntaxes and themes in it have licences of their own.
            if name == "two-face":
                acknowledgements = [sys.executable, ROOT / ".ci/acknowledgements", source]
                # As text, Python would change the line ends of some.
                parts.append(subprocess.run(acknowledgements, check=True, capture_output=True).stdout.decode())
    return "".join(parts)


def compiled_in(target):
    command = ["cargo", "tree", "--locked", "-p", "rread", "--features", FEATURES, "--target", target]
    command += ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p} {l}"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()
    return sorted({line.removesuffix(" (*)") for line in lines if not re.match(r"rread(-[a-z]+)? ", line)})


def sources(folder):
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    return [source for source in home.glob(f"registry/src/*/{folder}") if source.is_dir()]
