//! The threads that read for the viewer, each with one kind of work: the loop that draws never waits for a file.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossterm::event::Event as Input;

use super::chopped::{Chop, Chopper, LongLines};
use super::find::{self, FindRequest, Sieve};
use super::piece::{self, Passage};
use super::syntax::Colored;
use super::viewed_file::{Control, Opener, ViewedFile};
use rread_reader::{LineMatcher, Log, Pattern, Reader, TimeOptions, no_times};
use rread_source::{Change, lock, start_thread};
use rread_text::{Encoding, Result, counted};

/// A job that takes longer is not waited for if the file is an object.
const LONG: Duration = Duration::from_millis(300);

/// Bytes of an object in which matches are counted: more would cost time and money that nobody asked for.
const TALLIED: u64 = 64 << 20;

/// Hits whose places are kept, for the number of the current one.
const MOST_HITS: usize = 1 << 20;

/// The kinds of work, each of which has a thread, so that a long one delays no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Reads what the screen shows.
    Show,
    /// Finds patterns and times.
    Seek,
    /// Counts lines.
    Count,
    /// Counts matches.
    Tally,
}

pub(crate) const ROLES: [Role; 4] = [Role::Show, Role::Seek, Role::Count, Role::Tally];

#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// The pieces around a place.
    Show {
        at: u64,
        reach: (usize, usize),
        filters: Vec<Arc<Pattern>>,
        /// How lines are cut, if they do not wrap.
        chop: Option<Chop>,
    },
    /// Opens the file again.
    Reload,
    Find(FindRequest),
    Time(String),
    /// Position in millionths of a percent of a file of unknown size.
    Percent(u64),
    Line(u64),
    /// The lines before places, as far as that is quick or it `must` be.
    Numbers {
        offsets: Vec<u64>,
        must: bool,
    },
    /// All lines.
    Lines,
    /// The matches in the lines that the filters leave.
    Tally {
        pattern: Arc<Pattern>,
        filters: Vec<Arc<Pattern>>,
        tally: Arc<MatchTally>,
    },
}

impl Job {
    pub(crate) fn role(&self) -> Role {
        match self {
            Job::Show { .. } | Job::Reload => Role::Show,
            Job::Find(_) | Job::Time(_) | Job::Percent(_) => Role::Seek,
            Job::Line(_) | Job::Numbers { .. } | Job::Lines => Role::Count,
            Job::Tally { .. } => Role::Tally,
        }
    }
}

pub(crate) enum Report {
    Passage(Passage),
    Text(Arc<ViewedFile>),
    /// A place, and what to say about it.
    Found(Option<u64>, Option<String>),
    Line {
        offset: u64,
        newlines: u64,
        note: Option<String>,
    },
    /// Places and the newlines before them.
    Numbers(Vec<(u64, u64)>),
    Lines(u64),
    Tallied,
}

/// The lines with a match that were counted so far.
#[derive(Debug, Default)]
pub(crate) struct MatchTally(Mutex<Tally>);

#[derive(Debug, Default)]
struct Tally {
    starts: Vec<u64>,
    count: u64,
    /// The matches before this offset have been counted; all, if it is the largest.
    counted: u64,
    /// The end of the text, when all of it was counted.
    end: u64,
    /// The start of the last hit.
    last: u64,
}

impl MatchTally {
    /// `3 of 120+`, for the hit at or before `at`.
    pub(crate) fn position(&self, at: u64) -> String {
        let Tally { ref starts, count, counted, .. } = *lock(&self.0);
        let is_whole = counted == u64::MAX;
        if count == 0 && is_whole {
            return "no matches".to_owned();
        }
        let before = starts.partition_point(|start| *start <= at);
        let is_known = before > 0 && (before < starts.len() || at < counted && before as u64 == count);
        let place = if is_known { before.to_string() } else { "?".to_owned() };
        format!("{place} of {count}{}", if is_whole { "" } else { "+" })
    }

