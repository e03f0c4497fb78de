//! Text whose values are divided by several characters, or by blanks, with one byte in their place.

use memchr::{memmem, memrchr};

use super::boundaries::newline_of;
use super::records::other_escape;
use rread_text::error::Result;
use rread_text::layout::{Csv, Divider, Layout};

/// Before each value of a JSON text sequence.
pub(crate) const SEPARATOR: u8 = 0x1e;

/// A text with one byte between values.
pub(crate) struct Divided {
    divider: Option<Divider>,
    csv: Csv,
    newline: u8,
    is_json: bool,
    /// A line that did not end yet.
    rest: Vec<u8>,
    /// Whether what was read so far ends between quotes.
    is_open: bool,
}

impl Divided {
    pub fn of(layout: &Layout) -> Self {
        let csv = match layout {
            Layout::Csv(csv) => csv.clone(),
            Layout::Json { .. } | Layout::Jsonl { .. } => Csv::default(),
        };
        let (divider, newline) = (csv.divider.clone(), newline_of(layout));
        let is_json = !matches!(layout, Layout::Csv(_));
        Divided { divider, csv, newline, is_json, rest: Vec::new(), is_open: false }
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
        if self.is_json {
            // A JSON text sequence (RFC 7464) has this sign before each value.
            buffer[before..].iter_mut().filter(|byte| **byte == SEPARATOR).for_each(|byte| *byte = b' ');
        }
        let Some(divider) = self.divider.clone() else { return Ok(more) };
        let whole = self.rest.len();
        self.rest.extend(buffer.drain(before..));
        let last = memrchr(self.newline, self.rest.get(whole..).unwrap_or_default());
        let end = if more { last.map_or(0, |at| whole + at + 1) } else { self.rest.len() };
        let rest = self.rest.split_off(end);
        let lines = std::mem::replace(&mut self.rest, rest);
        let newline = self.newline;
        for line in lines.split_inclusive(|byte| *byte == newline) {
            self.line(&divider, line, buffer);
        }
        Ok(more)
    }

    fn line(&mut self, divider: &Divider, line: &[u8], buffer: &mut Vec<u8>) {
        if !self.is_open && self.csv.comment.is_some() && line.first().copied() == self.csv.comment {
            return buffer.extend_from_slice(line);
        }
        let line = match divider {
            Divider::Blanks if !self.is_open => line.trim_ascii(),
            Divider::Blanks => line.trim_ascii_end(),
            Divider::Text(_) => line,
        };
        let is_quoted = |start: usize| self.csv.quote.is_some() && line.get(start).copied() == self.csv.quote;
        let (mut start, mut from) = (0, 0);
        let mut has_quotes = self.is_open || is_quoted(0);
        loop {
            let next = divide(divider, line, from);
            let at = next.map_or(line.len(), |(at, _)| at);
            if has_quotes {
                self.is_open = ends_open(&line[from..at], &line[at..], &self.csv, self.is_open);
            }
            match next {
                // A divider between quotes is a part of the value.
                Some((_, next)) if self.is_open => from = next,
                Some((_, next)) => {
                    buffer.extend_from_slice(&line[start..at]);
                    buffer.push(Divider::BYTE);
                    (start, from, has_quotes) = (next, next, is_quoted(next));
                }
                None => break,
            }
        }
        buffer.extend_from_slice(&line[start..]);
        buffer.extend((*divider == Divider::Blanks).then_some(self.newline));
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

/// Whether `part` of a value with quotes, which begins between quotes if `is_open`, ends between quotes; `after` follows it.
fn ends_open(part: &[u8], after: &[u8], csv: &Csv, mut is_open: bool) -> bool {
    let (Some(quote), escape) = (csv.quote, other_escape(csv)) else { return false };
    let mut rest = part;
    while let Some(at) = memchr::memchr2(quote, escape.unwrap_or(quote), rest) {
        let next = rest.get(at + 1).or(after.first()).copied();
        // What an escape does not escape is an ordinary character.
        let is_escape = escape.is_some_and(|escape| rest[at] == escape);
        let is_escaped = is_escape && is_open && (next == Some(quote) || next == escape);
        is_open ^= !is_escape;
        rest = rest.get(at + 1 + usize::from(is_escaped)..).unwrap_or_default();
    }
    is_open
}
