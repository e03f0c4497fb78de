//! Cuts text between records, so that each piece can be parsed on its own.

use memchr::memchr;

use super::boundaries::{Boundaries, Brackets, Malformed, after_lines, line_ends, newline_of, no_record};
use super::records::{Divided, Quotes};
use rread_text::{Csv, Error, Kind, Layout, Result, Sentence, call, setting, shell};

/// Room for one [`TextStream::read`], so that a buffer rarely reallocates.
const SLACK: usize = 320 << 10;

pub trait TextStream: Send {
    /// The place of the first byte of the text in the file, if all bytes so far are those of the file.
    fn begins_at(&self) -> Option<u64> {
        Some(0)
    }

    /// Appends about 256 KiB of whole characters, without a byte order mark. Returns false at the end.
    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool>;
}

#[derive(Clone, Debug)]
pub struct Chunk {
    /// In a JSON array, spaces replace the outer brackets and the commas between records.
    pub bytes: Vec<u8>,
    /// Of the first byte, from 1.
    pub line: u64,
    pub(super) newline: u8,
    pub(super) first: bool,
    /// Empty if records are lines.
    pub(super) ends: Vec<usize>,
    /// The numbers of the lines, if they do not follow one another.
    pub(super) numbers: Vec<u64>,
    /// The place of the first byte in the file, if the text is that of the file.
    pub(super) at: Option<u64>,
}

impl Chunk {
    /// Whole lines, with their numbers.
    pub(crate) fn of_lines(bytes: Vec<u8>, numbers: Vec<u64>) -> Self {
        Chunk { bytes, line: 1, newline: b'\n', first: false, ends: Vec::new(), numbers, at: None }
    }
}

pub(super) fn boundaries(layout: &Layout) -> Box<dyn Boundaries> {
    match layout {
        Layout::Csv(csv) => Box::new(Quotes::new(csv.clone())),
        Layout::Jsonl { .. } => Box::new(Quotes::new(Csv { quote: None, ..Csv::default() })),
        Layout::Json { .. } => Box::new(Brackets::default()),
    }
}

pub(super) fn explained(malformed: &Malformed, buffer: &[u8], line: u64, newline: u8) -> Error {
    let line = line + line_ends(buffer.get(..malformed.at).unwrap_or(buffer), newline);
    invalid(format!("line {line}: {}", malformed.message), malformed.hint.clone())
}

pub(super) fn invalid(message: String, hint: Option<Sentence>) -> Error {
    Error { hint, ..Error::new(Kind::InvalidText, message) }
}

pub struct Chunks {
    text: Box<dyn TextStream>,
    divided: Divided,
    boundaries: Box<dyn Boundaries>,
    layout: Layout,
    newline: u8,
    /// Lines before the table that were not passed yet.
    skip_lines: u64,
    target: usize,
    limit: usize,
    buffer: Vec<u8>,
    /// The bytes of the text before `buffer`.
    before: u64,
    line: u64,
    first: bool,
    ended: bool,
}

impl Chunks {
    pub fn new(text: Box<dyn TextStream>, layout: &Layout, target: usize, limit: usize) -> Self {
        Chunks {
            text,
            divided: Divided::of(layout),
            boundaries: boundaries(layout),
            newline: newline_of(layout),
            skip_lines: skipped_lines(layout),
            layout: layout.clone(),
            target,
            limit,
            buffer: Vec::new(),
            before: 0,
            line: 1,
            first: true,
            ended: false,
        }
    }