    /// Forgets the hits from `from` on, which is the start of the last line that was counted.
    fn forget_from(&self, from: u64) {
        let mut tally = lock(&self.0);
        let kept = tally.starts.partition_point(|start| *start < from);
        tally.starts.truncate(kept);
        tally.count = match from {
            0 => 0,
            _ => tally.count.saturating_sub(u64::from(tally.last >= from)),
        };
        (tally.counted, tally.end) = (from, 0);
    }
}

/// Takes the report of the job with this number; returns whether anybody listens.
pub(crate) type SendReport = Box<dyn Fn(Role, u64, Result<Report>) -> bool + std::marker::Send>;

struct Order {
    number: u64,
    text: Arc<ViewedFile>,
    job: Job,
}

/// The near end of a thread.
pub(crate) struct Worker {
    orders: Sender<Order>,
    pub(crate) control: Arc<Control>,
    pub(crate) last: u64,
    ordered: Instant,
}

impl Worker {
    pub(crate) fn start(
        role: Role,
        send: SendReport,
        opener: Arc<Opener>,
        (times, scan): (TimeOptions, bool),
        last: u64,
    ) -> Result<Self> {
        let (orders, inbox) = channel();
        let control = Arc::new(Control::default());
        let thread = Thread::new(role, send, opener, (times, scan), Arc::clone(&control));
        start_thread("view", move || thread.run(&inbox))?;
        Ok(Worker { orders, control, last, ordered: Instant::now() })
    }

    /// Stops what runs and starts `job`; returns the number of the report to wait for.
    pub(crate) fn order(&mut self, text: Arc<ViewedFile>, job: Job) -> u64 {
        self.stop();
        self.last += 1;
        self.ordered = Instant::now();
        let _ = self.orders.send(Order { number: self.last, text, job });
        self.last
    }

    /// Whether its last job takes long: one that waits for a server cannot be stopped.
    pub(crate) fn is_stuck(&self) -> bool {
        self.control.done.load(Ordering::Relaxed) < self.last && self.ordered.elapsed() > LONG
    }

    pub(crate) fn stop(&self) {
        self.control.stopped.store(self.last, Ordering::Relaxed);
    }
}

struct Thread {
    role: Role,
    send: SendReport,
    opener: Arc<Opener>,
    times: TimeOptions,
    scan: bool,
    control: Arc<Control>,
    /// A place whose line number is known.
    near: Option<(u64, u64)>,
    /// Of the file that is read.
    long: LongLines,
}

/// Does a job without a thread.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn at_once(text: &Arc<ViewedFile>, opener: &Arc<Opener>, job: Job) -> Result<Report> {
    let control = Arc::new(Control::default());
    control.running.store(1, Ordering::Relaxed);
    let (reader, times) = (text.snapshot(&control, true), TimeOptions::default());
    let send: SendReport = Box::new(|_, _, _| true);
    Thread::new(job.role(), send, Arc::clone(opener), (times, false), control).work(text, &reader, job)
}

/// Bytes that are counted from a known place rather than from the start.
const NEAR: u64 = 8 << 20;

impl Thread {
    fn new(
        role: Role,
        send: SendReport,
        opener: Arc<Opener>,
        (times, scan): (TimeOptions, bool),
        control: Arc<Control>,
    ) -> Self {
        Thread { role, send, opener, times, scan, control, near: None, long: LongLines::default() }
    }

    fn run(mut self, orders: &Receiver<Order>) {
        let mut current: Option<(Arc<ViewedFile>, Reader)> = None;
        for Order { number, text, job } in orders {
            self.control.running.store(number, Ordering::Relaxed);
            self.control.passed.store(0, Ordering::Relaxed);
            if self.control.is_stopped() {
                self.control.done.store(number, Ordering::Relaxed);
                continue;
            }
            let counts = matches!(self.role, Role::Count | Role::Tally);
            // The snapshot of a stream ends where the stream ended then.
            let is_same = current.as_ref().is_some_and(|(old, reader)| {
                Arc::ptr_eq(old, &text) && reader.known_size() == text.size_for(counts)
            });
            if !is_same {
                if current.take().is_none_or(|(old, _)| !Arc::ptr_eq(&old, &text)) {
                    self.long = LongLines::default();
                }
                self.near = None;
            }
            let (text, reader) = current.get_or_insert_with(|| {
                let reader = text.snapshot(&self.control, counts);
                (text, reader)
            });
            let result = self.work(text, reader, job);
            self.control.done.store(number, Ordering::Relaxed);
            if !self.control.is_stopped() && !(self.send)(self.role, number, result) {
                return;
            }
        }
    }

