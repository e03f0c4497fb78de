//! `rread follow`: the last lines of files, and what is appended to them.

mod print;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use clap::Args;

use crate::args::content::budget_with_room;
use crate::args::input::duration;
use crate::args::{EncodingArgs, OutputArgs};
use crate::content::Budget;
use crate::error::{Error, Kind, Result};
use crate::follow::held::Held;
use crate::follow::tail::{Start, Step, Tail};
use crate::follow::wake::{QUEUE, Wake, read_stream, watch_output, watch_process};
use crate::follow::watch::Watch;
use crate::format::Format;
use crate::hints;
use crate::output::Out;
use crate::search::pattern::Pattern;
use print::{Feed, Printer, Reason};

/// How long the beginning of a line is held in text and JSON.
const HOLD: Duration = Duration::from_millis(200);

const BLOCK: usize = 256 << 10;

/// Blocks of one file before it is the turn of the others.
const TURN: usize = 4;

/// Print the last lines of files, and what is appended to them, as it comes
///
/// rread follows the name: it goes on with the new file after a rotation, starts again after a truncation, and waits for
/// a file that is missing. Notes on standard error say so. Standard input and named pipes are read to their end. rread
/// waits for events of the file system; where there are none, as on network file systems, it looks once a second.
///
/// The answer has no receipt, because it has no end: the default format is text, and --xml is refused. Text has headers
/// as in tail if there are several files, and holds the beginning of a line until it ends or 200 ms pass. Raw passes on
/// the bytes as they come. JSON is one object a line, for text, for events and for the reason of the end.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread follow app.log                                      the last 10 lines and what comes
  rread follow -n 0 a.log b.log --json                      only what comes, as JSON lines
  rread follow app.log --until-match 'listening on' --timeout 60s
                                                            wait for a line: exit 0, or 1 after 60s
  rread follow build.log --pid 4711                         until that process ends")]
