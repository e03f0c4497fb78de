//! `rread capture`: keeps the output of a command, to be read in parts; `list`, `save` and `drop` what is kept.

mod answer;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::error::ContextKind;
use clap::{Args, Subcommand};

use super::capture::answer::open_raw;
use crate::args::OutputArgs;
use crate::args::choice::{ANSI, choice};
use crate::args::content::budget_of_bytes;
use crate::args::environment::{session, state_limit};
use crate::args::input::without_blank;
use crate::progress::Progress;
use answer::{Answering, ending, name_state_dir};
use rread_answer::deliver::respond_facts;
use rread_answer::options::check_receipt;
use rread_answer::receipt::{
    DroppedCaptures, Envelope, LimitInfo, ListedCapture, OriginInfo, SavedCapture, capture_notices,
};
use rread_answer::{Budget, ContentOptions, Format, List, NameInfo, Segment, Shape, Sink, content, respond};
use rread_reader::capture::{
    Capture, Ended, Keeper, Mode, Record, Running, Session, Streams, Taken, Unfinished, check_name, save,
};
use rread_reader::{Ansi, Handle, MIN_PAGE_SIZE, PAGE_SIZE, Reader};
use rread_source::access::Access;
use rread_source::interrupt;
use rread_source::stdin::{self, warn};
use rread_text::{Error, Kind, Result, counted, quoted_word};

/// Default size up to which output is printed, not kept.
const DIRECT: u64 = 8000;
/// The exit code if rread itself fails while it runs a CMD, as in `env` and `timeout`.
const FAILED: u8 = 125;
/// Maximum bytes of a recorded command line.
const COMMAND_LINE: usize = 4096;

/// Keep the output of a command, or standard input, and read it in parts by its handle
///
/// rread keeps standard output and standard error until both end. If the command leaves a program in
/// the background with the output open, rread waits for it, as $(CMD) does. Output of up to 8000 bytes is printed
/// as it is. More output is kept as fd:1, fd:2 and so on, which every command takes as FILE; rread shows the first
/// page, and if CMD failed, the last page too. Handles belong to RREAD_SESSION.
///
/// rread exits with the exit status of CMD: 128 + N after signal N, 127 if CMD is not found, 126 if it cannot be
/// run, and 125 if rread itself fails. --always-zero exits with 0 however CMD ended. For standard input the usual
/// exit codes hold.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  rread capture -- cargo test           the output, or its first page and a handle
  rread page fd:1 2                     the second page of it
  rread lines fd:1 -20:                 its last 20 lines
  make 2>&1 | rread capture --name build
  rread lines fd:build 100:+20
  rread capture save fd:1 test.log
  rread capture drop --older-than 7d"
)]
pub(crate) struct CaptureCommand {
    #[command(subcommand)]
    action: Option<CaptureAction>,
    /// Add the handle fd:NAME, and keep the output however short it is
    ///
    /// fd:NAME is the newest capture with NAME. Older captures lose the name and keep their numbers, even
    /// if rread cannot keep the newest or start its CMD. Short output is still printed as it is.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Bytes of a page, at least 4 [default: 4000, or RREAD_MAX_BYTES if that is less]
    #[arg(long, value_name = "SIZE", value_parser = super::page::page_size)]
    page_size: Option<u64>,
    /// Print output of at most N bytes as it is, and keep it only with --name [default: 8000, or RREAD_MAX_BYTES if
    /// that is less]
    #[arg(long, value_name = "N", value_parser = crate::args::size)]
    direct: Option<u64>,
    /// Keep the first SIZE bytes, and only count the rest
    ///
    /// The limit neither stops nor slows CMD. RREAD_STATE_MAX limits all captures together.
    #[arg(long, value_name = "SIZE", value_parser = crate::args::size, default_value = "1GiB")]
    limit: u64,
    /// Keep standard output only; standard error is not redirected
    #[arg(long)]
    stdout_only: bool,
    /// Exit with 0 however CMD ended; its status is in the receipt
    ///
    /// If rread fails or cannot start CMD, exit code 125, 126 or 127 stays, because there is no receipt then.
    #[arg(long)]
    always_zero: bool,
    /// The command and its arguments; without a command, rread keeps standard input
    #[arg(last = true, value_name = "CMD", value_parser = crate::args::input::word())]
    command: Vec<PathBuf>,
    #[command(flatten)]
    shown: ShownArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// How much of a capture is shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Content")]
struct ShownArgs {
    /// Show at most N bytes, also of a page; keep output of more bytes [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = crate::args::size)]
    max_bytes: Option<u64>,
    /// Show at most N lines; keep output of more lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_lines: Option<u64>,
    /// Clip lines to N characters, and count the clipped lines; keep output with such lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_columns: Option<u64>,
    /// Print only the receipt, and keep the output however short it is
    #[arg(long)]
    metadata_only: bool,
    /// Show escape sequences and overwritten progress bars: strip (not at all) or keep (as written)
    ///
    /// strip leaves out escape sequences such as colours, text that a carriage return overwrites, and characters before
    /// a backspace. What is kept has them: every command that reads fd:N takes --ansi keep, and capture save writes all
    /// bytes. On a terminal, keep shows them as text such as \x1b[1m.
    #[arg(long, value_parser = choice(ANSI), value_name = "HOW", default_value = "strip", hide_possible_values = true)]
    ansi: Ansi,
    /// Leave out of the receipt all but fd, exit_status, lines, total_lines, truncated and next, and what is out of the
    /// ordinary
    #[arg(long)]
    brief: bool,
}

#[derive(Clone, Debug, Subcommand)]
enum CaptureAction {
    /// List the captures of this session, the oldest first
    List(OutputArgs),
    /// Write a capture to a file
    ///
    /// rread overwrites an existing file only with --force, and extends it only with --append. It creates missing
    /// directories. It replaces the file in one step and keeps its mode; if that fails, the file is unchanged.
    Save(SaveArgs),
    /// Remove captures: those named, all of this session, or the old ones
    ///
    /// rread does not use their handles again.
    Drop(DropArgs),
}

impl CaptureCommand {
    pub(crate) fn output(&self) -> &OutputArgs {
        match &self.action {
            None => &self.output,
            Some(CaptureAction::List(output)) => output,
            Some(CaptureAction::Save(args)) => &args.output,
            Some(CaptureAction::Drop(args)) => &args.output,
        }
    }