    fn work(&mut self, text: &Arc<ViewedFile>, reader: &Reader, job: Job) -> Result<Report> {
        match job {
            Job::Show { at, reach, filters, chop } => {
                self.show(text, reader, (at, reach), &filters, chop).map(Report::Passage)
            }
            Job::Reload => text.reopen(&*self.opener).map(Report::Text),
            Job::Find(request) => {
                let mut sieve = Sieve::new(reader, &request.pattern, &request.filters, text.has_crlf)?;
                sieve.chops = request.chopped;
                find::nth(&sieve, &request).map(|found| Report::Found(found, None))
            }
            Job::Time(time) => match &text.merged {
                Some(merged) => merged.find_time(&time).map(|(place, note)| Report::Found(place, note)),
                None => self.time(reader, &time),
            },
            Job::Percent(millionths) => {
                Ok(Report::Found(Some(part(reader.size()?, millionths)), Some(String::new())))
            }
            Job::Line(line) => self.line(reader, line),
            Job::Numbers { offsets, must } => {
                let known = offsets.into_iter().map(|offset| self.number(text, reader, offset, must));
                known.map_while(Result::transpose).collect::<Result<_>>().map(Report::Numbers)
            }
            Job::Lines => {
                let indexed = if text.is_decoded() { &text.reader } else { reader };
                let lines = indexed.known_lines().map_or_else(|| reader.count_lines(), Ok)?;
                reader.save_index(false);
                Ok(Report::Lines(lines))
            }
            Job::Tally { pattern, filters, tally } => {
                let sieve = Sieve::new(reader, &pattern, &filters, text.has_crlf)?;
                let end = text.window().map_or(u64::MAX, |window| window.end);
                let end = if text.is_object() { end.min(TALLIED) } else { end };
                // The last line that was counted may have been partial.
                let counted = lock(&tally.0).end;
                let from = match counted.checked_sub(1) {
                    Some(last) if last < end => reader.line_start(last)?,
                    _ => 0,
                };
                tally.forget_from(from);
                Self::tally(&sieve, &tally, from..end)?;
                let size = reader.known_size().unwrap_or(u64::MAX);
                let is_all = !text.is_live() && (end != TALLIED || size <= end);
                let mut tally = lock(&tally.0);
                tally.end = if size == u64::MAX { 0 } else { size };
                tally.counted = if is_all { u64::MAX } else { size.min(end) };
                Ok(Report::Tallied)
            }
        }
    }

    /// The passage around `at`.
    fn show(
        &mut self,
        text: &ViewedFile,
        reader: &Reader,
        (at, reach): (u64, (usize, usize)),
        filters: &[Arc<Pattern>],
        chop: Option<Chop>,
    ) -> Result<Passage> {
        let lines = &mut self.long;
        let mut chopper = chop.map(|chop| Chopper { reader, chop, lines });
        let mut passage = match (filters.split_first(), &mut chopper) {
            (None, None) => piece::passage(reader, at, reach),
            (None, Some(chopper)) => chopper.passage(at, reach),
            (Some((first, others)), chopper) => {
                let sieve = Sieve::new(reader, first, others, text.has_crlf)?;
                find::pipe_through(&sieve, at, reach, chopper.as_mut())
            }
        }?;
        if let Some(merged) = &text.merged {
            passage.origins = merged.origins.of(&passage.pieces, reader)?;
        }
        Ok(passage)
    }

    fn time(&self, reader: &Reader, time: &str) -> Result<Report> {
        let log = Log::open(reader, &self.times)?;
        let log = log.ok_or_else(|| no_times(reader, self.times.format.as_deref()))?;
        let time = log.time(time, None)?;
        let (record, is_unordered) = log.first_since(time, self.scan)?;
        let note = match (record, is_unordered) {
            (None, _) => Some(format!("no record is at or after {}", log.format_time(time))),
            (_, true) => Some("the log is not in order: the place may be wrong".to_owned()),
            _ => None,
        };
        Ok(Report::Found(record.map(|record| record.start), note))
    }

