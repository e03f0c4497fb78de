#!/usr/bin/env python3
"""Runs rread over folders of sample documents, beside a peer for each format: whose words does rread miss, and where?

    python3 benches/samples.py target/release/rread pdf.js/test/pdfs poi/test-data pandoc/test

For each format: the share of the peer's words that rread has (recall) and the share of rread's words that the peer has
(precision), of PDF also which kinds of words are missing; then the files without text of which the peer has words,
refusals, crashes, the files with most missing words, and the slowest. The peers are pdftotext, pandoc, openpyxl, xlrd,
python-calamine, python-pptx, odfpy, striprtf, and lxml for web pages and, after Python's own parser, for mail; a format
whose peer is not installed is left out. `--cache` keeps what the peers write. The folders are those that the user has:
none is fetched.
"""

import argparse
import concurrent.futures
import hashlib
import html
import json
import re
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path

from running import capped
from words import words

LIMIT = 60
# A workbook with a value in a far corner is gigabytes of commas.
MOST = 32 << 20
SEPARATORS = re.compile(r'[\s,"]+')
# Python programs that print the values of the cells of a workbook.
OPENPYXL = """
import datetime, sys, openpyxl
def shown(value):
    if isinstance(value, datetime.datetime):
        return value.date() if value.time() == datetime.time.min else value.isoformat(timespec="milliseconds").removesuffix(".000")
    return str(value).lower() if isinstance(value, bool) else value
for sheet in openpyxl.load_workbook(sys.argv[1], data_only=True).worksheets:
    for cell in sheet._cells.values():
        if cell.value is not None: print(shown(cell.value))
"""
XLRD = """
import sys, xlrd
book = xlrd.open_workbook(sys.argv[1], logfile=sys.stderr)
for sheet in book.sheets():
    for row in range(sheet.nrows):
        for cell in sheet.row(row):
            if cell.ctype in (xlrd.XL_CELL_TEXT, xlrd.XL_CELL_NUMBER): print(cell.value)
"""
CALAMINE = """
import datetime, sys, python_calamine
def shown(value):
    if isinstance(value, datetime.timedelta):
        seconds, fraction = divmod(value // datetime.timedelta(milliseconds=1), 1000)
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{fraction:03}" if fraction else "")
    if isinstance(value, (datetime.datetime, datetime.time)):
        return value.isoformat(timespec="milliseconds").removesuffix(".000").removesuffix("T00:00:00")
    return str(value).lower() if isinstance(value, bool) else value
book = python_calamine.CalamineWorkbook.from_path(sys.argv[1])
for name in book.sheet_names:
    for row in book.get_sheet_by_name(name).to_python():
        for value in row:
            if value != "": print(shown(value))
"""
PPTX = """
import sys, pptx
def shown(shapes):
    for shape in shapes:
        if shape.is_placeholder and str(shape.placeholder_format.type).split()[0] in ("SLIDE_NUMBER", "DATE", "FOOTER", "HEADER"): continue
        if shape.shape_type == 6: shown(shape.shapes)
        if shape.has_text_frame: print(shape.text_frame.text)
        if getattr(shape, "has_table", False):
            for row in shape.table.rows:
                for cell in row.cells: print(cell.text_frame.text)
for slide in pptx.Presentation(sys.argv[1]).slides:
    shown(slide.shapes)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame: print(slide.notes_slide.notes_text_frame.text)
"""
ODP = """
import sys
from odf import element, opendocument, teletype, text
for kind in (text.P, text.H):
    for paragraph in opendocument.load(sys.argv[1]).presentation.getElementsByType(kind): print(teletype.extractText(paragraph))
"""
PAGE = """
import lxml.html
def visible(page):
    tree = lxml.html.document_fromstring(page)
    for node in list(tree.iter("script", "style", "noscript", "template", "head", "textarea", "select", "svg", "math", lxml.etree.Comment)): node.drop_tree()
    return "\\n".join(part.strip() for part in tree.itertext() if part.strip())
"""
HTML = PAGE + """
import re, sys
page = open(sys.argv[1], "rb").read()
# A part of a page is no page for rread.
if not re.match(rb"(?i)(\\xef\\xbb\\xbf)?(\\s|<!--.*?-->|<\\?.*?\\?>)*(<!doctype html|<html)", page, re.S): sys.exit("a part of a page")
try:
    page = re.sub("<[?]xml.*?[?]>", "", page.decode())
except UnicodeDecodeError: pass
print(visible(page))
"""
# The messages inside of a message are not looked at.
MAIL = PAGE + """
import email, email.policy, mailbox, sys
def show(message):
    for name in ("from", "to", "cc", "date", "subject"):
        if name in message: print(message[name])
    body = message.get_body(("plain", "html")) if message.is_multipart() or message.get_content_maintype() == "text" else None
    if body is None: return
    text = body.get_content()
    print(visible(text) if body.get_content_type() == "text/html" else text)
def parsed(file): return email.message_from_binary_file(file, policy=email.policy.default)
if sys.argv[1].endswith(".mbox"):
    for message in mailbox.mbox(sys.argv[1], factory=parsed): show(message)
else:
    show(parsed(open(sys.argv[1], "rb")))
"""
RTF = """
import sys
from striprtf.striprtf import rtf_to_text
print(rtf_to_text(open(sys.argv[1], encoding="latin-1").read(), errors="replace"))
"""


