//! Prints what `follow` reads: raw, text or JSON lines, up to a match or a budget; of several files in the order of time.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use rread_answer::content::{self, ContentStats, CutBy, before_open_color, open_colors};
use rread_answer::receipt::{Batch, FollowEnd, FollowEvent, FollowedRange, json};
use rread_answer::{Budget, ContentOptions, Format, NameInfo, Out, Segment, Sink};
use rread_reader::follow::Held;
use rread_reader::{LineMatcher, Passing, Pattern, Reader};
use rread_source::{MemorySource, stdin};
use rread_text::{Choice, Context, Encoding, Error, Result, Run, TextDecoder, address, printable};

pub use rread_reader::follow::tail::Event;

rread_text::words! { name,
    /// Why following ended.
    pub(super) enum EndReason {
        Match = "match",
        Until = "until",
        Timeout = "timeout",
        MaxBytes = "max_bytes",
        MaxLines = "max_lines",
        Process = "process",
        Eof = "eof",
    }
}

/// The end of following.
pub(super) enum End {
    /// It is said.
    Reason(EndReason),
    /// The reader of the output has gone.
    Closed,
    Failed(Error),
}

impl From<EndReason> for End {
    fn from(reason: EndReason) -> Self {
        End::Reason(reason)
    }
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        End::Failed(error)
    }
}

/// The result of a step of following, after which it goes on or ends.
pub(super) type Flow<T = ()> = std::result::Result<T, End>;

/// A followed file, as the output shows it.
pub(super) struct Feed {
    pub(super) path: PathBuf,
    name: NameInfo,
    pub(super) held: Held,
    /// The window of time, if there is one.
    pub(super) passing: Option<Passing>,
    /// The state of the file after the bytes that came last.
    pub(super) version: Option<String>,
    /// Whether there was a file of this name.
    pub(super) was_there: bool,
    /// The colors of the line whose beginning was shown.
    colors: Vec<u8>,
    /// With `--merge`, the records that wait: the first bytes that are held.
    pub(super) waiting: Waiting,
    /// The bytes that are held and whose lines have been read for their times.
    pub(super) timed: usize,
}

impl Feed {
    pub(super) fn new(path: &Path, held: Held, passing: Option<Passing>, was_there: bool) -> Self {
        Feed {
            path: path.to_owned(),
            name: NameInfo::of(path),
            held,
            passing,
            version: None,
            was_there,
            colors: Vec::new(),
            waiting: Waiting::default(),
            timed: 0,
        }
    }

    /// Whether something waits for the end of its line.
    pub(super) fn is_held(&self) -> bool {
        self.passing.is_some() || !self.held.bytes.is_empty()
    }

    /// Whether a record at or after the end of the window came.
    pub(super) fn is_over(&self) -> bool {
        self.passing.as_ref().is_some_and(|passing| passing.is_closed)
    }
}

pub(super) struct Printer {
    pub(super) out: Out,
    /// Raw, text or JSON.
    pub(super) format: Format,
    pub(super) choice: Choice,
    pub(super) pattern: Option<Pattern>,
    /// Only the match is printed, with so many lines around it.
    pub(super) context: Option<Context>,
    /// After the match, its file and the lines of it that are still to come.
    pub(super) after: Option<(usize, u64)>,
    /// The compiled pattern, for each encoding that came.
    pub(super) matchers: Vec<(Encoding, LineMatcher)>,
    /// The rest of the budget.
    pub(super) budget: Budget,
    /// Text has a header where the file changes, or, if records are merged, the name of the file before every line.
    pub(super) has_names: bool,
    /// Records wait for earlier ones of other files.
    pub(super) is_merged: bool,
    /// Lines are those that a terminal shows in the end.
    pub(super) is_plain: bool,
    /// The last line that was printed has not ended.
    pub(super) is_line_open: bool,
    /// The colors of the content are those of the terminal.
    pub(super) shows_colors: bool,
    /// The file of the last output.
    pub(super) last: Option<usize>,
    pub(super) last_output: Instant,
    /// The longest line that is held as a whole.
    pub(super) longest: usize,
    /// Memory for the file that is read now.
    pub(super) spare: Vec<u8>,
}

