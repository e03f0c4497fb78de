//! Walks the lines of a reader for their times. Only the beginning of a line is kept.

use crate::reader::Reader;
use crate::reader::line_walk::LineWalk;
use rread_text::encoding::{Encoding, Run, TextDecoder};
use rread_text::error::Result;
use rread_text::timestamp::{Context, Detected, HEAD, TimePosition, Timestamp};

/// So much of a JSON line is kept, since the time may be any of its members.
const MEMBER_HEAD: usize = 64 << 10;

/// A line with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub start: u64,
    /// The start of the next line, which may belong to this record.
    pub next: u64,
    pub time: Timestamp,
}

/// The records from an offset on.
pub(super) struct Records<'a> {
    reader: &'a Reader,
    detected: &'a Detected,
    context: &'a Context,
    walk: LineWalk<'a>,
    /// The start of the next line.
    at: u64,
    head: Vec<u8>,
    head_size: usize,
}

impl<'a> Records<'a> {
    /// `at` begins a line.
    pub(super) fn new(reader: &'a Reader, detected: &'a Detected, context: &'a Context, at: u64) -> Self {
        let head_size =
            if matches!(detected.position(), TimePosition::Member(_)) { MEMBER_HEAD } else { HEAD };
        let head_size = head_size * reader.units().width();
        Records { reader, detected, context, walk: LineWalk::new(reader), at, head: Vec::new(), head_size }
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

    /// The next record that begins before `end`.
    pub(super) fn next(&mut self, end: u64) -> Result<Option<Record>> {
        while self.at < end {
            let start = self.at;
            let (head, size) = (&mut self.head, self.head_size);
            head.clear();
            let walked = self.walk.line(start, &mut |part| {
                head.extend_from_slice(&part[..part.len().min(size - head.len())]);
            })?;
            if walked.next == start {
                break;
            }
            self.at = walked.next;
            let text = line_text(self.reader.encoding(), &self.head, start);
            if let Some(time) = self.detected.time_of(text.as_deref().unwrap_or(&self.head), self.context) {
                return Ok(Some(Record { start, next: walked.next, time }));
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
    while got > 0 && got < sample {
        match reader.read(&mut bytes[got..], got as u64)? {
            0 => break,
            more => got += more,
        }
    }
    Ok(heads(reader, &bytes[..got]))
}

/// The lines of the first bytes, as UTF-8 if the file is UTF-16 or UTF-32.
pub(super) fn heads(reader: &Reader, bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut at, mut heads) = (bytes, 0, Vec::new());
    while !rest.is_empty() {
        let end = reader.units().after_first(rest).unwrap_or(rest.len());
        let line = &rest[..end];
        heads.push(line_text(reader.encoding(), line, at).unwrap_or_else(|| line.to_vec()));
        (rest, at) = (&rest[end..], at + end as u64);
    }
    heads
}

/// The text of a line at `at`; `None` if it is `line` itself. Times are ASCII, which encodings of single bytes keep.
pub(super) fn line_text(encoding: Encoding, line: &[u8], at: u64) -> Option<Vec<u8>> {
    let mark = if at == 0 && line.starts_with(encoding.mark()) { encoding.mark().len() } else { 0 };
    let line = line.get(mark..).unwrap_or_default();
    if encoding.units().width() == 1 {
        return (mark > 0).then(|| line.to_vec());
    }
    let (mut decoder, mut text, mut done) = (TextDecoder::new(encoding), Vec::new(), 0);
    while let Some(run) = decoder.next_run(&line[done..], at + (mark + done) as u64) {
        match run {
            Run::Text(run) => {
                text.extend_from_slice(run.utf8);
                done += run.source.len();
            }
            Run::Invalid(bad) => {
                text.extend_from_slice("\u{FFFD}".as_bytes());
                done += bad.len();
            }
            Run::Cut(_) => break,
        }
    }
    Some(text)
}
