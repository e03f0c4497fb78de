//! Web pages: the text that a browser shows, without its layout.

mod marks;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::protocol::{Failure, Output};
use crate::recognition::{BOM, FirstBytes, Verdict};
use marks::Marks;

/// Columns that no line has: paragraphs are not divided.
const WIDTH: usize = 1 << 24;

/// Blanks that only a cell far wider than its text has.
const GAP: usize = 100;

/// Where browsers look for a declaration of the encoding.
const DECLARATION: usize = 1024;

const STARTS: [&[u8]; 2] = [b"<!doctype html", b"<html"];

/// By name, if it is a whole page: parts of pages and templates stay plain.
pub(super) fn recognise(head: &FirstBytes<'_>) -> Verdict {
    if !head.is_named {
        return Verdict::Not;
    }
    // UTF-16 has a NUL beside each letter of a tag.
    let plain: Vec<u8> = match head.bytes {
        [0xFE, 0xFF, rest @ ..] | [0xFF, 0xFE, rest @ ..] => {
            rest.iter().copied().filter(|byte| *byte != 0).collect()
        }
        bytes => bytes.strip_prefix(BOM).unwrap_or(bytes).to_vec(),
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
    let is_start =
        |start: &&[u8]| rest.len() >= start.len() && rest[..start.len()].eq_ignore_ascii_case(start);
    let may_start =
        |start: &&[u8]| rest.iter().zip(*start).all(|(byte, wanted)| byte.eq_ignore_ascii_case(wanted));
    if STARTS.iter().any(is_start) {
        Verdict::Is
    } else if STARTS.iter().any(may_start) || b"<!--".starts_with(rest) {
        Verdict::Open
    } else {
        Verdict::Not
    }
}

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    out.text(&text(&in_utf8(bytes))?)?;
    Ok(())
}

/// The text of a page in UTF-8.
pub(super) fn text(page: &[u8]) -> Result<String, Failure> {
    let config = html2text::config::with_decorator(Marks).link_footnotes(false).no_table_borders();
    let text = config.no_link_wrapping().allow_width_overflow().string_from_read(page, WIDTH)?;
    let lines: String = text.lines().flat_map(|line| [narrow(line.trim_end()), "\n".into()]).collect();
    // No blank lines around the text, which may be empty.
    let text = lines.trim_matches('\n');
    Ok(if text.is_empty() { String::new() } else { format!("{text}\n") })
}

/// Cells of a table are as wide as their column. A text of pages in one cell would set the others far apart.
fn narrow(line: &str) -> Cow<'_, str> {
    let gap = " ".repeat(GAP);
    let (mut narrow, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(&gap) {
        narrow.push_str(&rest[..at]);
        narrow.push_str("  ");
        rest = rest[at..].trim_start_matches(' ');
    }
    if narrow.is_empty() { line.into() } else { (narrow + rest).into() }
}

/// `bytes` in UTF-8, from the encoding of their byte order mark, or the declared one, or the one of older pages.
pub(super) fn in_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let encoding = match declared(&bytes[..bytes.len().min(DECLARATION)]) {
        Some(encoding) => encoding,
        None if simdutf8::basic::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    match encoding.decode(bytes).0 {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// The encoding that `<meta charset=…>`, `<meta content="…; charset=…">` or `<?xml encoding=…?>` names.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let head = head.to_ascii_lowercase();
    let names = [&b"charset"[..], b"encoding"];
    let places = names
        .into_iter()
        .flat_map(|name| memchr::memmem::find_iter(&head, name).map(move |at| at + name.len()));
    let mut labels = places.filter_map(|at| {
        let value = head[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let end = value.iter().position(|byte| b"\"'> \t\r\n;/?".contains(byte)).unwrap_or(value.len());
        Encoding::for_label(&value[..end])
    });
    // A page whose declaration can be read as ASCII is not in UTF-16.
    labels.next().map(|encoding| if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
}
