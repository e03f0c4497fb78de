//! A request about one file, and what every kind of request can do.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use crate::content::{Budget, ContentOptions, Encode, InvalidBytes};
use crate::damage::known_lines;
use crate::file_info::{encoding_info, file_info, is_foreign, note_cost, note_version};
use crate::format::Format;
use crate::highlight::Colors;
use crate::options::{AnswerOptions, Highlight, OutputOptions, TimeWindow};
use crate::planned::Plan;
use crate::receipt::{Contradicted, EncodingInfo, FileInfo, SliceResult, TimeInfo};
use rread_reader::reader::Reader;
use rread_reader::reader::align::Align;
use rread_reader::selection::Context;
use rread_source::access::OpensMember;
use rread_source::archive::Member;
use rread_text::encoding::{Choice, Encoding};
use rread_text::error::{Error, Result};
use rread_text::hashline::HashlineForm;
use rread_text::range::{Range, Unit};

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
}

impl<'a> Request<'a> {
    /// The same request about `member` of the archive that this one is about.
    pub fn of_found_member(&self, member: Member) -> Request<'a> {
        Request {
            path: member.path(),
            member: Some(Arc::new(member)),
            is_walked: true,
            ranges: self.ranges.clone(),
            several: true,
            takes_archives: false,
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

    /// Whether the answer depends on lines.
    fn is_about_lines(&self, format: Format) -> bool {
        format.has_receipt()
            || self.content.number
            || self.ranges.iter().any(|range| range.unit == Unit::Lines)
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
        if let Some(policy) = input.index.as_ref().filter(|_| is_compressed || self.is_about_lines(format)) {
            reader.use_index(&self.path, policy);
        }
        if !self.is_merged {
            self.check_version(&reader)?;
        }
        self.check_content(&reader)?;
        self.check_options(format, &reader)?;
        let options = self.options(format, &reader, to_terminal);
        let colors = self.colors(format, &reader, to_terminal)?;
        Ok(Opened { request: self, reader, options, colors, format, time: RefCell::default() })
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
        ContentOptions {
            raw,
            invalid: self.content.invalid.unwrap_or_default(),
            number: self.content.number,
            hash: self.hash,
            color: (self.content.number || self.content.encode == Some(Encode::Hexdump))
                && format != Format::Json
                && format != Format::Xml
                && self.output.use_color(to_terminal),
            max_columns: self.content.max_columns,
            // JSON escapes control characters itself.
            show_controls: to_terminal && format != Format::Json,
            keeps_colors: false,
            encode: self.content.encode,
            skip_bom: !raw && reader.decided().bom,
            plain: reader.source().info().is_plain,
            estimates_tokens: self.content.metadata_only || self.content.max_tokens.is_some(),
        }
    }
}

impl Opened<'_> {
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
        let FoundTime { info, is_unordered, is_ambiguous, contradicted } = self.time.borrow().clone();
        file.details.time = info;
        let signs = &mut file.details.signs;
        (signs.is_unordered, signs.is_ambiguous) = (is_unordered, is_ambiguous);
        signs.contradicted = contradicted.or(signs.contradicted.take());
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
    pub is_ambiguous: bool,
    pub contradicted: Option<Contradicted>,
}

/// A request with its open file.
pub struct Opened<'a> {
    pub request: &'a Request<'a>,
    pub reader: Reader,
    pub options: ContentOptions,
    pub colors: Option<Colors>,
    pub format: Format,
    /// The facts of the window for the receipt.
    pub(super) time: RefCell<FoundTime>,
}
