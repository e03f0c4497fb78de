"""Servers on this machine: of a folder, and of a registry of npm that has our packages and no others."""

import contextlib
import functools
import http.server
import json
import threading

import npm
from table import PLATFORMS, RELEASE, cargo


@contextlib.contextmanager
def serving(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    return serving(functools.partial(Quiet, directory=str(folder)))


class Registry(Quiet):
    """`/NAME` is what is known of a package; `/FILE.tgz` is a package."""

    def do_GET(self):
        manifest = manifests().get(self.path.strip("/"))
        if manifest is None:
            return super().do_GET()
        url = f"http://{self.headers['Host']}/{npm.file_name(manifest)}"
        version = {**manifest, "dist": {"tarball": url}}
        tags = {"latest": manifest["version"]}
        known = {"name": manifest["name"], "dist-tags": tags, "versions": {manifest["version"]: version}}
        body = json.dumps(known).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def manifests():
    """Of every platform, also of those that were not packed here: npm leaves those out by `os` and `cpu`."""
    platforms = [npm.platform_manifest(platform) for platform in PLATFORMS if platform.npm]
    return {manifest["name"]: manifest for manifest in [*platforms, npm.launcher_manifest()]}


def serve_npm():
    return serving(functools.partial(Registry, directory=str(RELEASE)))
