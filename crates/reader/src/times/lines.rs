//! Walks the lines of a reader for their times. Only the beginning of a line is kept, and the members of a long JSON line.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use super::Clock;
use super::samples::Others;
use crate::reader::Reader;
use crate::reader::encoding::decode_line;
use crate::reader::line_walk::LineWalk;
use rread_text::encoding::Encoding;
use rread_text::error::Result;
use rread_text::timestamp::{HEAD, RecordTime, TimeMembers, Timestamp};

/// So much of a JSON line is kept; of a longer one, its members that may hold the time are kept too.
pub(super) const MEMBER_HEAD: usize = 64 << 10;

/// A line with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRecord {
    pub start: u64,
    /// The start of the next line, which may belong to this record.
    pub next: u64,
    pub time: Timestamp,
    /// The other time that it can be, if clocks were set then.
    pub other: Option<Timestamp>,
    /// Whether it does not name its zone.
    pub lacks_zone: bool,
    /// Whether it does not name its year.
    pub lacks_year: bool,
}

impl LogRecord {
    pub(super) fn new(start: u64, next: u64, found: RecordTime) -> Self {
        let RecordTime { time, other, lacks_zone, lacks_year } = found;
        LogRecord { start, next, time, other, lacks_zone, lacks_year }
    }
}

/// The lines from an offset on, as far as they are needed for their times.
pub(super) struct Heads<'a> {
    reader: &'a Reader,
    walk: LineWalk<'a>,
    /// The start of the next line.
    at: u64,
    start: u64,
    head: Vec<u8>,
    members: Option<TimeMembers>,
    most: usize,
    has_members: bool,
}

impl<'a> Heads<'a> {
    /// `at` begins a line. With `has_members`, the time may be any member of a JSON line.
    pub(super) fn new(reader: &'a Reader, has_members: bool, at: u64) -> Self {
        let most = if has_members { MEMBER_HEAD } else { HEAD } * reader.units().width();
        let walk = LineWalk::new(reader);
        Heads { reader, walk, at, start: at, head: Vec::new(), members: None, most, has_members }
    }

    /// Goes to the first line that begins at `offset` or after it, or to `end` if none begins before that.
    pub(super) fn seek(&mut self, offset: u64, end: u64) -> Result<()> {
        let units = self.reader.units();
        let Some(before) = units.floor(offset).checked_sub(units.width() as u64) else {
            self.at = 0;
            return Ok(());
        };
        self.at = self.walk.next_line(before, end)?.unwrap_or(end);
        Ok(())
    }

    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Reads the line at [`Heads::at`]: its start and the start of the next one; `None` at the end of the file.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(u64, u64)>> {
        self.start = self.at;
        let (head, members, most) = (&mut self.head, &mut self.members, self.most);
        let (has_members, encoding) = (self.has_members, self.reader.encoding());
        head.clear();
        *members = None;
        let walked = self.walk.line(self.start, &mut |part| {
            let (kept, more) = part.split_at(part.len().min(most - head.len()));
            head.extend_from_slice(kept);
            if has_members && !more.is_empty() {
                let members = members.get_or_insert_with(|| {
                    let mut members = TimeMembers::default();
                    feed(&mut members, head, encoding);
                    members
                });
                feed(members, more, encoding);
            }
        })?;
        self.at = walked.next;
        Ok((walked.next > self.start).then_some((self.start, walked.next)))
    }

    /// The beginning of the line, as UTF-8 if the file is UTF-16 or UTF-32.
    #[inline]
    pub(super) fn text(&self) -> Cow<'_, [u8]> {
        line_text(self.reader.encoding(), &self.head, self.start)
            .map_or(Cow::Borrowed(&self.head), Cow::Owned)
    }

    /// A long JSON line with its members that may hold the time, and no others.
    pub(super) fn members(&self) -> Option<Vec<u8>> {
        self.members.as_ref()?.line()
    }
}

