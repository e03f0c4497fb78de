//! `rread capture list`, `save` and `drop`.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Args;

use super::answer::open_raw;
use crate::args::OutputArgs;
use crate::args::choice::{ANSI, choice};
use crate::args::environment::session;
use rread_answer::content::{self, ContentOptions, Segment, Sink};
use rread_answer::deliver::respond_facts;
use rread_answer::format::List;
use rread_answer::receipt::{
    DroppedCaptures, Envelope, LimitInfo, ListedCapture, NameInfo, OriginInfo, SavedCapture, capture_notices,
};
use rread_reader::capture::{Ansi, Capture, Handle, Mode, Session, save};
use rread_text::error::{Error, Result};

#[derive(Args, Clone, Debug)]
pub(super) struct SaveArgs {
    /// The capture: fd:N or fd:NAME
    #[arg(value_name = "HANDLE")]
    handle: String,
    /// The file to write
    #[arg(value_name = "PATH", value_parser = crate::args::file::word())]
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
    pub(super) output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
pub(super) struct DropArgs {
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
    pub(super) output: OutputArgs,
}

pub(super) fn list(output: &OutputArgs) -> Result<u8> {
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
    pub(super) fn run(&self) -> Result<u8> {
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
    content::deliver(&reader, &all, &ContentOptions::default(), &mut count)?;
    Ok(Some(count.0))
}

impl DropArgs {
    pub(super) fn run(&self) -> Result<u8> {
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
