"""Rows of peers.py for documents: PDF, notebooks, Word, workbooks, web pages and books, beside the programs for them."""

import csv
import io
import json
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

import corpus
import made
import oracles
from rows import UTF8, Peer, Row, Wrong, sign
from running import ended
from words import common, in_order, triples, words

LIMIT = 120
# Shares that differ by less are equal: marks of lists and ends of lines are words for one and not for the other.
NEAR, FAR = 0.005, 0.02
# A tagged document with fewer words says little about order.
TAGGED = 30


class Sides:
    """What rread and a peer made of some files, without those that one of them refuses."""

    def __init__(self, row, files, ours, theirs):
        self.read, self.refused = [], [[], []]
        row.ours, row.theirs = [], []
        for path in files:
            commands = ours(path), theirs(path)
            outputs = [ended(argv, UTF8, LIMIT) for argv in commands]
            for refused, (_, code) in zip(self.refused, outputs):
                if code != 0:
                    refused.append(path.name)
            if all(path.name not in refused for refused in self.refused):
                row.ours.append(commands[0])
                row.theirs.append(commands[1])
                self.read.append((path, *(text.decode("utf-8", "replace") for text, _ in outputs)))
        for refused, name in zip(self.refused, ("rread", row.peer.name)):
            if refused:
                print(f"{row.job}: {name} refuses {len(refused)}: {', '.join(refused[:5])}", file=sys.stderr)
        if not self.read:
            raise Wrong("none of the files could be read by both")

    def refusals(self):
        ours, theirs = map(len, self.refused)
        return (f"; refused {ours} / {theirs}" if ours or theirs else ""), (theirs > ours) - (theirs < ours)


def verdict_of(signs):
    """Worse if anything is worse.

    >>> verdict_of([1, 0]), verdict_of([1, -1]), verdict_of([0])
    (1, -1, 0)
    """
    return min(signs) if min(signs) < 0 else max(signs)


def share(part, whole):
    return part / max(1, whole)


# PDF: there is no simple oracle, so the words of pdftotext are one.


def pages(answer):
    """The text of every page in an answer of `rread page --all --json`."""
    answer = json.loads(answer)
    return [part["content"] for part in answer.get("segments", [answer])]


def pdf_rows(rread, folder):
    peer = Peer("pdftotext", "-v")
    sets = {
        "{} PDFs of Debian packages": corpus.documents(folder, "pdf", corpus.PDF, (".pdf",), most=2),
        "{} PDFs from the tests of pypdf": corpus.documents(folder, "pypdf", corpus.SOURCES["pypdf"], (".pdf",), True, 1000),
        "{} PDFs from the tests of pikepdf": corpus.documents(folder, "pikepdf", corpus.SOURCES["pikepdf"], (".pdf",), True, 1000),
    }

    def row(name, files):
        def judge(it):
            sides = Sides(it, files, lambda path: [rread, "page", str(path), "--all", "--json"], lambda path: [peer.path, str(path), "-"])
            own, other, both, ordered, lost = 0, 0, 0, 0, []
            for path, ours, theirs in sides.read:
                ours, theirs = [words(page) for page in pages(ours)], [words(page) for page in theirs.split("\f")]
                same = in_order(ours, theirs)
                ordered += same
                lost.append((sum(map(len, theirs)) - same, path.name))
                ours, theirs = sum(ours, []), sum(theirs, [])
                own, other, both = own + len(ours), other + len(theirs), both + common(ours, theirs)
            worst = ", ".join(f"{count} in {name}" for count, name in sorted(lost)[-5:] if count)
            print(f"{it.job}: words of the peer that rread does not have at their place: {worst}", file=sys.stderr)
            recall, precision, order = share(both, other), share(both, own), share(ordered, other)
            text, fewer = sides.refusals()
            # The words that only rread has are not known to be right or wrong: they do not count for either.
            signs = [-(recall < 1 - FAR), -(order < 1 - FAR), fewer]
            return f"{other:,} words: recall {recall:.3f}, precision {precision:.3f}, order {order:.3f}{text}", verdict_of(signs)

        lacks = "order in tables and boxes; no layout, area or password options"
        return Row(name.format(len(files)), peer, judge, lacks, environment=UTF8)

    rows = [row(name, files) for name, files in sets.items() if files]
    tagged = [path for files in sets.values() for path in files if len(words(oracles.tagged(path))) >= TAGGED]
    return rows + [tagged_row(rread, peer, tagged)] if tagged else rows


