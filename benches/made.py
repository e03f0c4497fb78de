"""Large documents that peers.py makes, because those of test suites are small: a workbook and a Word document."""

import html
import zipfile

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
FORMAT = "application/vnd.openxmlformats-officedocument"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def links(kind, target):
    return f'<Relationships xmlns="{LINKS}"><Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>'


def package(path, main, kind, parts):
    """Writes a file of Office: its parts, with a list of their types, and a link to the main one."""
    types = f"""<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Default Extension="xml" ContentType="{FORMAT}.spreadsheetml.worksheet+xml"/>
        <Override PartName="/{main}" ContentType="{FORMAT}.{kind}.main+xml"/></Types>"""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in {"[Content_Types].xml": types, "_rels/.rels": links("officeDocument", main), **parts}.items():
            file.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>\n{part}')


def workbook(path, table):
    """A workbook of one sheet; cells that are numbers are stored as numbers."""
    rows = []
    for at, record in enumerate(table, 1):
        rows.append(f'<row r="{at}">')
        for column, value in zip("ABCDEFGHIJ", record):
            number = value.replace(".", "", 1).isdigit()
            kind, content = ("n", f"<v>{value}</v>") if number else ("inlineStr", f"<is><t>{html.escape(value)}</t></is>")
            rows.append(f'<c r="{column}{at}" t="{kind}">{content}</c>')
        rows.append("</row>")
    package(path, "xl/workbook.xml", "spreadsheetml.sheet", {
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": links("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEETS}"><sheetData>{"".join(rows)}</sheetData></worksheet>',
    })


def word_document(path, paragraphs):
    """A Word document of paragraphs without styles."""
    # Word gives every paragraph such a number, and some readers look for it.
    text = "".join(f'<w:p w:rsidR="00000000"><w:r><w:t xml:space="preserve">{html.escape(line)}</w:t></w:r></w:p>' for line in paragraphs)
    package(path, "word/document.xml", "wordprocessingml.document", {
        "word/document.xml": f'<w:document xmlns:w="{WORDS}"><w:body>{text}</w:body></w:document>',
    })
