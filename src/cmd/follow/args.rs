//! The options of `follow`, and what they mean for its output and its exit code.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::print::{EndReason, Printer};
use crate::args::content::{budget_of_bytes, size};
use crate::args::input::duration;
use crate::args::{EncodingArgs, OutputArgs, TimeArgs};
use rread_answer::{Budget, Format, ReadOptions, worded};
use rread_reader::follow::longest_held;
use rread_reader::follow::tail::StartAt;
use rread_reader::{Passing, Pattern};
use rread_source::stdin;
use rread_text::{Context, Error, Kind, Result, Sentence, call};

/// Print the last lines of files, and what is appended to them, as it comes
///
/// rread follows the name: it goes on with the new file after a rotation, starts again after a truncation, and waits for
/// a file that is missing. Notes on standard error say so. Standard input is read to its end. rread waits for events
/// of the file system; where there are none, as on network file systems, it looks once a second.
///
/// The answer has no receipt, because it has no end: the default format is text, and --xml is refused. Text has headers
/// as in tail if there are several files, and holds the beginning of a line until it ends or 200 ms pass. Raw passes on
/// the bytes as they come. JSON is one object a line, for text, for events and for the reason of the end.
///
/// --since begins with the first record at or after a time, and waits for it if there is none yet. --until ends before the
/// first record at or after a time; the clock does not end it. With either, a line is printed when it ends.
#[derive(Args, Clone, Debug)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "format" => {
        let help = "Write what comes in this format [default: text, or RREAD_FORMAT]";
        arg.help(help).long_help(format!("{help}\n\nJson is one object a line. Xml is refused, because the answer \
            has no end."))
    }
    _ => arg,
}))]
#[command(after_help = "Examples:
  rread follow app.log                                      the last 10 lines and what comes
  rread follow -n 0 a.log b.log --json                      only what comes, as JSON lines
  rread follow -n +1 app.log                                from the first line on
  rread follow app.log --until-match 'listening on' --timeout 60s
                                                            wait for a line: exit 0, or 1 after 60s
  rread follow app.log --until-match panic -B 20            the panic and 20 lines before it
  rread follow app.log --since -5m                          the last 5 minutes and what comes
  rread follow api.log db.log --merge                       the records of both as they come, by time
  rread follow build.log --pid 4711                         until that process ends")]
pub(crate) struct FollowArgs {
    /// Files to follow; - is standard input
    #[arg(value_name = "FILE", required = true, value_parser = crate::args::input::file())]
    pub(super) files: Vec<PathBuf>,
    /// Begin with the last N lines of each file, or with line N for +N [default: 10]
    #[arg(short = 'n', long, value_name = "N", value_parser = lines, allow_hyphen_values = true, conflicts_with_all = ["since", "bytes"])]
    lines: Option<StartAt>,
    /// Begin with the last N bytes of each file, or with byte N (the first is 1) for +N
    #[arg(short = 'c', long, value_name = "N", value_parser = bytes, allow_hyphen_values = true, conflicts_with = "since")]
    bytes: Option<StartAt>,
    /// Print no headers with the names of files
    #[arg(short, long, alias = "silent", conflicts_with = "verbose")]
    quiet: bool,
    /// Without effect, because nothing that follow prints has a receipt
    #[arg(long, hide = true)]
    brief: bool,
    /// Print headers with the names of files even for one file
    #[arg(short, long)]
    verbose: bool,
    /// End after the first line that matches PATTERN, a regular expression; the lines of -n count too
    ///
    /// A line is matched when it has ended. If following ends otherwise, the exit code is 1.
    #[arg(long, value_name = "PATTERN", value_parser = crate::args::input::value(), allow_hyphen_values = true)]
    pub(super) until_match: Option<String>,
    /// With --until-match, print only the match and N lines after it
    #[arg(short = 'A', long, value_name = "N", requires = "until_match")]
    after_context: Option<u64>,
    /// With --until-match, print only the match and N lines before it
    #[arg(short = 'B', long, value_name = "N", requires = "until_match")]
    before_context: Option<u64>,
    /// With --until-match, print only the match and N lines before and after it; with 0, the match alone
    #[arg(short = 'C', long, value_name = "N", requires = "until_match")]
    context: Option<u64>,
    /// End with exit code 1 if there is no match for DURATION, such as 60s; without --until-match, if nothing comes
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(super) timeout: Option<Duration>,
    /// End when the process P ends, after what it wrote
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=0x7FFF_FFFF))]
    pub(super) pid: Option<u32>,
    /// End before the content exceeds N bytes [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", value_parser = crate::args::size)]
    max_bytes: Option<u64>,
    /// End after N lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_lines: Option<u64>,
    /// Look for changes every DURATION, and do not wait for events
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(super) poll: Option<Duration>,
    /// Look every SECONDS at files whose changes the system does not report [default: 1]
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "poll")]
    pub(super) sleep_interval: Option<Duration>,
    /// Print the records of all files in the order of their times, with the name of the file before each line of text
    ///
    /// A record waits until every other file has a later one, but no longer than --hold.
    #[arg(long, help_heading = "Time")]
    pub(super) merge: bool,
    /// How long a record waits for earlier ones of the other files [default: 500ms]
    #[arg(long, value_name = "DURATION", value_parser = duration, requires = "merge", help_heading = "Time")]
    hold: Option<Duration>,
    /// Print each line as a terminal shows it in the end: without escape sequences, overwritten and erased
    ///
    /// --until-match looks at that text. A line is printed when it ends.
    #[arg(long, conflicts_with = "merge")]
    plain: bool,
    #[command(flatten)]
    pub(super) time: TimeArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Lines before the match that are kept, each up to the longest that is held.