def python(program):
    # A value in a far corner takes all memory.
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))"
    return lambda path: [sys.executable, "-c", limit + program, path]


def pandoc(reader):
    return lambda path: ["pandoc", f"--from={reader}", "--to=plain", "--wrap=none", "--columns=1000", path]


# The format, the endings of its files, the peer and its command.
FORMATS = [
    ("PDF", ["pdf"], "pdftotext", lambda path: ["pdftotext", path, "-"]),
    ("Word", ["docx", "docm", "dotx"], "pandoc", pandoc("docx")),
    ("OpenDocument text", ["odt", "ott"], "pandoc", pandoc("odt")),
    ("books", ["epub"], "pandoc", pandoc("epub")),
    ("workbooks (xlsx)", ["xlsx", "xlsm", "xltx"], "openpyxl", python(OPENPYXL)),
    ("workbooks (xls)", ["xls"], "xlrd", python(XLRD)),
    ("workbooks (ods, xlsb)", ["ods", "xlsb"], "python-calamine", python(CALAMINE)),
    ("presentations (pptx)", ["pptx", "pptm", "ppsx"], "python-pptx", python(PPTX)),
    ("presentations (odp)", ["odp", "otp"], "odfpy", python(ODP)),
    ("mail", ["eml", "mbox", "mht", "mhtml"], "lxml", python(MAIL)),
    ("RTF", ["rtf"], "striprtf", python(RTF)),
    ("web pages", ["html", "htm", "xhtml"], "lxml", python(HTML)),
]


class Result:
    """What both sides made of a file. Words `outside` are those of the peer that the page does not show."""

    def __init__(self, path, peer, ours, outside=()):
        (theirs, peer_code, _), (text, self.code, self.error) = peer, ours[:3]
        self.path, self.seconds, self.is_read = path, ours[3], peer_code == 0
        have, wanted = Counter(plain(text)), Counter(plain(theirs))
        self.have, self.wanted = have.total(), wanted.total()
        self.missing, self.more = wanted - have, have - wanted
        self.outside = (self.missing & Counter(outside)).total()
        self.has_unknown = "\ufffd" in text
        # A word none of whose letters are missing is there, but divided in another way.
        lost = letters(theirs) - letters(text)
        kept = self.missing - Counter(outside)
        self.divided = sum(count for word, count in kept.items() if not any(lost[c] for c in word))
        self.both = (have & wanted).total()
        self.crashed = self.code is None or self.code < 0 or self.code > 9 or "into an error" in self.error


def plain(text):
    """The words, with ligatures and wide letters as plain ones, and numbers as a spreadsheet shows them.

    >>> plain("ﬁne 3.0 soft\\u00adhyphen")
    ['fine', '3', 'softhyphen']
    """
    text = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    return words(" ".join(number(word) for word in SEPARATORS.split(text)))


def letters(text):
    return Counter(c for c in unicodedata.normalize("NFKC", text) if c.isalnum())


