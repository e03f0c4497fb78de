//! A request about one file, and what every kind of request can do.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::content::{Budget, ContentOptions, Encode, InvalidBytes, Segment};
use crate::continuation::PrecedingSlice;
use crate::damage::known_lines;
use crate::file_info::{encoding_info, file_info, is_foreign, note_cost, note_version};
use crate::format::Format;
use crate::highlight::Colors;
use crate::hints;
use crate::options::{AnswerOptions, Highlight, OutputOptions, TimeWindow, check_receipt};
use crate::receipt::{Contradicted, EncodingInfo, FileDetails, FileInfo, SliceResult, TimeInfo};
use rread_reader::selection::Context;
use rread_reader::{Align, Reader};
use rread_source::Change;
use rread_source::access::{Access, OpensMember};
use rread_source::archive::Member;
use rread_source::file::sample;
use rread_source::member_address::is_member;
use rread_source::version::Version;
use rread_text::{
    Call, Choice, Content, Encoding, Error, HashlineForm, Kind, Range, Result, Sentence, Unit, call, setting,
};

/// A kind of request, which may be about one of several files.
pub trait Ask {
    /// The options that all kinds of requests have.
    fn request(&self) -> &Request<'_>;

    /// Finds what was asked for, within `left` of the budget.
    fn plan<'o>(&'o self, opened: &'o Opened<'_>, left: Budget) -> Result<Plan<'o>>;

    /// The parts that report `error` in the place of a file that rread cannot read.
    fn error_parts(&self, error: &Error) -> Vec<SliceResult>;

    /// The same request about `member` of the archive that this one is about.
    fn of_member(&self, member: Member) -> Self
    where
        Self: Sized;
}

#[derive(Debug)]
pub struct Request<'a> {
    pub path: PathBuf,
    /// The member that the path names, if its archive is open.
    pub member: Option<Arc<dyn OpensMember>>,
    /// Whether a walk over an archive found it, so that the answer leaves it out if it is binary.
    pub is_walked: bool,
    /// Whether the name of an archive means its members.
    pub takes_archives: bool,
    /// In the order requested.
    pub ranges: Vec<Range>,
    /// Whether the answer has segments even for one range.
    pub several: bool,
    pub context: Context,
    /// Number of lines from the start of the file to put before each slice.
    pub header: u64,
    /// `None` without the option.
    pub align: Option<Align>,
    /// Whether `next` is only the rest that a budget cut off.
    pub bounded: bool,
    pub hash: Option<HashlineForm>,
    pub highlight: Highlight,
    /// Whether the file is one of several whose records are merged, which have a version together.
    pub is_merged: bool,
    /// The window of time, instead of ranges.
    pub time: Option<&'a TimeWindow>,
    pub content: &'a AnswerOptions,
    pub output: &'a OutputOptions,
}

impl<'a> Request<'a> {
    /// A request for one answer about the file at `path`, without ranges; the fields of its kind are set besides.
    pub fn new(path: PathBuf, content: &'a AnswerOptions, output: &'a OutputOptions) -> Self {
        Request {
            path,
            member: None,
            is_walked: false,
            takes_archives: false,
            ranges: Vec::new(),
            several: false,
            context: Context::default(),
            header: 0,
            align: None,
            bounded: false,
            hash: None,
            highlight: Highlight::Never,
            is_merged: false,
            time: None,
            content,
            output,
        }
    }

    /// The same request about `member` of the archive that this one is about.
    pub fn of_found_member(&self, member: Member) -> Request<'a> {
        Request {
            path: member.path(),
            member: Some(Arc::new(member)),
            is_walked: true,
            ranges: self.ranges.clone(),
            several: true,
            ..*self
        }
    }
}

