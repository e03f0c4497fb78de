"""Gives sixteen tasks to an agent of yours, one way at a time, and counts calls and the bytes that it reads and writes.

    python3 tests/agents/live.py make DIR
    python3 tests/agents/live.py run DIR --way shell incident 'ls -l; head -n 3 *.log'
    python3 tests/agents/live.py run DIR --way mcp incident 'stat {"paths": ["orders.log"]}'
    python3 tests/agents/live.py answer DIR --way shell incident 'orders, …'
    python3 tests/agents/live.py totals DIR

`make` writes the files, the same for each seed, and DIR/questions.md. Give an agent the questions and the command line of
`run` with its way: `shell` has no rread, `rread` has nothing else, `mcp` calls the tools of `rread mcp`, `both` is a shell
that has rread. A command line works in the folder of its task. The task `guide` belongs to no question: what an agent reads
there about its tools is counted too. A call is one command line. Its output is counted, and shown, up to 30,000 bytes.
"""

import argparse
import contextlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import live_files
import live_logs

WAYS = {"shell": "shell, Python allowed", "rread": "`rread`, nothing else", "mcp": "`rread mcp`", "both": "shell and rread"}
SHOWN, SECONDS, LONGEST_ANSWER = 30_000, 300, 800
# A file without years is of the year when it was written last.
WRITTEN = live_logs.DAY.timestamp() + 8 * 86_400

# The name of a task, what writes its files, their names, and the question.
TASKS = [
    ("incident", live_logs.incident, "gateway.log, orders.log, payments.log", "On 12 May 2026 customers could not check out from about 14:35 UTC. Three services wrote these logs, each on the clock of its own zone. Which service logged the first ERROR after 14:30 UTC, and for which order? And which service logged the last WARN of all three before that ERROR, about what?"),
    ("ci", live_logs.ci, "build.log", "The raw log of a build that failed. Which test failed first in the order of time: file and name of the test, the value that it expected, the value that it got, and the line of the assertion?"),
    ("rotated", live_logs.rotated, "store.log, store.log.1, store.log.2.gz … store.log.5.gz", "How many times was the lease of shard {shard} lost in the whole set of logs, and when for the first and for the last time?"),
    ("jsonl", live_logs.jsonl, "requests.jsonl", "Of the requests `GET /cart` that were answered with 200: what is the 95th percentile of their duration? And which article (sku) was bought most in `POST /checkout` that were answered with 200, how many pieces of it?"),
    ("orders", live_logs.orders, "orders.csv", "How many orders are in this export? How many of them are from the country {country}, what is the sum of their amounts, and what is the id of the largest of them?"),
    ("code", live_files.code, "shop/ (Python)", "What does `settle_invoice` return for a draft that is not closed, and which functions or methods call it? Name all of them, and nothing else."),
    ("edited", live_files.edited, "pools.ini", "Read the section `{section}`, as if you were about to change it. Then a colleague edits the file: {edit}. Now: at which line is the header of the section, which of its settings has another value (name and new value), which one is gone, and which one is new (name and value)?"),
    ("manual", live_files.manual, "manual.pdf", "After how many operating hours must the shaft seal of coolant pump {pump} be replaced, and on which page does the manual say so?"),
    ("workbook", live_files.workbook, "stock.xlsx", "Which article in the warehouse {town} is furthest below its minimum, by how many pieces, and what is the phone number of its supplier?"),
    ("zip", live_files.zipped, "hosts.zip", "On which hosts did the kernel kill a process for lack of memory? Of those, which process (name and pid) was killed first?"),
    ("windows", live_logs.windows, "system.txt", "How many times did the service Druckwarteschlange end unexpectedly, when for the last time, and with which code (Rückgabewert) then?"),
    ("rollout", live_logs.rollout, "deploy.log", "A rollout begins with your first call; it takes less than a minute, and writes to this log after the older ones. Wait until it is complete. Which revision is it, which pod was the last one, and which image did that pod pull?"),
    ("trace", live_files.trace, "trace.json", "How many spans of this trace file failed (their attribute `error` is true)? Of those, which one took longest: its traceId, and the id that its SQL statement asks for?"),
    ("archive", live_files.archive, "backup.tar.gz, limits.conf", "The backup has `etc/shop/limits.conf` of last week; `limits.conf` beside it is today's. Which settings have another value (both values), which are only in the backup, and which only in today's?"),
    ("nuls", live_logs.nuls, "nas.log", "The machine lost its power once, and the log is damaged there. At which time was the last line before that written, at which time the first line after it, and how many NUL bytes are between them?"),
    ("rare", live_logs.rare, "node.log", "One line of this log is of a kind that occurs only once; all others are of kinds that occur many times. What does it say?"),
]
NAMES = [task[0] for task in TASKS]


