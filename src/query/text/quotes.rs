//! Finds the ends of delimited records, respecting quotes.

use memchr::{memchr, memrchr};

use super::boundaries::{Boundaries, Malformed};
use super::finder::find;
use crate::query::layout::Csv;

pub(super) enum Closing {
    At(usize),
    /// Resume here once more text arrives.
    Beyond(usize),
}

/// Finds the quote that closes a value whose content continues at `from`. `last` means that no more text
/// follows. Without `escape`, a doubled quote is part of the value; with it, an escaped quote or escape is.
pub(super) fn closing(bytes: &[u8], from: usize, quote: u8, escape: Option<u8>, last: bool) -> Closing {
    let mut from = from;
    loop {
        let Some(at) = find(bytes, from, quote, escape.unwrap_or(quote)) else {
            return Closing::Beyond(bytes.len());
        };
        let next = bytes.get(at + 1).copied();
        let alone = bytes[at] == quote && escape.is_some();
        match next {
            _ if alone => return Closing::At(at + 1),
            None if !last => return Closing::Beyond(at),
            None if bytes[at] == quote => return Closing::At(at + 1),
            Some(next) if next == quote || Some(next) == escape => from = at + 2,
            _ if escape.is_some() => from = at + 1,
            _ => return Closing::At(at + 1),
        }
    }
}

/// The escape of `csv`, if it differs from the quote.
pub(super) fn other_escape(csv: &Csv) -> Option<u8> {
    csv.escape.filter(|escape| Some(*escape) != csv.quote)
}

#[derive(Clone, Copy, PartialEq)]
enum QuoteState {
    Plain,
    Comment,
    /// The offset of the opening quote.
    Quoted(usize),
}

/// A state machine that jumps from quote to quote. A quote opens a value only as its first character (RFC 4180,
/// section 2). Text between a closing quote and the next delimiter belongs to the value.
pub(super) struct Quotes {
    quote: u8,
    escape: Option<u8>,
    delimiter: u8,
    comment: Option<u8>,
    state: QuoteState,
    /// Searched for quotes up to here.
    seen: usize,
    /// Searched for newlines outside quotes up to here.
    outside: usize,
    end: usize,
}

impl Quotes {
    /// `None` if quoting is disabled.
    pub fn new(csv: &Csv) -> Option<Self> {
        Some(Quotes {
            quote: csv.quote?,
            escape: other_escape(csv),
            delimiter: csv.delimiter,
            comment: csv.comment,
            state: QuoteState::Plain,
            seen: 0,
            outside: 0,
            end: 0,
        })
    }

    /// Everything before `to` is outside quotes.
    fn mark(&mut self, buffer: &[u8], to: usize) {
        let text = &buffer[self.outside..to];
        // Between quotes there is usually only a delimiter; a short loop beats a call.
        let found = match text.len() {
            0..=4 => text.iter().rposition(|byte| *byte == b'\n'),
            _ => memrchr(b'\n', text),
        };
        if let Some(at) = found {
            self.end = self.outside + at + 1;
        }
        self.outside = to;
    }

    /// Returns whether there is more to scan.
    fn plain(&mut self, buffer: &[u8]) -> bool {
        let Some(at) = find(buffer, self.seen, self.quote, self.quote) else {
            self.mark(buffer, buffer.len());
            self.seen = buffer.len();
            return false;
        };
        self.seen = at + 1;
        // The buffer begins with a record.
        let before = at.checked_sub(1).map_or(b'\n', |before| buffer[before]);
        if before != self.delimiter && before != b'\n' {
            return true;
        }
        self.mark(buffer, at);
        // This line began at the end of the last record: no newline outside quotes has followed.
        let comment = self.comment.is_some() && buffer.get(self.end).copied() == self.comment;
        self.state = if comment { QuoteState::Comment } else { QuoteState::Quoted(at) };
        true
    }

    fn comment(&mut self, buffer: &[u8]) -> bool {
        let Some(at) = memchr(b'\n', &buffer[self.seen..]) else {
            self.seen = buffer.len();
            return false;
        };
        self.seen += at + 1;
        self.state = QuoteState::Plain;
        true
    }

    fn quoted(&mut self, buffer: &[u8], last: bool) -> bool {
        match closing(buffer, self.seen, self.quote, self.escape, last) {
            Closing::At(after) => {
                (self.seen, self.outside) = (after, after);
                self.state = QuoteState::Plain;
                true
            }
            Closing::Beyond(from) => {
                self.seen = from;
                false
            }
        }
    }
}

impl Boundaries for Quotes {
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Malformed> {
        loop {
            let more = match self.state {
                QuoteState::Plain => self.plain(buffer),
                QuoteState::Comment => self.comment(buffer),
                QuoteState::Quoted(_) => self.quoted(buffer, last),
            };
            if !more {
                break;
            }
        }
        match self.state {
            QuoteState::Quoted(at) if last => Err(Malformed {
                at,
                message: "the quote that opens here is never closed",
                hint: Some("--quote '', if quotes are ordinary characters here"),
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
