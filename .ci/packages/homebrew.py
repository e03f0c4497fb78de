"""The Homebrew formula, with the SHA-256 of each archive that is there."""

import hashlib

from contents import fill, write
from table import RELEASE, base_url, cargo, homepage


def make(packed):
    values = {
        "DESCRIPTION": cargo()["description"],
        "HOMEPAGE": homepage() or base_url(),
        "VERSION": cargo()["version"],
        "LICENCES": ", ".join(f'"{licence}"' for licence in cargo()["license"].split(" OR ")),
        "ARCHIVES": "\n\n".join(block(system, found) for system, found in by_system(packed).items()),
    }
    write("rread.rb", fill("homebrew.rb", values).encode())


def by_system(packed):
    systems = {}
    for platform in packed:
        if platform.homebrew:
            systems.setdefault(platform.homebrew[0], []).append(platform)
    return systems


def block(system, platforms):
    return f"  on_{system} do\n" + "".join(archive(one) for one in platforms) + "  end"


def archive(platform):
    checksum = hashlib.sha256((RELEASE / platform.archive).read_bytes()).hexdigest()
    return f"""    on_{platform.homebrew[1]} do
      url "{base_url()}/{platform.archive}"
      sha256 "{checksum}"
    end
"""
