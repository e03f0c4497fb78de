//! A request about one file: what is asked, and in which form.

use std::path::PathBuf;

use super::damage::known_lines;
use super::file_info::{encoding_info, file_info, is_foreign, note_cost, note_version};
use super::planned::Plan;
use crate::args::{ContentArgs, OutputArgs};
use crate::content::{Budget, ContentOptions, Encode};
use crate::encoding::Encoding;
use crate::envelope::{EncodingInfo, FileInfo};
use crate::error::Result;
use crate::format::Format;
use crate::hashline::HashlineForm;
use crate::range::{Range, Unit};
use crate::reader::Reader;
use crate::reader::align::Align;
use crate::selection::Context;

/// A request about one file.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// The file.
    pub(crate) path: PathBuf,
    /// What is asked for, in this order.
    pub(crate) ranges: Vec<Range>,
    /// Whether the answer comes in segments even if there is one range.
    pub(crate) several: bool,
    /// Context of line ranges.
    pub(crate) context: Context,
    /// Lines of the file's start to put before each slice.
    pub(crate) header: u64,
    /// What to do with cuts inside characters, where that was said.
    pub(crate) align: Option<Align>,
    /// The hashlines that the lines become.
    pub(crate) hash: Option<HashlineForm>,
    /// What becomes of the bytes.
    pub(crate) content: &'a ContentArgs,
    /// How the answer is written.
    pub(crate) output: &'a OutputArgs,
}

impl Request<'_> {
    /// How much content there may be in all.
    pub(crate) fn budget(&self) -> Result<Budget> {
        Ok(Budget { bytes: self.content.max_bytes()?, lines: self.content.max_lines })
    }

    /// Whether the answer says anything of lines.
    fn is_about_lines(&self, format: Format) -> bool {
        format.has_receipt()
            || self.content.number
            || self.ranges.iter().any(|range| range.unit == Unit::Lines)
    }

    /// Opens the file and refuses what can be refused before anything is located.
    pub(crate) fn open(&self, format: Format, to_terminal: bool) -> Result<Opened<'_>> {
        self.check(format)?;
        let policy = self.content.input.policy()?;
        let reader = self.content.input.open(&self.path).map_err(|error| self.or_changed(error))?;
        // Bytes alone, without a receipt, have nothing to learn from an index, unless they have to be decoded.
        let is_compressed = reader.source().info().decoding.is_some();
        if let Some(policy) = policy.filter(|_| is_compressed || self.is_about_lines(format)) {
            reader.use_index(&self.path, &policy);
        }
        self.check_version(&reader)?;
        self.check_content(&reader)?;
        self.check_options(format, &reader)?;
        let options = self.options(format, &reader, to_terminal);
        Ok(Opened { request: self, reader, options, format })
    }

    fn options(&self, format: Format, reader: &Reader, to_terminal: bool) -> ContentOptions {
        // What a terminal would make of the bytes of another encoding is anybody's guess: there it is text.
        let foreign = reader.encoding() != Encoding::Utf8;
        let raw = format == Format::Raw && !(foreign && to_terminal);
        ContentOptions {
            raw,
            invalid: self.content.invalid.unwrap_or_default(),
            number: self.content.number,
            hash: self.hash,
            color: self.content.number
                && format != Format::Json
                && format != Format::Xml
                && self.output.use_color(to_terminal),
            max_columns: self.content.max_columns,
            // JSON escapes what acts on terminals by itself.
            show_controls: to_terminal && format != Format::Json,
            encode: self.content.encode,
            skip_bom: !raw && reader.decided().bom,
        }
    }
}

impl Opened<'_> {
    /// What is known of the file, now that `plan` has brought it to light.
    pub(crate) fn file_info(&self, plan: &Plan<'_>) -> FileInfo {
        let returned = || plan.parts.iter().filter_map(|planned| planned.result.outcome.as_ref().ok());
        // A slice that begins at a known line and ends with the file shows how many lines there are.
        let counted = plan.parts.iter().find_map(|planned| planned.total_lines(&self.reader));
        let counted = plan.total_lines.filter(|_| self.reader.has_true_end()).or(counted);
        let mut file = self.bare_file_info(counted.or_else(|| known_lines(&self.reader)));
        file.signs.checked = returned().map(|slice| slice.checked).max().unwrap_or_default();
        // If the slices fit the cache, delivery makes no further requests; otherwise their number is not known yet.
        let bytes = returned().fold(0u64, |sum, slice| sum.saturating_add(slice.end - slice.start));
        let held = self.reader.source().info().traffic.map_or(0, |traffic| traffic.held);
        if bytes > held {
            (file.requests, file.bytes_fetched) = (None, None);
        }
        file
    }

    /// What is known of a file that has `total_lines`, if their number is known.
    pub(crate) fn bare_file_info(&self, total_lines: Option<u64>) -> FileInfo {
        let (path, reader) = (&self.request.path, &self.reader);
        let mut file = file_info(path, reader);
        file.total_lines = total_lines;
        let encode = self.request.content.encode.map(Encode::name);
        file.version = Some(None);
        if self.format.has_receipt() {
            note_version(&mut file, reader);
            file.encoding = EncodingInfo { encode, ..encoding_info(path, reader, is_foreign(reader)) };
        }
        note_cost(&mut file, reader);
        file
    }
}

/// The file that a request is about, open, and how its bytes become content.
pub(crate) struct Opened<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) reader: Reader,
    pub(crate) options: ContentOptions,
    pub(crate) format: Format,
}