    pub(crate) fn run(self) -> Result<u8> {
        match &self.action {
            None if self.command.is_empty() => self.capture().map(|_| 0),
            None => {
                let ended = self.capture().map_err(|error| error.exiting(FAILED))?;
                Ok(ended.filter(|_| !self.always_zero).map_or(0, Ended::exit_code))
            }
            Some(CaptureAction::List(output)) => list(output),
            Some(CaptureAction::Save(args)) => args.run(),
            Some(CaptureAction::Drop(args)) => args.run(),
        }
    }

    fn capture(&self) -> Result<Option<Ended>> {
        // Refuse bad options before the command runs.
        let format = self.output.format()?;
        let max_bytes = self.check(format)?;
        let budget = max_bytes.unwrap_or(u64::MAX);
        let state_limit = state_limit()?;
        let shape = Shape { metadata_only: self.shown.metadata_only, ..Shape::default() };
        let session = session()?;
        let mut kept = None;
        let answered = respond(&self.output.options()?, shape, |response| {
            let keeper = Keeper::new(self.limit, state_limit);
            let (unfinished, mut record) =
                self.keep(&keeper, &session, state_limit).inspect_err(|error| {
                    // The name must not go on to mean the older output.
                    if let Some(name) = self.name.as_ref().filter(|_| error.kind != Kind::Usage) {
                        session.release(name);
                    }
                })?;
            let page_size = self.page_size.unwrap_or(PAGE_SIZE.min(budget.max(MIN_PAGE_SIZE)));
            record.page_size = Some(page_size).filter(|size| *size != PAGE_SIZE);
            kept = Some(record.ended);
            let answering = Answering {
                session: &session,
                format,
                page_size,
                direct: self.direct.unwrap_or(DIRECT).min(budget),
                budget: Budget { bytes: max_bytes, lines: self.shown.max_lines, ..Budget::default() },
                max_columns: self.shown.max_columns,
                metadata_only: self.shown.metadata_only,
                is_brief: self.shown.brief,
                state_limit,
                ansi: self.shown.ansi,
            };
            answering.answer(response, unfinished, record)
        });
        match (answered, kept) {
            // A closed pipe is not a failure, but CMD still decides the exit code.
            (Err(error), Some(ended)) if error.kind == Kind::BrokenPipe => Ok(ended),
            (answered, kept) => answered.map(|()| kept.flatten()),
        }
    }

