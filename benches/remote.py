"""The jobs of compare.py that read from a web server: nginx on this machine serves the log, curl is the peer."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time

from jobs import ENVIRONMENT, MIB, WITH_INDEX, Job, shown_size, tool

CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 64; }}
http {{ access_log off; sendfile on; keepalive_requests 100000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {folder}; }} }}
"""


def is_reading(rread, url):
    return subprocess.run([rread, "bytes", url, "0:1", "--raw"], env=ENVIRONMENT, capture_output=True).returncode == 0


@contextlib.contextmanager
def served(rread, log, folder):
    """The URL of the log on a server of its own; None, and a line that says so, where that cannot be had."""
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not nginx or not shutil.which("curl"):
        print("nginx or curl is not there: nothing is measured over HTTP", file=sys.stderr)
        yield None
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, port=port))
    # Its workers are another user's, who has to get at the log.
    for path in (folder, log):
        os.chmod(path, 0o755)
    server = subprocess.Popen([nginx, "-c", str(file), "-p", str(folder)], stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}/{os.path.basename(log)}"
        for _ in range(50):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        if not is_reading(rread, url):
            print("this rread reads no URLs (--features cloud): nothing is measured over HTTP", file=sys.stderr)
            url = None
        yield url
    finally:
        server.terminate()
        server.wait()


def remote_jobs(rread, url, size, lines, folder):
    if url is None:
        return []
    curl, sed, tail = map(tool, ["curl", "sed", "tail"])
    cache, middle = folder / "cache of remote", lines // 2
    subprocess.run([rread, "index", "build", url], env=WITH_INDEX | {"RREAD_CACHE_DIR": str(cache)},
                   check=True, stdout=subprocess.DEVNULL)
    fetch = [curl, "-s", url]
    name = shown_size(size)
    jobs = [
        Job(f"scanning {name} over HTTP for its last line, against fetching it", [[rread, "lines", url, str(lines), "--raw"]],
            [([fetch], {"wall": 1.25})], same=False),
        Job(f"{name} over HTTP", [[rread, "bytes", url, "0:", "--raw"]], [([fetch], {"wall": 1.25})]),
        Job(f"last 20 lines of {name} over HTTP", [[rread, "lines", url, "-20:", "--raw"]],
            [([fetch, [tail, "-n", "20"]], {"wall": 0.1})]),
        Job(f"20 lines in the middle of {name} over HTTP, indexed", [[rread, "lines", url, f"{middle}:+20", "--raw"]],
            [([fetch, [sed, "-n", f"{middle},{middle + 19}p;{middle + 19}q"]], {"wall": 0.1})], cache=cache),
    ]
    for job in jobs:
        # What is held, what is fetched ahead, and the buffers of the connections.
        job.memory = 128 * MIB
    return jobs
