//! Where records of delimited values end, quotes and all.

use memchr::{memchr, memrchr};

use super::chunks::{Boundaries, Fault};
use super::finder::find;
use crate::query::layout::Csv;

/// What lies at the end of a quoted value.
pub(super) enum Closing {
    /// It ends just before this index.
    At(usize),
    /// It does not end before what is there does; this is where to go on when there is more.
    Beyond(usize),
}

/// Finds the quote that closes a value whose inside goes on at `from`. With `last`, nothing comes after `bytes`.
///
/// Without `escape`, a quote directly after another is part of the value; with it, one directly after an escape is, and so is
/// an escape directly after an escape.
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

/// The escape of `csv` where it is another character than the quote.
pub(super) fn other_escape(csv: &Csv) -> Option<u8> {
    csv.escape.filter(|escape| Some(*escape) != csv.quote)
}

/// Whether the text so far ends in a value with quotes around it, or in a comment, or in neither.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Plain,
    Comment,
    /// In quotes that opened here.
    Quoted(usize),
}

/// A state machine over records that jumps from quote to quote.
///
/// A quote opens a value only as the first character of it (RFC 4180, section 2); what comes between a closing quote and the
/// next delimiter belongs to the value as it stands.
pub(super) struct Quotes {
    quote: u8,
    escape: Option<u8>,
    delimiter: u8,
    comment: Option<u8>,
    state: State,
    /// How far quotes were looked for.
    seen: usize,
    /// How far newlines between quoted values were looked for.
    outside: usize,
    end: usize,
}

impl Quotes {
    /// None, if nothing is quoted.
    pub fn new(csv: &Csv) -> Option<Self> {
        Some(Quotes {
            quote: csv.quote?,
            escape: other_escape(csv),
            delimiter: csv.delimiter,
            comment: csv.comment,
            state: State::Plain,
            seen: 0,
            outside: 0,
            end: 0,
        })
    }

    /// Notes the last newline before `to`, all of which is outside quotes.
    fn mark(&mut self, buffer: &[u8], to: usize) {
        let text = &buffer[self.outside..to];
        // Between quotes there is little more than a delimiter.
        let found = match text.len() {
            0..=4 => text.iter().rposition(|byte| *byte == b'\n'),
            _ => memrchr(b'\n', text),
        };
        if let Some(at) = found {
            self.end = self.outside + at + 1;
        }
        self.outside = to;
    }

    /// Goes on outside quotes; returns whether there is more to look at.
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
        // The line began where the last record ended: no newline has been outside quotes since.
        let comment = self.comment.is_some() && buffer.get(self.end).copied() == self.comment;
        self.state = if comment { State::Comment } else { State::Quoted(at) };
        true
    }

    fn comment(&mut self, buffer: &[u8]) -> bool {
        let Some(at) = memchr(b'\n', &buffer[self.seen..]) else {
            self.seen = buffer.len();
            return false;
        };
        self.seen += at + 1;
        self.state = State::Plain;
        true
    }

    fn quoted(&mut self, buffer: &[u8], last: bool) -> bool {
        match closing(buffer, self.seen, self.quote, self.escape, last) {
            Closing::At(after) => {
                (self.seen, self.outside) = (after, after);
                self.state = State::Plain;
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
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Fault> {
        loop {
            let more = match self.state {
                State::Plain => self.plain(buffer),
                State::Comment => self.comment(buffer),
                State::Quoted(_) => self.quoted(buffer, last),
            };
            if !more {
                break;
            }
        }
        match self.state {
            State::Quoted(at) if last => Err(Fault {
                at,
                message: "the quote that opens here is never closed",
                hint: Some("--quote '', if quotes are ordinary characters here"),
            }),
            _ if last => Ok(buffer.len()),
            _ => Ok(self.end),
        }
    }

    fn cut(&mut self, at: usize) -> Vec<usize> {
        // At the very end, a last record may have no newline; nothing is scanned after that.
        self.seen = self.seen.saturating_sub(at);
        self.outside = self.outside.saturating_sub(at);
        self.end = self.end.saturating_sub(at);
        if let State::Quoted(opened) = &mut self.state {
            *opened = opened.saturating_sub(at);
        }
        Vec::new()
    }
}
