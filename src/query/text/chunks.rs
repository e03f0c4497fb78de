//! Cuts text between records, so that each piece can be parsed by itself.

use memchr::{memchr, memrchr};

use super::Text;
use super::brackets::Brackets;
use super::quotes::Quotes;
use crate::error::{Error, Kind, Result};
use crate::newline;
use crate::query::layout::Layout;

/// Room for what one call of [`Text::read`] appends, so that a buffer rarely moves.
const SLACK: usize = 320 << 10;

/// Whole records, and no part of another.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The records, as they stand in the text. Of JSON, the brackets of an array around the records and the commas between
    /// them have become spaces.
    pub bytes: Vec<u8>,
    /// The number of the line that the first byte is in, from 1.
    pub line: u64,
    /// Whether no record comes before these, so that the first of them may be a header.
    pub(super) first: bool,
    /// Where the JSON values end. Empty for the other layouts, whose records end with their lines.
    pub(super) ends: Vec<usize>,
}

/// What is wrong with the text, and where in the buffer.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub message: &'static str,
    pub hint: Option<&'static str>,
}

/// Tells where the records of a buffer end that is filled at its end and emptied at its beginning.
pub(super) trait Boundaries: Send {
    /// Looks at what is new in `buffer`; returns where its last whole record ends, or 0. With `last`, nothing comes after it.
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> std::result::Result<usize, Fault>;

    /// Forgets the first `at` bytes, which end with a record; returns where values end in them, for a layout whose records
    /// are not lines.
    fn cut(&mut self, at: usize) -> Vec<usize>;
}

/// How the records of `layout` are told apart.
pub(super) fn boundaries(layout: &Layout) -> Box<dyn Boundaries> {
    match layout {
        Layout::Csv(csv) => match Quotes::new(csv) {
            Some(quotes) => Box::new(quotes),
            None => Box::new(Lines::default()),
        },
        Layout::Jsonl { .. } => Box::new(Lines::default()),
        Layout::Json { .. } => Box::new(Brackets::default()),
    }
}

/// `fault` as the user reads it; `line` is that of the first byte of `buffer`.
pub(super) fn explained(fault: &Fault, buffer: &[u8], line: u64) -> Error {
    let line = line + newline::count(buffer.get(..fault.at).unwrap_or(buffer));
    let error = Error::new(Kind::InvalidText, format!("line {line}: {}", fault.message));
    match fault.hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// Records that end with their lines.
#[derive(Default)]
struct Lines {
    seen: usize,
    end: usize,
}

impl Boundaries for Lines {
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> std::result::Result<usize, Fault> {
        if let Some(at) = memrchr(b'\n', &buffer[self.seen..]) {
            self.end = self.seen + at + 1;
        }
        self.seen = buffer.len();
        if last {
            self.end = buffer.len();
        }
        Ok(self.end)
    }

    fn cut(&mut self, at: usize) -> Vec<usize> {
        (self.seen, self.end) = (self.seen - at, self.end - at);
        Vec::new()
    }
}

/// The chunks of a text, in its order.
pub struct Chunks {
    text: Box<dyn Text>,
    boundaries: Box<dyn Boundaries>,
    layout: Layout,
    target: usize,
    limit: usize,
    buffer: Vec<u8>,
    line: u64,
    first: bool,
    ended: bool,
}

impl Chunks {
    /// The chunks of `text`, of about `target` bytes each. Records of up to `limit` bytes are found; no more is kept of a
    /// record than that and what is read at a time.
    #[must_use]
    pub fn new(text: Box<dyn Text>, layout: &Layout, target: usize, limit: usize) -> Self {
        Chunks {
            text,
            boundaries: boundaries(layout),
            layout: layout.clone(),
            target,
            limit,
            buffer: Vec::new(),
            line: 1,
            first: true,
            ended: false,
        }
    }

    /// The next chunk, or none at the end of the text. Nothing may be asked for after an error.
    ///
    /// # Errors
    /// Those of reading; and [`Kind::InvalidText`] with the number of the line, for a quote that is not closed, JSON that
    /// does not nest, and a record that is too long.
    // It fails, so that it is no iterator.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Chunk>> {
        loop {
            let scanned = self.boundaries.scan(&mut self.buffer, self.ended);
            let end = scanned.map_err(|fault| explained(&fault, &self.buffer, self.line))?;
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
            self.ended = !self.text.read(&mut self.buffer)?;
        }
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
        let line = self.line;
        self.line += newline::count(&bytes);
        let first = std::mem::replace(&mut self.first, false);
        Chunk { bytes, line, first, ends: self.boundaries.cut(end) }
    }

    /// Drops blank lines and comments before the first record, so that a first chunk has a record however small it is.
    /// Returns where the last whole record ends then.
    fn skip_preface(&mut self, end: usize) -> usize {
        if !self.first {
            return end;
        }
        let mut at = 0;
        while at < end {
            let stop = memchr(b'\n', &self.buffer[at..end]).map_or(end, |length| at + length + 1);
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
            self.line += newline::count(&self.buffer[..at]);
            self.buffer.drain(..at);
            self.boundaries.cut(at);
        }
        end - at
    }

    fn too_long(&self, end: usize) -> Error {
        let line = self.line + newline::count(&self.buffer[..end]);
        let limit = self.limit;
        let error = Error::new(
            Kind::InvalidText,
            format!("line {line}: the record that begins here is longer than {limit} bytes"),
        );
        match too_long_hint(&self.layout) {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// What may be done about records that are too long.
pub(super) fn too_long_hint(layout: &Layout) -> Option<&'static str> {
    match layout {
        // Only where quotes are looked for can one be to blame.
        Layout::Csv(csv) => {
            csv.quote.map(|_| "--quote '', if quotes are ordinary characters here and one is never closed")
        }
        Layout::Json { .. } | Layout::Jsonl { .. } => Some(
            "jq -c '.Records[]' FILE | rread select - QUERY, where Records is the array whose items are the rows",
        ),
    }
}

/// Whether `line`, with its end, is blank or a comment.
pub(super) fn no_record(line: &[u8], comment: Option<u8>) -> bool {
    matches!(line, [] | [b'\n' | b'\r'] | [b'\r', b'\n'])
        || comment.is_some() && line.first().copied() == comment
}