def tagged_row(rread, peer, files):
    """The files that say in which order their parts are read."""

    def judge(it):
        sides = Sides(it, files, lambda path: [rread, "page", str(path), "--all", "--json"], lambda path: [peer.path, str(path), "-"])
        total, held = 0, [0, 0]
        for path, ours, theirs in sides.read:
            right = triples(words(oracles.tagged(path)))
            total += len(right)
            for side, text in enumerate((" ".join(pages(ours)), theirs)):
                held[side] += common(triples(words(text)), right)
        ours, theirs = (share(part, total) for part in held)
        return f"{total:,} words, order {ours:.3f} / {theirs:.3f}", sign(ours, theirs, NEAR)

    return Row(f"{len(files)} tagged PDFs of these, beside the order that they name themselves", peer, judge, "diagrams", environment=UTF8)


# Notebooks: the lines of the JSON are the oracle.


def notebook_score(text, truth):
    """The share of the source lines, and the share of the outputs with all lines of one of their forms."""
    sources, outputs = truth
    have = oracles.lines(text)
    seen = set(have)
    held = sum(any(all(line in seen for line in form) for form in forms) for forms in outputs)
    return common(have, sources), len(sources), held, len(outputs)


def notebook_rows(rread, folder):
    peer = Peer("jupyter-nbconvert", "--version")
    files = corpus.documents(folder, "notebook", corpus.SOURCES["notebook"], (".ipynb",), True)
    both = []

    def ours(path):
        return [rread, "lines", str(path), "--raw"]

    def judge(it):
        sides = Sides(it, files, ours, lambda path: [peer.path, "--log-level=ERROR", "--to", "markdown", "--stdout", str(path)])
        totals = []
        for place in (1, 2):
            scores = [notebook_score(read[place], oracles.notebook(read[0])) for read in sides.read]
            totals.append([sum(column) for column in zip(*scores)])
        source, output = ([share(total[at], total[at + 1]) for total in totals] for at in (0, 2))
        both.extend(path for path, *_ in sides.read)
        # The peer takes a second for each.
        it.ours, it.theirs = it.ours[::5], it.theirs[::5]
        text, fewer = sides.refusals()
        result = f"source lines {source[0]:.3f} / {source[1]:.3f}, whole outputs {output[0]:.3f} / {output[1]:.3f}{text}"
        return result, verdict_of([sign(*source, NEAR), sign(*output, NEAR), fewer])

    def batch(it):
        # Without the row above, nothing is known yet.
        both or judge(it)
        it.ours = [[rread, "lines", *map(str, both), "--raw"]]
        it.theirs = [[peer.path, "--log-level=ERROR", "--to", "markdown", f"--output-dir={folder / 'converted'}", *map(str, both)]]
        return "as above", 0

    lacks = "outputs of more than 60 lines are shortened; pictures are only named; no `--execute`, no other formats"
    return [
        Row(f"{len(files)} notebooks from the tests of 5 projects; times of every fifth", peer, judge, lacks, environment=UTF8),
        Row("those that both read, in one call", peer, batch, "", environment=UTF8),
    ] if files else []


# Word documents, web pages and books: the text that Python's own parsers find is the oracle.


def text_row(name, files, peer, ours, theirs, oracle, lacks):
    """Words and their order against an oracle. `files` that the oracle cannot read are left out."""

    def judge(it):
        truths = dict(readable(files, oracle))
        sides = Sides(it, list(truths), ours, theirs)
        scores = []
        for place in (1, 2):
            found, ordered, right, all_words, all_triples = 0, 0, 0, 0, 0
            for read in sides.read:
                have, truth = words(read[place]), words(truths[read[0]])
                found, all_words, right = found + common(have, truth), all_words + len(truth), right + len(have)
                truth = triples(truth)
                ordered, all_triples = ordered + common(triples(have), truth), all_triples + len(truth)
            scores.append((share(found, all_words), share(ordered, all_triples), share(found, right)))
        signs = [sign(*pair, margin) for pair, margin in zip(zip(*scores), (NEAR, FAR, FAR))]
        text, fewer = sides.refusals()
        shown = (f"{what} {one:.3f} / {other:.3f}" for what, (one, other) in zip(("recall", "order", "precision"), zip(*scores)))
        return f"{all_words:,} words: {', '.join(shown)}{text}", verdict_of([*signs, fewer])

    return Row(name.format(len(files)), peer, judge, lacks, environment=UTF8)


def readable(files, oracle):
    for path in files:
        try:
            yield path, oracle(path)
        except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, StopIteration) as error:
            print(f"the oracle cannot read {path.name}: {error!r}", file=sys.stderr)


def lines_of(rread):
    return lambda path: [rread, "lines", str(path), "--raw"]


