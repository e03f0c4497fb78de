//! Recognises documents: by content, and by name where the content has more than one meaning.

use std::io;
use std::path::Path;

use crate::{Source, read_full};
use rread_documents::format::DocumentFormat;
use rread_text::sniff::{BOM, Content, SAMPLE, mime};

/// Bytes that decide for most files that they are not documents.
const HEAD: usize = 7;

const PDF: &[u8] = b"%PDF-";
/// The most bytes before the header of a PDF, as in other readers.
const JUNK: usize = 1024;
const ZIP: &[u8] = b"PK\x03\x04";
/// The container of older office files, and of encrypted newer ones.
const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// Bytes of an entry of its directory, and how far a stream is read for the first ones.
const ENTRY: usize = 128;
const MOST_OF_STREAM: u64 = 64 << 20;
/// The start of a notebook, without blanks, and the first member of its first cell.
const CELLS: &[u8] = b"{\"cells\":[";
const CELL: &[u8] = b"\"cell_type\":";

/// Formats in containers whose media type the first bytes show.
const CONTAINED: [DocumentFormat; 6] = [
    DocumentFormat::Docx,
    DocumentFormat::Odt,
    DocumentFormat::Xlsx,
    DocumentFormat::Xls,
    DocumentFormat::Ods,
    DocumentFormat::Epub,
];

enum Verdict {
    Is(DocumentFormat),
    Not,
    /// The next bytes decide.
    Open,
}

/// The format of `source`, which is the file `path`; `None` if it is not a document.
pub(crate) fn detect(source: &dyn Source, path: &Path) -> io::Result<Option<DocumentFormat>> {
    let named = DocumentFormat::ending(&ending(path));
    let mut head = [0; SAMPLE];
    let mut got = 0;
    loop {
        // Wait only while the bytes so far can be a document: the rest of a stream's first line may come much later.
        match judge(&head[..got], named, source.size().is_some()) {
            Verdict::Is(format) => return Ok(Some(format)),
            Verdict::Not => return Ok(None),
            Verdict::Open if got == SAMPLE => return Ok(last(source, &head, named)),
            Verdict::Open => {}
        }
        let end = if got < HEAD { HEAD } else { SAMPLE };
        match source.read_at(&mut head[got..end], got as u64) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            // A later read of these bytes reports the error.
            Err(_) => return Ok(None),
            Ok(0) => return Ok(last(source, &head[..got], named)),
            Ok(more) => got += more,
        }
    }
}

/// The ending of the name in small letters, without that of a compressed file.
fn ending(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.split(['?', '#']).next().unwrap_or_default();
    let compressed = [".gz", ".zst", ".xz", ".bz2", ".lz4", ".lzma"];
    let name = compressed.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_owned())
}

/// `is_sized` is whether more bytes come without waiting.
fn judge(head: &[u8], named: Option<DocumentFormat>, is_sized: bool) -> Verdict {
    let may_start = |magic: &[u8]| head.iter().zip(magic).all(|(byte, wanted)| byte == wanted);
    // As in `sniff`, which calls these binary.
    let is_pdf = |head: &[u8]| matches!(head.strip_prefix(PDF), Some([b'1' | b'2', b'.', ..]));
    if head.len() >= HEAD && head.starts_with(PDF) {
        return if is_pdf(head) { Verdict::Is(DocumentFormat::Pdf) } else { Verdict::Not };
    }
    if may_start(PDF) || may_start(ZIP) || may_start(COMPOUND_FILE) {
        return Verdict::Open;
    }
    // Text may mention the header. So junk before it needs the name, or looks like what a printer gets.
    let is_named = named == Some(DocumentFormat::Pdf);
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    if is_named || is_sized && named.is_none() && head.iter().take(HEAD).any(is_control) {
        let starts_line = |at: usize| matches!(head[..at], [.., b'\n' | b'\r']);
        let mut headers = memchr::memmem::find_iter(head, PDF).take_while(|at| *at <= JUNK);
        if headers.any(|at| is_pdf(&head[at..]) && (is_named || starts_line(at))) {
            return Verdict::Is(DocumentFormat::Pdf);
        }
        if head.len() < JUNK + HEAD {
            return Verdict::Open;
        }
    }
    match named {
        Some(DocumentFormat::Html) => page(head),
        Some(DocumentFormat::Notebook) => match without_blanks(head).first() {
            Some(b'{') => Verdict::Is(DocumentFormat::Notebook),
            Some(_) => Verdict::Not,
            None => Verdict::Open,
        },
        _ if head.first().is_some_and(u8::is_ascii_whitespace) => Verdict::Not,
        _ if without_blanks(head).iter().zip(CELLS).all(|(byte, wanted)| byte == wanted) => Verdict::Open,
        _ => Verdict::Not,
    }
}

