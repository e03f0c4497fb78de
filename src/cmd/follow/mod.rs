//! `rread follow`: the last lines of files, and what is appended to them.

mod args;
mod print;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

pub(crate) use args::FollowArgs;
use print::{End, EndReason, Feed, Flow, Printer};
use rread_answer::{Format, hints, notes, worded};
use rread_reader::Passing;
use rread_reader::follow::Held;
pub use rread_reader::follow::tail::{Start, StartAt, Step, Tail};
use rread_reader::follow::watch::Watch;
pub use rread_reader::follow::watch::{QUEUE, Wake, read_stream, watch_output, watch_process};
use rread_source::memory::Buffer;
use rread_source::stdin;
use rread_text::{Error, Kind, Result, call};

/// How long the beginning of a line is held in text and JSON.
const HOLD: Duration = Duration::from_millis(200);

/// Notes about files that are not followed; one note counts the others.
const MAX_NOTES: usize = 3;

/// Blocks of one file before it is the turn of the others.
const TURN: usize = 4;

impl FollowArgs {
    pub(crate) fn run(self) -> Result<()> {
        let mut follow = Follow::start(&self)?;
        let Err(end) = follow.run();
        let reason = match end {
            // The lines after the match may not come.
            End::Reason(_) if follow.printer.after.is_some() => EndReason::Match,
            End::Reason(reason) => reason,
            End::Closed => return Ok(()),
            End::Failed(error) => {
                let _ = follow.printer.out.flush();
                return Err(error);
            }
        };
        follow.printer.end(reason)?;
        self.result(reason)
    }
}

struct Follow<'a> {
    args: &'a FollowArgs,
    started: Instant,
    printer: Printer,
    feeds: Vec<Feed>,
    /// `None` for streams.
    tails: Vec<Option<Tail>>,
    watch: Watch,
    wakes: Receiver<Wake>,
    /// Streams that have not ended.
    streams: BTreeSet<usize>,
    /// Files with the beginning of a line.
    half: BTreeSet<usize>,
    /// Files to look at now.
    next: BTreeSet<usize>,
    buffer: Buffer,
}

