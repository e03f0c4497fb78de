"""`install.sh` with the names of the archives and the place where they are."""

from contents import fill, write
from table import PLATFORMS, base_url, cargo


def make():
    rows = [f"    {'-'.join(one.uname)}) echo {one.folder} ;;" for one in PLATFORMS if one.uname]
    values = {"BASE_URL": base_url(), "VERSION": cargo()["version"], "PLATFORMS": "\n".join(rows)}
    write("install.sh", fill("install.sh", values).encode()).chmod(0o755)
