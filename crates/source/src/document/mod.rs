//! Documents as sources of text. A process of its own decodes each, without files or network, within limits.

mod decoder_main;
mod decoder_process;
#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "x86_64")))]
mod sandbox;
mod source;
mod text;

use std::io;
use std::path::Path;

pub use decoder_main::{Job, PANICKED};
use source::Document;

use super::compressed::recognition::ending;
use crate::access::Access;
use crate::archive::{mime, package_mime};
use crate::{Source, read_full, retried};
use rread_documents::decode::{FirstBytes, Verdict};
pub use rread_documents::format::DocumentFormat;
use rread_documents::sheets::Sheet;
use rread_text::sniff::SAMPLE;
use rread_text::{Content, Error, call};

/// Returns the text of `source` if it is a document.
pub(super) fn decode(source: Box<dyn Source>, path: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    let format = detect(&*source, path)?;
    if matches!(access.sheet, Some(Sheet::Named(_))) && !format.is_some_and(DocumentFormat::is_workbook) {
        let error = Error::usage("is not a workbook, and only workbooks have sheets")
            .hint(call("select").file(path).word(text::EXAMPLE_QUERY));
        return Err(error.into_io());
    }
    Ok(match format {
        Some(format) => Box::new(Document::open(source, format, path, access)),
        None => source,
    })
}

/// Bytes that decide for most files that they are not documents.
const HEAD: usize = 7;

/// Bytes at the end that show what a file without the usual start is.
const TAIL: usize = 1024;