class Set:
    """The files of one set of tasks, a copy for each way, and what happened there."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.state = self.folder / ".state"

    def make(self, seed, scale):
        self.state.mkdir(parents=True)
        answers, questions = {}, ["# Questions\n"]
        for name, write, files, question in TASKS:
            place = self.state / "files" / name
            place.mkdir(parents=True)
            made = write(place, random.Random(f"{seed} {name}"), scale)
            answer, facts = made if isinstance(made, tuple) else (made, {})
            answers[name] = vars(answer) | {"facts": facts}
            edit = f"run `live.py edit {self.folder} --way WAY`, which is not counted"
            questions.append(f"## {name}\n\nFiles: {files}\n\n{question.format(**facts, edit=edit) if '{' in question else question}\n")
            for file in place.rglob("*"):
                os.utime(file, (WRITTEN, WRITTEN))
            # Copies, not links: a file of several names is a fact that rread says.
            for way in WAYS:
                shutil.copytree(place, self.folder / way / name)
        (self.state / "answers.json").write_text(json.dumps(answers))
        (self.folder / "questions.md").write_text("\n".join(questions))

    def answer(self, task):
        entry = json.loads((self.state / "answers.json").read_text())[task]
        facts = entry.pop("facts")
        return live_logs.Answer(**entry), facts

    def log(self, way, **entry):
        with open(self.state / f"{way}.jsonl", "a") as file:
            file.write(json.dumps(entry) + "\n")

    def entries(self, way):
        file = self.state / f"{way}.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def once(self, name):
        """Whether this is the first time that somebody asks for `name`."""
        with contextlib.suppress(FileExistsError):
            (self.state / name).touch(exist_ok=False)
            return True
        return False

    def place(self, way, task):
        return self.folder / way if task == "guide" else self.folder / way / task

    def environment(self, way, rread):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RREAD_", "GREP_", "XDG_"))}
        paths = [path for path in kept.get("PATH", os.defpath).split(os.pathsep) if not (Path(path) / "rread").exists()]
        if way != "shell":
            programs = self.state / "bin"
            programs.mkdir(exist_ok=True)
            with contextlib.suppress(FileExistsError):
                (programs / "rread").symlink_to(rread)
            paths.insert(0, str(programs))
        home = {f"XDG_{kind}_HOME": str(self.state / way / kind.lower()) for kind in ("CACHE", "STATE", "CONFIG")}
        return kept | home | {"PATH": os.pathsep.join(paths), "LC_ALL": "C.UTF-8"}


def refusal(command):
    """Why a command line runs something else than rread, or None."""
    bare = re.sub(r"'[^']*'", "''", re.sub(r"\s2>(?:&1|\s*/dev/null)", " ", command))
    if "`" in bare or "$(" in bare:
        return "a substitution runs another program"
    lexer = shlex.shlex(re.sub(r"\s2>(?:&1|\s*/dev/null)", " ", command), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    begins = True
    try:
        words = list(lexer)
    except ValueError as error:
        return str(error)
    for n, word in enumerate(words):
        if set(word) <= set("();<>|&\n"):
            if word.strip("\n") not in ("", "|", "||", "&&", ";"):
                return f"'{word}' is not allowed"
            begins = True
        elif begins and not re.match(r"(?:RREAD_\w+|TZ)=", word):
            if word != "rread":
                return f"'{word}' is not rread"
            if words[n + 1 : n + 2] == ["capture"]:
                return "capture runs other programs"
            begins = False
    return None


def shell(command, folder, environment):
    """The output of a command line: both streams, as a terminal would show them."""
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    timer = threading.Timer(SECONDS, lambda: os.killpg(process.pid, signal.SIGKILL))
    timer.start()
    output = process.communicate()[0]
    timer.cancel()
    return output


class Server:
    """One `rread mcp`, for one call."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(["rread", "mcp"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.timer = threading.Timer(SECONDS, self.process.kill)
        self.timer.start()
        self.number = 0
        self.instructions = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "live", "version": "1"}).get("instructions", "")
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.number:
                return message.get("result") or {"content": [{"type": "text", "text": json.dumps(message["error"])}]}
        return {"content": [{"type": "text", "text": "the server ended"}]}

    def end(self):
        self.timer.cancel()
        self.process.communicate()


def tool(command, folder, environment):
    """The text of the answer to `TOOL JSON`, and the bytes that the list of tools takes in a context."""
    name, _, arguments = command.strip().partition(" ")
    try:
        arguments = json.loads(arguments or "{}")
    except ValueError as error:
        return f"not a call, TOOL JSON: {error}".encode(), 0
    search = shutil.which("rread", path=environment["PATH"])
    if not search:
        sys.exit("no rread")
    server = Server(folder, environment)
    listed = server.ask("tools/list").get("tools", [])
    answer = server.ask("tools/call", name=name, arguments=arguments)
    server.end()
    text = "\n".join(part.get("text", f"[{part['type']}]") for part in answer["content"])
    cost = json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode() + server.instructions.encode()
    return text.encode(), len(cost)