def outside(path):
    """The words of a PDF that pdftotext reads outside of the crop boxes of its pages."""
    info, _, _ = ended(["pdfinfo", "-box", "-f", "1", "-l", "9999", str(path)])
    boxes = {}
    for page, kind, *numbers in re.findall(r"Page\s+(\d+)\s+(MediaBox|CropBox):\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)", info):
        boxes.setdefault(page, {})[kind] = tuple(map(float, numbers))
    turned = set(re.findall(r"Page\s+(\d+)\s+rot:\s+[^0\s]", info))
    cropped = {page: box for page, box in boxes.items() if len(box) == 2 and box["MediaBox"] != box["CropBox"] and page not in turned}
    if not cropped:
        return []
    pages, _, _ = ended(["pdftotext", "-bbox", str(path), "-"])
    found = []
    for page, content in enumerate(pages.split("<page ")[1:], 1):
        if str(page) not in cropped:
            continue
        media, crop = cropped[str(page)]["MediaBox"], cropped[str(page)]["CropBox"]
        for left, top, right, bottom, word in re.findall(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>', content):
            x, y = media[0] + (float(left) + float(right)) / 2, media[3] - (float(top) + float(bottom)) / 2
            if not (crop[0] <= x <= crop[2] and crop[1] <= y <= crop[3]):
                found += plain(html.unescape(word))
    return found


def number(word):
    """A float as both sides print it."""
    try:
        return f"{float(word):.12g}" if any(c.isdigit() for c in word) and "_" not in word else word
    except ValueError:
        return word


def ended(argv):
    output, code, errors = capped(argv, LIMIT, MOST)
    return output.decode("utf-8", "replace"), code, errors


def cached(call, key, path, cache):
    """What `call` returns, from the cache if it is there."""
    if cache is None:
        return call()
    name = hashlib.sha256("\0".join([*key, str(path.stat().st_size), str(path.stat().st_mtime_ns)]).encode()).hexdigest()
    kept = cache / name
    if not kept.exists():
        kept.write_text(json.dumps(call()))
    return json.loads(kept.read_text())


def compare(options, command, path):
    argv = command(str(path))
    peer = cached(lambda: ended(argv), argv, path, options.cache)
    beyond = cached(lambda: outside(path), ["outside", str(path)], path, options.cache) if argv[0] == "pdftotext" else ()
    begun = time.monotonic()
    ours = ended([options.rread, "lines", str(path), "--raw", "--max-bytes", str(MOST), "--timeout", f"{LIMIT}s"])
    return Result(path, peer, (*ours, time.monotonic() - begun), beyond)


def is_there(peer):
    argv = {"pdftotext": ["pdftotext", "-v"], "pandoc": ["pandoc", "--version"]}
    module = {"python-pptx": "pptx", "odfpy": "odf"}.get(peer, peer.replace("-", "_"))
    try:
        return subprocess.run(argv.get(peer, [sys.executable, "-c", f"import {module}"]), capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def share(part, whole):
    return f"{part / whole:.4f}" if whole else "-"


def report(options, name, peer, results):
    results = sorted(results, key=lambda result: -result.missing.total())
    both = [result for result in results if result.is_read and result.code == 0]
    wanted, have, same = (sum(getattr(result, key) for result in both) for key in ("wanted", "have", "both"))
    print(f"## {name}: {len(results)} files, {len(both)} read by both, beside {peer}\n")
    print(f"{wanted:,} words of the peer: recall {share(same, wanted)}, precision {share(same, have)}\n")
    if peer == "pdftotext":
        unknown = [result for result in both if result.has_unknown]
        others = [result for result in both if not result.has_unknown]
        total = lambda of, some: sum(map(of, some))
        left = lambda result: result.missing.total() - result.outside
        rest = total(left, others)
        print(f"of {wanted - same:,} missing words {total(lambda r: r.outside, both):,} are outside of the page, {total(left, unknown):,} in "
              f"{len(unknown)} files with glyphs without a meaning, {total(lambda r: r.divided, others):,} divided in another way;\n"
              f"in the {len(others)} other files {rest:,} of {total(lambda r: r.wanted - r.outside, others):,} are missing: "
              f"recall {share(total(lambda r: r.wanted - r.outside, others) - rest, total(lambda r: r.wanted - r.outside, others))}\n")
    lists = [
        ("crashed", [r for r in results if r.crashed], lambda r: f"exit {r.code}: {last(r.error)}"),
        ("refused, and read by the peer", [r for r in results if r.code != 0 and r.is_read and not r.crashed], lambda r: f"{r.wanted} words; {last(r.error)}"),
        ("without words, of which the peer has some", [r for r in both if r.have == 0 < r.wanted], lambda r: f"{r.wanted} words"),
        ("read, and refused by the peer", [r for r in results if r.code == 0 and not r.is_read], lambda r: f"{r.have} words"),
        ("most words missing", [r for r in both if r.missing][:options.worst], missing),
        ("slowest", sorted(results, key=lambda r: -r.seconds)[:5], lambda r: f"{r.seconds:.1f} s"),
    ]
    for title, found, detail in lists:
        if found:
            print(f"{title}: {len(found)}")
            for result in found[:max(options.worst, 5)]:
                print(f"  {result.path}: {detail(result)}")
            print()


def last(error):
    lines = [line for line in error.splitlines() if line.strip() and not line.startswith("hint:")]
    return lines[0].split(": ", 2)[-1][:150] if lines else ""


def missing(result):
    some = " ".join(word for word, _ in result.missing.most_common(8))
    more = " ".join(word for word, _ in result.more.most_common(8))
    return f"{result.missing.total()} of {result.wanted}, {result.more.total()} more; missing: {some[:100]}; more: {more[:100]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rread", metavar="RREAD", help="the rread to measure, with the feature documents")
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path)
    parser.add_argument("--only", default="", help="only formats with this in their names")
    parser.add_argument("--worst", type=int, default=15, help="how many files of a kind are named (default: 15)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, help="a folder that keeps what the peers write")
    options = parser.parse_args()
    if options.cache:
        options.cache.mkdir(parents=True, exist_ok=True)
    files = sorted(path for folder in options.folders for path in folder.rglob("*") if path.is_file())
    for name, endings, peer, command in FORMATS:
        own = [path for path in files if path.suffix[1:].lower() in endings]
        if options.only.lower() not in name.lower() or not own:
            continue
        if not is_there(peer):
            print(f"{name}: {peer} is not installed", file=sys.stderr)
            continue
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda path: compare(options, command, path), own))
        report(options, name, peer, results)


if __name__ == "__main__":
    main()