impl Request<'_> {
    pub fn budget(&self) -> Result<Budget> {
        self.content.budget()
    }

    /// Whether the encoding decides where a range of bytes ends.
    pub(super) fn cuts_at_characters(&self) -> bool {
        self.align.is_some_and(|align| align != Align::None)
    }

    /// Opens the file and checks the options against it.
    pub fn open(&self, format: Format, to_terminal: bool) -> Result<Opened<'_>> {
        self.check(format)?;
        let input = &self.content.read;
        let mut reader =
            input.open_member(&self.path, self.member.as_ref()).map_err(|error| self.prefer_change(error))?;
        // Who asks for invalid bytes wants those that are not UTF-8.
        let is_strict = matches!(self.content.invalid, Some(InvalidBytes::Error | InvalidBytes::Escape));
        if is_strict && input.encoding.is_none() {
            reader.read_as(Choice::Certain, &self.path)?;
        }
        // Raw bytes need an index only for compressed text.
        let is_compressed = reader.source().info().decoding.is_some();
        let is_about_lines = format.has_receipt()
            || self.content.number
            || self.ranges.iter().any(|range| range.unit == Unit::Lines);
        let has_index = !reader.source().info().is_plain && (is_compressed || is_about_lines);
        if let Some(policy) = input.index.as_ref().filter(|_| has_index) {
            reader.use_index(&self.path, policy);
        }
        if !self.is_merged {
            self.check_version(&reader)?;
        }
        self.check_content(&reader)?;
        self.check_options(format, &reader)?;
        let options = self.options(format, &reader, to_terminal);
        let colors = self.colors(format, &reader, to_terminal)?;
        Ok(Opened { request: self, reader, options, colors, format, to_terminal, time: RefCell::default() })
    }

    /// The colors of source code; formats that other programs read have none.
    fn colors(&self, format: Format, reader: &Reader, to_terminal: bool) -> Result<Option<Colors>> {
        let is_text = matches!(format, Format::Frontmatter | Format::Text)
            && self.content.encode.is_none()
            && !self.content.metadata_only;
        if !is_text || !self.output.use_color(to_terminal) {
            return Ok(None);
        }
        let language = match self.highlight {
            Highlight::Never => return Ok(None),
            Highlight::As(language) => Some(language),
            Highlight::Auto => None,
        };
        Colors::of(language, &self.output.theme, reader, &self.path)
    }

    fn options(&self, format: Format, reader: &Reader, to_terminal: bool) -> ContentOptions {
        // A terminal cannot show another encoding, so it gets decoded text.
        let foreign = reader.encoding() != Encoding::Utf8;
        let raw = format == Format::Raw && !(foreign && to_terminal);
        let has_color = !matches!(format, Format::Json | Format::Xml);
        ContentOptions {
            raw,
            invalid: self.content.invalid.unwrap_or_default(),
            number: self.content.number,
            hash: self.hash,
            color: has_color && self.content.number && self.output.use_color(to_terminal),
            max_columns: self.content.max_columns,
            // JSON escapes control characters itself.
            show_controls: to_terminal && format != Format::Json,
            null_data: self.content.read.source.access.null_data,
            keeps_colors: false,
            encode: self.content.encode,
            skip_bom: !raw && reader.decided.bom,
            plain: reader.source().info().is_plain,
            estimates_tokens: self.content.metadata_only || self.content.max_tokens.is_some(),
        }
    }

    /// Conflicts that a parser cannot detect, since the format may come from the environment.
    fn check(&self, format: Format) -> Result<()> {
        if self.content.metadata_only {
            check_receipt("--metadata-only", format)?;
        }
        let finds_lines = self.ranges.iter().any(|range| range.unit == Unit::Lines) || self.time.is_some();
        if format == Format::Raw && self.has_label_of_text() && !finds_lines {
            return Err(self.without_effect());
        }
        if format == Format::Raw && self.content.invalid == Some(InvalidBytes::Escape) {
            return Err(Error::usage(
                "--invalid escape changes bytes, but raw output is the bytes of the file",
            )
            .hint("--invalid escape --format text"));
        }
        Ok(())
    }

    /// Whether `--encoding` is about the text alone: the names in an archive may be in it too.
    fn has_label_of_text(&self) -> bool {
        self.content.read.encoding.as_ref().is_some_and(|label| label != "none") && !is_member(&self.path)
    }

    /// Raw output is the bytes of the file, and `--encoding` decides at most where its lines end.
    fn without_effect(&self) -> Error {
        Error::usage(
            "--encoding has no effect on raw output, which is the bytes of the file; -f text writes the decoded text",
        )
        .hint(self.as_text())
    }

    /// The hint: the same request as text, where an encoding has an effect.
    fn as_text(&self) -> Sentence {
        let label = self.content.read.encoding.as_deref().unwrap_or("auto");
        let prefix = |range: &Range| if self.several && range.unit == Unit::Bytes { "b" } else { "" };
        let ranges: Vec<String> =
            self.ranges.iter().map(|range| format!("{}{range}", prefix(range))).collect();
        let command = match &self.ranges[..] {
            [] => "page",
            _ if self.several => "ranges",
            [range, ..] => range.unit.command(),
        };
        let ranges = Some(ranges.join(",")).filter(|ranges| !ranges.is_empty());
        let file = call(command).file(&self.path);
        ranges.iter().fold(file, Call::word).with("E", label).with("f", "text").again()
    }

    /// If the version has changed, reports that instead of the failure to open the file.
    fn prefer_change(&self, error: Error) -> Error {
        if self.content.expect.is_none() || error.kind != Kind::Io {
            return error;
        }
        let access = Access { raw: true, salvage: false, ..self.content.read.source.access.clone() };
        match self
            .content
            .read
            .source
            .stored_path(&self.path)
            .and_then(|path| Reader::open_as(&path, &access))
        {
            Ok(stored) => {
                self.check_version(&stored).err().filter(|e| e.kind == Kind::Changed).unwrap_or(error)
            }
            Err(_) => error,
        }
    }

    fn check_version(&self, reader: &Reader) -> Result<()> {
        let Some(expected) = &self.content.expect else { return Ok(()) };
        check_version(&self.path, reader, expected, Some(self.content.expect_prefix))
    }

    /// Line numbers and clipping need lines whose bytes are those of ASCII.
    fn check_options(&self, format: Format, reader: &Reader) -> Result<()> {
        let is_idle = self.has_label_of_text() && !self.cuts_at_characters();
        if format == Format::Raw && is_idle && reader.has_usual_lines()? {
            return Err(self.without_effect());
        }
        let encoding = reader.encoding();
        let works_on_lines = self.content.number || self.content.max_columns.is_some();
        if format != Format::Raw || !works_on_lines || encoding.units().width == 1 && !encoding.has_state() {
            return Ok(());
        }
        let option = match (self.hash, self.content.number) {
            (Some(_), _) => "--hash",
            (None, true) => "--number",
            (None, false) => "--max-columns",
        };
        let name = encoding.name();
        Err(Error::usage(format!(
            "{option} changes lines, but raw output is the bytes of the file, here {name}"
        ))
        .hint(format!("{option} --format text")))
    }

    fn check_content(&self, reader: &Reader) -> Result<()> {
        if self.content.text || self.content.encode.is_some() {
            return Ok(());
        }
        match reader.sniffed.content {
            // An explicit encoding means that the file is text.
            Content::Binary if reader.is_binary() => {
                let raw = self.content.read.source.access.raw;
                Err(hints::unreadable(&self.path, reader, raw)?)
            }
            _ => Ok(()),
        }
    }
}

