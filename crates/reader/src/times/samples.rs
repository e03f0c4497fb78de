//! Lines from the head, the middle and the end of a file, in which the formats of its times are looked for.

use std::collections::VecDeque;

use super::lines::{Clock, Heads, LogRecord, TimeOptions};
use super::years::field_of_time;
use crate::reader::Reader;
use rread_text::timestamp::{Detected, Rule, Unread, detect_as, detect_sparse, may_have_time, why_unread};
use rread_text::{Result, Timestamp};

/// The most lines of each place that are looked at, and the most bytes if it has a line.
const MAX_LINES: usize = 64;
const MAX_BYTES: u64 = 64 << 10;

/// The bytes before the end in which the last sample begins; later tries grow fourfold.
const LAST_BLOCK: u64 = 16 << 10;
const MAX_LAST_BLOCK: u64 = 1 << 20;

/// Places in between. A request or a block to decode costs more than a read.
const PLACES: u64 = 7;

/// A part of a file for each place; a file that is not larger is a sample as a whole.
const APART: u64 = 64 << 10;

/// A file of this size is read for its first time if no sample has one.
const MAX_READ_WHOLE: u64 = 64 << 20;

/// In a file of this size, all lines are looked at before few lines with a time are enough.
const SPARSE: u64 = 1 << 20;

/// So many lines that may have a time are looked at together.
const MAX_SPARSE: usize = 1024;

/// A line, cut after what may hold its time.
#[derive(Debug)]
struct SampleLine {
    start: u64,
    next: u64,
    text: Vec<u8>,
}

/// Lines of several places of a file.
#[derive(Debug, Default)]
pub(super) struct Samples {
    places: Vec<Vec<SampleLine>>,
}

impl Samples {
    /// Takes samples of a file of `size` bytes.
    pub(super) fn take(reader: &Reader, size: u64) -> Result<Self> {
        let info = reader.source().info();
        let most = if info.traffic.is_some() || info.decoding.is_some() { 1 } else { PLACES };
        let places = (size / APART).min(most);
        let mut samples = Samples::default();
        samples.add(reader, 0, size, false)?;
        if places == 0 {
            while let Some(last) = samples.last_line().filter(|last| last.next < size) {
                let from = last.next;
                samples.add(reader, from, size, false)?;
                if samples.last_line().is_none_or(|last| last.next <= from) {
                    break;
                }
            }
            return Ok(samples);
        }
        for place in 1..=places {
            samples.add(reader, size / (places + 1) * place, size / (places + 1) * (place + 1), false)?;
        }
        let (mut step, mut start) = (LAST_BLOCK, size);
        while start > 0 && step <= MAX_LAST_BLOCK {
            start = reader.units().floor(size.saturating_sub(step));
            if samples.add(reader, start, size, true)? {
                break;
            }
            step *= 4;
        }
        Ok(samples)
    }

    fn last_line(&self) -> Option<&SampleLine> {
        self.places.iter().flatten().last()
    }

    /// Adds the first lines that begin from `start` on, or the last; returns whether any of them is not known.
    fn add(&mut self, reader: &Reader, start: u64, end: u64, takes_last: bool) -> Result<bool> {
        let mut heads = Heads::new(reader, true, 0);
        heads.seek(start, end)?;
        let known = self.last_line().map_or(0, |line| line.next);
        let (begin, mut lines) = (heads.at, VecDeque::new());
        while heads.at < end && (takes_last || (lines.len() < MAX_LINES && heads.at - begin < MAX_BYTES)) {
            let Some((start, next)) = heads.next()? else { break };
            let text = heads.sample();
            if start >= known && !text.trim_ascii().is_empty() {
                lines.push_back(SampleLine { start, next, text });
            }
            if lines.len() > MAX_LINES {
                lines.pop_front();
            }
        }
        let is_new = !lines.is_empty();
        self.places.push(lines.into());
        Ok(is_new)
    }

    fn slices(&self) -> Vec<Vec<&[u8]>> {
        self.places.iter().map(|lines| lines.iter().map(|line| line.text.as_slice()).collect()).collect()
    }

    /// The formats and positions of the times, from the samples; if they have none, from the first lines that have one
    /// in a small file, or with `scan` in any.
    pub(super) fn detect(
        &self,
        reader: &Reader,
        options: &TimeOptions,
        size: u64,
    ) -> Result<Option<Detected>> {
        let format = options.format.as_deref();
        let written = options.written(reader)?;
        let slices = self.slices();
        let found = detect_as(format, &slices, Rule::Log, written)?;
        if found.is_some() {
            return Ok(found);
        }
        if format.is_none() && !options.scan && (size > SPARSE || options.samples_only) {
            let found = detect_sparse(&slices, 0, true, written);
            if found.is_some() || size > MAX_READ_WHOLE || options.samples_only {
                return Ok(found);
            }
        }
        let is_open = matches!(why_unread(slices.iter().flatten().copied()), Some(Unread::Order { .. }));
        let open = if is_open { slices } else { Vec::new() };
        Self::detect_in_all(reader, format, size, Sparse { written, open, ..Sparse::default() })
    }

