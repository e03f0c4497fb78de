"""The RPM package. Its files are those of the Debian package, so Cargo.toml lists them once.

`rpmbuild` packs what is there: `cargo-generate-rpm` would compile 150 packages for signatures that nobody asks for.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import debian
from contents import fill
from table import RELEASE, ROOT, cargo

# Where the systems that use RPM keep what Debian keeps elsewhere.
PLACES = {"usr/share/zsh/vendor-completions/": "usr/share/zsh/site-functions/"}


def make(platform):
    if not shutil.which("rpmbuild"):
        raise SystemExit("rpmbuild is not installed: apt-get install rpm, or dnf install rpm-build")
    debian.write_licences(platform)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        files = [place(root, platform, *asset) for asset in debian.assets()]
        spec = Path(folder) / "rread.spec"
        spec.write_text(fill("rpm.spec", facts(files)), encoding="utf-8")
        build = ["rpmbuild", "--quiet", "-bb", "--target", platform.rpm, "--buildroot", root]
        defines = {"_topdir": folder, "_rpmdir": folder, "_rpmfilename": "%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm"}
        options = [word for name, value in defines.items() for word in ("--define", f"{name} {value}")]
        subprocess.run([*build, *options, spec], check=True)
        RELEASE.mkdir(parents=True, exist_ok=True)
        for package in Path(folder).glob("*.rpm"):
            shutil.copy(package, RELEASE)


def place(root, platform, source, target, mode):
    """Copies the files of an asset, and says what they are for the list of the package."""
    target = PLACES.get(target, target)
    sources = [platform.built] if source.endswith("/release/rread") else sorted(ROOT.glob(source))
    for file in sources:
        copy = root / target / file.name if target.endswith("/") else root / target
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        copy.chmod(int(mode, 8))
    # rpmbuild compresses man pages, so their names get an ending.
    names = [f"/{target}{file.name}*" for file in sources] if target.endswith("/") else [f"/{target}"]
    return "\n".join(f"%doc {name}" if "/share/doc/" in name else name for name in names)


def facts(files):
    return {
        "NAME": cargo()["name"],
        "VERSION": cargo()["version"],
        "SUMMARY": cargo()["description"],
        "LICENCE": cargo()["license"],
        "DESCRIPTION": " ".join(cargo()["metadata"]["deb"]["extended-description"].split()),
        "FILES": "\n".join(files),
    }
