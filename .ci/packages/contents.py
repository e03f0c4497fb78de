"""What is in a package, and the two kinds of files that packages are."""

import gzip
import io
import subprocess
import tarfile
import time
import zipfile
from dataclasses import dataclass

from licences import NAME, licences
from table import RELEASE, ROOT, cargo

LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "man", "completions", "docs"]


@dataclass(frozen=True)
class Entry:
    name: str
    data: bytes
    mode: int = 0o644


def program(platform, name):
    return Entry(name, platform.built.read_bytes(), 0o755)


def licence_files(platform):
    return [*own_licences(), Entry(NAME, licences(platform.target).encode())]


def own_licences():
    return [Entry(name, (ROOT / name).read_bytes()) for name in LICENCES]


def packed(platform):
    """The program and the licences in the archive of this platform, where nothing is built: for what is made last."""
    with tarfile.open(RELEASE / platform.archive) as tar:
        names = [platform.program, *LICENCES, NAME]
        members = [tar.getmember(f"{platform.folder}/{name}") for name in names]
        return [Entry(name, tar.extractfile(member).read(), member.mode) for name, member in zip(names, members)]


def documents():
    paths = [ROOT / name for name in DOCUMENTS]
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [Entry(file.relative_to(ROOT).as_posix(), file.read_bytes()) for file in files if file.is_file()]


def below(folder, entries):
    return [Entry(f"{folder}/{entry.name}", entry.data, entry.mode) for entry in entries]


def check(platform):
    """A program that does not start, or is another version, is not packed."""
    if not platform.built.is_file():
        raise SystemExit(f"{platform.built} is missing: .ci/release build {platform.target}")
    if not platform.is_native:
        return
    version = run(platform, "--version")
    if version != f"rread {cargo()['version']}":
        raise SystemExit(f"the program is {version}, not {cargo()['version']}")
    if run(platform, "lines", ROOT / "fixtures/crlf.txt", "2", "-f", "text") != "second":
        raise SystemExit("the program does not read")


def run(platform, *arguments):
    return subprocess.run([platform.built, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def commit_time():
    """The same commit gives the same bytes."""
    command = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def write_tgz(name, entries):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for entry in entries:
            info = tarfile.TarInfo(entry.name)
            info.size, info.mode, info.mtime = len(entry.data), entry.mode, commit_time()
            if entry.name.endswith("/"):
                info.type = tarfile.DIRTYPE
            tar.addfile(info, io.BytesIO(entry.data))
    return write(name, gzip.compress(packed.getvalue(), mtime=0))


def write_zip(name, entries):
    packed = io.BytesIO()
    date = time.gmtime(commit_time())[:6]
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, date)
            # The type of a regular file, then its mode.
            info.external_attr = (0o100000 | entry.mode) << 16
            info.create_system = 3
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, entry.data)
    return write(name, packed.getvalue())


def write(name, data):
    path = RELEASE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{name}: {len(data) / 1e6:.1f} MB")
    return path


def fill(template, values):
    """The text of a file of packaging/ with its `@NAME@` replaced."""
    text = (ROOT / "packaging" / template).read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text
