//! The options of requests, as they are meant: whoever takes them from users turns what was typed into them.

use std::any::Any;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::content::THIRDS;
use crate::content::{Budget, Encode, InvalidBytes};
use crate::format::{Format, Renderer, Renders};
use crate::highlight::Language;
use crate::hints;
use crate::output::{Out, ThemeChoice};
use rread_reader::capture::Session;
use rread_reader::kept_hashes::KeptHashes;
use rread_reader::reader::encoding::not_plain;
use rread_reader::{Ansi, Handle, MIN_PAGE_SIZE, Policy, Reader, TimeOptions};
use rread_text::timestamp::zone;
use rread_text::{Choice, Error, Result, Sentence, call, quoted_word, setting};

use rread_source::access::{Access, OpensMember};
use rread_source::version::Version;

/// A row of a hex dump and the line at its end, with offsets of 16 digits.
const DUMP: u64 = 104;

/// How a file is opened.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    pub access: Access,
    /// The text of a capture; `Strip` is refused for other files.
    pub ansi: Option<Ansi>,
    /// The captures that `fd:N` names; without them, such a name is an error.
    pub captures: Option<Session>,
}

/// How the text of a file is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    pub source: SourceOptions,
    /// The line indexes; without them, none is used or built.
    pub index: Option<Policy>,
    /// The hashes of lines that were shown before, and whether to keep new ones.
    pub hashes: Option<(KeptHashes, bool)>,
    /// The label of the encoding.
    pub encoding: Option<String>,
}

/// How the content is converted, its budgets, and how much the receipt says.
#[derive(Clone, Debug, Default)]
pub struct AnswerOptions {
    /// Binary files are read as text.
    pub text: bool,
    pub encode: Option<Encode>,
    pub invalid: Option<InvalidBytes>,
    /// Lines have numbers.
    pub number: bool,
    pub max_bytes: Option<u64>,
    /// The budget of the variable `RREAD_MAX_BYTES`, which counts without `max_bytes`.
    pub default_max_bytes: Option<u64>,
    pub max_tokens: Option<u64>,
    pub max_lines: Option<u64>,
    pub max_columns: Option<u64>,
    pub metadata_only: bool,
    pub brief: bool,
    /// The version that the file must have.
    pub expect: Option<Version>,
    /// A file that has only grown has the expected version, too.
    pub expect_prefix: bool,
    pub read: ReadOptions,
}

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    OnTerminal,
    Always,
    #[default]
    Never,
}

/// The language in which source code is colored.
#[derive(Clone, Copy, Debug, Default)]
pub enum Highlight {
    /// The language that the name of the file or its first line shows.
    Auto,
    As(Language),
    #[default]
    Never,
}

/// Shows the progress of a read until it is dropped.
pub type ShowProgress = fn(&Reader) -> Box<dyn Any>;

/// How the answer is written, and where.
#[derive(Clone, Debug)]
pub struct OutputOptions {
    pub format: Format,
    pub color: Color,
    pub theme: ThemeChoice,
    /// Opens the output.
    pub out: fn() -> Result<Out>,
    /// Takes the answer, in place of a format that is written.
    pub renders: Option<Arc<dyn Renders>>,
    pub progress: Option<ShowProgress>,
}

impl Default for OutputOptions {
    fn default() -> Self {
        OutputOptions {
            format: Format::default(),
            color: Color::default(),
            theme: ThemeChoice::default(),
            out: || Ok(Out::nowhere()),
            renders: None,
            progress: None,
        }
    }
}

/// A window of time.
#[derive(Clone, Debug, Default)]
pub struct TimeWindow {
    pub since: Option<String>,
    pub until: Option<String>,
    pub reading: TimeReading,
}

/// How times are read.
#[derive(Clone, Debug, Default)]
pub struct TimeReading {
    /// Whether samples decide that a file has no times, as for files that a walk found.
    pub samples_only: bool,
    /// `ZONE`, or `FILE=ZONE` for one of several files.
    pub tz: Vec<String>,
    /// As in strptime.
    pub time_format: Option<String>,
    /// The year of the last record.
    pub year: Option<i16>,
    /// How far records may be out of order.
    pub slack: Option<SignedDuration>,
    /// Every record is looked at.
    pub scan: bool,
    /// The last record of several files, whose day is that of times of day.
    pub last_of_all: Option<Timestamp>,
}

impl SourceOptions {
    /// Opens `path` without its encoding.
    pub fn open(&self, path: &Path) -> Result<Reader> {
        self.open_member(path, None)
    }

