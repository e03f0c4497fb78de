#!/usr/bin/env python3
"""Queries over 1, 2, 4 and 8 workers whose store answers with a set delay and bandwidth: how well they share the wait.

    benches/cluster.py target/release/rread

All run on one machine, so the figures say how the work is divided, and nothing about processors. Writes a table in Markdown.
"""

import http.server
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

OBJECTS = 768
ROWS = 200
DELAY = 0.1
# Bytes a second of one response.
BANDWIDTH = 200_000
QUERIES = {
    "scan": "SELECT count(*) AS n, sum(id) AS s FROM t",
    "filter": "SELECT id FROM t WHERE g = 3 AND id % 100 = 10",
    "group": "SELECT g, count(*) AS n FROM t GROUP BY g ORDER BY g",
}
ROUNDS = 3
COUNTS = (1, 2, 4, 8)


def body(nth):
    rows = (f"{nth * ROWS + row},{row % 7},some text of a row\n" for row in range(ROWS))
    return ("id,g,t\n" + "".join(rows)).encode()


BODIES = [body(nth) for nth in range(OBJECTS)]


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, has_body):
        content = BODIES[int(self.path.rsplit("/", 1)[1].split(".")[0])]
        first, last, status = 0, len(content) - 1, 200
        asked = self.headers.get("Range")
        if asked:
            low, high = asked.removeprefix("bytes=").split("-")
            first, last, status = int(low), min(int(high or last), last), 206
        part = content[first : last + 1]
        time.sleep(DELAY)
        self.send_response(status)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", '"one"')
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.end_headers()
        if has_body:
            time.sleep(len(part) / BANDWIDTH)
            self.wfile.write(part)

    def do_GET(self):
        self.answer(True)

    def do_HEAD(self):
        self.answer(False)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024

    def handle_error(self, *_):
        pass


def worker(program, root):
    words = [program, "worker", "--listen", "127.0.0.1:0", "--root", root]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().split()[-1]


def seconds(program, names, sql, addresses):
    words = [program, "select", f"@{names}", sql, "--raw", "--workers", ",".join(addresses)]
    start = time.monotonic()
    answer = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return time.monotonic() - start, answer


def main():
    program = sys.argv[1]
    server = Server(("127.0.0.1", 0), Store)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}/logs"
    with tempfile.TemporaryDirectory() as folder:
        names = Path(folder, "names")
        names.write_text("".join(f"{root}/{nth}.csv\n" for nth in range(OBJECTS)))
        workers = [worker(program, root) for _ in range(8)]
        try:
            print("| query | workers | seconds | times as fast | of the ideal |")
            print("|---|--:|--:|--:|--:|")
            for name, sql in QUERIES.items():
                alone, expected = None, None
                # One worker reads in two parts, as two do.
                for count in COUNTS:
                    addresses = [address for _, address in workers[:count]]
                    runs = [seconds(program, names, sql, addresses) for _ in range(ROUNDS)]
                    best = min(took for took, _ in runs)
                    expected = expected or runs[0][1]
                    assert all(answer == expected for _, answer in runs), name
                    alone = alone or best
                    faster = alone / best
                    print(f"| {name} | {count} | {best:.1f} | {faster:.1f} | {faster * COUNTS[0] / count:.2f} |", flush=True)
        finally:
            for process, _ in workers:
                process.kill()


main()