def word_rows(rread, folder):
    files = corpus.documents(folder, "docx", corpus.SOURCES["docx"], (".docx",), True, 1000)
    name = "{} Word documents from the tests of python-docx"
    pandoc, docx2txt = Peer("pandoc", "--version"), Peer("docx2txt")
    lacks = "no headers, footers, comments and pictures; pandoc writes 30 formats"
    other = lambda path: [docx2txt.path, str(path), "-"]
    # Those of tests are short.
    large = folder / "large.docx"
    paragraphs = [line for page in page_files(folder) for line in oracles.lines(oracles.web_page(page))]
    made.word_document(large, paragraphs)
    return [
        text_row(what, some, peer, lines_of(rread), command, oracles.word_document, missing)
        for what, some in ((name, files), (f"a Word document of {len(paragraphs):,} paragraphs", [large])) if files
        for peer, command, missing in ((pandoc, as_plain(pandoc), lacks), (docx2txt, other, "no addresses of links"))
    ]


def as_plain(pandoc):
    return lambda path: [pandoc.path, "--to=plain", "--wrap=none", "--columns=200", str(path)]


def page_files(folder):
    return corpus.documents(folder, "html", corpus.PAGES, (".html", ".htm"), most=4)


def page_rows(rread, folder):
    files = page_files(folder)
    name = "{} web pages from Debian packages"
    w3m, html2text = Peer("w3m", "-version"), Peer("html2text", "-version")
    dump = lambda path: [w3m.path, "-dump", "-cols", "200", "-T", "text/html", "-O", "UTF-8", str(path)]
    plain = lambda path: [html2text.path, "-nobs", "-utf8", "-width", "200", str(path)]
    lacks = "fragments without `<html` stay as they are; no addresses of links"
    return [
        text_row(name, files, w3m, lines_of(rread), dump, oracles.web_page, lacks + "; no forms"),
        text_row(name, files, html2text, lines_of(rread), plain, oracles.web_page, lacks),
    ] if files else []


def book_rows(rread, folder):
    files = corpus.documents(folder, "epub", corpus.BOOKS, (".epub",))
    pandoc = Peer("pandoc", "--version")
    lacks = "no other formats; no addresses of links"
    return [text_row("{} books from Debian packages", files, pandoc, lines_of(rread), as_plain(pandoc), oracles.book, lacks)] if files else []


# Workbooks: the cells are the oracle.


def workbook_rows(rread, folder):
    peer = Peer("xlsx2csv", "--version")
    files = corpus.documents(folder, "workbook", corpus.WORKBOOKS, (".xlsx", ".xlsm"), most=1000)
    files += corpus.documents(folder, "workbook-tests", corpus.SOURCES["workbook"], (".xlsx",), True, 1000)
    large, rows = folder / "large.xlsx", 20_000
    table = [[f"item {n}", f"a note, of {n % 97}", str(n), f"{n * 7 % 1000 / 8:g}", f"place {n % 13}"] for n in range(rows)]
    made.workbook(large, table)

    def every(path):
        return [peer.path, "--all", str(path)]

    def judge(it):
        sides = Sides(it, dict(readable(files, oracles.workbook)), lines_of(rread), every)
        scores = []
        for place in (1, 2):
            counts = [cell_score(read[place], *oracles.workbook(read[0])) for read in sides.read]
            found, texts, right, numbers = (sum(column) for column in zip(*counts))
            scores.append((share(found, texts), share(right, numbers)))
        (text, number), (refused, fewer) = zip(*scores), sides.refusals()
        result = f"texts {text[0]:.3f} / {text[1]:.3f}, numbers {number[0]:.3f} / {number[1]:.3f}{refused}"
        return result, verdict_of([sign(*text, NEAR), sign(*number, NEAR), fewer])

    def exact(it):
        it.ours, it.theirs = [lines_of(rread)(large)], [[peer.path, str(large)]]
        found = []
        for argv in (*it.ours, *it.theirs):
            output, _ = ended(argv, UTF8, LIMIT)
            found.append(list(csv.reader(io.StringIO(output.decode()))) == table)
        if not found[0]:
            raise Wrong("not the cells that were written")
        return "all cells, as written", 1 - found[1]

    lacks = "formats of numbers are not applied; no choice of delimiter, of a date format or of a sheet but by its page"
    return [
        Row(f"{len(files)} workbooks from the tests of xlsx2csv and calamine", peer, judge, lacks, environment=UTF8),
        Row(f"a workbook of {rows * len(table[0]):,} cells", peer, exact, lacks, environment=UTF8),
    ] if files else []


def cell_score(text, texts, numbers):
    """How many texts and numbers of cells are in some CSV."""
    fields = [field for record in csv.reader(io.StringIO(text)) for field in record]
    spaced = [" ".join(field.split()) for field in fields]
    found = []
    for field in fields:
        try:
            found.append(f"{float(field):.10g}")
        except ValueError:
            continue
    texts = [" ".join(value.split()) for value in texts]
    return common(spaced, texts), len(texts), common(found, numbers), len(numbers)


def document_rows(rread, folder):
    return [
        *pdf_rows(rread, folder), *notebook_rows(rread, folder), *word_rows(rread, folder),
        *workbook_rows(rread, folder), *page_rows(rread, folder), *book_rows(rread, folder),
    ]
