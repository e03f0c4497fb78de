#!/usr/bin/env python3
"""Runs rread over folders of compressed files and archives, such as the test data of decoders, beside their own programs.

    python3 benches/containers.py target/release/rread xz/tests/files libarchive/libarchive/test

Each file is read whole: compressed ones beside gzip, xz, zstd, bzip2 and lz4, archives member by member beside bsdtar. A
file that ends with .uu is decoded first. The table has, for each kind, how often both have the same bytes, how often both
refuse, and what else happened; each of those files is named below it. Wrong are other bytes with exit code 0, a crash, a
hang, and a refusal without a sentence: then the exit code is 1. The folders are those that the user has: none is fetched.
"""

import argparse
import binascii
import collections
import itertools
import json
import sys
import tempfile
import zipfile
from pathlib import Path

from running import capped

LIMIT = 30
# So much of a file is compared: some decode to gigabytes. A multiple of three for base64.
MOST = 48 << 20
# The start of a file, the kind, and the program that decodes it.
COMPRESSED = [
    (b"\x1f\x8b", "gzip", ["gzip", "-dc"]),
    (b"\xfd7zXZ\0", "xz", ["xz", "-dc"]),
    (b"\x28\xb5\x2f\xfd", "zstd", ["zstd", "-dcq", "--memory=128MB"]),
    (b"BZh", "bzip2", ["bzip2", "-dc"]),
    (b"\x04\x22\x4d\x18", "lz4", ["lz4", "-dcq"]),
    (b"\x02\x21\x4c\x18", "lz4", ["lz4", "-dcq"]),
]
SAME, REFUSED, ELSE = "same bytes", "both refuse", "a format that rread does not read"
WRONG = ("other bytes", "crash or hang", "no sentence")


def ended(argv, most=MOST):
    return capped(argv, LIMIT, most)


def read(rread, name):
    """The bytes that rread reads, of text or not."""
    output, code, error = ended([rread, "bytes", name, "0:", "--raw", "--encode", "base64", "--max-bytes", "1G"], MOST // 3 * 4)
    return binascii.a2b_base64(output), code, error


def judged(ours, theirs):
    """What two runs have in common, and a detail."""
    (own, code, error), (other, peer_code, peer_error) = ours, theirs
    if code is None or code < 0 or code > 9 or "panicked" in error or "into an error" in error:
        return "crash or hang", f"exit {code}: {sentence(error)}"
    if code != 0 and not sentence(error):
        return "no sentence", f"exit {code}"
    if code == 0 and peer_code == 0:
        return (SAME, "") if own == other else ("other bytes", f"{len(own)} and {len(other)} bytes")
    if code != 0 and peer_code != 0:
        return REFUSED, ""
    if code == 0:
        return "read, refused by the peer", f"{len(own)} bytes; {sentence(error) or 'no note'}; the peer: {peer_error.strip()[-100:]}"
    return "refused, read by the peer", f"{len(other)} bytes; {sentence(error)}"


def sentence(error):
    lines = [line for line in error.splitlines() if not line.startswith("hint:")]
    return lines[0].split(": ", 2)[-1][:140] if lines else ""


def cases(rread, path, number):
    """The kind of a file, and what both sides make of it or of its members."""
    head = path.read_bytes()[:512]
    for start, kind, program in COMPRESSED:
        if head.startswith(start):
            yield kind, str(path), judged(read(rread, str(path)), ended([*program, str(path)]))
            break
    if path.suffix == ".lzma":
        yield "lzma", str(path), judged(read(rread, str(path)), ended(["xz", "-dc", "--format=lzma", str(path)]))
    yield from archive(rread, path, number)


def archive(rread, path, number):
    """The list of an archive, and its first members."""
    listed, code, error = ended(["bsdtar", "-tf", str(path)])
    names = [name.rstrip("/") for name in listed.decode("utf-8", "replace").split("\n") if name]
    if not names and path.suffix not in (".zip", ".tar"):
        return
    kind, scheme = ("zip", "zip") if zipfile.is_zipfile(path) else ("tar", "tar")
    own, own_code, own_error = ended([rread, "stat", str(path), "--list", "--json"])
    members = json.loads(own)["members"] if own_code == 0 else []
    found = [member["name"].rstrip("/") for member in members]
    if "is not a tar, ZIP" in own_error:
        yield f"{kind}: list", str(path), (ELSE, "")
    elif own_code != 0 or code != 0:
        yield f"{kind}: list", str(path), judged((b"", own_code, own_error), (b"", code, error))
    elif sorted(found) == sorted(names):
        yield f"{kind}: list", str(path), (SAME, "")
    else:
        yield f"{kind}: list", str(path), ("other names", f"{len(found)} and {len(names)}: {sorted(set(found) ^ set(names))[:4]}")
    files = [member for member in members if member["kind"] == "file" and "\0" not in member["name"]]
    for name in [member["name"] for member in files[:number]]:
        pattern = "".join("\\" + c if c in "*?[]\\" else c for c in name)
        yield f"{kind}: members", f"{path}/{name}", judged(read(rread, f"{scheme}:{path}/{name}"), ended(["bsdtar", "-xOf", str(path), pattern]))


def decoded(path, folder):
    """The file in a .uu file, in `folder`; the file itself if it is another one."""
    if path.suffix != ".uu":
        return path
    target = folder / path.with_suffix("").name
    lines = iter(path.read_bytes().splitlines())
    with target.open("wb") as out:
        for _ in itertools.takewhile(lambda line: not line.startswith(b"begin "), lines):
            pass
        for line in itertools.takewhile(lambda line: line != b"end", lines):
            if line:
                count, digits = (line[0] - 32) & 63, bytes((c - 32) & 63 for c in line[1:])
                fours = (digits[at : at + 4].ljust(4, b"\0") for at in range(0, len(digits), 4))
                out.write(b"".join((a << 18 | b << 12 | c << 6 | d).to_bytes(3, "big") for a, b, c, d in fours)[:count])
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rread", metavar="RREAD")
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path)
    parser.add_argument("--members", type=int, default=20, help="how many members of an archive are read (default: 20)")
    options = parser.parse_args()
    table, named = collections.defaultdict(collections.Counter), []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(path for where in options.folders for path in where.rglob("*") if path.is_file()):
            for kind, name, (outcome, detail) in cases(options.rread, decoded(path, Path(folder)), options.members):
                table[kind][outcome] += 1
                if outcome not in (SAME, REFUSED, ELSE):
                    named.append((kind, outcome, name.replace(folder, path.parent.name), detail))
    print("| kind | cases | same bytes | both refuse | else |\n|---|--:|--:|--:|---|")
    for kind, found in sorted(table.items()):
        other = ", ".join(f"{outcome} {count}" for outcome, count in sorted(found.items()) if outcome not in (SAME, REFUSED))
        print(f"| {kind} | {found.total()} | {found[SAME]} | {found[REFUSED]} | {other} |")
    print()
    for kind, outcome, name, detail in sorted(named):
        print(f"{kind}: {outcome}: {name}: {detail}")
    sys.exit(any(outcome in WRONG for _, outcome, _, _ in named))


if __name__ == "__main__":
    main()