impl Printer {
    /// Takes `bytes`, which lie at `at` in the file.
    pub(super) fn push(&mut self, index: usize, feed: &mut Feed, bytes: &[u8], at: u64) -> Flow {
        // The end of a line decides what a terminal shows of it.
        let is_raw = self.format == Format::Raw && !self.is_plain;
        if feed.passing.is_some() {
            let whole = self.hold(feed, bytes, at)?;
            let passed = self.pass(index, feed, whole);
            feed.held.give_back(&mut self.spare);
            return passed;
        }
        if is_raw && self.pattern.is_none() && !self.budget.is_limited() {
            self.last_output = Instant::now();
            return Ok(self.out.write(bytes)?);
        }
        let whole = self.hold(feed, bytes, at)?;
        if whole > 0 {
            self.release(index, feed, whole, whole)?;
        }
        let since = feed.held.since.filter(|_| whole == 0).unwrap_or_else(Instant::now);
        let is_half = feed.held.bytes.len() > feed.held.shown;
        feed.held.since = is_half.then_some(since);
        let released = match is_raw && is_half {
            true => self.release(index, feed, 0, feed.held.bytes.len()),
            false => Ok(()),
        };
        feed.held.give_back(&mut self.spare);
        released
    }

    /// Adds `bytes` to those that are held; returns the length of the whole lines.
    fn hold(&mut self, feed: &mut Feed, bytes: &[u8], at: u64) -> Result<usize> {
        let held = &mut feed.held;
        let whole = held.add(bytes, at, self.choice, self.longest, &mut self.spare);
        if self.is_plain {
            held.as_shown(whole).map_err(|error| error.about(&feed.path))?;
        }
        Ok(whole)
    }

    /// Shows the lines in the window of the first `whole` bytes. The beginning of a line is held until the line ends,
    /// because its time decides.
    fn pass(&mut self, index: usize, feed: &mut Feed, whole: usize) -> Flow {
        if self.is_merged {
            return Ok(self.wait(feed, whole)?);
        }
        let Some(passing) = &mut feed.passing else { return Ok(()) };
        let held = &mut feed.held;
        let passed =
            passing.pass(&held.bytes[held.shown..whole], held.at + held.shown as u64, held.encoding());
        let passed = passed.map_err(|error| error.about(&feed.path))?;
        held.skip(passed.start);
        let end = held.shown + passed.end - passed.start;
        if end > held.shown { self.release(index, feed, end, end) } else { Ok(()) }
    }

    /// Reads the times of the lines in the first `whole` bytes, which then wait for those of other files.
    fn wait(&mut self, feed: &mut Feed, whole: usize) -> Result<()> {
        let Some(passing) = &mut feed.passing else { return Ok(()) };
        let (held, timed) = (&mut feed.held, feed.timed);
        let Some(bytes) = held.bytes.get(timed..whole) else { return Ok(()) };
        let mut lines = Vec::new();
        let (at, encoding) = (held.at + timed as u64, held.encoding());
        passing
            .lines(bytes, at, encoding, &mut |line, time| lines.push((line, time)))
            .map_err(|error| error.about(&feed.path))?;
        // Lines before the window and after it are not kept.
        let before = lines.first().map_or(whole - timed, |(line, _)| line.start);
        let kept: usize = lines.iter().map(|(line, _)| line.len()).sum();
        let after = whole - timed - before - kept;
        if timed == 0 {
            held.skip(before);
        } else {
            held.bytes.drain(timed..timed + before);
        }
        held.bytes.drain(timed + kept..timed + kept + after);
        lines.into_iter().for_each(|(line, time)| feed.waiting.add(line.len(), time));
        feed.timed += kept;
        Ok(())
    }

    /// Whether the colors of the content reach a terminal.
    fn paints(&self) -> bool {
        self.shows_colors && self.format == Format::Text && self.out.is_terminal
    }

    /// Shows the beginning of a line; `is_last` if the rest will not come.
    pub(super) fn flush(&mut self, index: usize, feed: &mut Feed, is_last: bool) -> Flow {
        feed.held.since = None;
        if is_last && !feed.held.bytes.is_empty() {
            feed.held.decide(self.choice);
        }
        if self.is_plain && is_last {
            feed.held.as_shown(feed.held.bytes.len()).map_err(|error| error.about(&feed.path))?;
        }
        if feed.passing.is_some() || self.is_plain && !is_last {
            return if is_last { self.pass(index, feed, feed.held.bytes.len()) } else { Ok(()) };
        }
        let end = match is_last {
            true => feed.held.bytes.len(),
            false if self.paints() => before_open_color(&feed.held.bytes[..feed.held.whole_characters()]),
            false => feed.held.whole_characters(),
        };
        if end == 0 {
            return Ok(());
        }
        // A line that goes on may match in another way, or not any more.
        let tested = if is_last { end } else { 0 };
        let released = self.release(index, feed, tested, end);
        feed.held.give_back(&mut self.spare);
        released
    }

