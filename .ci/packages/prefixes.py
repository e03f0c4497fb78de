"""How each package is installed: each function takes an empty folder, and returns how to start the program."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

import npm
from checks import Installed
from emulators import Missing, before, need
from serve import serve, serve_npm
from table import RELEASE, ROOT, cargo


def call(*command, **options):
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run([str(word) for word in command], **output, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: {done.stdout.strip()[-500:]}")
    return done.stdout


def packed(pattern):
    found = list(RELEASE.glob(pattern))
    if len(found) != 1:
        raise Missing(f"{len(found)} files {pattern}")
    return found[0]


def need_root():
    if os.geteuid() != 0:
        raise Missing("needs root for chroot")


def archive(platform, folder):
    if platform.archive.endswith(".zip"):
        zipfile.ZipFile(RELEASE / platform.archive).extractall(folder)
    else:
        tarfile.open(RELEASE / platform.archive).extractall(folder)
    program = folder / platform.folder / platform.program
    installed = Installed([*before(platform), program], folder)
    # A prefix of Wine that has what Rust needs of it: docs/dev/release.md.
    installed.environment.update((name, value) for name, value in os.environ.items() if name.startswith("WINE"))
    return installed


def installer(folder):
    home = folder / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.defpath}
    refuses_another_archive(folder, environment)
    assert not list(home.iterdir()), "a wrong archive left files"
    here = {**environment, "PREFIX": "relative", "RREAD_BASE_URL": RELEASE.as_uri()}
    call("sh", RELEASE / "install.sh", env=here, cwd=folder)
    assert (folder / "relative/bin/rread").exists(), "a relative PREFIX is not the caller's folder"
    with serve(RELEASE) as url:
        call("sh", RELEASE / "install.sh", env={**environment, "RREAD_BASE_URL": url}, cwd=folder)
    return Installed([home / ".local/bin/rread"], folder)


def refuses_another_archive(folder, environment):
    wrong = folder / "wrong"
    wrong.mkdir()
    shutil.copy(RELEASE / "SHA256SUMS", wrong)
    for archive in RELEASE.glob("rread-*.tgz"):
        (wrong / archive.name).write_bytes(b"something else")
    try:
        call("sh", RELEASE / "install.sh", env={**environment, "RREAD_BASE_URL": wrong.as_uri()}, cwd=folder)
    except AssertionError as error:
        assert "nothing was installed" in str(error), error
    else:
        raise AssertionError("install.sh installed an archive with another SHA-256")


def installer_in_chroot(folder):
    """A system with a shell and nothing else: no package of it has curl, wget or Python."""
    root = debian_root(folder)
    shutil.copytree(RELEASE, root / "mnt/release")
    environment = {"PATH": "/usr/bin:/bin", "PREFIX": "/usr/local", "RREAD_BASE_URL": "file:///mnt/release"}
    call(need("chroot"), root, "sh", "/mnt/release/install.sh", env=environment)
    return in_chroot(root, "/usr/local/bin/rread")


def deb(platform, folder):
    root = debian_root(folder)
    shutil.copy(packed(f"*_{platform.deb}.deb"), root / "rread.deb")
    call(need("chroot"), root, "dpkg", "--install", "/rread.deb", env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    return in_chroot(root, "/usr/bin/rread")


def debian_root(folder):
    """A copy of the smallest Debian, which is fetched once."""
    need_root()
    tool, system = need("debootstrap"), ROOT / "target/try-debian"
    if not (system / "usr/bin/dpkg").exists():
        call(tool, "--variant=minbase", "bookworm", system)
        shutil.rmtree(system / "var/cache/apt", ignore_errors=True)
    root = folder / "root"
    call("cp", "-a", system, root)
    return root


def in_chroot(root, program):
    """The program in a folder `/try` of its own."""
    (root / "try").mkdir()
    return Installed([*chroot(root), "sh", "-c", 'cd /try && exec "$@"', "sh", program], root / "try", home="/try")


def chroot(root):
    # Every container has these two. The program starts itself through /proc again, to decode a document, and
    # closes an output of that by /dev/null.
    mounts = 'mkdir -p "$root/dev" "$root/proc" && mount --bind /dev "$root/dev" && mount -t proc proc "$root/proc"'
    work = f'root=$1 && shift && {mounts} && exec chroot "$root" "$@"'
    return [need("unshare"), "--mount", "sh", "-c", work, "sh", root]


def rpm(platform, folder):
    tool = need("rpm")
    package, root = packed(f"*.{platform.rpm}.rpm"), folder / "root"
    call(tool, "--root", root, "--initdb")
    call(tool, "--root", root, "--install", "--nosignature", package)
    call(tool, "--root", root, "--verify", cargo()["name"])
    return Installed([root / "usr/bin/rread"], folder)


def wheel(platform, folder):
    environment = folder / "venv"
    call(sys.executable, "-m", "venv", environment)
    install = ["install", "--quiet", "--no-index", "--disable-pip-version-check", "--find-links", RELEASE, "rread"]
    call(environment / "bin/python", "-m", "pip", *install)
    # The module is tried where it is installed, with the program beside it.
    call(environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "mypy", "pytest")
    call(environment / "bin/pytest", "-q", "-p", "no:cacheprovider", ROOT / "packaging/python/tests", cwd=folder)
    call(environment / "bin/mypy", "--strict", "-p", "rread", cwd=folder)
    return Installed([environment / "bin/rread"], folder)


def npm_install(platform, folder):
    tool = need("npm")
    prefix = folder / "prefix"
    prefix.mkdir()
    with serve_npm() as registry:
        command = [tool, "install", "--prefix", prefix, cargo()["name"]]
        call(*command, cwd=folder, env={**os.environ, **npm_settings(folder, registry)})
    installed = sorted(path.name for path in (prefix / "node_modules").glob("rread*"))
    assert installed == ["rread", npm.package_name(platform)], installed
    return Installed([prefix / "node_modules/.bin/rread"], folder, path=os.environ["PATH"])


def npx(folder):
    """The registry is closed after the first call; the cache has what it gave."""
    command = [need("npx"), "--yes", cargo()["name"]]
    with serve_npm() as registry:
        settings = npm_settings(folder, registry)
        call(*command, "--version", cwd=folder, env={**os.environ, **settings})
    program = Installed(command, folder, path=os.environ["PATH"])
    program.environment.update(settings, npm_config_offline="true")
    return program


def npm_settings(folder, registry):
    cache = str(folder / "cache")
    return {"npm_config_registry": registry, "npm_config_cache": cache, "npm_config_update_notifier": "false"}


def container(platform, folder):
    """The program alone in a root: what `FROM scratch` is. There is no shell, so it starts in `/`."""
    need_root()
    tarfile.open(RELEASE / "rread-container.tgz").extractall(folder)
    root = folder / platform.container
    return Installed([*chroot(root), "/rread"], root, home="/tmp")