impl Opened<'_> {
    /// The error of a compressed file whose text ends early, unless that was accepted.
    pub fn refused_damage(&self) -> Option<Error> {
        let damage = self.reader.damage().filter(|_| !self.reader.is_salvaged())?;
        Some(self.reader.damage_error(&damage).about(&self.request.path))
    }

    /// The facts about the file after `plan` has read it.
    pub fn file_info(&self, plan: &Plan<'_>) -> FileInfo {
        let returned = || plan.parts.iter().filter_map(|planned| planned.result.outcome.as_ref().ok());
        // A slice that begins at a known line and ends with the file shows the number of lines.
        let counted = plan.parts.iter().find_map(|planned| planned.total_lines(&self.reader));
        let counted = plan.total_lines.filter(|_| self.reader.has_true_end()).or(counted);
        let mut file = self.bare_file_info(counted.or_else(|| known_lines(&self.reader)));
        file.details.signs.guessed_encoding = self.guessed_encoding();
        file.details.signs.checked = returned().map(|slice| slice.checked).max().unwrap_or_default();
        // If the slices fit into the cache, writing them makes no further requests; otherwise the number is unknown.
        let bytes = returned().fold(0u64, |sum, slice| sum.saturating_add(slice.end - slice.start));
        let held = self.reader.source().info().traffic.map_or(0, |traffic| traffic.held);
        if bytes > held {
            (file.details.traffic.requests, file.details.traffic.bytes_fetched) = (None, None);
        }
        file
    }

    /// The encoding of the text, if nobody named it.
    pub fn guessed_encoding(&self) -> Option<String> {
        // Raw bytes depend on the encoding only where they are cut.
        let is_used = self.format != Format::Raw || self.request.cuts_at_characters();
        self.reader.evident_encoding().filter(|_| is_used && self.request.content.encode.is_none())
    }

    pub fn bare_file_info(&self, total_lines: Option<u64>) -> FileInfo {
        let (path, reader) = (&self.request.path, &self.reader);
        let mut file = file_info(path, reader);
        file.total_lines = total_lines;
        let encode = self.request.content.encode.map(Encode::name);
        file.details.version = Some(None);
        let before = file.details.signs.contradicted.take();
        self.time.borrow().clone().note(&mut file.details);
        file.details.signs.contradicted = file.details.signs.contradicted.take().or(before);
        if self.format.has_receipt() {
            note_version(&mut file, reader);
            file.details.encoding =
                EncodingInfo { encode, ..encoding_info(path, reader, is_foreign(reader)) };
        }
        note_cost(&mut file, reader);
        file
    }
}

