"""npm packages: one for each platform, with its program, and `rread`, which starts the one that npm installed."""

import json

from contents import Entry, below, fill, licence_files, own_licences, program, write_tgz
from table import PLATFORMS, ROOT, cargo, homepage


def make(platform):
    manifest = platform_manifest(platform)
    files = [program(platform, f"bin/{platform.program}"), *licence_files(platform), *pages(manifest)]
    write_package(manifest, files)


def make_launcher():
    manifest = launcher_manifest()
    script = Entry("bin/rread.js", fill("npm/launcher.js", {}).encode(), 0o755)
    write_package(manifest, [script, *own_licences(), *pages(manifest)])


def package_name(platform):
    system, processor = platform.npm
    return f"{cargo()['name']}-{system}-{processor}"


def file_name(manifest):
    return f"npm-{manifest['name']}-{manifest['version']}.tgz"


def platform_manifest(platform):
    system, processor = platform.npm
    return {
        "name": package_name(platform),
        **facts(f"The program of {cargo()['name']} for {system} on {processor}"),
        "os": [system],
        "cpu": [processor],
        # Yarn keeps packages packed, and a packed program does not start.
        "preferUnplugged": True,
    }


def launcher_manifest():
    names = sorted({package_name(platform) for platform in PLATFORMS if platform.npm})
    return {
        "name": cargo()["name"],
        **facts(cargo()["description"]),
        "keywords": cargo()["keywords"],
        "bin": {cargo()["name"]: "bin/rread.js"},
        "engines": {"node": ">=16"},
        "optionalDependencies": {name: cargo()["version"] for name in names},
    }


def facts(description):
    link = {"homepage": homepage(), "repository": {"type": "git", "url": f"git+{homepage()}.git"}} if homepage() else {}
    # npm reads the expression of SPDX in parentheses.
    return {"version": cargo()["version"], "description": description, "license": f"({cargo()['license']})", **link}


def pages(manifest):
    text = json.dumps(manifest, indent=2) + "\n"
    return [Entry("package.json", text.encode()), Entry("README.md", (ROOT / "README.md").read_bytes())]


def write_package(manifest, files):
    write_tgz(file_name(manifest), below("package", files))