    /// Refuses option conflicts; returns the budget of content in bytes.
    fn check(&self, format: Format) -> Result<Option<u64>> {
        if let Some(name) = &self.name {
            check_name(name)?;
        }
        let max_bytes = budget_of_bytes(self.shown.max_bytes, MIN_PAGE_SIZE, "one character")?;
        if self.shown.metadata_only {
            check_receipt("--metadata-only", format)?;
        }
        Ok(max_bytes)
    }

    fn keep(&self, keeper: &Keeper, session: &Session, limit: u64) -> Result<(Unfinished, Record)> {
        let mut unfinished = session.begin().map_err(name_state_dir)?;
        // With --stdout-only, CMD writes to standard error itself.
        let _progress = (!self.stdout_only).then(|| Progress::capture(keeper.bytes_read()));
        let taken = self.take(keeper, &mut unfinished)?;
        let has_traces = taken.has_traces;
        let mut record = check_complete(taken, &session.dir)?;
        if has_traces && is_plain_text(&unfinished)? {
            match unfinished.show(limit.saturating_sub(record.kept)) {
                Ok(shown) => record.shown = shown,
                // The output itself is complete.
                Err(cause) => {
                    let why = "escape sequences are shown: cannot write the text without them here";
                    let is_limit = cause.kind() == std::io::ErrorKind::QuotaExceeded;
                    let setting = if is_limit { "RREAD_STATE_MAX: " } else { "" };
                    warn(&session.dir, &format!("{why}: {setting}{cause}"));
                }
            }
        }
        Ok((unfinished, record))
    }

    fn take(&self, keeper: &Keeper, unfinished: &mut Unfinished) -> Result<Taken> {
        let mut taken = match self.command.split_first() {
            None => {
                let mut stream = stdin::stream().map_err(|error| match error.kind {
                    Kind::Usage => error.hint("rread capture -- CMD, or CMD | rread capture"),
                    _ => error,
                })?;
                interrupt::outlive_interrupt();
                keeper.take(&mut stream, unfinished)
            }
            Some((program, args)) => {
                let args: Vec<OsString> = args.iter().map(OsString::from).collect();
                let streams = if self.stdout_only { Streams::StdoutOnly } else { Streams::Both };
                let mut running = Running::start(program.as_os_str(), &args, streams)?;
                let mut taken = keeper.take(&mut running.output, unfinished);
                taken.record.ended = Some(running.wait()?);
                taken
            }
        };
        taken.record.name.clone_from(&self.name);
        taken.record.command = self.command_words();
        Ok(taken)
    }

