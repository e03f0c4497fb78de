"""Runs twenty-eight reading tasks with the shell's tools and with rread, and counts calls and bytes that an agent reads.

    python3 tests/agents/tasks.py target/release/rread --log-size 573000000

A call is one command line, which may combine several programs. Its bytes are all of its standard output and standard
error. Both sides know the question and the names of the files, as from `ls -l`, and nothing else: encoding, type and
compression have to be discovered. Both have to yield the answer. A task that needs a feature of rread or a program of the
shell's side that is not there is left out.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import other_tasks
import task_files


class Task:
    """A question, the command lines of both sides, and the answer: patterns that the last calls have to show."""

    def __init__(self, name, question, why, shell, rread, answer, features=(), programs=()):
        self.name, self.question, self.why = name, question, why
        self.shell, self.rread, self.answer = shell, rread, answer
        self.features, self.programs = features, programs


def edit(folder):
    """Somebody else changes the file between two calls."""
    (folder / "prices.py").write_text(task_files.EDITED)


def events(folder):
    """A writer of the named pipe that stays longer than anybody reads. It ends when the reader does, or after a while."""
    script = "for n in 1 2 3 4 5 6; do echo event $n: idle; done; echo 'event 7: ready on port 4117'; sleep 20"
    return subprocess.Popen(["sh", "-c", f"exec >events; {script}"], cwd=folder, stderr=subprocess.DEVNULL, start_new_session=True)


def tasks():
    since, until = task_files.WINDOW
    return [
        Task(
            "a line of 600 KB",
            "What is the retry_limit of billing in config.json?",
            "A search that shows the line would pour 600 KB, so both show a part of it.",
            ["grep -o '.\\{0,60\\}retry_limit.\\{0,60\\}' config.json"],
            ["rread search retry_limit config.json --max-columns 120 -f text"],
            [r'"billing".*"retry_limit":37'],
        ),
        Task(
            "UTF-16 without a mark",
            "What does the ERROR line of notes.txt say?",
            "grep is silent, so the same call looks at the file. The zeros say UTF-16LE.",
            ["grep -n ERROR notes.txt || { file notes.txt; head -c 48 notes.txt | xxd; }", "iconv -f UTF-16LE -t UTF-8 notes.txt | grep -n ERROR"],
            ["rread search ERROR notes.txt --brief"],
            [r"1234:.*disk 3 of rack B is full"],
        ),
        Task(
            "a large log",
            "What is the last FATAL line of app.log, and the two lines before it?",
            "",
            ["grep -B 2 FATAL app.log | tail -n 3"],
            ["rread search FATAL app.log --last 1 -B 2 --raw"],
            ["pool exhausted", "lost the lease of shard 12", "shard 12 has no owner"],
        ),
        Task(
            "a .gz",
            "Which request in old.log.gz took more than 9 s, and what came before and after it?",
            "",
            ["zgrep -n -C 1 'took [0-9]\\{4,\\} ms' old.log.gz"],
            ["rread search -C 1 'took [0-9]{4,} ms' old.log.gz -f text"],
            [r"12346:.*GET /report/annual took 9417 ms", r"12345-", r"12347-"],
        ),
        Task(
            "a PNG named .txt",
            "What does logo.txt say?",
            "The name says text, so both begin to read it. The shell's side is careful: it asks file, and takes a few bytes.",
            ["file logo.txt; head -c 200 logo.txt"],
            ["rread lines logo.txt :5 --brief"],
            [r"PNG image|image/png"],
        ),
        Task(
            "a damaged archive",
            "The transfer of broken.log.gz was cut off. What are the last lines that arrived?",
            "",
            ["zcat broken.log.gz | tail -n 3"],
            ["rread lines broken.log.gz -3: --salvage -f text"],
            [r"took \d+ ms\n.* took \d+ ms\n\d{4}-"],
        ),
        Task(
            "a legacy encoding",
            "What does the line about the price (Cena) in letter.txt say?",
            "grep calls the file binary; file does not know the encoding. The words are Polish, so the shell's side tries windows-1250. rread names the option.",
            ["file letter.txt; grep -n Cena letter.txt", "iconv -f WINDOWS-1250 -t UTF-8 letter.txt | grep -n Cena"],
            ["rread search Cena letter.txt --brief", "rread search Cena letter.txt -f text -E windows-1250"],
            [r"41:Cena: 37 zł, płatność do środy\."],
        ),
        Task(
            "a noisy build that fails",
            "Run ./build.sh. How did it end, and with which error?",
            "Both keep the output, so that the build runs once, and look for errors in the same call.",
            ["./build.sh >build.out 2>&1; echo exit $?; grep -in -m 5 error build.out"],
            ["rread capture --name build --metadata-only --brief -- ./build.sh; rread search -i -m 5 error fd:build -f text"],
            [r"exit(.status)?:? 2\b", r"no member named 'expires_at'"],
        ),
        Task(
            "noisy tests",
            "Run ./tests.sh. How many tests passed?",
            "",
            ["./tests.sh >tests.out 2>&1; echo exit $?; tail -n 2 tests.out"],
            ["rread capture --name tests --metadata-only --brief -- ./tests.sh; rread lines fd:tests -2: -f text"],
            [r"1498 passed, 2 skipped"],
        ),
        Task(
            "25 files",
            "Which of the files in services has another timeout than the others?",
            "",
            ["grep -rn timeout services"],
            ["rread search timeout services -f text"],
            [r"s17\.conf:?\s*138:timeout = 9000", r"s25\.conf:?\s*138:timeout = 30"],
        ),
        Task(
            "a FIFO",
            "Which port does the first ready event of the named pipe events name?",
            "The writer stays, so neither side waits for the end.",
            [events, "timeout 10 grep -n -m 1 ready events"],
            [events, "rread search -m 1 ready events --stream --timeout 10s -f text"],
            [r"7:event 7: ready on port 4117"],
        ),
        Task(
            "an edited file",
            "Read lines 12 to 15 of prices.py. After somebody has edited the file: where are they now, and what changed?",
            "The shell's side finds the function again by its name. rread's side pins the lines when it reads them.",
            ["sed -n 12,15p prices.py", edit, "grep -n -A 3 'def total' prices.py"],
            ["rread lines prices.py 12:15 --hash -f text", edit, "rread verify prices.py {anchors} -C 0 -f text"],
            [r"17\W.*price = price \* \(1 \+ vat / 100\)"],
        ),
        Task(
            "a long tail",
            "What timed out in the last 5000 lines of app.log?",
            "",
            ["tail -n 5000 app.log | grep 'timed out'"],
            ["rread search 'timed out' app.log --in -5000: --raw"],
            [r"upstream payments\.internal timed out after 30000 ms"],
        ),
        Task(
            "a window of time",
            f"What failed in app.log from {since} to {until}, and where?",
            "A stack trace has lines without a time, so awk keeps the lines after one that is in the window.",
            [f"awk '/^2026/ {{ p = $2 >= \"{since}\" && $2 < \"{until}\" }} p' app.log | grep -A 3 ERROR"],
            [f"rread search ERROR app.log --since {since} --until {until} -A 3 --raw"],
            [r"request 5f3a failed", r"balance below zero", r"Checkout\.java:77"],
        ),
    ]


def other():
    for name, question, features, programs, shell, rread, answer in other_tasks.TASKS:
        yield Task(name, question, "", shell, rread, answer, features, programs)


class Side:
    """The calls of one side, in a folder of its own where the files are those of the other side."""

    def __init__(self, folder, environment, size, log=None):
        self.folder, self.environment = folder, environment
        folder.mkdir()
        task_files.make(folder, size, log)
        other_tasks.make(folder)

    def solve(self, steps, answer):
        """The number of calls, the bytes read, and whether the answer is among them."""
        calls, output, writers = 0, b"", []
        for step in steps:
            if callable(step):
                writers.append(step(self.folder))
                continue
            # An agent copies anchors from what it has just read.
            anchors = re.findall(rb"^\d+#[0-9a-f]{6}", output, re.M)
            line = step.replace("{anchors}", b" ".join(anchors).decode())
            calls += 1
            output += subprocess.run(
                ["bash", "-c", line], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600
            ).stdout
        for writer in filter(None, writers):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(writer.pid, signal.SIGKILL)
            writer.wait()
        text = output.decode("utf-8", "replace")
        missing = [pattern for pattern in answer if not re.search(pattern, text)]
        return calls, len(output), missing, text


def environment(home, rread):
    """The shell's, without what changes the answers of either side."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RREAD_", "GREP_", "XDG_"))}
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8", "PATH": f"{Path(rread).resolve().parent}:{os.environ['PATH']}"}