    fn open_member(&self, path: &Path, member: Option<&Arc<dyn OpensMember>>) -> Result<Reader> {
        let access = Access { member: member.cloned(), ..self.access.clone() };
        let Some(handle) = Handle::from_path(path) else {
            if self.ansi == Some(Ansi::Strip) {
                let message = "is not a capture, and --ansi strip works only for captures";
                return Err(Error::usage(message).at(path).hint("rread capture < FILE"));
            }
            return Reader::open_as(path, &access).map_err(|error| error.at(path));
        };
        let ansi = self.ansi();
        let capture = self.captures()?.find(&handle, ansi)?;
        let access = Access { opener: None, ..access };
        // Errors name the handle, not the stored file.
        let mut reader = Reader::open_as(&capture.text(ansi), &access).map_err(|error| error.at(path))?;
        reader.set_captured(capture.record.lines(ansi), capture.record.is_stripped(ansi));
        Ok(reader)
    }

    pub fn ansi(&self) -> Ansi {
        self.ansi.unwrap_or_default()
    }

    fn captures(&self) -> Result<&Session> {
        self.captures.as_ref().ok_or_else(no_captures)
    }

    /// The file that `path` means: a file of the capture if it is a handle, otherwise `path` itself.
    pub fn stored_path<'p>(&self, path: &'p Path) -> Result<Cow<'p, Path>> {
        let Some(handle) = Handle::from_path(path) else { return Ok(Cow::Borrowed(path)) };
        let ansi = self.ansi();
        self.captures()?.find(&handle, ansi).map(|capture| Cow::Owned(capture.text(ansi)))
    }

    /// The page size of the capture at `path`; `None` for the default size and for files.
    pub fn captured_page_size(&self, path: &Path) -> Result<Option<u64>> {
        let Some(handle) = Handle::from_path(path) else { return Ok(None) };
        Ok(self.captures()?.find_any(&handle)?.record.page_size.filter(|size| *size >= MIN_PAGE_SIZE))
    }
}

/// The error that captures have no directory.
pub fn no_captures() -> Error {
    Error::usage("there is no directory for captures: this user has no home directory")
        .hint("export RREAD_STATE_DIR=DIR")
}

impl ReadOptions {
    /// Opens `path` with the encoding of the options.
    pub fn open(&self, path: &Path) -> Result<Reader> {
        self.open_member(path, None)
    }

    /// The same; `member` has the bytes of `path`, if that is in an archive that is open.
    pub fn open_member(&self, path: &Path, member: Option<&Arc<dyn OpensMember>>) -> Result<Reader> {
        let choice = self.encoding_choice(path)?;
        let source = SourceOptions { access: self.access(path)?, ..self.source.clone() };
        let mut reader = source.open_member(path, member)?;
        if choice != Choice::Auto {
            reader.read_as(choice, path).map_err(|error| hints::converted(error, path, &reader))?;
        }
        // rread knows what a terminal shows of text of bytes alone.
        if reader.source().info().is_plain && reader.units().width > 1 {
            let hint = call("lines").file(path).word("1:20");
            return Err(not_plain(reader.encoding()).at(path).hint(hint));
        }
        Ok(reader)
    }

    /// The options of opening, with the encoding.
    pub fn access(&self, path: &Path) -> Result<Access> {
        let encoding = match self.encoding_choice(path)? {
            Choice::Label { encoding, .. } => Some(encoding.name()),
            _ => self.source.access.encoding.clone(),
        };
        Ok(Access { encoding, ..self.source.access.clone() })
    }

    /// The encoding of `path`; the error names a program that converts the file, if rread does not decode its encoding.
    pub fn encoding_choice(&self, path: &Path) -> Result<Choice> {
        let Some(label) = &self.encoding else { return Ok(Choice::Auto) };
        label.parse().map_err(|error: Error| match error.hint {
            None => error.hint(hints::conversion(path, label)),
            Some(_) => error,
        })
    }
}

impl AnswerOptions {
    pub fn budget(&self) -> Result<Budget> {
        // With less, a caller that follows `next` would get empty slices forever.
        let (least, what) = match (self.number, self.invalid) {
            _ if self.encode == Some(Encode::Hexdump) => {
                (DUMP, "a row of a hex dump and the offset after it")
            }
            (true, _) => (64, "a line number and one character"),
            (false, Some(InvalidBytes::Escape)) => (12, "one escaped sequence"),
            (false, _) => (4, "one character"),
        };
        let bytes = budget_with_room(self.max_bytes, self.default_max_bytes, least, what)?;
        let least = least.div_ceil(THIRDS);
        if let Some(tokens) = self.max_tokens.filter(|tokens| *tokens < least) {
            return Err(too_small(setting("max-tokens"), "max-tokens", tokens, least, what));
        }
        let token_thirds = self.max_tokens.map(|tokens| tokens.saturating_mul(THIRDS));
        Ok(Budget { bytes, lines: self.max_lines, token_thirds })
    }
}

