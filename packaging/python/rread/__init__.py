"""Read any part of any text file: by line, byte, time or pattern.

Each function runs the program `rread` once, or once for each part that its iterator takes, and returns what the
program says. Options are keyword arguments with the names of the program's: `search("x", "a.log", ignore_case=True,
since="-15m")` is `rread search x a.log --ignore-case --since=-15m`. A list gives an option several times.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

__all__ = [
    "Facts", "Group", "Match", "RreadError", "Segment", "Table", "Text",
    "call", "lines", "parts", "program", "search", "select", "stat",
]

Name = Union[str, "os.PathLike[str]"]
Json = Dict[str, Any]


class RreadError(Exception):
    """What the program could not do: `kind` for programs, `hint` is a command to type, `code` the exit code."""

    def __init__(self, message: str, kind: str, hint: Optional[str], path: Optional[str], code: int) -> None:
        super().__init__(message)
        self.kind, self.hint, self.path, self.code = kind, hint, path, code


@dataclass(frozen=True)
class Segment:
    """The text of one range of one file."""

    content: str
    metadata: Json = field(repr=False)

    @property
    def path(self) -> str:
        return str(self.metadata["path"])

    @property
    def first_line(self) -> Optional[int]:
        """The number of its first line, from 1; None if it is not known."""
        return self._range("start_line")

    @property
    def last_line(self) -> Optional[int]:
        return self._range("end_line")

    @property
    def start_byte(self) -> Optional[int]:
        """Where it begins, in bytes from 0."""
        return self._range("start_byte")

    @property
    def end_byte(self) -> Optional[int]:
        """Where it ends; the byte there is not in it."""
        return self._range("end_byte")

    @property
    def truncated(self) -> bool:
        """Whether a budget left something out."""
        return bool(self.metadata.get("truncated"))

    def _range(self, key: str) -> Optional[int]:
        return (self.metadata.get("actual_range") or {}).get(key)


@dataclass(frozen=True)
class Text(Segment):
    """The text of one or several ranges, in the order in which they were named."""

    segments: Tuple[Segment, ...] = ()

    @property
    def version(self) -> Optional[str]:
        """The state of the file, for `expect=`."""
        return self.metadata.get("version")

    @property
    def total_lines(self) -> Optional[int]:
        return self.metadata.get("total_lines")


@dataclass(frozen=True)
class Match:
    """A match: its line from 1, its column from 1 in bytes, and its place in the file in bytes from 0."""

    line: int
    column: int
    start_byte: int
    end_byte: int


@dataclass(frozen=True)
class Group(Segment):
    """Lines that match and lie together, with the lines around them."""

    matches: Tuple[Match, ...] = ()


@dataclass(frozen=True)
class Facts:
    """What is known of a file. `facts["time"]` is a key of the answer; `None` if it is absent."""

    path: str
    kind: str
    size: Optional[int]
    lines: Optional[int]
    encoding: Optional[str]
    metadata: Json = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.metadata.get(key)


@dataclass(frozen=True)
class Table:
    """The rows of a query, each a dictionary by the names of columns."""

    columns: Tuple[Tuple[str, str], ...]
    rows: Tuple[Json, ...]
    metadata: Json = field(repr=False)


def program() -> str:
    """The program that is called: the one of this installation, or the first on PATH."""
    name = "rread.exe" if sys.platform == "win32" else "rread"
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    found = shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"the program {name} is neither in {folders[0]} nor on PATH")
    return found


def lines(path: Name, ranges: str = "1:", **options: Any) -> Text:
    """The lines of `ranges`, such as "100:120", "-20:" or "1:5,40:45"."""
    return _text(_answer("lines", _names([path]) + [ranges], options))


def parts(path: Name, count: int = 1000, **options: Any) -> Iterator[Text]:
    """The whole file, `count` lines a part, or fewer within a budget; each byte comes once."""
    command = "lines"
    more: Json = {}
    place: Optional[str] = f"1:+{count}"
    while place is not None:
        text = _text(_answer(command, _names([path]) + [place], {**options, **more}))
        yield text
        step = text.metadata.get("next") or {}
        command, place = step.get("command", command), step.get("range")
        more = {key: step[key] for key in ("align", "bounded", "page_size") if key in step}


def search(pattern: str, *paths: Name, **options: Any) -> Iterator[Group]:
    """The lines that match, each once. `max_count=N` is the size of one call, not an end."""
    queue: List[Tuple[List[str], Json]] = [(_names(paths or ["."]), {})]
    while queue:
        names, more = queue.pop(0)
        answer = _answer("search", ["-e", pattern, *names], {**options, **more})
        for found in answer["segments"]:
            if "error" in found:
                raise _error(found, 3)
            told = found["metadata"]
            matches = tuple(Match(**{key: one[key] for key in Match.__annotations__}) for one in told["matches"])
            yield Group(found["content"], told, matches)
        told = answer["metadata"]
        for file in told.get("files", [told]):
            if file.get("next"):
                # A window of time is in the place already.
                options = {key: value for key, value in options.items() if key not in ("since", "until")}
                queue.append((_names([file["path"]]), {"in": file["next"]["range"]}))


def stat(*paths: Name, **options: Any) -> List[Facts]:
    """Facts of each file; `count=True` reads it for exact numbers."""
    answer = _answer("stat", _names(paths), options)
    facts = []
    for file in answer.get("files", [answer]):
        if "error" in file:
            raise _error(file, 3)
        facts.append(Facts(file["path"], file["kind"], file.get("total"), file.get("lines"), file.get("encoding"), file))
    return facts


def select(sql: str, *paths: Name, **options: Any) -> Table:
    """The rows of a query of tables, logs and documents; the table of the files is `t`. All rows, in parts of a budget."""
    rows: List[Json] = []
    while True:
        answer = _answer("select", _names(paths) + [sql], {**options, "output": "jsonl"})
        rows += [json.loads(line) for line in answer["content"].splitlines()]
        told = answer["metadata"]
        if "next" not in told:
            columns = tuple((column["name"], column["type"]) for column in told["columns"])
            return Table(columns, tuple(rows), told)
        options = {**options, "offset": told["next"]["offset"]}


def call(tool: str, **arguments: Any) -> str:
    """The answer of a tool for agents, as `rread call TOOL JSON` gives it; `rread --schema tools` describes them."""
    return _run(["call", tool, json.dumps(arguments, default=os.fspath)]).decode("utf-8", "replace")


def _names(paths: Any) -> List[str]:
    # A name that looks like an option is a file.
    names = [os.fspath(path) for path in paths]
    return [f"./{name}" if name.startswith("-") and name != "-" else name for name in names]


def _words(options: Json) -> Iterator[str]:
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                yield option
            elif one is not None and one is not False:
                yield f"{option}={os.fspath(one) if isinstance(one, os.PathLike) else one}"


def _answer(command: str, words: List[str], options: Json) -> Json:
    answer: Json = json.loads(_run([command, *_words(options), "--json", *words]))
    return answer


def _run(arguments: List[str]) -> bytes:
    # The environment must not change the form of answers.
    environment = {key: value for key, value in os.environ.items() if key != "RREAD_FORMAT"}
    done = subprocess.run(
        [program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False
    )
    # Exit code 1 is an answer too: no line matches.
    if done.returncode > 1 or not done.stdout:
        told = done.stderr.decode("utf-8", "replace").splitlines()
        try:
            raise _error(json.loads(told[-1]), done.returncode)
        except (ValueError, IndexError):
            raise RreadError("\n".join(told) or "no answer", "unknown", None, None, done.returncode) from None
    return done.stdout


def _error(told: Json, code: int) -> RreadError:
    path = told.get("path") or told.get("metadata", {}).get("path")
    return RreadError(told["error"], told.get("kind", "unknown"), told.get("hint"), path, code)


def _text(answer: Json) -> Text:
    for found in answer.get("segments", []):
        if "error" in found:
            raise _error(found, 3)
    told = answer["metadata"]
    if "segments" not in answer:
        return Text(answer["content"], told, (Segment(answer["content"], told),))
    segments = tuple(Segment(found["content"], {**told, **found["metadata"]}) for found in answer["segments"])
    return Text("".join(segment.content for segment in segments), told, segments)