impl<'a> Follow<'a> {
    fn start(args: &'a FollowArgs) -> Result<Self> {
        let printer = args.printer()?;
        args.time.reading.options().check_zones(args.files.iter().map(PathBuf::as_path))?;
        let (sender, wakes) = sync_channel(QUEUE);
        let start = Start {
            at: args.start_at(),
            has_since: args.time.since.is_some(),
            scan: args.time.reading.scan,
            choice: printer.choice,
            raw: printer.format == Format::Raw,
        };
        let mut follow = Follow {
            args,
            started: Instant::now(),
            printer,
            feeds: Vec::new(),
            tails: Vec::new(),
            watch: Watch::new(args.poll.is_some(), sender.clone()),
            wakes,
            streams: BTreeSet::new(),
            half: BTreeSet::new(),
            next: BTreeSet::new(),
            buffer: Buffer::default(),
        };
        open_many_files(args.files.len());
        let (mut refused, mut count) = (None, 0);
        for (index, path) in args.files.iter().enumerate() {
            match follow.open(index, path, start) {
                Ok(()) => {}
                Err(error) if args.files.len() > 1 && !matches!(error.kind, Kind::Usage | Kind::Write) => {
                    count += 1;
                    if count <= MAX_NOTES {
                        stdin::warn(path, &format!("{}; not followed", worded(&error.message)));
                    }
                    refused.get_or_insert(error.about(path));
                    // In its place, a stream that has ended.
                    follow.feeds.push(Feed::new(path, Held::new(None, None), None, true));
                    follow.tails.push(None);
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = refused.filter(|_| count == args.files.len()) {
            return Err(error);
        }
        if count > MAX_NOTES {
            stdin::note(&format!("{} more files are not followed", count - MAX_NOTES));
        }
        let skips = matches!(start.at, StartAt::LastLines(0) | StartAt::LastBytes(0)) && !start.has_since;
        for index in &follow.streams {
            let skipped = read_stream(*index, &args.files[*index], skips, sender.clone())?;
            let newlines = skipped.iter().filter(|byte| **byte == b'\n').count() as u64;
            let held = &mut follow.feeds[*index].held;
            (held.at, held.line) = (skipped.len() as u64, Some(newlines + 1));
        }
        follow.watch_others(sender)?;
        Ok(follow)
    }

    fn watch_others(&self, sender: SyncSender<Wake>) -> Result<()> {
        watch_output(sender.clone())?;
        match self.args.pid {
            Some(_) if !cfg!(unix) => Err(Error::usage("--pid needs a Unix system").hint("--timeout 60s")),
            Some(id) => watch_process(id, self.interval(), sender),
            None => Ok(()),
        }
    }

    fn open(&mut self, index: usize, path: &Path, start: Start) -> Result<()> {
        if path != Path::new("-") && hints::is_ours(path) && path.symlink_metadata().is_err() {
            return Err(Error::usage("cannot be followed: only local files, pipes and standard input grow")
                .at(path)
                .hint(call("lines").file(path).word("-10:").again()));
        }
        // The watch comes first, so that no change is missed.
        self.watch.add(index, Some(path).filter(|path| *path != Path::new("-")), false, None);
        let mut passing = self.args.passing(path)?;
        let tail = Tail::open(path, start, passing.as_mut())?;
        if tail.is_none() {
            self.args.note_start_of_stream(path);
        }
        if tail.as_ref().is_some_and(|tail| !tail.has_times) {
            stdin::warn(path, "has no times yet that rread recognises");
        }
        let guessed = tail.as_ref().and_then(|tail| tail.evident_encoding.as_deref());
        let format = if self.printer.format == Format::Raw { Format::Raw } else { Format::Text };
        notes::say_guess(path, guessed, format);
        let (encoding, line) = tail.as_ref().map_or((None, Some(1)), |tail| (tail.encoding, tail.line));
        let was_there = tail.as_ref().is_none_or(Tail::is_open);
        self.feeds.push(Feed::new(path, Held::new(encoding, line), passing, was_there));
        match tail {
            None => self.streams.insert(index),
            Some(_) => self.next.insert(index),
        };
        self.tails.push(tail);
        Ok(())
    }

    fn interval(&self) -> Duration {
        self.args.poll.or(self.args.sleep_interval).unwrap_or(Duration::from_secs(1))
    }

    fn run(&mut self) -> Flow<Infallible> {
        for index in 0..self.tails.len() {
            if self.tails[index].as_ref().is_some_and(Tail::is_open) {
                self.printer.header(index, &self.args.files[index])?;
                self.look(index)?;
            }
        }
        let mut next_poll = Instant::now() + self.interval();
        loop {
            for index in std::mem::take(&mut self.next) {
                self.look(index)?;
            }
            self.flush_half(false)?;
            self.release(false)?;
            if self.feeds.iter().all(Feed::is_over) {
                self.release(true)?;
                return Err(EndReason::Until.into());
            }
            let now = Instant::now();
            let deadline = self.deadline();
            if deadline.is_some_and(|deadline| now >= deadline) {
                self.flush_half(true)?;
                return Err(EndReason::Timeout.into());
            }
            if self.streams.is_empty() && self.tails.iter().all(Option::is_none) {
                self.flush_half(true)?;
                return Err(EndReason::Eof.into());
            }
            if !self.next.is_empty() {
                // There is more to read; the output is full enough.
                if let Ok(wake) = self.wakes.try_recv() {
                    self.wake(wake)?;
                }
                continue;
            }
            self.printer.out.flush()?;
            let polls = !self.watch.polled.is_empty();
            if polls && now >= next_poll {
                next_poll = now + self.interval();
                self.next.extend(&self.watch.polled);
                continue;
            }
            let held = self.half.iter().filter_map(|index| self.feeds[*index].held.since).min();
            let waiting = print::deadline(&self.feeds, self.args.hold());
            let times = [deadline, held.map(|since| since + HOLD), polls.then_some(next_poll), waiting];
            self.wait(times.into_iter().flatten().min())?;
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let from = if self.args.until_match.is_some() { self.started } else { self.printer.last_output };
        from.checked_add(self.args.timeout?)
    }

    fn wait(&mut self, until: Option<Instant>) -> Flow {
        let woken = match until {
            None => self.wakes.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => self.wakes.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match woken {
            Ok(wake) => self.wake(wake),
            // Every watch has ended; a deadline or a poll remains.
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(
                    until.map_or(self.interval(), |it| it.saturating_duration_since(Instant::now())),
                );
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
        }
    }

    fn wake(&mut self, wake: Wake) -> Flow {
        self.next.extend(self.watch.take_changed());
        match wake {
            Wake::Files => {}
            Wake::Bytes(index, _) if self.feeds[index].is_over() => {}
            Wake::Bytes(index, bytes) => {
                let feed = &mut self.feeds[index];
                let at = feed.held.at + feed.held.bytes.len() as u64;
                self.printer.push(index, feed, &bytes, at)?;
                self.half.insert(index);
            }
            Wake::StreamEnded(index, ended) => {
                self.streams.remove(&index);
                let path = &self.args.files[index];
                ended.map_err(|cause: io::Error| Error::read("cannot read", &cause).at(path))?;
            }
            Wake::ProcessEnded => {
                self.rest()?;
                return Err(EndReason::Process.into());
            }
            Wake::OutputClosed => return Err(End::Closed),
        }
        Ok(())
    }

    /// Prints the text that a process wrote before it ended.
    fn rest(&mut self) -> Flow {
        self.next.extend(0..self.tails.len());
        while let Some(index) = self.next.pop_first() {
            self.look(index)?;
        }
        while !self.streams.is_empty()
            && let Ok(wake) = self.wakes.recv_timeout(HOLD)
        {
            self.wake(wake)?;
        }
        self.flush_half(true)
    }

    /// Passes on what came to a file; looks again soon if there is more.
    fn look(&mut self, index: usize) -> Flow {
        let (feed, Some(tail)) = (&mut self.feeds[index], &mut self.tails[index]) else { return Ok(()) };
        for _ in 0..TURN {
            if feed.is_over() {
                return Ok(());
            }
            match tail.step(&mut self.buffer).map_err(|error| error.about(&feed.path))? {
                Step::Bytes(at) => {
                    if self.printer.format == Format::Json {
                        feed.version = tail.version();
                    }
                    self.printer.push(index, feed, &self.buffer, at)?;
                    self.half.insert(index);
                }
                Step::Event(event) => {
                    if tail.starts_over() {
                        // The rest of the line will not come.
                        self.printer.flush(index, feed, true)?;
                        print::drain(index, feed, &mut self.printer)?;
                        feed.held = Held::new(None, Some(1));
                        feed.passing.iter_mut().for_each(Passing::start_over);
                    }
                    self.printer.event(feed, event, tail.obstacle.as_deref())?;
                    feed.was_there |= tail.is_open();
                    self.watch.add(index, tail.name.as_deref(), tail.is_unsettled(), tail.place().as_deref());
                }
                Step::Idle => {
                    // What came before a new watch caused no event.
                    if tail.is_unsettled()
                        && self.watch.add(index, tail.name.as_deref(), true, tail.place().as_deref())
                    {
                        self.next.insert(index);
                    }
                    return Ok(());
                }
            }
        }
        self.next.insert(index);
        Ok(())
    }

    /// Passes on the beginnings of lines that were held long enough, or all of them.
    fn flush_half(&mut self, all: bool) -> Flow {
        let now = Instant::now();
        let mut half = std::mem::take(&mut self.half);
        if all {
            // Lines of a window are held for longer, and a line that was shown is not matched before it ends.
            half.extend((0..self.feeds.len()).filter(|index| self.feeds[*index].is_held()));
        }
        for index in half {
            let feed = &mut self.feeds[index];
            let since = feed.held.since;
            if !all && since.is_none() && feed.passing.is_none() {
                continue;
            }
            if !all && since.is_some_and(|since| now < since + HOLD) {
                self.half.insert(index);
            } else {
                self.printer.flush(index, feed, all)?;
            }
        }
        if all { self.release(true) } else { Ok(()) }
    }

    /// Prints the merged records that need not wait any more, or all of them.
    fn release(&mut self, all: bool) -> Flow {
        print::release(&mut self.feeds, &mut self.printer, self.args.hold(), all)
    }
}

/// Raises the soft limit of descriptors to the hard one if `files` need more: the usual limit is 1024.
#[cfg(unix)]
fn open_many_files(files: usize) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    /// Descriptors beside those of the files.
    const OTHERS: u64 = 64;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|most| most < files as u64 + OTHERS) {
        limit.current = limit.maximum;
        // Files that cannot be opened then have a note.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

#[cfg(not(unix))]
fn open_many_files(_: usize) {}
