"""Rows of peers.py for bytes: hex dumps, and members of archives that are made of a log."""

import io
import os
import random
import tarfile
import zipfile

from jobs import ENVIRONMENT, MIB, shown_size
from rows import Peer, Row, Wrong
from running import digest, ended
from words import digits

# Members of an archive; the small ones are the first and the last.
MEMBERS, SMALL, LARGE = 256, "a small member\n" * 8, 128


def exact(ours, theirs):
    """Both sides must write the same bytes."""

    def judge(_):
        if digest([ours]) != digest([theirs]):
            raise Wrong(f"not the bytes of {os.path.basename(theirs[0])}")
        return "the same bytes", 0

    return judge


def dump_rows(rread, folder, size):
    file = folder / "random.bin"
    content = random.Random(1).randbytes(size // 16 * 16)
    file.write_bytes(content)
    ours = [rread, "bytes", str(file), "0:", "--encode", "hexdump", "--raw"]
    name = f"hex dump of {shown_size(len(content))}"

    def columns(theirs, *place):
        """Other dumps have the same digits elsewhere."""

        def judge(_):
            dumps = [ended(argv, ENVIRONMENT, 120)[0].decode() for argv in (ours, theirs)]
            if digits(dumps[0], 10, 58) != content:
                raise Wrong("not the digits of the file")
            return ("the same digits", 0) if digits(dumps[1], *place) == content else ("the peer has other digits", 1)

        return judge

    hexdump, xxd, hexyl = Peer("hexdump", "--version"), Peer("xxd", "-v"), Peer("hexyl", "--version")
    plain = [hexdump.path, "-v", "-C", str(file)]
    short = [xxd.path, str(file)]
    coloured = [hexyl.path, "--no-squeezing", "--border=none", "--color=never", str(file)]
    return [
        Row(name, hexdump, exact(ours, plain), "no formats of one's own; equal rows are not squeezed", [ours], [plain], "`-v -C`"),
        Row(name, xxd, columns(short, 10, 49), "one layout; nothing turns a dump into bytes again, as `xxd -r`", [ours], [short]),
        Row(name, hexyl, columns(coloured, 11, 60), "no colours for kinds of bytes, no borders", [ours], [coloured], "without colours and borders"),
    ]


def made(folder, size):
    """A tar.gz, a tar and a zip with the same members: a small one, many of a log, one of them large, a small one."""
    line = "2025-03-{:02}T{:02}:{:02}:{:02}Z {} [storage] request={:08} user=u{:05} status={} took={}ms\n"
    chance, number, each = random.Random(2), 0, size // 2 // MEMBERS
    tar, packed, zipped = folder / "log.tar", folder / "log.tar.gz", folder / "log.zip"
    members = [("log/first.txt", SMALL.encode())]
    for member in range(MEMBERS):
        rows, length = [], 0
        while length < (size // 2 if member == LARGE else each):
            number += 1
            row = line.format(1 + number // 86400 % 28, number // 3600 % 24, number // 60 % 60, number % 60, chance.choice(["INFO", "WARN"]),
                              number, chance.randrange(99999), 200 + chance.randrange(5), chance.randrange(2000))
            rows.append(row)
            length += len(row)
        members.append((f"log/{member:03}.log", "".join(rows).encode()))
    members.append(("log/last.txt", SMALL.upper().encode()))
    with tarfile.open(tar, "w") as file, tarfile.open(packed, "w:gz", compresslevel=6) as small:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(content), 1_700_000_000
            file.addfile(entry, io.BytesIO(content))
            small.addfile(entry, io.BytesIO(content))
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name, (2025, 3, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return tar, packed, zipped, [name for name, _ in members]


def archive_rows(rread, folder, size):
    tar, packed, zipped, names = made(folder, size)
    bsdtar, gnu, unzip = Peer("bsdtar", "--version"), Peer("tar", "--version"), Peer("unzip", "-v")
    archives = {
        packed: ("tar.gz", "tar", [(bsdtar, "-xOf"), (gnu, "-xzOf"), (bsdtar, "-xOqf")], [(bsdtar, "-tvf"), (gnu, "-tvzf")]),
        tar: ("tar", "tar", [(bsdtar, "-xOf"), (gnu, "-xOf")], [(bsdtar, "-tvf"), (gnu, "-tvf")]),
        zipped: ("zip", "zip", [(unzip, "-p"), (bsdtar, "-xOf")], [(unzip, "-l"), (bsdtar, "-tvf")]),
    }
    rows = []
    for archive, (kind, scheme, readers, listers) in archives.items():
        whole = f"a {kind} of {shown_size(os.path.getsize(archive))}"
        for place, name in (("first", names[0]), ("largest", names[LARGE + 1]), ("last", names[-1])):
            ours = [rread, "lines", f"{scheme}:{archive}/{name}", "--raw"]
            for peer, option in readers:
                theirs = [peer.path, option, str(archive), name]
                lacks = "`-q` ends at the first member of the name; rread has to know that there is no later one" if "q" in option else ""
                rows.append(Row(f"{place} member of {whole}", peer, exact(ours, theirs), lacks, [ours], [theirs], f"`{option}`"))
        for peer, option in listers:
            ours = [rread, "stat", str(archive), "--list", "--max-lines", str(len(names)), "--format", "text"]
            theirs = [peer.path, option, str(archive)]
            rows.append(Row(f"list of {len(names)} members of {whole}", peer, listed(ours, theirs, names),
                            "five lines for each member; no owners", [ours], [theirs], f"`{option}`"))
    return rows


def listed(ours, theirs, names):
    """Both lists must have all names, in their order."""

    def judge(_):
        found = ended(ours, ENVIRONMENT, 120)[0].decode().splitlines()
        if [line.removeprefix("name: ") for line in found if line.startswith("name: ")] != names:
            raise Wrong("not the names of all members in their order")
        lines = ended(theirs, ENVIRONMENT, 120)[0].decode().splitlines()
        return "all names in their order", int([line.split()[-1] for line in lines if line.split()[-1:] and line.split()[-1] in names] != names)

    return judge