    fn line(&mut self, reader: &Reader, line: u64) -> Result<Report> {
        let found = reader.find_lines(&[line.saturating_sub(1)], false)?;
        reader.save_index(false);
        let first = found.boundaries.first();
        let (offset, lines) = first.map_or((0, 0), |first| (first.offset, first.lines.unwrap_or(0)));
        // Past the end, the last line.
        if reader.known_size() == Some(offset) {
            let note = (line > lines.max(1))
                .then(|| format!("line {line} is beyond the end of the file ({})", counted(lines, "line")));
            let offset = if offset > 0 { reader.line_start(offset - 1)? } else { 0 };
            return Ok(Report::Line { offset, newlines: lines.saturating_sub(1), note });
        }
        self.near = Some((offset, lines));
        Ok(Report::Line { offset, newlines: lines, note: None })
    }

    fn number(
        &mut self,
        text: &ViewedFile,
        reader: &Reader,
        offset: u64,
        must: bool,
    ) -> Result<Option<(u64, u64)>> {
        let count = |from: u64, to: u64| -> Result<u64> {
            let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(0)];
            reader.read_exact(&mut bytes, from)?;
            Ok(reader.units().count(&bytes))
        };
        let indexed = if text.is_decoded() { &text.reader } else { reader };
        let newlines = match self.near {
            Some((near, newlines)) if near <= offset && offset - near <= NEAR => {
                newlines + count(near, offset)?
            }
            Some((near, newlines)) if near > offset && near - offset <= NEAR => {
                newlines.saturating_sub(count(offset, near)?)
            }
            _ if offset < indexed.indexed_bytes() => indexed.newlines_before(offset)?,
            _ if reader.is_cheap_to_count_before(offset) || must => {
                let newlines = reader.newlines_before(offset)?;
                reader.save_index(false);
                newlines
            }
            _ => return Ok(None),
        };
        self.near = Some((offset, newlines));
        Ok(self.near)
    }

    fn tally(sieve: &Sieve<'_>, tally: &MatchTally, span: Range<u64>) -> Result<()> {
        sieve
            .search()
            .run(span, 0, &mut |hits, _| {
                let hits = sieve.retain(hits)?;
                let mut tally = lock(&tally.0);
                tally.last = hits.last().map_or(tally.last, |hit| hit.start);
                tally.count += hits.len() as u64;
                let room = MOST_HITS - tally.starts.len();
                tally.starts.extend(hits.iter().take(room).map(|hit| hit.start));
                Ok(ControlFlow::Continue(()))
            })
            .map(drop)
    }
}

/// So many millionths of a percent of `size` bytes, rounded as less does; of the last byte, at most.
pub(crate) fn part(size: u64, millionths: u64) -> u64 {
    let offset = (u128::from(size) * u128::from(millionths) + 50_000_000) / 100_000_000;
    u64::try_from(offset).unwrap_or(u64::MAX).min(size.saturating_sub(1))
}

/// The matcher of `pattern` for the text of pieces, which is in UTF-8.
pub(crate) fn highlighter(pattern: &Pattern) -> Result<LineMatcher> {
    LineMatcher::new(pattern, Encoding::Utf8, false)
}

pub(crate) enum Event {
    /// Keys and sizes; the thread that reads them waits until they have been handled.
    Input(Vec<Input>),
    /// The terminal has gone.
    NoTerminal,
    /// Somebody stops the process.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only signals of Unix stop a process"))]
    Stopped,
    /// The process goes on after it was stopped.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only signals of Unix stop a process"))]
    Continued,
    Opened(Result<Arc<ViewedFile>>),
    Report {
        role: Role,
        number: u64,
        result: Result<Report>,
    },
    /// More of a stream has come, or its end.
    Grew(Result<()>),
    Changed(Change),
    /// The syntax colors of lines.
    Colored(Colored),
}
