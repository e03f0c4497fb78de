//! Splits a chunk into delimited records and values, respecting quotes; also at several characters or at blanks.

use memchr::{memchr, memmem, memrchr};

use super::boundaries::{Boundaries, Finder, Malformed, find, newline_of, no_record};
use rread_text::layout::Divider;
use rread_text::{Csv, Layout, setting};

#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
}

pub(super) struct CsvRecord {
    pub start: usize,
    /// The start of the next line.
    pub end: usize,
    pub values: usize,
    /// The last value is empty, without quotes.
    pub ends_empty: bool,
    /// The first value with quotes that do not surround it.
    pub stray: Option<usize>,
}

impl CsvRecord {
    /// Whether it is a record of a table with `width` columns; adds empty values to `spans`, with those that are `used`, for
    /// what it may lack.
    pub fn fits(&self, width: usize, csv: &Csv, used: impl Fn(usize) -> bool, spans: &mut Vec<Span>) -> bool {
        if csv.pad && self.values < width {
            let missing = (self.values..width).filter(|nth| used(*nth));
            spans.extend(missing.map(|_| Span { start: 0, end: 0 }));
            return true;
        }
        match csv.trailing {
            true => self.values == width + usize::from(self.ends_empty),
            false => self.values == width,
        }
    }
}

/// The chunk is smaller than 4 GiB.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    finder: Finder<'a>,
    quote: Option<u8>,
    escape: Option<u8>,
    comment: Option<u8>,
    newline: u8,
    at: usize,
}

impl<'a> Records<'a> {
    pub fn new(bytes: &'a [u8], csv: &Csv) -> Self {
        Records {
            bytes,
            finder: Finder::new(bytes, csv.delimiter, csv.newline),
            quote: csv.quote,
            escape: other_escape(csv),
            comment: csv.comment,
            newline: csv.newline,
            at: 0,
        }
    }

    pub fn next(&mut self, used: impl Fn(usize) -> bool, spans: &mut Vec<Span>) -> Option<CsvRecord> {
        if !self.skip() {
            return None;
        }
        let record = self.at;
        let (mut start, mut values, mut stray) = (record, 0, None);
        let ends_empty = loop {
            let opening = self.bytes.get(start).copied();
            let is_quoted = self.quote.is_some() && opening == self.quote;
            let closed = if is_quoted { self.closed(start) } else { start };
            if is_quoted {
                self.finder.seek(closed);
            }
            let stop = self.finder.next().unwrap_or(self.bytes.len());
            let last = self.bytes.get(stop).is_none_or(|byte| *byte == self.newline);
            let mut end = stop;
            while last && self.newline == b'\n' && end > start && self.bytes[end - 1] == b'\r' {
                end -= 1;
            }
            if is_quoted && stray.is_none() && !self.bytes[closed.min(end)..end].trim_ascii().is_empty() {
                stray = Some(start);
            }
            if used(values) {
                spans.push(Span { start: short(start), end: short(end) });
            }
            values += 1;
            let is_empty = start == end;
            start = stop + 1;
            if last {
                break is_empty;
            }
        };
        self.at = start;
        let end = start.min(self.bytes.len());
        Some(CsvRecord { start: record, end, values, ends_empty, stray })
    }

    #[inline]
    fn skip(&mut self) -> bool {
        loop {
            let Some(first) = self.bytes.get(self.at).copied() else { return false };
            if first != b'\n' && first != b'\r' && Some(first) != self.comment {
                return true;
            }
            let stop = memchr(self.newline, &self.bytes[self.at..])
                .map_or(self.bytes.len(), |length| self.at + length + 1);
            if !no_record(&self.bytes[self.at..stop], self.comment) {
                return true;
            }
            self.at = stop;
            self.finder.seek(stop);
        }
    }

    fn closed(&self, start: usize) -> usize {
        let Some(quote) = self.quote else { return start };
        let (Ok(after) | Err(after)) = value_end(self.bytes, start + 1, quote, self.escape, true);
        after
    }
}

#[inline]
fn short(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// `raw` begins with a quote; `text` is a buffer for values with escapes.
pub(super) fn unquoted<'a>(raw: &'a str, csv: &Csv, text: &'a mut String) -> &'a str {
    let Some(quote) = csv.quote else { return raw };
    let inside = raw.get(1..).unwrap_or_default();
    let escape = other_escape(csv);
    if let Some(at) = memchr(quote, inside.as_bytes())
        && at + 1 == inside.len()
        && escape.is_none_or(|escape| memchr(escape, inside.as_bytes()).is_none())
    {
        return &inside[..at];
    }
    let (Ok(end) | Err(end)) = value_end(raw.as_bytes(), 1, quote, escape, true);
    let (quotes, rest) = raw.split_at_checked(end).unwrap_or((raw, ""));
    let quotes = quotes.strip_suffix(char::from(quote)).unwrap_or(quotes);
    text.clear();
    let mut characters = quotes.chars().skip(1).peekable();
    let (quote, escape) = (char::from(quote), char::from(escape.unwrap_or(quote)));
    while let Some(character) = characters.next() {
        let escapes =
            character == escape && characters.peek().is_some_and(|next| *next == quote || *next == escape);
        text.push(if escapes { characters.next().unwrap_or(character) } else { character });
    }
    text.push_str(rest);
    text
}

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
        // The mark at the end of the text may have gone since the last scan.
        for place in [&mut self.seen, &mut self.outside, &mut self.end] {
            *place = (*place).min(buffer.len());
        }
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
        read: impl FnOnce(&mut Vec<u8>) -> rread_text::error::Result<bool>,
    ) -> rread_text::error::Result<bool> {
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

/// The start and the end of the next divider of a line.
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
