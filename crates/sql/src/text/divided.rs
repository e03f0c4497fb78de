//! Text whose values are divided by several characters, or by blanks, with one byte in their place.

use memchr::{memmem, memrchr};

use super::boundaries::newline_of;
use rread_text::error::Result;
use rread_text::layout::{Divider, Layout};

/// A text with one byte between values.
pub(crate) struct Divided {
    divider: Option<Divider>,
    quote: Option<u8>,
    newline: u8,
    /// A line that did not end yet.
    rest: Vec<u8>,
    /// Whether the line before ended between quotes.
    is_open: bool,
}

impl Divided {
    pub fn of(layout: &Layout) -> Self {
        let (divider, quote) = match layout {
            Layout::Csv(csv) => (csv.divider.clone(), csv.quote),
            Layout::Json { .. } | Layout::Jsonl { .. } => (None, None),
        };
        Divided { divider, quote, newline: newline_of(layout), rest: Vec::new(), is_open: false }
    }

    /// Whether the bytes are those of the text.
    pub fn is_verbatim(&self) -> bool {
        self.divider.is_none()
    }

    /// Appends what `read` appends, with the byte in the place of what divides values.
    pub fn read(
        &mut self,
        buffer: &mut Vec<u8>,
        read: impl FnOnce(&mut Vec<u8>) -> Result<bool>,
    ) -> Result<bool> {
        let before = buffer.len();
        let more = read(buffer)?;
        let Some(divider) = &self.divider else { return Ok(more) };
        self.rest.extend(buffer.drain(before..));
        let end =
            if more { memrchr(self.newline, &self.rest).map_or(0, |at| at + 1) } else { self.rest.len() };
        for line in self.rest.get(..end).unwrap_or_default().split_inclusive(|byte| *byte == self.newline) {
            let (mut start, mut from) = (0, 0);
            let line = match divider {
                Divider::Blanks if !self.is_open => line.trim_ascii(),
                Divider::Blanks => line.trim_ascii_end(),
                Divider::Text(_) => line,
            };
            while let Some((at, next)) = divide(divider, line, from) {
                from = next;
                if !ends_open(&line[start..at], self.quote, self.is_open) {
                    buffer.extend_from_slice(&line[start..at]);
                    buffer.push(Divider::BYTE);
                    (start, self.is_open) = (next, false);
                }
            }
            buffer.extend_from_slice(&line[start..]);
            buffer.extend((*divider == Divider::Blanks).then_some(self.newline));
            self.is_open = ends_open(&line[start..], self.quote, self.is_open);
        }
        self.rest.drain(..end);
        Ok(more)
    }
}

/// Where the next divider of a line begins and ends.
fn divide(divider: &Divider, line: &[u8], from: usize) -> Option<(usize, usize)> {
    let rest = line.get(from..)?;
    let (at, length) = match divider {
        Divider::Text(words) => (memmem::find(rest, words.as_bytes())?, words.len()),
        Divider::Blanks => {
            let at = rest.iter().position(u8::is_ascii_whitespace)?;
            let blanks = rest[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            (at, blanks)
        }
    };
    Some((from + at, from + at + length))
}

/// Whether a value, or its part after a line end, ends between quotes: a doubled one is two.
fn ends_open(value: &[u8], quote: Option<u8>, is_open: bool) -> bool {
    let Some(quote) = quote.filter(|quote| is_open || value.first() == Some(quote)) else { return false };
    (memchr::memchr_iter(quote, value).count() + usize::from(is_open)) % 2 == 1
}