/// The facts of a window of time for the receipt.
#[derive(Clone, Debug, Default)]
pub struct FoundTime {
    pub info: Option<TimeInfo>,
    pub is_unordered: bool,
    /// Whether an end of the window is a time that a clock showed twice, or never.
    pub is_ambiguous: bool,
    /// Whether records after the last one would be in the window.
    pub reaches_end: bool,
    /// The first line that does not fit the formats that rread guessed.
    pub contradicted: Option<Contradicted>,
}

impl FoundTime {
    pub fn note(self, details: &mut FileDetails) {
        details.time = self.info;
        let signs = &mut details.signs;
        (signs.is_unordered, signs.is_ambiguous) = (self.is_unordered, self.is_ambiguous);
        signs.contradicted = self.contradicted;
    }
}

/// A request with its open file.
pub struct Opened<'a> {
    pub request: &'a Request<'a>,
    pub reader: Reader,
    pub options: ContentOptions,
    pub colors: Option<Colors>,
    pub format: Format,
    pub(super) to_terminal: bool,
    /// The facts of the window for the receipt.
    pub(super) time: RefCell<FoundTime>,
}

pub struct Planned {
    pub result: SliceResult,
    pub segments: Vec<Segment>,
    /// The input for `next`, if the content is measured only while it is written.
    pub unmeasured: Option<PrecedingSlice<'static>>,
}

impl Planned {
    pub fn is_cut(&self) -> bool {
        self.result.outcome.as_ref().is_ok_and(|returned| returned.stats.cut.is_some())
    }

    /// The number of lines of the file, if the slice begins at a known line and ends with the file.
    pub fn total_lines(&self, reader: &Reader) -> Option<u64> {
        let slice = self.result.outcome.as_ref().ok()?;
        let is_at_end = Some(slice.end) == reader.reported_size();
        // An empty slice after a line without an end stands in that line.
        let shows = is_at_end && (slice.lines? > 0 || slice.end == 0);
        Some(slice.first_line? + slice.lines?).filter(|_| shows).map(|line| line - 1)
    }
}

/// The next part, located after those before it were written, and the rest of the budget then.
type More<'a> = Box<dyn FnMut() -> Result<Option<(Planned, Budget)>> + 'a>;

pub struct Plan<'a> {
    /// The parts that are planned together, in the order asked.
    pub parts: Vec<Planned>,
    pub total_lines: Option<u64>,
    pub left: Budget,
    pub more: More<'a>,
}

/// Refuses a file that is not in the `expected` state. One that has only grown is accepted with `--expect-prefix`; `None` if
/// the command has no such option.
pub fn check_version(
    path: &Path,
    reader: &Reader,
    expected: &Version,
    accepts_prefix: Option<bool>,
) -> Result<()> {
    let Some(now) = reader.version()? else {
        return Err(Error::usage("this source has no version to expect").hint("leave out --expect"));
    };
    if let (Version::Tagged(text), Version::File(_)) = (expected, &now) {
        let message = format!("'{text}' is not a version of a file: use the version in an earlier receipt");
        return Err(Error::usage(message).hint(call("stat").file(path)));
    }
    let changed = expected.compare(&now, |size| sample(reader.stored(), size));
    let change = match changed.map_err(|cause| Error::read("cannot read its first or last bytes", &cause))? {
        None => return Ok(()),
        Some(Change::Appended) if accepts_prefix == Some(true) => return Ok(()),
        Some(change) => change,
    };
    let sizes = match (expected.size(), now.size()) {
        (Some(then), Some(now)) => format!("{then} bytes expected, {now} found; "),
        _ => String::new(),
    };
    let message = format!("is not the expected version: {} ({sizes}version {now})", change.name());
    let error = Error::new(Kind::Changed, message);
    Err(match change {
        Change::Appended if accepts_prefix.is_some() => {
            let both = setting("expect").then(format!(" {expected} ")).then(setting("expect-prefix"));
            error.hint(both.then(" accepts a file that has only grown"))
        }
        _ => error.hint(call("stat").file(path)),
    })
}