/// The budget of `max_bytes`, or by default that of `RREAD_MAX_BYTES`; refuses less than the `least` bytes that `what` needs.
pub fn budget_with_room(
    max_bytes: Option<u64>,
    default: Option<u64>,
    least: u64,
    what: &str,
) -> Result<Option<u64>> {
    let budget = max_bytes.or(default);
    match budget.filter(|budget| *budget < least) {
        Some(bytes) => {
            let name = if max_bytes.is_some() { setting("max-bytes") } else { "RREAD_MAX_BYTES".into() };
            Err(too_small(name, "max-bytes", bytes, least, what))
        }
        None => Ok(budget),
    }
}

/// The error that `limit` is less than `what` needs.
pub fn too_small(name: Sentence, option: &'static str, limit: u64, least: u64, what: &str) -> Error {
    Error::usage(name.then(format!(" is {limit}, too small for {what}")))
        .hint(setting(option).then(format!(" {least} is the least")))
}

impl OutputOptions {
    pub fn out(&self) -> Result<Out> {
        (self.out)()
    }

    pub fn renderer(&self, to_terminal: bool) -> Box<dyn Renderer> {
        match &self.renders {
            Some(renders) => renders.renderer(),
            None => self.format.renderer(self.use_color(to_terminal)),
        }
    }

    pub fn use_color(&self, to_terminal: bool) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::OnTerminal => to_terminal,
        }
    }

    /// Shows the progress of `reader` until the result is dropped.
    pub fn watch(&self, reader: &Reader) -> Option<Box<dyn Any>> {
        self.progress.map(|show| show(reader))
    }
}

/// Refuses `option`, which leaves out the content, in a format that has nothing else.
pub fn check_receipt(option: &str, format: Format) -> Result<()> {
    if format.has_receipt() {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{option} leaves out the content, but the formats raw and text have nothing else"
    ))
    .hint(format!("{option} --format json")))
}

impl TimeReading {
    /// The options for zones that concern one of `paths`.
    pub fn zones_of<'p>(&self, paths: impl Iterator<Item = &'p Path> + Clone) -> Vec<&str> {
        let concerns = |file: &Path| paths.clone().any(|path| is_same(file, path));
        let kept = self.tz.iter().zip(self.zones());
        kept.filter(|(_, (file, _))| file.is_none_or(concerns)).map(|(text, _)| text.as_str()).collect()
    }

    /// Each zone, and the file that it is of.
    fn zones(&self) -> impl Iterator<Item = (Option<&Path>, &str)> {
        self.tz.iter().map(|text| match text.rsplit_once('=') {
            Some((file, zone)) => (Some(Path::new(file)), zone),
            None => (None, text.as_str()),
        })
    }

    /// Refuses zones that do not exist, and those of files that are not in the answer.
    pub fn check_zones<'p>(&self, paths: impl Iterator<Item = &'p Path> + Clone) -> Result<()> {
        for (file, name) in self.zones() {
            zone(Some(name))?;
            if let Some(file) = file.filter(|file| !paths.clone().any(|path| is_same(file, path))) {
                let message =
                    format!("--tz has the zone of '{}', which is not one of the files", file.display());
                return Err(Error::usage(message).hint("--tz FILE=ZONE names FILE as the command line does"));
            }
        }
        Ok(())
    }

    /// The options as they are typed, each after a blank, without those of a window.
    pub fn typed(&self) -> String {
        let zones = self.tz.iter().map(|zone| format!(" --tz {}", quoted_word(zone)));
        let format = self.time_format.iter().map(|format| format!(" --time-format {}", quoted_word(format)));
        let year = self.year.iter().map(|year| format!(" --year {year}"));
        zones.chain(format).chain(year).collect()
    }

    /// How the times of the file at `path` are read.
    pub fn options(&self, path: &Path) -> TimeOptions {
        let of_file = self.zones().filter(|(file, _)| file.is_some_and(|file| is_same(file, path)));
        TimeOptions {
            zone: self.zones().filter(|(file, _)| file.is_none()).last().map(|(_, zone)| zone.to_owned()),
            zone_of_file: of_file.last().map(|(_, zone)| zone.to_owned()),
            format: self.time_format.clone(),
            year: self.year,
            slack: self.slack,
            scan: self.scan,
            samples_only: self.samples_only,
            last_of_all: self.last_of_all,
        }
    }
}

/// Whether `file` of an option is `path`, or the archive, directory or prefix that has it.
fn is_same(file: &Path, path: &Path) -> bool {
    let member = || {
        let (file, path) = (file.to_string_lossy(), path.to_string_lossy());
        let inside = path.strip_prefix("tar:").or_else(|| path.strip_prefix("zip:"));
        inside.and_then(|inside| inside.strip_prefix(&*file)).is_some_and(|rest| rest.starts_with('/'))
    };
    path.starts_with(file) || member()
}
