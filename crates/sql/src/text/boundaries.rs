//! The ends of lines and records in a text that arrives piece by piece.

use memchr::{memchr, memchr_iter};

use rread_text::layout::Layout;
use rread_text::newline;

use rread_text::sentence::Sentence;

#[derive(Debug)]
pub(super) struct Malformed {
    pub at: usize,
    pub message: &'static str,
    pub hint: Option<Sentence>,
}

/// Finds the ends of records in a buffer that grows at its end and shrinks at its start.
pub(super) trait Boundaries: Send {
    /// Returns the end of the last whole record, or 0. `last` means that no more text follows.
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Malformed>;

    /// Forgets the first `at` bytes, which end with a record. Returns the ends of values, unless records are lines.
    fn cut(&mut self, at: usize) -> Vec<usize>;
}

pub(super) fn no_record(line: &[u8], comment: Option<u8>) -> bool {
    matches!(line, [] | [b'\n' | b'\r'] | [b'\r', b'\n'])
        || comment.is_some() && line.first().copied() == comment
}

pub(super) fn newline_of(layout: &Layout) -> u8 {
    match layout {
        Layout::Csv(csv) => csv.newline,
        Layout::Json { .. } | Layout::Jsonl { .. } => b'\n',
    }
}

/// How many lines end in `bytes`.
pub(super) fn line_ends(bytes: &[u8], newline: u8) -> u64 {
    if newline == b'\n' { newline::count(bytes) } else { memchr_iter(newline, bytes).count() as u64 }
}

/// The text after the first `count` lines, and how many of them are missing.
pub(super) fn after_lines(text: &[u8], count: u64, newline: u8) -> (&[u8], u64) {
    let (mut rest, mut missing) = (text, count);
    while let Some(end) = memchr(newline, rest).filter(|_| missing > 0) {
        rest = rest.get(end + 1..).unwrap_or_default();
        missing -= 1;
    }
    (if missing > 0 { &[] } else { rest }, missing)
}