def run(tasks, way, task, command, rread):
    if way == "rread" and (reason := refusal(command)):
        sys.exit(f"refused, and not counted: {reason}. Only rread, and pipes between its commands, are allowed here")
    environment, folder = tasks.environment(way, rread), tasks.place(way, task)
    os.environ["PATH"] = environment["PATH"]
    if task == "rollout" and tasks.once(f"{way}.rollout"):
        _, facts = tasks.answer(task)
        subprocess.Popen([sys.executable, __file__, "write", str(folder / "deploy.log"), str(facts["seed"])], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    listed = 0
    if way == "mcp":
        output, listed = tool(command, folder, environment)
    else:
        output = shell(command, folder, environment)
    shown = output[:SHOWN]
    uses = way == "mcp" or bool(re.search(r"(?:^|[|;&(\s`/])rread\s", command))
    tasks.log(way, task=task, command=command, read=len(shown), all=len(output), written=len(command.encode()), listed=listed, rread=uses)
    sys.stdout.buffer.write(shown)
    if len(output) > SHOWN:
        print(f"\n[{len(output) - SHOWN} more bytes are not shown]")


def edit(tasks, way):
    """Replaces the configuration, as editors do."""
    _, facts = tasks.answer("edited")
    new = tasks.folder / way / ".pools.ini"
    new.write_text(facts["after"])
    new.replace(tasks.folder / way / "edited" / "pools.ini")
    print("edited")


def write(path, seed):
    """The writer of the rollout."""
    lines, *_ = live_logs.rollout_lines(int(seed))
    for n, line in enumerate(lines):
        with open(path, "a") as file:
            file.write(f"{live_logs.at(43_200 + n):%Y-%m-%dT%H:%M:%SZ} {line}\n")
        time.sleep(0.3)


def answer(tasks, way, task, text):
    right = len(text) <= LONGEST_ANSWER and tasks.answer(task)[0].accepts(text)
    tasks.log(way, task=task, answer=text, right=right)
    print("right" if right else "wrong")


def row(name, entries):
    """One row: calls, bytes, and what was right at the first try."""
    calls = [entry for entry in entries if "command" in entry]
    read, written = (sum(entry[key] for entry in calls) for key in ("read", "written"))
    read += max((entry["listed"] for entry in calls), default=0)
    first = {}
    for entry in entries:
        if "answer" in entry:
            first.setdefault(entry["task"], entry["right"])
    used = {entry["task"] for entry in calls if entry["rread"]} & set(NAMES)
    kilo = (f"{size / 1000:.1f} KB" for size in (read, written, read + 5 * written))
    return f"| {name} | {len(calls)} | {' | '.join(kilo)} | {sum(first.values())} | {len(used)} |"


def totals(tasks, each):
    print(f"| way | calls | read | written | read + 5 × written | right of {len(TASKS)} | tasks with rread |\n|---|--:|--:|--:|--:|--:|--:|")
    for way, name in WAYS.items():
        if entries := tasks.entries(way):
            print(row(name, entries))
            for task in ["guide", *NAMES] if each else []:
                print(row(f"{way}: {task}", [entry | {"listed": 0} for entry in entries if entry["task"] == task]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    make = commands.add_parser("make", help="write the files and questions.md")
    make.add_argument("folder")
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--scale", type=float, default=1.0, help="smaller files, for the test of this program")
    for name, about in (("run", "a call of an agent"), ("answer", "check an answer"), ("edit", "edit the configuration")):
        command = commands.add_parser(name, help=about)
        command.add_argument("folder")
        command.add_argument("--way", choices=WAYS, required=True)
        if name != "edit":
            command.add_argument("task", choices=[*NAMES, "guide"] if name == "run" else NAMES)
            command.add_argument("text", metavar="COMMAND" if name == "run" else "TEXT")
        if name == "run":
            command.add_argument("--rread", default=os.environ.get("RREAD") or shutil.which("rread") or "rread", help="the program (default: $RREAD, or rread on PATH)")
    total = commands.add_parser("totals", help="print the table")
    total.add_argument("folder")
    total.add_argument("--each", action="store_true", help="a row for each task too")
    writer = commands.add_parser("write")
    writer.add_argument("folder")
    writer.add_argument("seed")
    options = parser.parse_args()
    tasks = Set(options.folder)
    if options.what == "make":
        tasks.make(options.seed, options.scale)
    elif options.what == "run":
        run(tasks, options.way, options.task, options.text, Path(options.rread).resolve())
    elif options.what == "answer":
        answer(tasks, options.way, options.task, options.text)
    elif options.what == "edit":
        edit(tasks, options.way)
    elif options.what == "write":
        write(options.folder, options.seed)
    else:
        totals(tasks, options.each)


if __name__ == "__main__":
    main()