pub(crate) struct FollowArgs {
    /// Files to follow; - is standard input
    #[arg(value_name = "FILE", required = true, value_parser = crate::args::file::file())]
    files: Vec<PathBuf>,
    /// Begin with the last N lines of each file
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    lines: u64,
    /// End after the first line that matches PATTERN, a regular expression; the lines of -n count too
    ///
    /// If following ends otherwise, the exit code is 1.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    until_match: Option<String>,
    /// End with exit code 1 if there is no match for DURATION, such as 60s; without --until-match, if nothing comes
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    timeout: Option<Duration>,
    /// End when the process P ends, after what it wrote
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=0x7FFF_FFFF))]
    pid: Option<u32>,
    /// End before the content exceeds N bytes [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = crate::args::size)]
    max_bytes: Option<u64>,
    /// End after N lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_lines: Option<u64>,
    /// Look for changes every DURATION, and do not wait for events
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    poll: Option<Duration>,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl FollowArgs {
    pub(crate) fn run(self) -> Result<()> {
        let mut follow = Follow::start(&self)?;
        let reason = match follow.run() {
            Ok(Some(reason)) => reason,
            // The reader of the output has gone.
            Ok(None) => return Ok(()),
            Err(error) => {
                let _ = follow.printer.out.flush();
                return Err(error);
            }
        };
        follow.printer.end(reason)?;
        self.result(reason)
    }

    fn result(&self, reason: Reason) -> Result<()> {
        let pattern = self.until_match.as_deref().map(|pattern| format!("no line matched '{pattern}'"));
        let after = match (reason, pattern.is_some()) {
            (Reason::Match, _) => return Ok(()),
            (Reason::Timeout, _) => {
                let time = humantime::format_duration(self.timeout.unwrap_or_default());
                let what = pattern.unwrap_or_else(|| "nothing was appended".to_owned());
                return Err(Error::new(Kind::Timeout, format!("{what} within {time}")));
            }
            (_, false) => return Ok(()),
            (Reason::MaxBytes | Reason::MaxLines, _) => "within the budget",
            (Reason::Process, _) => "before the process ended",
            (Reason::Eof, _) => "before the input ended",
        };
        Err(Error::new(Kind::NoMatch, format!("{} {after}", pattern.unwrap_or_default())))
    }

    fn format(&self) -> Result<Format> {
        match self.output.format()? {
            Format::Frontmatter => Ok(Format::Text),
            Format::Xml => Err(Error::usage("an answer without an end cannot be an XML document")
                .hint("--json writes one object a line")),
            format => Ok(format),
        }
    }

    fn printer(&self) -> Result<Printer> {
        let bytes = budget_with_room(self.max_bytes, 4, "one character")?;
        let pattern = self.until_match.as_ref();
        let pattern =
            pattern.map(|pattern| Pattern { patterns: vec![pattern.clone()], ..Pattern::default() });
        if let Some(pattern) = &pattern {
            pattern.check(true)?;
        }
        Ok(Printer {
            out: Out::stdout()?,
            format: self.format()?,
            choice: self.encoding.choice()?,
            pattern,
            matchers: Vec::new(),
            budget: Budget { bytes, lines: self.max_lines },
            has_headers: self.files.len() > 1,
            last: None,
            last_output: Instant::now(),
        })
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
    buffer: Vec<u8>,
}

impl<'a> Follow<'a> {
    fn start(args: &'a FollowArgs) -> Result<Self> {
        let printer = args.printer()?;
        let (sender, wakes) = sync_channel(QUEUE);
        let start = Start { lines: args.lines, choice: printer.choice, raw: printer.format == Format::Raw };
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
            buffer: vec![0; BLOCK],
        };
        for (index, path) in args.files.iter().enumerate() {
            follow.open(index, path, start)?;
        }
        for index in &follow.streams {
            read_stream(*index, &args.files[*index], sender.clone())?;
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
                .hint(hints::again("lines", path, "-10:")));
        }
        // The watch comes first, so that no change is missed.
        self.watch.add(index, Some(path).filter(|path| *path != Path::new("-")), false);
        let tail = Tail::open(path, start)?;
        let (encoding, line) = tail.as_ref().map_or((None, Some(1)), |tail| (tail.encoding, tail.line));
        self.feeds.push(Feed::new(path, Held::new(encoding, line)));
        match tail {
            None => self.streams.insert(index),
            Some(_) => self.next.insert(index),
        };
        self.tails.push(tail);
        Ok(())
    }

    fn interval(&self) -> Duration {
        self.args.poll.unwrap_or(Duration::from_secs(1))
    }

    /// `None` if nobody reads the output any more.
    fn run(&mut self) -> Result<Option<Reason>> {
        for index in 0..self.tails.len() {
            if self.tails[index].as_ref().is_some_and(Tail::is_open) {
                self.printer.header(index, &self.args.files[index])?;
                if let Some(reason) = self.look(index)? {
                    return Ok(Some(reason));
                }
            }
        }
        let mut next_poll = Instant::now() + self.interval();
        loop {
            for index in std::mem::take(&mut self.next) {
                if let Some(reason) = self.look(index)? {
                    return Ok(Some(reason));
                }
            }
            if let Some(reason) = self.flush_half(false)? {
                return Ok(Some(reason));
            }
            let now = Instant::now();
            let deadline = self.deadline();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Ok(Some(self.flush_half(true)?.unwrap_or(Reason::Timeout)));
            }
            if self.streams.is_empty() && self.tails.iter().all(Option::is_none) {
                return Ok(Some(self.flush_half(true)?.unwrap_or(Reason::Eof)));
            }
            if !self.next.is_empty() {
                // There is more to read; the output is full enough.
                if let Ok(wake) = self.wakes.try_recv()
                    && let Some(end) = self.wake(wake)?
                {
                    return Ok(end);
                }
                continue;
            }
            self.printer.out.flush()?;
            let polls = !self.watch.polled().is_empty();
            if polls && now >= next_poll {
                next_poll = now + self.interval();
                self.next.extend(self.watch.polled());
                continue;
            }
            let held = self.half.iter().filter_map(|index| self.feeds[*index].held.since).min();
            let times = [deadline, held.map(|since| since + HOLD), polls.then_some(next_poll)];
            if let Some(end) = self.wait(times.into_iter().flatten().min())? {
                return Ok(end);
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let from = if self.args.until_match.is_some() { self.started } else { self.printer.last_output };
        from.checked_add(self.args.timeout?)
    }

    fn wait(&mut self, until: Option<Instant>) -> Result<Option<Option<Reason>>> {
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
                Ok(None)
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
        }
    }

    /// The outer `None`: go on.
    fn wake(&mut self, wake: Wake) -> Result<Option<Option<Reason>>> {
        self.next.extend(self.watch.changed());
        match wake {
            Wake::Files => Ok(None),
            Wake::Bytes(index, bytes) => {
                let feed = &mut self.feeds[index];
                let at = feed.held.at + feed.held.bytes.len() as u64;
                let reason = self.printer.push(index, feed, &bytes, at)?;
                self.half.insert(index);
                Ok(reason.map(Some))
            }
            Wake::StreamEnded(index, ended) => {
                self.streams.remove(&index);
                let path = &self.args.files[index];
                ended.map_err(|cause: io::Error| Error::read("cannot read", &cause).at(path))?;
                Ok(None)
            }
            Wake::ProcessEnded => Ok(Some(Some(self.rest()?.unwrap_or(Reason::Process)))),
            Wake::OutputClosed => Ok(Some(None)),
        }
    }

    /// Prints the text that a process wrote before it ended.
    fn rest(&mut self) -> Result<Option<Reason>> {
        self.next.extend(0..self.tails.len());
        while let Some(index) = self.next.pop_first() {
            if let Some(reason) = self.look(index)? {
                return Ok(Some(reason));
            }
        }
        while !self.streams.is_empty()
            && let Ok(wake) = self.wakes.recv_timeout(HOLD)
        {
            if let Some(Some(reason)) = self.wake(wake)? {
                return Ok(Some(reason));
            }
        }
        self.flush_half(true)
    }

    /// Passes on what came to a file; looks again soon if there is more.
    fn look(&mut self, index: usize) -> Result<Option<Reason>> {
        let (feed, Some(tail)) = (&mut self.feeds[index], &mut self.tails[index]) else { return Ok(None) };
        for _ in 0..TURN {
            match tail.step(&mut self.buffer).map_err(|error| error.about(&feed.path))? {
                Step::Bytes(got, at) => {
                    if self.printer.format == Format::Json {
                        feed.version = tail.version();
                    }
                    if let Some(reason) = self.printer.push(index, feed, &self.buffer[..got], at)? {
                        return Ok(Some(reason));
                    }
                    self.half.insert(index);
                }
                Step::Event(event) => {
                    if tail.starts_over() {
                        // The rest of the line will not come.
                        if let Some(reason) = self.printer.flush(index, feed, true)? {
                            return Ok(Some(reason));
                        }
                        feed.held = Held::new(None, Some(1));
                    }
                    self.printer.event(feed, event)?;
                    self.watch.add(index, tail.name(), tail.is_unsettled());
                }
                Step::Idle => {
                    // What came before a new watch caused no event.
                    if tail.is_unsettled() && self.watch.add(index, tail.name(), true) {
                        self.next.insert(index);
                    }
                    return Ok(None);
                }
            }
        }
        self.next.insert(index);
        Ok(None)
    }

    /// Passes on the beginnings of lines that were held long enough, or all of them.
    fn flush_half(&mut self, all: bool) -> Result<Option<Reason>> {
        let now = Instant::now();
        for index in std::mem::take(&mut self.half) {
            let feed = &mut self.feeds[index];
            let Some(since) = feed.held.since else { continue };
            if !all && now < since + HOLD {
                self.half.insert(index);
            } else if let Some(reason) = self.printer.flush(index, feed, all)? {
                return Ok(Some(reason));
            }
        }
        Ok(None)
    }
}
