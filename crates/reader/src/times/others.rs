//! The formats and new years that a look at every record finds, and the samples of a log do not show.

use jiff::{SignedDuration, Timestamp};

use rread_text::timestamp::{Detected, HEAD};

/// The number of lines that are looked at together.
const BATCH: usize = 64;

/// After so many batches without a format, every second one is looked at, then every fourth, and so on.
const FRUITLESS: u32 = 16;

/// A step back by so much is a new year, if records do not have their years.
const YEAR: SignedDuration = SignedDuration::from_hours(24 * 180);

/// Lines that no format of a log reads, and steps back in time.
#[derive(Clone)]
pub(super) struct Others {
    known: Detected,
    lines: Vec<Vec<u8>>,
    /// Records between these lines.
    records: usize,
    found: Option<Detected>,
    batches: u64,
    fruitless: u32,
    last: Option<Timestamp>,
    has_new_year: bool,
}

impl Others {
    pub(super) fn new(known: Detected) -> Self {
        Others {
            known,
            lines: Vec::new(),
            records: 0,
            found: None,
            batches: 0,
            fruitless: 0,
            last: None,
            has_new_year: false,
        }
    }

    pub(super) fn has_found(&self) -> bool {
        self.found.is_some()
    }

    /// Whether a record without a year is of another year than the one before it.
    #[inline]
    pub(super) fn is_new_year(&mut self, time: Timestamp) -> bool {
        let last = self.last.replace(time);
        self.has_new_year = last.is_some_and(|last| last.duration_since(time) > YEAR);
        self.has_new_year
    }

    pub(super) fn has_new_year(&self) -> bool {
        self.has_new_year
    }

    /// A record is after the lines.
    #[inline]
    pub(super) fn pass_record(&mut self) {
        self.records += usize::from(!self.lines.is_empty());
    }

    #[inline]
    pub(super) fn add(&mut self, line: &[u8]) {
        if self.found.is_some() || !may_have_time(line) {
            return;
        }
        self.lines
            .push(line[..line.len().min(if line.starts_with(b"{") { line.len() } else { HEAD })].to_vec());
        if self.lines.len() == BATCH {
            self.look();
        }
    }

    /// The formats of the log with those that were found; `None` if there are no others.
    pub(super) fn finish(mut self) -> Option<Detected> {
        if self.found.is_none() {
            self.look();
        }
        self.found
    }

    fn look(&mut self) {
        self.batches += 1;
        let rest = (self.fruitless / FRUITLESS).min(20);
        if self.batches.is_multiple_of(1 << rest) {
            let lines: Vec<&[u8]> = self.lines.iter().map(Vec::as_slice).collect();
            // Dates in lines between records are often part of those.
            let are_between = self.records * BATCH / 2 > lines.len();
            self.found = self.known.with_more(&lines, are_between);
            self.fruitless += u32::from(self.found.is_none());
        }
        self.lines.clear();
        self.records = 0;
    }
}

/// Whether a line does not continue a record, and has digits and a colon as a clock has them, or many digits. This is fast.
pub(super) fn may_have_time(line: &[u8]) -> bool {
    let head = &line[..line.len().min(HEAD)];
    if head.starts_with(b" ") || head.starts_with(b"\t") {
        return false;
    }
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let mut colons = memchr::memchr_iter(b':', head);
    let is_clock = |at: usize| {
        at > 0
            && is_digit(head[at - 1])
            && head.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit))
    };
    line.starts_with(b"{")
        || colons.any(is_clock)
        || head.windows(6).any(|six| six.iter().all(u8::is_ascii_digit))
}