/// The format of a file whose first bytes are `head`, when no more of them come.
fn last(source: &dyn Source, head: &[u8], named: Option<DocumentFormat>) -> Option<DocumentFormat> {
    if head.starts_with(ZIP) || head.starts_with(COMPOUND_FILE) {
        let contained = || {
            let mime = mime(head, Content::Binary);
            let of_type = CONTAINED.into_iter().find(|format| format.mime() == mime);
            of_type.or_else(|| has_workbook(source, head).then_some(DocumentFormat::Xls))
        };
        return named.filter(|format| format.is_contained()).or_else(contained);
    }
    let text = without_blanks(head);
    let is_notebook = text.starts_with(CELLS) && memchr::memmem::find(&text, CELL).is_some();
    is_notebook.then_some(DocumentFormat::Notebook)
}

/// Whether the compound file that begins with `head` has the stream of a workbook among its first ones.
///
/// Microsoft, [MS-CFB] 2.2 (header) and 2.6 (directory); [MS-XLS] 2.1 (names of the stream).
fn has_workbook(source: &dyn Source, head: &[u8]) -> bool {
    let Some(sector) = head.get(48..).and_then(|field| field.first_chunk()) else { return false };
    let sector_size = if head[30] == 12 { 4096 } else { 512 };
    let offset = (u64::from(u32::from_le_bytes(*sector)) + 1) * sector_size;
    if source.size().is_none() && offset > MOST_OF_STREAM {
        return false;
    }
    let mut entries = [0; 4 * ENTRY];
    let got = read_full(source, &mut entries, offset).unwrap_or(0);
    let names = ["Workbook\0", "Book\0"]
        .map(|name| name.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    entries[..got].chunks(ENTRY).any(|entry| names.iter().any(|name| entry.starts_with(name)))
}

fn without_blanks(head: &[u8]) -> Vec<u8> {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    head.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// Whether `head` starts a whole HTML page. Parts of pages and templates stay plain.
fn page(head: &[u8]) -> Verdict {
    // UTF-16 has a NUL beside each letter of a tag.
    let plain: Vec<u8> = match head {
        [0xFE, 0xFF, rest @ ..] | [0xFF, 0xFE, rest @ ..] => {
            rest.iter().copied().filter(|byte| *byte != 0).collect()
        }
        _ => head.strip_prefix(BOM).unwrap_or(head).to_vec(),
    };
    let mut rest = plain.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            _ => break,
        };
        let Some(at) = memchr::memmem::find(rest, end) else { return Verdict::Open };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    let starts = [&b"<!doctype html"[..], b"<html"];
    let is_start =
        |start: &&[u8]| rest.len() >= start.len() && rest[..start.len()].eq_ignore_ascii_case(start);
    let may_start =
        |start: &&[u8]| rest.iter().zip(*start).all(|(byte, wanted)| byte.eq_ignore_ascii_case(wanted));
    match (starts.iter().any(is_start), starts.iter().any(may_start) || b"<!--".starts_with(rest)) {
        (true, _) => Verdict::Is(DocumentFormat::Html),
        (false, true) => Verdict::Open,
        _ => Verdict::Not,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySource;

    fn of(name: &str, bytes: &[u8]) -> Option<DocumentFormat> {
        detect(&MemorySource::new(bytes), Path::new(name)).unwrap()
    }

    #[test]
    fn whole_pages_with_the_name_are_html() {
        for start in
            ["<!DOCTYPE html>", "\u{FEFF}<?xml version='1.0'?>\n<!-- a -->\n<html lang=en>", "\n<HTML>"]
        {
            assert_eq!(of("a/B.HTML.gz", start.as_bytes()), Some(DocumentFormat::Html), "{start}");
            assert_eq!(of("b.txt", start.as_bytes()), None, "{start}");
        }
        let utf16: Vec<u8> = "\u{FEFF}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(of("u.htm", &utf16), Some(DocumentFormat::Html));
        for part in ["<div>", "", "{% extends %}", "<", "<!-- never ends", "<!DOCTYPE svg"] {
            assert_eq!(of("part.html", part.as_bytes()), None, "{part}");
        }
    }

    #[test]
    fn notebooks_are_recognised_by_their_cells_or_by_name() {
        let notebook = b"{\n \"cells\": [\n  {\n   \"cell_type\": \"code\"";
        assert_eq!(of("n", notebook), Some(DocumentFormat::Notebook));
        assert_eq!(of("n.json", b"{\"cells\": [{\"row\": 1}]}"), None);
        assert_eq!(of("n.json", b"{\"metadata\": {}}"), None);
        assert_eq!(of("n.ipynb", b" {\"metadata\": {}}"), Some(DocumentFormat::Notebook));
        assert_eq!(of("n.ipynb", b"[]"), None);
        assert_eq!(of("n.ipynb", b""), None);
    }

    #[test]
    fn junk_may_be_before_a_pdf() {
        let after = |junk: &[u8]| [junk, b"%PDF-1.4\n"].concat();
        let pdf = Some(DocumentFormat::Pdf);
        assert_eq!(of("a.pdf", &after(b"\n")), pdf);
        assert_eq!(of("a.pdf", &after(&[b'x'; 1024])), pdf);
        assert_eq!(of("a.pdf", &after(&[b'x'; 1025])), None);
        assert_eq!(of("a", &after(b"\x1B%-12345X@PJL\r\n")), pdf);
        // Text may mention the header, and an archive may begin with a PDF.
        assert_eq!(of("a", &after(b"x\n")), None);
        assert_eq!(of("a", &after(b"\x1B[1mheader: ")), None);
        assert_eq!(of("a.pdf", &after(b"PK\x03\x04\n")), None);
        assert_eq!(of("a.pdf", b"text"), None);
    }

    #[test]
    fn a_compound_file_with_a_workbook_is_one() {
        let file = |name: &str, sector: u8, size: u8| {
            let mut bytes = [COMPOUND_FILE, &[0; 9000]].concat();
            (bytes[30], bytes[48]) = (size, sector);
            let entry = name.encode_utf16().flat_map(u16::to_le_bytes);
            let at = (usize::from(sector) + 1) * if size == 12 { 4096 } else { 512 } + ENTRY;
            bytes.splice(at..at + 2 * name.len(), entry);
            bytes
        };
        let xls = Some(DocumentFormat::Xls);
        for (name, expected) in [("Workbook", xls), ("Book", xls), ("Books", None), ("WordDocument", None)] {
            assert_eq!(of("-", &file(name, 3, 9)), expected, "{name}");
            assert_eq!(of("-", &file(name, 0, 12)), expected, "{name}");
        }
        assert_eq!(of("a.docx", &file("Workbook", 3, 9)), Some(DocumentFormat::Docx));
        assert_eq!(of("-", &file("Workbook", 3, 9)[..49]), None);
        assert_eq!(of("-", &file("Workbook", 3, 9)[..2000]), None);
    }

    #[test]
    fn names_choose_among_containers_only() {
        assert_eq!(of("a.docx", b"PK\x03\x04"), Some(DocumentFormat::Docx));
        assert_eq!(of("a.docx", COMPOUND_FILE), Some(DocumentFormat::Docx));
        assert_eq!(of("a.zip", b"PK\x03\x04"), None);
        assert_eq!(of("a.pdf", b"PK\x03\x04"), None);
        assert_eq!(of("a.docx", b"text"), None);
        assert_eq!(of("a.docx", b"%PDF-1.4"), Some(DocumentFormat::Pdf));
    }
}