    /// Looks for a match in the first `tested` bytes that are held, and writes the first `shown`.
    pub(super) fn release(&mut self, index: usize, feed: &mut Feed, tested: usize, shown: usize) -> Flow {
        let held = &mut feed.held;
        let (mut shown, mut reason) = (shown, None);
        if let Some((of, left)) = self.after {
            (shown, reason) = self.rest_of_match(held, (index == of, left), tested);
        } else if let Some(pattern) = &self.pattern {
            let encoding = held.encoding();
            if !self.matchers.iter().any(|(of, _)| *of == encoding) {
                let matcher = LineMatcher::new(pattern, encoding, true)?;
                self.matchers.push((encoding, if self.is_plain { matcher.plain() } else { matcher }));
            }
            let Some((_, matcher)) = self.matchers.iter().find(|(of, _)| *of == encoding) else {
                return Ok(());
            };
            let mut start = tested;
            matcher.lines(&held.bytes[..tested], held.at, &mut |line, _| {
                (start, shown, reason) = (line.start, line.end, Some(EndReason::Match));
                Ok(false)
            })?;
            if let Some(context) = self.context {
                let units = encoding.units();
                for _ in 0..context.before {
                    let before = start.saturating_sub(units.width);
                    start = units.after_last(&held.bytes[..before]).unwrap_or(0);
                }
                let lines = units.after_nth(&held.bytes[shown.min(tested)..tested], context.after);
                if reason.is_some() && context.after > 0 {
                    let end = lines.map_or(tested, |end| shown + end);
                    let left = context.after - units.count(&held.bytes[shown..end]);
                    (shown, self.after) = (end, Some((index, left)));
                    reason = reason.filter(|_| left == 0);
                }
                held.skip(start);
                shown = if reason.is_some() || self.after.is_some() { shown - start } else { 0 };
            }
        }
        if shown > held.shown {
            let (written, stats) = self.write(index, feed, shown)?;
            reason = match stats.cut {
                Some(CutBy::Lines) => Some(EndReason::MaxLines),
                // `follow` has no budget of tokens.
                Some(CutBy::Bytes | CutBy::Tokens) => Some(EndReason::MaxBytes),
                None if reason.is_some() => reason,
                None if self.budget.bytes == Some(0) => Some(EndReason::MaxBytes),
                None if self.budget.lines == Some(0) => Some(EndReason::MaxLines),
                None => None,
            };
            feed.held.shown = written;
        }
        let held = &mut feed.held;
        // The beginning of a line is kept for the match, even if it was written.
        let lines = held.encoding().units().after_last(&held.bytes[..held.shown]).unwrap_or(0);
        let is_kept = self.pattern.is_some() && held.bytes.len() - lines < self.longest;
        held.drop_front(if is_kept { lines } else { held.shown });
        reason.map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// The part of the first `tested` bytes that follows the match, and whether it is the last; lines of other files are left
    /// out.
    fn rest_of_match(
        &mut self,
        held: &mut Held,
        (is_its, left): (bool, u64),
        tested: usize,
    ) -> (usize, Option<EndReason>) {
        if !is_its {
            held.skip(tested);
            return (0, None);
        }
        let units = held.encoding().units();
        let end = units.after_nth(&held.bytes[..tested], left).unwrap_or(tested);
        let left = left - units.count(&held.bytes[..end]);
        self.after = self.after.map(|(index, _)| (index, left));
        (end, (left == 0).then_some(EndReason::Match))
    }

    /// Writes the held bytes from the first that was not shown up to `end`, as far as the budget allows.
    fn write(&mut self, index: usize, feed: &mut Feed, end: usize) -> Result<(usize, ContentStats)> {
        let held = &mut feed.held;
        let bytes = &held.bytes[held.shown..end];
        let start_byte = held.at + held.shown as u64;
        let encoding = held.encoding();
        let mark = encoding.mark();
        let options = ContentOptions {
            raw: self.format == Format::Raw,
            show_controls: self.format == Format::Text && self.out.is_terminal,
            keeps_colors: self.shows_colors,
            plain: self.is_plain,
            skip_bom: start_byte == 0
                && self.format != Format::Raw
                && !mark.is_empty()
                && bytes.starts_with(mark),
            ..ContentOptions::default()
        };
        let segment = |end| [Segment { start: 0, end, line: 1 }];
        let reader = || Reader::of_text(Box::new(MemorySource::new(bytes)), encoding);
        let mut end = bytes.len() as u64;
        let mut stats = ContentStats::default();
        if self.budget.is_limited() {
            stats = content::measure(&reader(), &segment(end), &options, self.budget, None)?;
            end = stats.end;
            let Budget { bytes, lines, .. } = &mut self.budget;
            *bytes = bytes.map(|left| left.saturating_sub(stats.content_bytes));
            // The rest of a line does not count again.
            *lines = lines.map(|left| left.saturating_sub(stats.newlines));
        }
        let written = held.shown + usize::try_from(end).unwrap_or(0);
        if end > 0 {
            let bytes = &held.bytes[held.shown..written];
            let units = encoding.units();
            let newlines = units.count(bytes);
            let start_line = held.line;
            held.line = start_line.map(|line| line + newlines);
            let end_line = held.line.map(|line| line - u64::from(units.ends_with(bytes, b'\n')));
            let end_byte = start_byte + end;
            self.header(index, &feed.path)?;
            if self.format == Format::Json {
                let mut content = Vec::new();
                decode(encoding, bytes, &options, &mut content)?;
                let content = String::from_utf8(content).unwrap_or_default();
                let actual_range = FollowedRange { start_byte, end_byte, start_line, end_line };
                let version = if written == held.bytes.len() { feed.version.take() } else { None };
                self.record(&json(&Batch {
                    name: &feed.name,
                    content,
                    actual_range,
                    version,
                    plain: self.is_plain,
                })?)?;
            } else if options.show_controls {
                // A part of a line goes on in the colors of the part before.
                let before = if options.keeps_colors { std::mem::take(&mut feed.colors) } else { Vec::new() };
                let text = [&before, bytes].concat();
                let length = text.len() as u64;
                let reader = Reader::of_text(Box::new(MemorySource::new(text)), encoding);
                content::deliver(&reader, &segment(length), &options, None, &mut self.out)?;
                if options.keeps_colors && encoding == Encoding::Utf8 {
                    feed.colors = before;
                    open_colors(&mut feed.colors, bytes);
                }
            } else if self.has_names && self.is_merged && self.format == Format::Text {
                self.labelled(index, &feed.path, encoding, bytes, &options)?;
            } else {
                decode(encoding, bytes, &options, &mut self.out)?;
            }
            self.last_output = Instant::now();
        }
        Ok((written, stats))
    }

    /// Writes lines with the name of their file before each.
    fn labelled(
        &mut self,
        index: usize,
        path: &Path,
        encoding: Encoding,
        bytes: &[u8],
        options: &ContentOptions,
    ) -> Result<()> {
        let mut text = Vec::new();
        decode(encoding, bytes, options, &mut text)?;
        if self.is_line_open && self.last != Some(index) {
            self.out.write(b"\n")?;
            self.is_line_open = false;
        }
        let label = format!("{}: ", printable(&address::display(path)));
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if !std::mem::replace(&mut self.is_line_open, !line.ends_with(b"\n")) {
                self.out.write(label.as_bytes())?;
            }
            self.out.write(line)?;
        }
        self.last = Some(index);
        Ok(())
    }