/// A ZIP archive, and the compound file of older office files and of encrypted newer ones.
const CONTAINERS: [&[u8]; 3] = [b"PK\x03\x04", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", b"PK\x07\x08PK\x03\x04"];
/// Bytes of an entry of a compound file's directory, the most sectors of it, and what no sector has as its number.
const ENTRY: usize = 128;
const MAX_SECTORS: usize = 64;
const LAST: u32 = 0xFFFF_FFFA;

/// The names of the streams of workbooks.
const WORKBOOKS: [&str; 2] = ["Workbook", "Book"];

/// The first bytes of the class of the root storage of text, presentations and mail, which may have workbooks inside.
const OTHERS: [&[u8]; 4] = [b"\x06\x09\x02\0", b"\0\x09\x02\0", b"\x10\x8D\x81\x64", b"\x0B\x0D\x02\0"];

/// The place of the class in an entry.
const CLASS: usize = 80;

/// How far a stream is read to find them.
const MAX_STREAM: u64 = 64 << 20;

/// The format of `source`, which is the file `path`; `None` if it is not a document.
pub(crate) fn detect(source: &dyn Source, path: &Path) -> io::Result<Option<DocumentFormat>> {
    let content_type = source.info().object.and_then(|object| object.content_type.as_deref());
    let stated = content_type.and_then(of_content_type);
    let named = DocumentFormat::ending(&ending(path)).or(stated);
    let mut bytes = [0; SAMPLE];
    let (mut got, mut is_last) = (0, false);
    loop {
        is_last |= got == SAMPLE;
        let head = &bytes[..got];
        if is_last && CONTAINERS.iter().any(|magic| head.starts_with(magic)) {
            return Ok(format_of_container(source, head, named));
        }
        // Other bytes may be before the archive, as before a program that extracts itself.
        if got >= HEAD
            && !may_be_container(head)
            && named.is_some_and(DocumentFormat::is_contained)
            && source.size().is_some()
            && let Some(format) = package_mime(source).and_then(DocumentFormat::of_mime)
        {
            return Ok(Some(format));
        }
        // Wait only while the bytes so far can be a document: the rest of a stream's first line may come much later.
        if is_last || !may_be_container(head) {
            let verdict = |format: DocumentFormat| {
                let is_named = named == Some(format);
                let (is_other, is_sized) = (named.is_some() && !is_named, source.size().is_some());
                format.recognise(&FirstBytes { bytes: head, is_named, is_other, is_sized, is_last })
            };
            let mut all = DocumentFormat::ALL.iter().copied();
            if let Some(format) = all.clone().find(|format| verdict(*format) == Verdict::Is) {
                return Ok(Some(format));
            }
            if is_last || all.all(|format| verdict(format) == Verdict::Not) {
                return Ok(named.filter(|format| ends_like(source, *format)));
            }
        }
        let end = if got < HEAD { HEAD } else { SAMPLE };
        match retried(|| source.read_at(&mut bytes[got..end], got as u64)) {
            // A later read of these bytes reports the error.
            Err(_) => return Ok(None),
            Ok(0) => is_last = true,
            Ok(more) => got += more,
        }
    }
}

/// Whether the last bytes of `source` are those of a file of `format`.
fn ends_like(source: &dyn Source, format: DocumentFormat) -> bool {
    let mut tail = [0; TAIL];
    let Some(size) = source.size() else { return false };
    let got = read_full(source, &mut tail, size.saturating_sub(TAIL as u64)).unwrap_or(0);
    format.is_end(&tail[..got])
}

/// The format of the type that a server states: a page, whatever the end of its URL is.
fn of_content_type(content_type: &str) -> Option<DocumentFormat> {
    let mime = content_type.split(';').next()?.trim();
    let is_page = ["text/html", "application/xhtml+xml"].iter().any(|page| mime.eq_ignore_ascii_case(page));
    is_page.then_some(DocumentFormat::Html)
}

/// Whether a container begins with `head` or with `head` and more bytes.
fn may_be_container(head: &[u8]) -> bool {
    CONTAINERS.iter().any(|magic| magic.iter().zip(head).all(|(byte, wanted)| byte == wanted))
}

/// The format of the container that begins with `head`.
fn format_of_container(
    source: &dyn Source,
    head: &[u8],
    named: Option<DocumentFormat>,
) -> Option<DocumentFormat> {
    let is_contained = |format: &DocumentFormat| format.is_contained();
    let by_content = DocumentFormat::of_mime(mime(source, head, Content::Binary)).filter(is_contained);
    let named = named.filter(is_contained);
    // Any compound file may be an encrypted document; the members of an archive say what it is.
    let found = if head.starts_with(b"PK") { by_content.or(named) } else { named.or(by_content) };
    found.or_else(|| has_workbook(source, head).then_some(DocumentFormat::Xls))
}

/// Whether the compound file that begins with `head` has the stream of a workbook in its directory.
///
/// Microsoft, [MS-CFB] 2.2 (header), 2.3 (FAT) and 2.6 (directory); [MS-XLS] 2.1 (names of the stream).
fn has_workbook(source: &dyn Source, head: &[u8]) -> bool {
    let sector_size = if head.get(30) == Some(&12) { 4096 } else { 512 };
    let offset = |sector: u32| (u64::from(sector) + 1) * sector_size;
    let mut sector = u32_at(head, 48);
    for nth in 0..MAX_SECTORS {
        let Some(at) = sector.map(offset) else { return false };
        if source.size().is_none() && at > MAX_STREAM {
            return false;
        }
        let mut entries = vec![0; usize::try_from(sector_size).unwrap_or(0)];
        let got = read_full(source, &mut entries, at).unwrap_or(0);
        let is_other = nth == 0 && OTHERS.iter().any(|class| entries[CLASS..].starts_with(class));
        if got == 0 || is_other {
            return false;
        }
        if entries[..got].chunks(ENTRY).any(is_workbook) {
            return true;
        }
        sector = next_sector(source, head, sector.unwrap_or(LAST), sector_size);
    }
    false
}

/// Whether a directory's `entry` has the name of the stream of a workbook. Names are the same in all letters.
fn is_workbook(entry: &[u8]) -> bool {
    WORKBOOKS.iter().any(|name| {
        let wanted = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes);
        entry.len() == ENTRY && wanted.zip(entry).all(|(wanted, byte)| wanted.eq_ignore_ascii_case(byte))
    })
}