    /// Do not call it again after an error.
    // Not an `Iterator`, because it can fail.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Chunk>> {
        loop {
            self.skip_lines();
            let scanned = self.boundaries.scan(&mut self.buffer, self.ended);
            let end =
                scanned.map_err(|malformed| explained(&malformed, &self.buffer, self.line, self.newline))?;
            let end = self.skip_preface(end);
            if end > 0 && (self.ended || self.buffer.len() >= self.target) {
                return Ok(Some(self.cut(end)));
            }
            if self.ended {
                return Ok(None);
            }
            if self.buffer.len() - end > self.limit {
                return Err(self.too_long(end));
            }
            if self.buffer.is_empty() {
                self.buffer.reserve(self.target.saturating_add(SLACK));
            }
            let text = &mut self.text;
            self.ended = !self.divided.read(&mut self.buffer, |buffer| text.read(buffer))?;
            if self.ended && matches!(self.layout, Layout::Csv(_)) {
                self.buffer.truncate(without_end_mark(&self.buffer).len());
            }
        }
    }

    fn skip_lines(&mut self) {
        if self.skip_lines == 0 {
            return;
        }
        let (rest, missing) = after_lines(&self.buffer, self.skip_lines, self.newline);
        let used = self.buffer.len() - rest.len();
        self.line += self.skip_lines - missing;
        self.skip_lines = missing;
        self.before += used as u64;
        self.buffer.drain(..used);
    }

    fn cut(&mut self, end: usize) -> Chunk {
        let rest = &self.buffer[end..];
        let mut buffer = Vec::new();
        if !self.ended {
            buffer.reserve(rest.len().max(self.target).saturating_add(SLACK));
        }
        buffer.extend_from_slice(rest);
        let mut bytes = std::mem::replace(&mut self.buffer, buffer);
        bytes.truncate(end);
        let (line, newline) = (self.line, self.newline);
        self.line += line_ends(&bytes, newline);
        let at =
            self.text.begins_at().filter(|_| self.divided.is_verbatim()).map(|begin| begin + self.before);
        self.before += end as u64;
        let first = std::mem::replace(&mut self.first, false);
        Chunk { bytes, line, newline, first, ends: self.boundaries.cut(end), numbers: Vec::new(), at }
    }

    /// Drops blank lines and comments before the first record, so that even a small first chunk has a record.
    fn skip_preface(&mut self, end: usize) -> usize {
        if !self.first {
            return end;
        }
        let mut at = 0;
        while at < end {
            let stop = memchr(self.newline, &self.buffer[at..end]).map_or(end, |length| at + length + 1);
            let line = &self.buffer[at..stop];
            let skipped = match &self.layout {
                Layout::Csv(csv) => no_record(line, csv.comment),
                Layout::Json { .. } | Layout::Jsonl { .. } => line.trim_ascii().is_empty(),
            };
            if !skipped {
                break;
            }
            at = stop;
        }
        if at > 0 {
            self.line += line_ends(&self.buffer[..at], self.newline);
            self.before += at as u64;
            self.buffer.drain(..at);
            self.boundaries.cut(at);
        }
        end - at
    }

    fn too_long(&self, end: usize) -> Error {
        let line = self.line + line_ends(&self.buffer[..end], self.newline);
        let limit = self.limit;
        invalid(
            format!("line {line}: the record that begins here is longer than {limit} bytes"),
            too_long_hint(&self.layout),
        )
    }
}

/// `text` without the lines before the table.
pub(super) fn after_skipped<'t>(text: &'t [u8], layout: &Layout) -> &'t [u8] {
    match skipped_lines(layout) {
        0 => text,
        count => after_lines(text, count, newline_of(layout)).0,
    }
}

/// `text` without the byte with which DOS ends a file.
pub(crate) fn without_end_mark(text: &[u8]) -> &[u8] {
    text.trim_ascii_end().strip_suffix(b"\x1a").unwrap_or(text)
}

fn skipped_lines(layout: &Layout) -> u64 {
    match layout {
        Layout::Csv(csv) => csv.skip_lines,
        Layout::Json { .. } | Layout::Jsonl { .. } => 0,
    }
}

pub(super) fn too_long_hint(layout: &Layout) -> Option<Sentence> {
    match layout {
        Layout::Csv(csv) => {
            let why = " '', if quotes are ordinary characters here and one is never closed";
            csv.quote.map(|_| setting("quote").then(why))
        }
        Layout::Json { .. } | Layout::Jsonl { .. } => Some(
            shell("jq -c '.Records[]' FILE | ")
                .then(call("select").file("-").word("QUERY"))
                .then(", where Records is the array whose items are the rows"),
        ),
    }
}