    pub(super) fn header(&mut self, index: usize, path: &Path) -> Result<()> {
        let last = self.last.replace(index);
        if !self.has_names || self.is_merged || self.format != Format::Text || last == Some(index) {
            return Ok(());
        }
        self.out.heading(path, last.is_none())
    }

    fn record(&mut self, json: &str) -> Result<()> {
        self.out.write(json.as_bytes())?;
        self.out.write(b"\n")
    }

    /// Says what happened to a file: in JSON as a record, otherwise as a note.
    pub(super) fn event(&mut self, feed: &Feed, event: Event, obstacle: Option<&str>) -> Result<()> {
        if self.format == Format::Json {
            return self.record(&json(&FollowEvent { name: &feed.name, event: event.name() })?);
        }
        // Notes come after the output before them, on a terminal.
        self.out.flush()?;
        let note = match (event, obstacle) {
            (Event::Gone, Some(cause)) => format!("cannot be opened: {cause}; waiting for it"),
            (Event::Gone, None) if !feed.was_there => "does not exist; waiting for it".to_owned(),
            (Event::Gone, None) => "gone; waiting for it".to_owned(),
            _ => event.name().to_owned(),
        };
        stdin::warn(&feed.path, &note);
        Ok(())
    }

    pub(super) fn end(&mut self, reason: EndReason) -> Result<()> {
        if self.format == Format::Json {
            self.record(&json(&FollowEnd { event: "end", reason: reason.name() })?)?;
        }
        self.out.flush()
    }
}

