"""A client of the server alone solves the fourteen tasks of tests/agents/tasks.py, and counts calls and bytes of answers."""

import asyncio
import json
import os
import re
import signal
import sys
import tempfile
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

sys.path.insert(0, str(Path(__file__).parent.parent / "agents"))
import task_files  # noqa: E402
import tasks  # noqa: E402

SINCE, UNTIL = task_files.WINDOW

# The calls of each task: a tool, its arguments, and the hint of a call that fails. A function happens between two calls.
CALLS = {
    "a line of 600 KB": [("search", {"pattern": "retry_limit", "path": "config.json"})],
    "UTF-16 without a mark": [("search", {"pattern": "ERROR", "path": "notes.txt"})],
    "a large log": [("search", {"pattern": "FATAL", "path": "app.log", "last": 1, "context": 2})],
    "a .gz": [("search", {"pattern": "took [0-9]{4,} ms", "path": "old.log.gz", "context": 1})],
    "a PNG named .txt": [("read", {"path": "logo.txt", "lines": "1:5"})],
    "a damaged archive": [("read", {"path": "broken.log.gz", "lines": "-3:"}, 'read {"path":"broken.log.gz","lines":"-3:","salvage":true}'), ("read", {"path": "broken.log.gz", "lines": "-3:", "salvage": True})],
    "a legacy encoding": [("search", {"pattern": "Cena", "path": "letter.txt"}), ("search", {"pattern": "Cena", "path": "letter.txt", "encoding": "windows-1250"})],
    "a noisy build that fails": [("capture", {"command": ["./build.sh"], "name": "build", "max_bytes": 400}), ("search", {"pattern": "error", "ignore_case": True, "path": "fd:build", "max_count": 5})],
    "noisy tests": [("capture", {"command": ["./tests.sh"], "name": "tests", "max_bytes": 400}), ("read", {"path": "fd:tests", "lines": "-2:"})],
    "25 files": [("search", {"pattern": "timeout", "path": "services"})],
    "a FIFO": [("read", {"path": "events"}, 'capture {"command":["timeout","10","head","events"]}'), tasks.events, ("capture", {"command": ["timeout", "10", "grep", "-n", "-m", "1", "ready", "events"]})],
    "an edited file": [("read", {"path": "prices.py", "lines": "12:15", "hash": True}), tasks.edit, ("verify", lambda so_far: {"path": "prices.py", "anchors": re.findall(r"^\d+#[0-9a-f]{6}", so_far, re.M)})],
    "a long tail": [("search", {"pattern": "timed out", "path": "app.log", "in": "-5000:"})],
    "a window of time": [("search", {"pattern": "ERROR", "path": "app.log", "since": SINCE, "until": UNTIL, "context": 3})],
}


def strings(value):
    """The texts in an answer in JSON, as an agent understands them."""
    if isinstance(value, str):
        return value
    return "\n".join(map(strings, value.values() if isinstance(value, dict) else value if isinstance(value, list) else []))


async def solve(client, folder, steps):
    calls, size, text, writers = 0, 0, "", []
    for step in steps:
        if callable(step):
            writers.append(step(folder))
            continue
        tool, arguments, *hints = step
        answer = await client.call_tool(tool, arguments(text) if callable(arguments) else arguments)
        parts = [part.text for part in answer.content if part.type == "text"]
        assert all(answer.is_error and hint in parts[0] for hint in hints), (step, answer)
        calls, size = calls + 1, size + sum(len(part.encode()) for part in parts)
        text += "\n".join(parts) + "\n" + strings(answer.structured_content or {}) + "\n"
    for writer in filter(None, writers):
        os.killpg(writer.pid, signal.SIGKILL)
        writer.wait()
    return calls, size, text


async def main():
    wrong, totals = [], [0, 0]
    print("| task | calls | bytes |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "files"
        folder.mkdir()
        task_files.make(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 20_000_000)
        rread = os.path.abspath(sys.argv[1])
        environment = tasks.environment(scratch, rread)
        server = StdioServerParameters(command=rread, args=["mcp", "--allow-capture"], cwd=folder, env=environment)
        async with Client(stdio_client(server)) as client:
            for task in tasks.tasks():
                calls, size, text = await solve(client, folder, CALLS[task.name])
                totals = [totals[0] + calls, totals[1] + size]
                missing = [pattern for pattern in task.answer if not re.search(pattern, text)]
                if missing or "--show" in sys.argv:
                    print(f"--- {json.dumps([step for step in CALLS[task.name] if not callable(step)], default=str)}\n{text}")
                if missing:
                    wrong.append(f"{task.name}: no {missing}")
                print(f"| {task.name} | {calls} | {size} |")
    print(f"| **total** | {totals[0]} | {totals[1]} |")
    if wrong:
        sys.exit("wrong answers: " + "; ".join(wrong))


asyncio.run(main())