/// JSON and times are ASCII; any other character is only not a quote or a brace.
fn feed(members: &mut TimeMembers, part: &[u8], encoding: Encoding) {
    let units = encoding.units();
    if units.width() == 1 {
        return members.feed(part);
    }
    let ascii = |unit: &[u8]| units.code(unit).and_then(|c| u8::try_from(c).ok()).filter(u8::is_ascii);
    let text: Vec<u8> = part.chunks_exact(units.width()).map(|unit| ascii(unit).unwrap_or(b'?')).collect();
    members.feed(text.strip_prefix(b"?{").map_or(&text, |_| &text[1..]));
}

/// The records from an offset on.
pub(super) struct Records<'a> {
    clock: &'a Clock,
    heads: Heads<'a>,
    /// Takes the lines that no format reads.
    others: Option<&'a RefCell<Others>>,
}

impl<'a> Records<'a> {
    /// `at` begins a line.
    pub(super) fn new(reader: &'a Reader, clock: &'a Clock, at: u64) -> Self {
        Records { clock, heads: Heads::new(reader, clock.detected.has_members(), at), others: None }
    }

    /// The same, and passes lines without a time to `others`.
    pub(super) fn with(self, others: &'a RefCell<Others>) -> Self {
        Records { others: Some(others), ..self }
    }

    /// Goes to the first line that begins at `offset` or after it, or to `end` if none begins before that.
    pub(super) fn seek(&mut self, offset: u64, end: u64) -> Result<()> {
        self.heads.seek(offset, end)
    }

    pub(super) fn at(&self) -> u64 {
        self.heads.at()
    }

    /// The next record that begins before `end`.
    #[inline]
    pub(super) fn next(&mut self, end: u64) -> Result<Option<LogRecord>> {
        while self.heads.at() < end {
            let Some((start, next)) = self.heads.next()? else { break };
            let context = self.clock.context(start);
            let text = self.heads.text();
            let found = self.clock.detected.read(&text, context);
            let found = match found {
                None => self.heads.members().and_then(|line| self.clock.detected.read(&line, context)),
                found => found,
            };
            if let Some(found) = found {
                if let Some(others) = self.others {
                    others.borrow_mut().pass_record();
                }
                return Ok(Some(LogRecord::new(start, next, found)));
            }
            if let Some(others) = self.others {
                others.borrow_mut().add(&text);
            }
        }
        Ok(None)
    }
}

/// The beginnings of the lines within the first `sample` bytes, as UTF-8 if the file is UTF-16 or UTF-32.
pub(super) fn first_heads(reader: &Reader, sample: usize) -> Result<Vec<Vec<u8>>> {
    let mut bytes = vec![0; sample];
    let mut got = reader.read_front(&mut bytes)?;
    // A stream returns what has arrived.
    if got > 0 {
        got += reader.read_at_least(sample - got, &mut bytes[got..], got as u64)?;
    }
    Ok(placed_heads(reader, &bytes[..got]).into_iter().map(|(_, text)| text).collect())
}

/// The lines of the first bytes, as UTF-8 if the file is UTF-16 or UTF-32, with their places.
pub(super) fn placed_heads(reader: &Reader, bytes: &[u8]) -> Vec<(Range<u64>, Vec<u8>)> {
    let (mut rest, mut at, mut heads) = (bytes, 0, Vec::new());
    while !rest.is_empty() {
        let end = reader.units().after_first(rest).unwrap_or(rest.len());
        let line = &rest[..end];
        let next = at + end as u64;
        heads.push((at..next, line_text(reader.encoding(), line, at).unwrap_or_else(|| line.to_vec())));
        (rest, at) = (&rest[end..], next);
    }
    heads
}

/// The text of a line at `at`; `None` if it is `line` itself. Times are ASCII, which encodings of single bytes keep.
pub(super) fn line_text(encoding: Encoding, line: &[u8], at: u64) -> Option<Vec<u8>> {
    if encoding.units().width() > 1 {
        return Some(decode_line(encoding, line, at));
    }
    let mark = encoding.mark();
    (at == 0 && !mark.is_empty()).then(|| line.strip_prefix(mark).map(<[u8]>::to_vec)).flatten()
}
