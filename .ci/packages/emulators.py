"""How a machine runs the program of another processor or system."""

import os
import shutil
import subprocess

# Where Debian keeps what only the system calls, such as `wine64`.
HIDDEN = "/usr/sbin:/sbin:/usr/lib/wine"
# The first bytes of programs of a processor, as binfmt_misc reads them, and which of their bits count.
MAGIC = {"qemu-aarch64": r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"}
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
PLACE = "/proc/sys/fs/binfmt_misc"


class Missing(Exception):
    """This machine lacks what the package is for."""


def need(program):
    path = shutil.which(program, path=f"{os.environ['PATH']}:{HIDDEN}")
    if path is None:
        raise Missing(f"{program} is not installed")
    return path


def before(platform):
    """The words before the program: none if this machine runs it, else those of its emulator."""
    if platform.is_native:
        return []
    if not platform.emulator:
        raise Missing(f"no emulator of {platform.target}")
    words = [need(word) for word in platform.emulator]
    space = registered(platform.emulator[0], words[0])
    if not space or subprocess.run([*space, "true"], capture_output=True).returncode != 0:
        # The program starts; what it starts itself, as the decoder of documents, does not.
        return words
    return space


def registered(emulator, path):
    """A namespace in which the kernel starts such programs; nothing outside changes. It needs Linux 6.7."""
    if emulator not in MAGIC or not shutil.which("unshare"):
        return []
    register = f":rread:M::{MAGIC[emulator]}:{MASK}:{path}:F"
    work = f'mount -t binfmt_misc none {PLACE} && printf "%s" "$1" >{PLACE}/register && shift && exec "$@"'
    return [need("unshare"), "--user", "--map-root-user", "--mount", "sh", "-c", work, "sh", register]