const MAX_BEFORE: u64 = 10_000;

/// The value of `-n`: `5` and `-5` are the last five lines, `+5` is line 5.
fn lines(text: &str) -> std::result::Result<StartAt, String> {
    start_at(text, StartAt::LastLines, StartAt::Line)
}

fn bytes(text: &str) -> std::result::Result<StartAt, String> {
    start_at(text, StartAt::LastBytes, StartAt::Byte)
}

fn start_at(
    text: &str,
    last: fn(u64) -> StartAt,
    from: fn(u64) -> StartAt,
) -> std::result::Result<StartAt, String> {
    let text = text.trim_start();
    match text.strip_prefix('+') {
        Some(place) => size(place).map(from),
        None => size(text.strip_prefix('-').unwrap_or(text)).map(last),
    }
}

/// Seconds with decimals, as for `tail -s`.
fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let wrong = || format!("'{text}' is not a number of seconds such as 0.5");
    seconds.filter(|seconds| !seconds.is_zero()).or_else(|| duration(text).ok()).ok_or_else(wrong)
}

impl FollowArgs {
    /// Where the text of each file begins.
    pub(super) fn start_at(&self) -> StartAt {
        self.bytes.or(self.lines).unwrap_or(StartAt::LastLines(10))
    }

    /// Notes that -n and -c have no effect on a stream, and which command takes its part.
    pub(super) fn note_start_of_stream(&self, path: &Path) {
        let (option, command, range) = match (self.lines, self.bytes) {
            (Some(StartAt::LastLines(n @ 1..)), _) => ("-n", "lines", format!("-{n}:")),
            (Some(StartAt::Line(n @ 2..)), _) => ("-n", "lines", format!("{n}:")),
            (_, Some(StartAt::LastBytes(n @ 1..))) => ("-c", "bytes", format!("-{n}:")),
            (_, Some(StartAt::Byte(n @ 2..))) => ("-c", "bytes", format!("{}:", n - 1)),
            _ => return,
        };
        let command = call(command).file(path).word(range).on("raw");
        let command = if path == Path::new("-") { command } else { command.on("stream") };
        let command = worded(&Sentence::from(command));
        stdin::warn(
            path,
            &format!("is a stream, printed from its beginning: {option} has no effect; {command}"),
        );
    }

    pub(super) fn result(&self, reason: EndReason) -> Result<()> {
        let pattern = self.until_match.as_deref().map(|pattern| format!("no line matched '{pattern}'"));
        let after = match (reason, pattern.is_some()) {
            (EndReason::Match, _) => return Ok(()),
            (EndReason::Timeout, _) => {
                let time = humantime::format_duration(self.timeout.unwrap_or_default());
                let what = pattern.unwrap_or_else(|| "nothing was appended".to_owned());
                return Err(Error::new(Kind::Timeout, format!("{what} within {time}")));
            }
            (_, false) => return Ok(()),
            (EndReason::Until, _) => "before --until",
            (EndReason::MaxBytes | EndReason::MaxLines, _) => "within the budget",
            (EndReason::Process, _) => "before the process ended",
            (EndReason::Eof, _) => "before the input ended",
        };
        Err(Error::new(Kind::NoMatch, format!("{} {after}", pattern.unwrap_or_default())))
    }

    /// The lines before and after the match; without, all lines are printed.
    fn context_of_match(&self) -> Option<Context> {
        let (before, after) = (self.before_context.or(self.context), self.after_context.or(self.context));
        let is_given = before.is_some() || after.is_some();
        is_given.then(|| Context { before: before.unwrap_or(0).min(MAX_BEFORE), after: after.unwrap_or(0) })
    }

    /// How long a record waits for earlier ones of other files.
    pub(super) fn hold(&self) -> Duration {
        self.hold.unwrap_or(Duration::from_millis(500))
    }

    /// The window of one file, if there is one.
    pub(super) fn passing(&self, path: &Path) -> Result<Option<Passing>> {
        let window = self.time.window(self.merge)?;
        let Some(time) = window.or_else(|| self.merge.then(|| self.time.options())) else { return Ok(None) };
        Passing::new(time.reading.options(path), time.since.as_deref(), time.until.as_deref()).map(Some)
    }

    fn format(&self) -> Result<Format> {
        match self.output.format()? {
            Format::Frontmatter => Ok(Format::Text),
            Format::Xml => Err(Error::usage("an answer without an end cannot be an XML document")
                .hint("--json writes one object a line")),
            format => Ok(format),
        }
    }

    pub(super) fn printer(&self) -> Result<Printer> {
        let bytes = budget_of_bytes(self.max_bytes, 4, "one character")?;
        let pattern = self.until_match.as_ref();
        let pattern =
            pattern.map(|pattern| Pattern { patterns: vec![pattern.clone()], ..Pattern::default() });
        if let Some(pattern) = &pattern {
            pattern.check(true)?;
        }
        let encoding = ReadOptions { encoding: self.encoding.encoding.clone(), ..ReadOptions::default() };
        Ok(Printer {
            out: crate::standard::stdout()?,
            format: self.format()?,
            choice: encoding.encoding_choice(self.files.first().map_or(Path::new("-"), PathBuf::as_path))?,
            context: self.context_of_match(),
            after: None,
            pattern,
            matchers: Vec::new(),
            budget: Budget { bytes, lines: self.max_lines, ..Budget::default() },
            has_names: !self.quiet && (self.verbose || self.files.len() > 1),
            is_merged: self.merge,
            is_plain: self.plain,
            is_line_open: false,
            shows_colors: self.output.options()?.use_color(true),
            last: None,
            last_output: Instant::now(),
            longest: longest_held(self.files.len()),
            spare: Vec::new(),
        })
    }
}