    fn command_words(&self) -> Option<Vec<String>> {
        let mut left = COMMAND_LINE;
        let mut words = Vec::new();
        for word in &self.command {
            let word = word.to_string_lossy();
            let Some(rest) = left.checked_sub(word.len() + 1) else {
                words.push("…".to_owned());
                break;
            };
            left = rest;
            words.push(word.into_owned());
        }
        Some(words).filter(|words| !words.is_empty())
    }
}

/// Whether the output is text in which escape sequences are those of a terminal: ISO 2022 has others, and the bytes of
/// UTF-16, compressed and binary output mean something else.
fn is_plain_text(unfinished: &Unfinished) -> Result<bool> {
    let reader = Reader::open_as(&unfinished.path(), &Access::default())?;
    let is_iso_2022 = reader.encoding_guess().is_some_and(|guess| guess.starts_with("iso-2022"));
    let is_compressed = reader.source().info().decoding.is_some();
    Ok(!reader.is_binary() && !is_compressed && !is_iso_2022 && reader.units().width == 1)
}

/// Fails if output is missing for a reason other than a limit.
fn check_complete(taken: Taken, dir: &Path) -> Result<Record> {
    let Taken { record, failed_read, failed_write, .. } = taken;
    let came = counted(record.produced, "byte");
    if let Some(cause) = failed_read {
        return Err(Error::read(&format!("cannot read after {came}"), &cause));
    }
    let Some(cause) = failed_write else { return Ok(record) };
    let ending = record.ended.map_or(String::new(), |ended| format!("; the command {}", ending(ended)));
    let what = format!("no room for the output ({came}{ending}); nothing is kept");
    Err(Error::writing(&what, &cause).at(dir).hint("rread capture drop --all, or RREAD_STATE_DIR=DIR"))
}

const ACTIONS: [&str; 4] = ["list", "save", "drop", "help"];

/// The error for a command line that clap refused; `usual` makes it unless the mistake is one of `capture`.
pub(crate) fn complaint(
    error: &clap::Error,
    args: &[OsString],
    usual: impl FnOnce(&clap::Error) -> Option<Error>,
) -> Option<Error> {
    let complaint = misplaced(error, args).or_else(|| usual(error))?;
    Some(if runs_a_command(args) { complaint.exiting(FAILED) } else { complaint })
}

/// With a CMD, the exit code has to differ from the exit codes of CMD.
fn runs_a_command(args: &[OsString]) -> bool {
    let Some(words) = words_of_capture(args) else { return false };
    let has_command = words.iter().position(|word| word == "--").is_some_and(|at| at + 1 < words.len());
    !names_action(words) && has_command
}

fn names_action(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| ACTIONS.iter().any(|action| word == action))
}

fn words_of_capture(args: &[OsString]) -> Option<&[OsString]> {
    args.get(2..).filter(|_| args[1] == "capture")
}

/// A command without the `--` that goes before it.
fn misplaced(error: &clap::Error, args: &[OsString]) -> Option<Error> {
    let words = words_of_capture(args).filter(|words| !names_action(words))?;
    let plain = |word: &OsString| without_blank(&word.to_string_lossy()).to_owned();
    let words: Vec<String> = words.iter().map(plain).collect();
    let about = error.get(ContextKind::InvalidArg).or_else(|| error.get(ContextKind::InvalidSubcommand))?;
    let about = about.to_string();
    let at = words.iter().position(|word| *word == about).filter(|_| !about.starts_with('-'))?;
    let (options, rest) = words.split_at(at);
    let message = format!("'{about}' is not an action of capture; a command goes after --");
    Some(Error::usage(message).hint(meant(options, rest)))
}

fn meant(options: &[String], words: &[String]) -> String {
    let joined =
        |words: &[String]| -> String { words.iter().map(|word| format!(" {}", quoted_word(word))).collect() };
    let for_a_shell = |c: char| c.is_whitespace() || "|&;<>()$`*?'\"".contains(c);
    let shell = if words.len() == 1 && words[0].contains(for_a_shell) { " sh -c" } else { "" };
    format!("rread capture{} --{shell}{}", joined(options), joined(words))
}

