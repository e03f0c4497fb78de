"""The RPM package. Its files are those of the Debian package, so Cargo.toml lists them once."""

import json
import subprocess

import debian
import tools
from table import RELEASE, ROOT, cargo

# Where the systems that use RPM keep what Debian keeps elsewhere.
PLACES = {"usr/share/zsh/vendor-completions/": "usr/share/zsh/site-functions/"}


def make(platform):
    debian.write_licences(platform)
    overwrite = ROOT / "target" / "rpm.toml"
    overwrite.write_text(settings(platform), encoding="utf-8")
    command = [tools.cargo("generate-rpm"), "generate-rpm", "--target", platform.target, "--arch", platform.rpm]
    # The program is static: there is nothing that it requires.
    command += ["--auto-req", "disabled", "--metadata-overwrite", overwrite, "--output", f"{RELEASE}/"]
    subprocess.run(command, cwd=ROOT, check=True)


def settings(platform):
    """TOML and JSON write these texts and lists in the same way."""
    rows = [asset(*row, platform) for row in debian.assets()]
    return (
        f"summary = {json.dumps(cargo()['description'])}\n"
        f"license = {json.dumps(cargo()['license'])}\n"
        "assets = [\n" + "".join(f"  {row},\n" for row in rows) + "]\n"
    )


def asset(source, place, mode, platform):
    if source.endswith("/rread"):
        source = str(platform.built)
    place = "/" + PLACES.get(place, place)
    kind = ", doc = true" if "/share/doc/" in place else ""
    return f"{{ source = {json.dumps(source)}, dest = {json.dumps(place)}, mode = {json.dumps(mode)}{kind} }}"
