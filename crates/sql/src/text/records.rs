//! Splits a chunk into delimited records and values.

use memchr::memchr;

use super::boundaries::no_record;
use super::finder::Finder;
use super::quotes::{other_escape, value_end};
use rread_text::layout::Csv;

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
    ends_empty: bool,
}

impl CsvRecord {
    /// Whether it is a record of a table with `width` columns; adds empty values to `spans`, with those that are `used`, for
    /// what it may lack. A delimiter after the last value adds nothing.
    pub fn fits(&self, width: usize, csv: &Csv, used: impl Fn(usize) -> bool, spans: &mut Vec<Span>) -> bool {
        if csv.pad && self.values < width {
            let missing = (self.values..width).filter(|nth| used(*nth));
            spans.extend(missing.map(|_| Span { start: 0, end: 0 }));
            return true;
        }
        self.values == width || self.ends_empty && self.values == width + 1
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
        let (mut start, mut values) = (record, 0);
        let ends_empty = loop {
            let opening = self.bytes.get(start).copied();
            if self.quote.is_some() && opening == self.quote {
                self.finder.seek(self.closed(start));
            }
            let stop = self.finder.next().unwrap_or(self.bytes.len());
            let last = self.bytes.get(stop).is_none_or(|byte| *byte == self.newline);
            let carriage = last && self.newline == b'\n' && stop > start && self.bytes[stop - 1] == b'\r';
            let end = stop - usize::from(carriage);
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
        Some(CsvRecord { start: record, end, values, ends_empty })
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