#[derive(Args, Clone, Debug)]
struct SaveArgs {
    /// The capture: fd:N or fd:NAME
    #[arg(value_name = "HANDLE")]
    handle: String,
    /// The file to write
    #[arg(value_name = "PATH", value_parser = crate::args::input::word())]
    path: PathBuf,
    /// Add to the end of the file, or create it
    #[arg(long, conflicts_with = "force")]
    append: bool,
    /// Replace the file, or create it
    #[arg(long)]
    force: bool,
    /// With --append or --force, write only to a file that exists
    #[arg(long)]
    no_create: bool,
    /// Which text to write: keep (as stored) or strip (without escape sequences)
    #[arg(long, value_parser = choice(ANSI), value_name = "HOW", default_value = "keep", hide_possible_values = true)]
    ansi: Ansi,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
struct DropArgs {
    /// The captures: fd:N or fd:NAME
    #[arg(value_name = "HANDLE", required_unless_present_any = ["all", "older_than"])]
    handles: Vec<String>,
    /// Remove all captures of this session
    #[arg(long, conflicts_with_all = ["handles", "older_than"])]
    all: bool,
    /// Remove captures older than this, such as 7d or 12h
    #[arg(long, value_name = "AGE", value_parser = humantime::parse_duration, conflicts_with = "handles")]
    older_than: Option<Duration>,
    #[command(flatten)]
    output: OutputArgs,
}

fn list(output: &OutputArgs) -> Result<u8> {
    let captures = session()?.captures()?;
    let list = Some(List { member: "captures", element: "captures" });
    answer(output, list, captures.iter().map(capture_info))
}

fn capture_info(capture: &Capture) -> ListedCapture {
    ListedCapture {
        fd: capture.handle().to_string(),
        origin: OriginInfo::from(&capture.record),
        limit: LimitInfo::of(&capture.record),
        total: capture.record.size(Ansi::Strip),
        total_lines: capture.record.lines(Ansi::Strip),
        notices: capture_notices(capture.record.is_stripped(Ansi::Strip)),
        captured: humantime::format_rfc3339_seconds(capture.record.time()).to_string(),
    }
}

impl SaveArgs {
    fn run(&self) -> Result<u8> {
        let mode = match (self.append, self.force) {
            (true, _) => Mode::Append,
            (_, true) => Mode::Replace,
            _ if self.no_create => {
                return Err(Error::usage("--no-create works only with --force or --append")
                    .hint("--no-create --append, or --no-create --force"));
            }
            _ => Mode::New,
        };
        let capture = session()?.find(&parse(&self.handle)?, self.ansi)?;
        // Count first: an error must not appear after the file is written.
        let chars = chars(&capture, self.ansi)?;
        let (saved, made) = save(&capture.text(self.ansi), &self.path, mode, !self.no_create)?;
        let info = SavedCapture {
            fd: capture.handle().to_string(),
            name: NameInfo::of(&self.path),
            saved,
            created: made.map(|made| made.to_string_lossy().into_owned()),
            bytes: capture.record.size(self.ansi),
            chars,
        };
        answer(&self.output, None, [info])
    }
}

/// The number of characters, each invalid sequence counted as one; `None` for binary content.
fn chars(capture: &Capture, ansi: Ansi) -> Result<Option<u64>> {
    struct Count(u64);
    impl Sink for Count {
        fn write(&mut self, content: &[u8]) -> Result<()> {
            // In UTF-8, every character has exactly one byte that is not a continuation byte.
            self.0 += content.iter().filter(|byte| *byte & 0xC0 != 0x80).count() as u64;
            Ok(())
        }
    }
    let reader = open_raw(&capture.text(ansi))?;
    if reader.is_binary() {
        return Ok(None);
    }
    let mut count = Count(0);
    let all = [Segment { start: 0, end: capture.record.size(ansi), line: 1 }];
    content::deliver(&reader, &all, &ContentOptions::default(), None, &mut count)?;
    Ok(Some(count.0))
}

impl DropArgs {
    fn run(&self) -> Result<u8> {
        let session = session()?;
        let dropped = session.drop(self.find_captures(&session)?)?;
        let freed =
            dropped.iter().fold(0_u64, |freed, capture| freed.saturating_add(capture.record.disk_size()));
        let dropped = dropped.iter().map(|capture| capture.handle().to_string()).collect();
        answer(&self.output, None, [DroppedCaptures { dropped, freed_bytes: freed }])
    }

    /// Finds every named capture before any is removed.
    fn find_captures(&self, session: &Session) -> Result<Vec<Capture>> {
        let is_old = |capture: &Capture| {
            let age = SystemTime::now().duration_since(capture.record.time()).unwrap_or_default();
            self.all || self.older_than.is_some_and(|limit| age > limit)
        };
        if self.handles.is_empty() {
            return Ok(session.captures()?.into_iter().filter(is_old).collect());
        }
        let mut chosen: Vec<Capture> = Vec::new();
        for handle in &self.handles {
            let capture = session.find_any(&parse(handle)?)?;
            if chosen.iter().all(|other| other.number != capture.number) {
                chosen.push(capture);
            }
        }
        Ok(chosen)
    }
}

fn parse(text: &str) -> Result<Handle> {
    Handle::parse(text).ok_or_else(|| {
        Error::usage(format!("'{text}' is not a handle; handles look like fd:1 or fd:NAME"))
            .hint("rread capture list")
    })
}

fn answer(
    output: &OutputArgs,
    list: Option<List>,
    all: impl IntoIterator<Item = impl Envelope + 'static>,
) -> Result<u8> {
    respond_facts(&output.options()?, list, all).map(|()| 0)
}
