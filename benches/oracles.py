"""Naive readers of documents, made of Python's standard library: what a document says, to compare programs with."""

import html.parser
import json
import posixpath
import re
import subprocess
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zipfile

WORD_XML = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
SHEET_XML = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
TERMINAL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def lines(text):
    """The lines that are not blank, each without its indent and with one blank between words.

    >>> lines("a\\n\\n   b   c")
    ['a', 'b c']
    """
    plain = (" ".join(line.split()) for line in TERMINAL.sub("", text).splitlines())
    return [line for line in plain if line]


def tagged(path):
    """The text of a PDF in the order of its own structure, as poppler's pdfinfo shows it; empty if it has none."""
    try:
        done = subprocess.run(["pdfinfo", "-struct-text", path], capture_output=True, check=False)
    except FileNotFoundError:
        return ""
    return " ".join(re.findall(r'^\s*"(.*)"\s*$', done.stdout.decode("utf-8", "replace"), re.M))


def joined(value):
    return "".join(value) if isinstance(value, list) else value if isinstance(value, str) else ""


def notebook(path):
    """The lines of all sources, and for each output with text its forms, each as lines."""
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    cells = book.get("cells") or [cell for sheet in book.get("worksheets", []) for cell in sheet["cells"]]
    sources, outputs = [], []
    for cell in cells:
        sources += lines(joined(cell.get("source", cell.get("input"))))
        for output in cell.get("outputs", []):
            data = output.get("data", output)
            forms = [data.get("text/plain"), data.get("text/html"), data.get("html"), data.get("text/markdown"), data.get("text/latex")]
            forms += [output.get("text"), "\n".join(output.get("traceback", []))]
            # nbformat 3 has short names.
            pictured = any(kind.startswith(("image/", "application/", "png", "jpeg", "svg")) for kind in data)
            forms = [form for form in (lines(joined(form)) for form in forms) if form]
            if forms and not pictured:
                outputs.append(forms)
    return sources, outputs


def word_document(path):
    """The text of a Word document without deleted text, and without the second form of drawings."""
    with zipfile.ZipFile(path) as file:
        parts = [name for name in ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml") if name in file.namelist()]
        return "\n".join(paragraphs(ElementTree.fromstring(file.read(part))) for part in parts)


def paragraphs(element):
    name = element.tag.removeprefix(WORD_XML)
    if name in ("del", "moveFrom", "pict") or name.endswith("}Fallback"):
        return ""
    if name == "t":
        return element.text or ""
    if name in ("tab", "br", "cr"):
        return " "
    return "".join(map(paragraphs, element)) + ("\n" if name == "p" else "")


def workbook(path):
    """The texts of the cells of all sheets, and the numbers whose cells have no format."""
    texts, numbers = [], []
    with zipfile.ZipFile(path) as file:
        shared = []
        if "xl/sharedStrings.xml" in file.namelist():
            shared = ["".join(item.itertext()) for item in ElementTree.fromstring(file.read("xl/sharedStrings.xml"))]
        links = ElementTree.fromstring(file.read("xl/_rels/workbook.xml.rels"))
        targets = {link.get("Id"): posixpath.join("/xl", link.get("Target")).removeprefix("/") for link in links}
        for sheet in ElementTree.fromstring(file.read("xl/workbook.xml")).iter(SHEET_XML + "sheet"):
            name = targets[next(value for key, value in sheet.items() if key.endswith("}id"))]
            for cell in ElementTree.fromstring(file.read(name)).iter(SHEET_XML + "c"):
                value = cell.findtext(SHEET_XML + "v")
                if value and cell.get("t") == "s":
                    texts.append(shared[int(value)])
                elif value and cell.get("t", "n") == "n" and cell.get("s", "0") == "0":
                    numbers.append(f"{float(value):.10g}")
    return [text for text in texts if text.strip()], numbers


class Page(html.parser.HTMLParser):
    """The text of the body of a web page, without scripts and styles."""

    # They have no end tag, or begin another paragraph.
    BLOCKS = set("address article blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main "
                 "nav ol p pre section table tbody td th thead tr ul".split())
    UNSEEN = {"script", "style", "head", "template", "noscript", "title"}

    def __init__(self):
        super().__init__()
        self.unseen, self.found = 0, []

    def handle_starttag(self, tag, _):
        self.unseen += tag in self.UNSEEN
        if tag == "body":
            self.unseen = 0
        if tag in self.BLOCKS:
            self.found.append("\n")

    def handle_endtag(self, tag):
        self.unseen -= tag in self.UNSEEN and self.unseen > 0
        if tag in self.BLOCKS:
            self.found.append("\n")

    def handle_data(self, text):
        if not self.unseen:
            self.found.append(text)


def page_text(content):
    """The text of a web page.

    >>> page_text(b"<html><head><title>no</title></head><body><p>one<b>two</b><td>3</body>").split()
    ['onetwo', '3']
    """
    page = Page()
    page.feed(decoded(content))
    page.close()
    return "".join(page.found)


def decoded(content):
    """Text in the encoding that a page declares; otherwise UTF-8, or windows-1252 if it is not that."""
    declared = re.search(rb"""(?:charset|encoding)\s*=\s*["']?\s*([-\w]+)""", content[:2048])
    for name in ([declared[1].decode()] if declared else []) + ["utf-8", "cp1252"]:
        try:
            return content.decode("cp1252" if name.lower() in ("iso-8859-1", "us-ascii") else name)
        except (LookupError, UnicodeDecodeError):
            continue
    return content.decode("latin-1")


def web_page(path):
    return page_text(path.read_bytes())


def book(path):
    """The text of the chapters of a book, in reading order."""
    with zipfile.ZipFile(path) as file:
        container = ElementTree.fromstring(file.read("META-INF/container.xml"))
        package = next(item.get("full-path") for item in container.iter() if item.tag.endswith("}rootfile"))
        tree = ElementTree.fromstring(file.read(package))
        items = {item.get("id"): item.get("href") for item in tree.iter() if item.tag.endswith("}item")}
        spine = [items[item.get("idref")] for item in tree.iter() if item.tag.endswith("}itemref")]
        # A part of a chapter may be named too; its text stands there once.
        spine = dict.fromkeys(urllib.parse.unquote(chapter.split("#")[0]) for chapter in spine)
        folder = posixpath.dirname(package)
        return "\n".join(page_text(file.read(posixpath.join(folder, chapter))) for chapter in spine)