    /// The formats and positions of the times of the first lines that have one.
    fn detect_in_all(
        reader: &Reader,
        format: Option<&str>,
        size: u64,
        mut sparse: Sparse<'_>,
    ) -> Result<Option<Detected>> {
        let mut heads = Heads::new(reader, true, 0);
        // Of lines that cannot have a time, only the number counts.
        let mut lines: Vec<Option<Vec<u8>>> = Vec::new();
        loop {
            let line = if heads.at < size { heads.next()? } else { None };
            if line.is_some() {
                let text = heads.text();
                if format.is_some() || may_have_time(&text) || !sparse.has_begun && lines.is_empty() {
                    lines.push(Some(heads.sample()));
                } else if !matches!(text.first(), None | Some(b' ' | b'\t' | b'\n' | b'\r')) {
                    lines.push(None);
                }
            }
            if lines.len() == MAX_LINES || line.is_none() {
                if lines.iter().any(Option::is_some) {
                    let slices: Vec<&[u8]> =
                        lines.iter().map(|line| line.as_deref().unwrap_or(b"-")).collect();
                    let found =
                        |samples: &[Vec<&[u8]>]| detect_as(format, samples, Rule::Log, sparse.written);
                    if found(std::slice::from_ref(&slices))?.is_some()
                        && let Some(found) = found(&sparse.with_open(slices))?
                    {
                        return Ok(Some(found));
                    }
                }
                lines.drain(..).for_each(|line| sparse.add(line));
            }
            if line.is_none() {
                return Ok(if format.is_none() { sparse.finish() } else { None });
            }
        }
    }

    /// The field of a log of the W3C format that has the time, if its lines have no date, and the byte that divides fields.
    pub(super) fn field_of_time(&self) -> Option<(usize, u8)> {
        field_of_time(self.places.first()?.iter().map(|line| line.text.as_slice()))
    }

    /// The word in the place of a zone that all records of the samples have, if rread does not know it.
    pub(super) fn unread_zone(&self, clock: &Clock) -> Option<String> {
        clock.detected.unread_zone(&self.slices().concat(), &clock.last)
    }

    /// The first record of each place.
    pub(super) fn records(&self, clock: &Clock) -> Vec<LogRecord> {
        let first = |lines: &Vec<SampleLine>| {
            lines.iter().find_map(|line| {
                let found = clock.detected.read(&line.text, clock.context(line.start))?;
                Some(LogRecord::new(line.start, line.next, found))
            })
        };
        self.places.iter().filter_map(first).collect()
    }
}

/// The lines of a log that may have a time, where few do.
#[derive(Debug, Default)]
struct Sparse<'s> {
    /// Samples of the file that do not show the order of its dates.
    open: Vec<Vec<&'s [u8]>>,
    lines: Vec<Vec<u8>>,
    /// The other lines between them.
    skipped: usize,
    has_begun: bool,
    /// Whether the first line of the file is not one of them.
    is_later: bool,
    found: Option<Detected>,
    /// When the file was written.
    written: Option<Timestamp>,
}

impl Sparse<'_> {
    /// The samples that show no order, and `lines`: those of one day, such as 11 November, fit every order.
    fn with_open<'l>(&'l self, lines: Vec<&'l [u8]>) -> Vec<Vec<&'l [u8]>> {
        self.open.iter().cloned().chain([lines]).collect()
    }

    /// Adds a line, or one that cannot have a time.
    fn add(&mut self, line: Option<Vec<u8>>) {
        self.has_begun = true;
        if self.found.is_some() {
            return;
        }
        match line {
            Some(line) => self.lines.push(line),
            None => self.skipped += 1,
        }
        if self.lines.len() == MAX_SPARSE {
            self.look();
        }
    }

    fn look(&mut self) {
        let lines = self.with_open(self.lines.iter().map(Vec::as_slice).collect());
        self.found = detect_sparse(&lines, self.skipped, !self.is_later, self.written);
        self.lines.clear();
        (self.skipped, self.is_later) = (0, true);
    }

    /// The format and the position of the times, if two lines have one.
    fn finish(mut self) -> Option<Detected> {
        if self.found.is_none() {
            self.look();
        }
        self.found
    }
}
