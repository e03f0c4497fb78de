"""What an installed program has to do: the README's example of a receipt, and one call of each large part."""

import json
import subprocess
import zlib

from table import ROOT


class Installed:
    """A way to start an installed program: the words before its arguments, and a folder for its files."""

    def __init__(self, command, folder, path="/usr/sbin:/usr/bin:/sbin:/bin", home=None):
        self.command = [str(word) for word in command]
        self.folder = folder
        # Nothing of the user's: what the program needs has to be in the package.
        self.environment = {"HOME": str(home or folder), "PATH": path, "LANG": "C.UTF-8"}

    def run(self, *arguments, exit_code=0):
        done = subprocess.run([*self.command, *arguments], **self.place(), capture_output=True, timeout=300)
        if done.returncode != exit_code:
            raise AssertionError(f"exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()[-300:]}")
        return done.stdout.decode().replace("\r\n", "\n")

    def place(self):
        return {"cwd": self.folder, "env": self.environment}

    def answers(self, requests):
        """What `rread mcp` answers. Its input stays open until the last answer: the end of the input ends all calls."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
        with subprocess.Popen([*self.command, "mcp"], **self.place(), **pipes) as server:
            answers = []
            for request in requests:
                server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
                server.stdin.flush()
                if "id" in request:
                    answers.append(json.loads(server.stdout.readline() or "{}"))
            server.stdin.close()
        return answers

    def facts(self):
        return json.loads(self.run("--version", "--json"))


def write_files(folder):
    """The files that the checks read, below `folder`."""
    fixtures = folder / "fixtures"
    fixtures.mkdir(parents=True, exist_ok=True)
    for name in ("service.log", "service.log.gz", "data.csv"):
        (fixtures / name).write_bytes((ROOT / "fixtures" / name).read_bytes())
    (fixtures / "page.pdf").write_bytes(pdf("A page of text."))


def pdf(text):
    content = zlib.compress(f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode())
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    file, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(file)
    return file + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


def readme(program):
    command, shown = first_example((ROOT / "README.md").read_text(encoding="utf-8"))
    printed = program.run(*command.split()[1:]).splitlines()
    assert len(printed) == len(shown), printed
    for line, expected in zip(printed, shown):
        same = line.startswith(expected[:-1]) if expected.endswith("…") else line == expected
        assert same, f"{line!r} is not {expected!r}"


def first_example(text):
    """The first command on a fixture and what it prints, up to the end of its block."""
    block = text.split("\n$ rread lines fixtures/", 1)[1].split("```", 1)[0].splitlines()
    return "rread lines fixtures/" + block[0], block[1:]


def exit_code(program):
    program.run("lines", "fixtures/data.csv", "99", exit_code=5)


def gzip(program):
    found = program.run("search", "id=2321b473", "fixtures/service.log.gz", "-f", "text")
    assert "path=/api/v1/customers/31272" in found, found


def document(program):
    text = program.run("lines", "fixtures/page.pdf", "-f", "text")
    assert text.strip() == "A page of text.", text


def mcp(program):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "try", "version": "1"}}
    read = {"name": "read", "arguments": {"path": "fixtures/service.log", "lines": "100"}}
    requests = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": read},
    ]
    answers = program.answers(requests)
    assert answers[0]["result"]["serverInfo"]["name"] == "rread", answers
    assert "customer:94004" in json.dumps(answers[1]["result"]), answers


def select(program):
    query = "SELECT name FROM t WHERE amount > 10 ORDER BY id LIMIT 1"
    rows = program.run("select", "fixtures/data.csv", query, "--raw")
    assert "Ada" in rows, rows


# Each check, and the feature that it needs.
CHECKS = {
    "README": (readme, None),
    "exit code": (exit_code, None),
    "gzip": (gzip, None),
    "PDF": (document, "documents"),
    "MCP": (mcp, "mcp"),
    "select": (select, "sql"),
}
