//! The pages of a document that an answer is about, with the names and the header rows of sheets.

use std::ops::Range;

use memchr::memchr_iter;

use crate::receipt::{PageLines, PageOfDocument, SheetOfWorkbook};
use rread_reader::Reader;
use rread_source::{PageStart, Paged};
use rread_text::Result;

/// The most pages that a receipt lists.
const MOST: usize = 100;

/// The most bytes at the beginning of a sheet that hold its name and its header row.
const HEAD: usize = 4096;

/// The lines that an answer has of one page.
#[derive(Clone, Copy, Debug)]
struct Part {
    page: PageStart,
    /// The offset of the first line.
    start: u64,
    /// The numbers of the first and the last line, if lines are counted.
    lines: Option<(u64, u64)>,
}

/// The page of the byte `offset`.
pub fn of_byte(reader: &Reader, offset: u64) -> PageOfDocument {
    let Some(document) = paged(reader) else { return PageOfDocument::default() };
    let part = document.page_of(offset).map(|page| Part { page, start: offset, lines: None });
    of_parts(reader, document, part.as_slice())
}

/// Collects the pages of lines that come in order.
pub struct PagesOfLines<'r> {
    reader: &'r Reader,
    parts: Vec<Part>,
}

impl<'r> PagesOfLines<'r> {
    pub fn of(reader: &'r Reader) -> Self {
        PagesOfLines { reader, parts: Vec::new() }
    }

    /// Whether the text has pages.
    pub fn are_known(&self) -> bool {
        paged(self.reader).is_some()
    }

    /// Adds the line with this number, which begins at `start`.
    pub fn add(&mut self, number: u64, start: u64) {
        let Some(page) = paged(self.reader).and_then(|document| document.page_of(start)) else { return };
        if let Some(Part { page: last, lines: Some((_, end)), .. }) = self.parts.last_mut()
            && *last == page
        {
            *end = number;
        } else if self.parts.len() < MOST {
            self.parts.push(Part { page, start, lines: Some((number, number)) });
        }
    }

    /// Their facts in the receipt.
    pub fn receipt(&self) -> PageOfDocument {
        paged(self.reader)
            .map_or_else(PageOfDocument::default, |document| of_parts(self.reader, document, &self.parts))
    }
}

/// The pages of the text in `span`; its first line has the number `first`.
///
/// # Errors
///
/// The errors of reading the text.
pub fn of_span(reader: &Reader, span: Range<u64>, first: Option<u64>) -> Result<PageOfDocument> {
    let Some(document) = paged(reader).filter(|_| !span.is_empty()) else {
        return Ok(PageOfDocument::default());
    };
    let mut pages: Vec<PageStart> = document.page_of(span.end - 1).into_iter().collect();
    while let Some(page) = pages.last().filter(|page| page.start > span.start) {
        pages.extend(document.page_of(page.start - 1));
    }
    pages.reverse();
    pages.truncate(MOST + 1);
    let mut parts: Vec<Part> = Vec::new();
    let mut line = first;
    for (nth, page) in pages.iter().enumerate().take(MOST) {
        let start = page.start.max(span.start);
        let end = pages.get(nth + 1).map_or(span.end, |next| next.start);
        // The last line of a part ends with its last byte, a line feed or not.
        let counted = line.filter(|_| pages.len() > 1).map(|line| {
            let last = line + newlines(reader, start..end - 1)?;
            Ok((line, last, last + newlines(reader, end - 1..end)?))
        });
        let lines = counted.transpose()?;
        parts.push(Part { page: *page, start, lines: lines.map(|(first, last, _)| (first, last)) });
        line = lines.map(|(.., next)| next);
    }
    Ok(of_parts(reader, document, &parts))
}

fn paged(reader: &Reader) -> Option<&dyn Paged> {
    reader.document().filter(|document| document.has_pages())
}

fn newlines(reader: &Reader, span: Range<u64>) -> Result<u64> {
    let mut buffer = vec![0; 64 << 10];
    let (mut at, mut count) = (span.start, 0);
    while at < span.end {
        let most = usize::try_from(span.end - at).unwrap_or(usize::MAX).min(buffer.len());
        let got = reader.read(&mut buffer[..most], at)?;
        if got == 0 {
            break;
        }
        count += memchr_iter(b'\n', &buffer[..got]).count() as u64;
        at += got as u64;
    }
    Ok(count)
}

fn of_parts(reader: &Reader, document: &dyn Paged, parts: &[Part]) -> PageOfDocument {
    let sheet = |part: &Part| sheet_of(reader, document, part).unwrap_or_default();
    match parts {
        [] => PageOfDocument::default(),
        [part] => PageOfDocument { page: Some(part.page.number), sheet: sheet(part), on_pages: Vec::new() },
        several => {
            let one = |part: &Part| PageLines {
                page: part.page.number,
                sheet: sheet(part),
                lines: part.lines.map(|(first, last)| {
                    if first == last { first.to_string() } else { format!("{first}-{last}") }
                }),
            };
            PageOfDocument { on_pages: several.iter().map(one).collect(), ..PageOfDocument::default() }
        }
    }
}

/// The name of the sheet, and its header row if the lines begin after it.
fn sheet_of(reader: &Reader, document: &dyn Paged, part: &Part) -> Option<SheetOfWorkbook> {
    if !document.has_sheets() {
        return None;
    }
    let mut head = vec![0; HEAD];
    let got = reader.source().read_at(&mut head, part.page.start).ok()?;
    head.truncate(got);
    let mut lines = head.split_inclusive(|byte| *byte == b'\n');
    // One sheet alone has no line with its name.
    let name = if document.count() == Some(1) { b"" } else { lines.next()? };
    let header = lines.next().filter(|line| line.ends_with(b"\n")).unwrap_or_default();
    let text = |line: &[u8]| String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
    let begins_later = part.start >= part.page.start + (name.len() + header.len()) as u64;
    Some(SheetOfWorkbook {
        sheet: Some(text(name.strip_prefix(b"# ").unwrap_or(name))).filter(|_| !name.is_empty()),
        header_row: Some(text(header)).filter(|row| begins_later && !row.is_empty()),
    })
}
