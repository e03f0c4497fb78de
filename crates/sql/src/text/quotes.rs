//! Finds the ends of delimited records, respecting quotes.

use memchr::{memchr, memrchr};

use super::boundaries::{Boundaries, Malformed};
use super::finder::find;
use rread_text::layout::Csv;
use rread_text::sentence::setting;

/// The end of a quoted value whose content continues at `from`; `Err` has the offset to resume at once more text
/// arrives. Without `escape`, a doubled quote is part of the value; with it, an escaped quote or escape is.
pub(super) fn value_end(
    bytes: &[u8],
    from: usize,
    quote: u8,
    escape: Option<u8>,
    last: bool,
) -> Result<usize, usize> {
    let mut from = from;
    while let Some(at) = find(bytes, from, quote, escape.unwrap_or(quote)) {
        let is_quote = bytes[at] == quote;
        match bytes.get(at + 1).copied() {
            _ if is_quote && escape.is_some() => return Ok(at + 1),
            None if !last => return Err(at),
            None if is_quote => return Ok(at + 1),
            Some(next) if next == quote || Some(next) == escape => from = at + 2,
            _ if escape.is_some() => from = at + 1,
            _ => return Ok(at + 1),
        }
    }
    Err(bytes.len())
}

pub(super) fn other_escape(csv: &Csv) -> Option<u8> {
    csv.escape.filter(|escape| Some(*escape) != csv.quote)
}

#[derive(Clone, Copy, PartialEq)]
enum QuoteState {
    Plain,
    Comment,
    Quoted(usize),
}

/// A state machine that jumps from quote to quote. A quote opens a value only as its first character (RFC 4180,
/// section 2). Text between a closing quote and the next delimiter belongs to the value.
/// Without quotes, records are lines.
pub(super) struct Quotes {
    csv: Csv,
    state: QuoteState,
    /// Searched for quotes up to here.
    seen: usize,
    /// Searched for newlines outside quotes up to here.
    outside: usize,
    end: usize,
}

impl Quotes {
    pub fn new(csv: Csv) -> Self {
        Quotes { csv, state: QuoteState::Plain, seen: 0, outside: 0, end: 0 }
    }

    /// Everything before `to` is outside quotes.
    fn mark(&mut self, buffer: &[u8], to: usize) {
        let text = &buffer[self.outside..to];
        // Between quotes there is usually only a delimiter; a short loop beats a call.
        let found = match text.len() {
            0..=4 => text.iter().rposition(|byte| *byte == self.csv.newline),
            _ => memrchr(self.csv.newline, text),
        };
        if let Some(at) = found {
            self.end = self.outside + at + 1;
        }
        self.outside = to;
    }

    fn plain(&mut self, buffer: &[u8]) -> bool {
        let Some(at) = self.csv.quote.and_then(|quote| find(buffer, self.seen, quote, quote)) else {
            self.mark(buffer, buffer.len());
            self.seen = buffer.len();
            return false;
        };
        self.seen = at + 1;
        let before = at.checked_sub(1).map_or(self.csv.newline, |before| buffer[before]);
        if before != self.csv.delimiter && before != self.csv.newline {
            return true;
        }
        self.mark(buffer, at);
        // This line began at the end of the last record: no newline outside quotes has followed.
        let is_comment = self.csv.comment.is_some() && buffer.get(self.end).copied() == self.csv.comment;
        self.state = if is_comment { QuoteState::Comment } else { QuoteState::Quoted(at) };
        true
    }

    fn comment(&mut self, buffer: &[u8]) -> bool {
        let Some(at) = memchr(self.csv.newline, &buffer[self.seen..]) else {
            self.seen = buffer.len();
            return false;
        };
        self.seen += at + 1;
        self.state = QuoteState::Plain;
        true
    }

    fn quoted(&mut self, buffer: &[u8], quote: u8, last: bool) -> bool {
        let end = value_end(buffer, self.seen, quote, other_escape(&self.csv), last);
        let (Ok(seen) | Err(seen)) = end;
        self.seen = seen;
        if end.is_ok() {
            self.outside = seen;
            self.state = QuoteState::Plain;
        }
        end.is_ok()
    }
}

impl Boundaries for Quotes {
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Malformed> {
        let mut more = true;
        while more {
            more = match self.state {
                QuoteState::Plain => self.plain(buffer),
                QuoteState::Comment => self.comment(buffer),
                QuoteState::Quoted(opened) => self.quoted(buffer, buffer[opened], last),
            };
        }
        match self.state {
            QuoteState::Quoted(at) if last => Err(Malformed {
                at,
                message: "the quote that opens here is never closed",
                hint: Some(setting("quote").then(" '', if quotes are ordinary characters here")),
            }),
            _ if last => Ok(buffer.len()),
            _ => Ok(self.end),
        }
    }

    fn cut(&mut self, at: usize) -> Vec<usize> {
        // The last record may have no newline; nothing is scanned after it.
        self.seen = self.seen.saturating_sub(at);
        self.outside = self.outside.saturating_sub(at);
        self.end = self.end.saturating_sub(at);
        if let QuoteState::Quoted(opened) = &mut self.state {
            *opened = opened.saturating_sub(at);
        }
        Vec::new()
    }
}