/// The sector after `sector` in its chain, by the part of the allocation table that the header names.
fn next_sector(source: &dyn Source, head: &[u8], sector: u32, sector_size: u64) -> Option<u32> {
    let number = u64::from(sector);
    let part = number * 4 / sector_size;
    let table = u32_at(head, 76 + 4 * usize::try_from(part).ok().filter(|part| *part < 109)?)?;
    let at = (u64::from(table) + 1) * sector_size + number * 4 % sector_size;
    if source.size().is_none() && at > MAX_STREAM {
        return None;
    }
    let mut next = [0; 4];
    let got = read_full(source, &mut next, at).ok()?;
    Some(u32::from_le_bytes(next)).filter(|next| got == 4 && *next < LAST)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|field| u32::from_le_bytes(*field))
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
        assert_eq!(of("a.pdf", &after(&[b'x'; 6300])), pdf);
        assert_eq!(of("a", &after(&[b'\x1B'; 1025])), None);
        assert_eq!(of("a", &after(b"\x1B%-12345X@PJL\r\n")), pdf);
        // Text may mention the header, and an archive may begin with a PDF.
        assert_eq!(of("a", &after(b"x\n")), None);
        assert_eq!(of("a", &after(b"\x1B[1mheader: ")), None);
        assert_eq!(of("a.pdf", &after(b"PK\x03\x04\n")), None);
        assert_eq!(of("a.pdf", b"text"), None);
        // The end shows it where the header is missing, or comes very late.
        let end = b"1 0 obj<<>>endobj\nstartxref\n9\n%%EOF\n";
        for junk in [0, 20_000] {
            let file = [&vec![b'x'; junk][..], end].concat();
            assert_eq!((of("a.pdf", &file), of("a.txt", &file)), (pdf, None), "{junk}");
        }
    }

    #[test]
    fn a_workbook_may_be_anywhere_in_the_directory_of_a_compound_file() {
        // The directory is in sectors 1, 7 and 3; the table of sectors is sector 0.
        let mut bytes = [CONTAINERS[1], &[0; 9000]].concat();
        bytes[48] = 1;
        for (sector, next) in [(1, 7), (7, 3), (3, LAST)] {
            bytes[512 + 4 * sector..][..4].copy_from_slice(&next.to_le_bytes());
        }
        assert_eq!(of("-", &bytes), None);
        for (sector, entry) in [(1, 0), (7, 2), (3, 3)] {
            let mut file = bytes.clone();
            let name = "WORKBOOK".encode_utf16().flat_map(u16::to_le_bytes);
            let at = 512 * (sector + 1) + ENTRY * entry;
            file.splice(at..at + 16, name);
            assert_eq!(of("-", &file), Some(DocumentFormat::Xls), "sector {sector}");
        }
        // A chain that leads back ends.
        bytes[512 + 4 * 3] = 1;
        bytes[512 + 4 * 3 + 1..512 + 4 * 4].fill(0);
        assert_eq!(of("-", &bytes), None);
    }

    #[test]
    fn a_compound_file_with_a_workbook_is_one() {
        let file = |name: &str, sector: u8, size: u8| {
            let mut bytes = [CONTAINERS[1], &[0; 9000]].concat();
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
        // The workbook inside of a text is not the file.
        let mut text = file("Workbook", 3, 9);
        text[4 * 512 + CLASS..][..3].copy_from_slice(&OTHERS[0][..3]);
        assert_eq!(of("-", &text), None);
        assert_eq!(of("a.docx", &file("Workbook", 3, 9)), Some(DocumentFormat::Docx));
        assert_eq!(of("-", &file("Workbook", 3, 9)[..49]), None);
        assert_eq!(of("-", &file("Workbook", 3, 9)[..2000]), None);
    }

    #[test]
    fn names_choose_among_containers_only() {
        assert_eq!(of("a.docx", b"PK\x03\x04"), Some(DocumentFormat::Docx));
        assert_eq!(of("a.docx", CONTAINERS[1]), Some(DocumentFormat::Docx));
        assert_eq!(of("a.zip", b"PK\x03\x04"), None);
        assert_eq!(of("a.pdf", b"PK\x03\x04"), None);
        assert_eq!(of("a.docx", b"text"), None);
        assert_eq!(of("a.docx", b"%PDF-1.4"), Some(DocumentFormat::Pdf));
    }
}