def plain(steps):
    """The same calls with the receipts that rread writes by default."""
    return [step if callable(step) else step.replace(" --brief", "").replace(" -f text", "").replace(" --raw", "") for step in steps]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rread")
    parser.add_argument("--log-size", type=int, default=20_000_000, help="bytes of the large log")
    parser.add_argument("--features", default="documents,sql,sqlite", help="what the binary was built with")
    parser.add_argument("--show", action="store_true", help="print commands and outputs")
    options = parser.parse_args()
    missing = [name for name in "awk file gzip iconv timeout xxd zgrep".split() if not shutil.which(name)]
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}")
        return
    wrong, totals = [], {tasks: [0] * 6, other: [0] * 6}
    print("| task | shell: calls | bytes | rread: calls | bytes | with default receipts |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        given = environment(scratch, options.rread), options.log_size
        shell = Side(scratch / "shell", *given)
        sides = [shell] + [Side(scratch / name, *given, log=shell.folder / "app.log") for name in ("rread", "default")]
        given = set(options.features.split(","))
        for kind, task in [(kind, task) for kind in totals for task in kind()]:
            absent = [name for name in task.features if name not in given] + [name for name in task.programs if not shutil.which(name)]
            if absent:
                print(f"| {task.name} | left out: no {', '.join(absent)} |")
                continue
            row = []
            for name, side, steps in zip(("shell", "rread", "default"), sides, (task.shell, task.rread, plain(task.rread))):
                calls, size, missing, text = side.solve(steps, task.answer)
                row += [calls, size]
                if options.show or missing and name != "default":
                    print(f"--- {name}: {[step for step in steps if not callable(step)]}\n{text}")
                # Default receipts write names and lines apart, and are only measured.
                if missing and name != "default":
                    wrong.append(f"{task.name}, {name}: no {missing}")
            totals[kind] = [total + one for total, one in zip(totals[kind], row)]
            print(f"| {task.name} | {row[0]} | {row[1]} | {row[2]} | {row[3]} | {row[5]} |")
    for name, total in (("first fourteen", totals[tasks]), ("other fourteen", totals[other])):
        print(f"| **{name}** | {total[0]} | {total[1]} | {total[2]} | {total[3]} | {total[5]} |")
    if wrong:
        sys.exit("wrong answers: " + "; ".join(wrong))
    # Of documents and tables, rread says pages, sheets and headers that the question did not ask for.
    for total, share in ((totals[tasks], 1), (totals[other], 1.3)):
        if total[2] > total[0] or total[3] > total[1] * share:
            sys.exit("rread takes more calls or bytes than the shell")


if __name__ == "__main__":
    main()