/// As [`content::deliver`], but without a reader and its memory: blocks come often.
fn decode(encoding: Encoding, bytes: &[u8], options: &ContentOptions, sink: &mut dyn Sink) -> Result<()> {
    if options.plain {
        let mut text = Vec::new();
        decode(encoding, bytes, &ContentOptions { plain: false, ..*options }, &mut text)?;
        return text.split_inclusive(|byte| *byte == b'\n').try_for_each(|line| {
            let end = if line.ends_with(b"\r\n") { 2 } else { usize::from(line.ends_with(b"\n")) };
            let (body, end) = line.split_at(line.len() - end);
            sink.write(body.trim_ascii_end())?;
            sink.write(end)
        });
    }
    if options.raw {
        return sink.write(bytes);
    }
    let mut decoder = TextDecoder::of_whole(encoding);
    let mut used = if options.skip_bom { encoding.mark().len() } else { 0 };
    while let Some(run) = decoder.next_run(&bytes[used..], 0) {
        used += match run {
            Run::Text(text) => {
                sink.write(text.utf8)?;
                text.source.len()
            }
            Run::Invalid(bad) | Run::Cut(bad) => {
                sink.write("\u{FFFD}".as_bytes())?;
                bad.len()
            }
        };
    }
    Ok(())
}

/// A file may keep so many bytes waiting.
const MOST: usize = 16 << 20;

/// The records of one file that wait, as the first bytes that it holds.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    records: VecDeque<Record>,
    /// The bytes of all of them.
    bytes: usize,
    /// The latest time so far.
    latest: Option<Timestamp>,
}

/// Lines that are printed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Unknown before the first time of a file.
    pub(super) time: Option<Timestamp>,
    bytes: usize,
    pub(super) since: Instant,
}

impl Waiting {
    /// Adds a line of so many bytes, which begins a record if it has a time.
    pub(super) fn add(&mut self, bytes: usize, time: Option<Timestamp>) {
        self.bytes += bytes;
        // A record that is earlier than one before it counts as that one's time.
        let begun = time.map(|time| self.latest.map_or(time, |latest| latest.max(time)));
        self.latest = begun.or(self.latest);
        match (self.records.back_mut(), begun) {
            (Some(last), None) => last.bytes += bytes,
            // Lines before the first time belong to the first record.
            (Some(last @ Record { time: None, .. }), Some(_)) => {
                (last.time, last.bytes) = (begun, last.bytes + bytes);
            }
            (_, time) => {
                let time = time.or(self.latest);
                self.records.push_back(Record { time, bytes, since: Instant::now() });
            }
        }
    }

    /// Whether the file keeps too much waiting.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MOST
    }

    /// The record that is printed next.
    pub(super) fn first(&self) -> Option<Record> {
        self.records.front().copied()
    }

    /// Takes the next record; returns its bytes.
    pub(super) fn take(&mut self) -> usize {
        let taken = self.records.pop_front().map_or(0, |record| record.bytes);
        self.bytes -= taken;
        taken
    }
}

/// When the record that waits longest is printed in any case.
pub(super) fn deadline(feeds: &[Feed], hold: Duration) -> Option<Instant> {
    feeds.iter().filter_map(|feed| feed.waiting.first()).map(|record| record.since + hold).min()
}

/// Prints the records that no other file can have an earlier one for: each other file has a later one, or the time is over.
/// With `all`, prints every record.
pub(super) fn release(feeds: &mut [Feed], printer: &mut Printer, hold: Duration, all: bool) -> Flow {
    let now = Instant::now();
    loop {
        let first =
            |(index, feed): (usize, &Feed)| feed.waiting.first().map(|record| (record.time, index, record));
        let Some((_, index, record)) =
            feeds.iter().enumerate().filter_map(first).min_by_key(|(time, index, _)| (*time, *index))
        else {
            return Ok(());
        };
        let is_silent = |(other, feed): (usize, &Feed)| {
            other != index && feed.waiting.first().is_none() && !feed.is_over()
        };
        let waits = feeds.iter().enumerate().any(is_silent) || record.time.is_none();
        // A record that has waited long enough lets all earlier ones pass.
        let is_due = feeds.iter().any(|feed| {
            feed.waiting.is_full() || feed.waiting.first().is_some_and(|first| first.since + hold <= now)
        });
        if waits && !is_due && !all {
            return Ok(());
        }
        take(index, &mut feeds[index], printer)?;
    }
}

/// Prints all records of one file.
pub(super) fn drain(index: usize, feed: &mut Feed, printer: &mut Printer) -> Flow {
    while feed.waiting.first().is_some() {
        take(index, feed, printer)?;
    }
    Ok(())
}

fn take(index: usize, feed: &mut Feed, printer: &mut Printer) -> Flow {
    let before = feed.held.bytes.len();
    let end = feed.held.shown + feed.waiting.take();
    let released = printer.release(index, feed, end, end);
    feed.timed = feed.timed.saturating_sub(before - feed.held.bytes.len());
    released
}
