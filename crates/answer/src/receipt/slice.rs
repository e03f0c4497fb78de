//! A slice or a page: what was requested, what was returned, why they differ, and how to go on.

use super::content::{ContentInfo, NextInfo, PageOfDocument, cut_by, cut_note};
use super::envelope::{Envelope, Markup};
use super::file::{Checked, FileDetails, FileInfo, NameInfo, SignMembers};
use super::json::{Members, Receipt, arrange};
use crate::content::ContentStats;
use crate::continuation::Next;
use crate::wording::worded;
use rread_reader::paging::Page;
use rread_text::{Encoding, Error, Place, Range, Result, Unit, printable};
use serde::Serialize;
use serde_json::json;

/// A requested range or page, and the slice or the error that it led to.
#[derive(Clone, Debug)]
pub struct SliceResult {
    pub asked: Range,
    pub page: Option<AskedPage>,
    pub aligned_to: Encoding,
    pub outcome: Result<Returned>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedPage {
    pub page: Page,
    /// It may count from the end.
    pub asked: Place,
    pub pages: Option<u64>,
    /// The nominal size of a page in bytes.
    pub size: u64,
}

#[derive(Clone, Debug)]
pub struct Returned {
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    pub first_line: Option<u64>,
    /// Lines in the slice, a begun one included, if known.
    pub lines: Option<u64>,
    /// How many bytes alignment moved the start and the end.
    pub moved: (i64, i64),
    /// Whether the slice is what the words of the range mean.
    pub exact: bool,
    /// Lines from the start of the file, before the slice.
    pub header_lines: u64,
    pub stats: ContentStats,
    pub next: Option<Next>,
    /// Whether the request reaches past the damage.
    pub reaches_damage: bool,
    pub checked: Checked,
    pub page_of_document: PageOfDocument,
}

impl SliceResult {
    /// Whether the content lacks a part of the request, or of the line that a page ends in.
    pub(super) fn is_truncated(&self) -> bool {
        let is_cut = self.outcome.as_ref().is_ok_and(|returned| returned.cut_by().is_some());
        is_cut || self.page.is_some_and(|page| page.page.cuts_line)
    }

    /// Whether nothing comes after the content in a text of `size` bytes, which may be known only now: not even empty pages of a
    /// document.
    pub fn is_at_end(&self, size: Option<u64>) -> bool {
        let is_last = |asked: AskedPage| asked.pages.is_none_or(|pages| asked.page.number >= pages);
        self.outcome.as_ref().is_ok_and(|returned| Some(returned.end) == size)
            && self.page.is_none_or(is_last)
    }

    /// Whether the answer is what the words of the request mean.
    pub(super) fn is_exact(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|returned| returned.exact && returned.stats.cut.is_none())
    }

    /// The request as a command and its argument.
    pub(super) fn request(&self) -> String {
        match &self.page {
            Some(page) => format!("page {}", page.asked),
            None => format!("{} {}", self.asked.unit.command(), self.asked),
        }
    }

    pub(super) fn alignment(&self) -> String {
        let name = self.aligned_to.name();
        match self.aligned_to {
            encoding if encoding.has_state() => format!("{name} line boundary alignment"),
            Encoding::Utf8 => "UTF-8 character boundary alignment".to_owned(),
            _ => format!("{name} character boundary alignment"),
        }
    }
}

impl Returned {
    pub fn cut_by(&self) -> Option<&'static str> {
        cut_by(&self.stats)
    }

    pub fn cut_note(&self) -> Option<String> {
        cut_note(&self.stats, self.next.map(|next| next.to_string()))
    }

    pub fn last_line(&self) -> Option<u64> {
        Some((self.first_line? + self.lines?).saturating_sub(1))
    }
}

/// The receipt of a slice or a page: what was requested, what was returned, why they differ, and how to go on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "slice"))]
pub(super) struct SliceMembers<'a> {
    #[serde(flatten)]
    pub(super) name: &'a NameInfo,
    /// The size of the file in bytes when rread opened it; null while the size of a stream is unknown.
    pub(super) file_size: Option<u64>,
    /// The number of lines of the file, never an estimate; null if the answer did not need it and no line index has it.
    pub(super) total_lines: Option<u64>,
    /// What was requested. Positions from the end are negative, open ends null.
    pub(super) requested_range: Option<Requested>,
    /// What was returned, without the lines of --header. Left out if nothing was returned.
    pub(super) actual_range: Option<Actual>,
    #[serde(flatten)]
    pub(super) page: Option<PageInfo>,
    #[serde(flatten)]
    pub(super) page_of_document: Option<&'a PageOfDocument>,
    /// How far rread moved the ends of a range of bytes to the edges of characters.
    pub(super) boundary_adjustments: Option<Adjustments>,
    /// Whether the slice is less than the whole file; null while the size of a stream is unknown.
    pub(super) is_partial: Option<bool>,
    /// The share of the slice in the bytes of the file, to four decimals; null while the size of a stream is unknown.
    pub(super) percent_of_file: Option<f64>,
    #[serde(flatten)]
    pub(super) content: ContentInfo,
    /// Whether a budget left out anything that was requested (cut_by names it); for a page also whether it ends inside a
    /// line, which goes on in the next page.
    pub(super) truncated: bool,
    /// Lines of the start of the file that --header put before the slice; left out if there are none.
    pub(super) header_lines: Option<u64>,
    /// Whether the slice ends where the file ends.
    pub(super) eof: bool,
    /// How to go on; left out at the end of the file.
    pub(super) next: Option<NextInfo>,
    #[serde(flatten)]
    pub(super) details: FileDetails,
}

/// A range or a page as it was requested.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "requested_range"))]
#[serde(untagged)]
pub(super) enum Requested {
    /// Bytes from 0, end not included.
    Bytes {
        /// The first byte; null for an open start.
        start_byte: Option<i128>,
        /// The byte to stop before; null for an open end.
        end_byte: Option<i128>,
    },
    /// Lines from 1, end included.
    Lines {
        /// The first line; null for an open start.
        start_line: Option<i128>,
        /// The last line; null for an open end.
        end_line: Option<i128>,
    },
    /// A page, from 1 or counted from the end, of so many bytes.
    Page {
        /// The number of the page.
        page: i128,
        /// The size of pages in bytes.
        page_size: u64,
    },
}

/// The bytes of a slice, and its lines.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "actual_range"))]
pub(super) struct Actual {
    #[serde(flatten)]
    lines: Option<ActualLines>,
    /// The first byte.
    start_byte: u64,
    /// Past the last byte.
    end_byte: u64,
}

/// The lines of a slice. A range of bytes has them with --number, or if a line index has the numbers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct ActualLines {
    /// The number of the first line; null if unknown, for example for lines counted from the end.
    start_line: Option<u64>,
    /// The number of the last line, even if it is incomplete; null if unknown, one less than start_line if there is no
    /// line.
    end_line: Option<u64>,
}

/// A page among the others.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct PageInfo {
    /// The number of this page, from 1.
    page: u64,
    /// How many pages of this size the file has; null while the size of a stream is unknown.
    pages: Option<u64>,
    /// Whether this page starts inside a line, which began in an earlier page.
    pub(super) continued: bool,
}

/// How far rread moved the ends of a range of bytes; reasons are null for an end that stayed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "boundary_adjustments"))]
pub(super) struct Adjustments {
    /// Whether the start was moved.
    start_adjusted: bool,
    /// Why the start was moved.
    start_adjustment_reason: Option<String>,
    /// By how many bytes the start was moved: negative towards the start of the file.
    start_moved_by: i64,
    /// Whether the end was moved.
    end_adjusted: bool,
    /// Why the end was moved.
    end_adjustment_reason: Option<String>,
    /// By how many bytes the end was moved: negative towards the start of the file.
    end_moved_by: i64,
}

impl<'a> SliceMembers<'a> {
    /// With `is_brief`, without what --brief leaves out of pages, and without the request.
    pub(super) fn new(slice: &'a SliceResult, file: &'a FileInfo, is_brief: bool) -> Self {
        let returned = slice.outcome.as_ref().ok();
        let bytes = returned.map(|returned| returned.end - returned.start);
        let aligned = returned.filter(|_| slice.asked.unit == Unit::Bytes && slice.page.is_none());
        let eof = slice.is_at_end(file.size);
        let page = slice.page.filter(|_| returned.is_some() && !is_brief);
        let page = page.map(|AskedPage { page, pages, .. }| PageInfo {
            page: page.number,
            pages,
            continued: page.continued,
        });
        SliceMembers {
            name: &file.name,
            file_size: file.size,
            total_lines: file.total_lines,
            requested_range: (!is_brief).then(|| Requested::of(slice)),
            actual_range: returned.map(|returned| Actual::of(slice.asked.unit, returned)),
            page,
            page_of_document: returned
                .map(|returned| &returned.page_of_document)
                .filter(|_| slice.page.is_none()),
            boundary_adjustments: aligned.map(|returned| Adjustments::new(returned.moved, slice)),
            is_partial: bytes.zip(file.size).map(|(bytes, size)| bytes < size),
            percent_of_file: bytes.zip(file.size).map(|(bytes, size)| percent(bytes, size)),
            content: returned.map(|returned| ContentInfo::from(&returned.stats)).unwrap_or_default(),
            truncated: slice.is_truncated(),
            header_lines: returned.map(|returned| returned.header_lines).filter(|lines| *lines > 0),
            eof,
            next: returned.and_then(|returned| returned.next).filter(|_| !eof).map(NextInfo::from),
            details: file.details.with(returned.map(|returned| returned.checked).unwrap_or_default()),
        }
    }
}

impl Requested {
    fn of(slice: &SliceResult) -> Self {
        // JSON has numbers of 64 bits; what is even further before the end is before the start of any file.
        let within = |number: i128| number.max(i64::MIN.into());
        if let Some(page) = &slice.page {
            return Requested::Page { page: within(page.asked.signed()), page_size: page.size };
        }
        let (start, end) = slice.asked.requested_ends();
        let (start, end) = (start.map(within), end.map(within));
        match slice.asked.unit {
            Unit::Bytes => Requested::Bytes { start_byte: start, end_byte: end },
            Unit::Lines => Requested::Lines { start_line: start, end_line: end },
        }
    }
}

impl Actual {
    /// Whether the numbers of the request are those of the answer.
    pub(super) fn says(&self, asked: &Requested) -> bool {
        let is = |asked: &Option<i128>, got: u64| *asked == Some(i128::from(got));
        match (asked, &self.lines) {
            (Requested::Bytes { start_byte, end_byte }, _) => {
                is(start_byte, self.start_byte) && is(end_byte, self.end_byte)
            }
            (Requested::Lines { start_line, end_line }, Some(lines)) => {
                lines.start_line.is_some_and(|line| is(start_line, line))
                    && lines.end_line.is_some_and(|line| is(end_line, line))
            }
            _ => false,
        }
    }

    fn of(unit: Unit, returned: &Returned) -> Self {
        let lines = ActualLines { start_line: returned.first_line, end_line: returned.last_line() };
        Actual {
            lines: Some(lines).filter(|lines| unit == Unit::Lines || lines.start_line.is_some()),
            start_byte: returned.start,
            end_byte: returned.end,
        }
    }
}

impl Adjustments {
    fn new((start, end): (i64, i64), slice: &SliceResult) -> Self {
        let reason = |by: i64| (by != 0).then(|| slice.alignment());
        Adjustments {
            start_adjusted: start != 0,
            start_adjustment_reason: reason(start),
            start_moved_by: start,
            end_adjusted: end != 0,
            end_adjustment_reason: reason(end),
            end_moved_by: end,
        }
    }
}

/// To four decimals, as a share of 100; all of an empty file is all of it.
#[allow(clippy::cast_precision_loss)]
fn percent(bytes: u64, size: u64) -> f64 {
    if size == 0 {
        return 100.0;
    }
    let exact = bytes as f64 * 100.0 / size as f64;
    (exact * 10_000.0).round() / 10_000.0
}

/// The receipt of one range of several. What is the same for all of them stands in the receipt of the whole answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "slice_of_several"))]
pub(super) struct SegmentMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// What was requested. Positions from the end are negative, open ends null. Left out if it is what actual_range says.
    requested_range: Option<Requested>,
    /// What was returned, without the lines of --header. Left out if nothing was returned.
    actual_range: Option<Actual>,
    #[serde(flatten)]
    page: Option<PageInfo>,
    /// How far rread moved the ends of a range of bytes to the edges of characters; left out if it moved none.
    boundary_adjustments: Option<Adjustments>,
    #[serde(flatten)]
    content: ContentInfo,
    /// Whether a budget left out anything that was requested (cut_by names it); for a page also whether it ends inside a
    /// line, which goes on in the next page.
    truncated: bool,
    /// Lines of the start of the file that --header put before the slice; left out if there are none.
    header_lines: Option<u64>,
    /// True if the slice ends where the file ends; otherwise left out.
    eof: Option<bool>,
    /// How to go on; left out at the end of the file.
    next: Option<NextInfo>,
    #[serde(flatten)]
    signs: SignMembers,
}

impl<'a> SegmentMembers<'a> {
    fn new(alone: SliceMembers<'a>, slice: &SliceResult) -> Self {
        let is_moved = slice.outcome.as_ref().is_ok_and(|returned| returned.moved != (0, 0));
        SegmentMembers {
            name: alone.name,
            requested_range: alone.requested_range.filter(|asked| {
                is_moved
                    || !slice.is_exact()
                    || !alone.actual_range.as_ref().is_some_and(|actual| actual.says(asked))
            }),
            actual_range: alone.actual_range,
            page: alone.page,
            boundary_adjustments: alone.boundary_adjustments.filter(|_| is_moved),
            content: alone.content,
            truncated: alone.truncated,
            header_lines: alone.header_lines,
            eof: alone.eof.then_some(true),
            next: alone.next,
            signs: alone.details.signs.into(),
        }
    }
}

/// The order for people.
pub(super) const SLICE: &str = "NAME page SHEET pages on_pages continued lines range total total_lines requested adjusted \
    error kind header_lines DECODING damaged ENCODING invalid_utf8 content_bytes estimated_tokens truncated cut_by \
    clipped_lines time version eof next TRAFFIC notices guess_contradicted change fd";

impl Envelope for SliceResult {
    fn element(&self, file: &FileInfo) -> &'static str {
        if file.handle.is_some() { "fd_content" } else { "file_content" }
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, is_brief: bool) -> Box<dyn Receipt + 'r> {
        Box::new(SliceMembers::new(self, file, is_brief))
    }

    fn segment<'r>(&'r self, file: &'r FileInfo, is_brief: bool) -> Box<dyn Receipt + 'r> {
        Box::new(SegmentMembers::new(SliceMembers::new(self, file, is_brief), self))
    }

    fn brief(&self) -> &'static str {
        "lines range fd"
    }

    fn said_once(&self) -> &'static str {
        "total total_lines time version DECODING ENCODING TRAFFIC fd"
    }

    fn error(&self) -> Option<&Error> {
        self.outcome.as_ref().err()
    }

    fn people(&self, file: &FileInfo, markup: Markup, is_brief: bool) -> Result<Members> {
        let (returned, error) = (self.outcome.as_ref().ok(), self.outcome.as_ref().err());
        let mut alone = SliceMembers { requested_range: None, ..SliceMembers::new(self, file, is_brief) };
        if error.is_some() {
            alone.details = FileDetails::default();
            alone.truncated = false;
        }
        let lines = returned.and_then(|returned| returned.first_line.zip(returned.last_line()));
        let lines = lines.filter(|(first, last)| last >= first);
        let moved = returned.map(|returned| returned.moved).filter(|moved| *moved != (0, 0));
        let has_range = !(is_brief && lines.is_some());
        let next = returned.and_then(|returned| returned.next).filter(|_| !alone.eof);
        let range = returned.filter(|_| has_range);
        let words = json!({
            "lines": lines.map(|(first, last)| format!("{first}-{last}")),
            "range": range.map(|returned| format!("{}-{}", returned.start, returned.end)),
            "total": file.size,
            "on_pages": returned.and_then(|returned| returned.page_of_document.in_one_line()),
            "requested": (!self.is_exact() || moved.is_some()).then(|| self.request()),
            "adjusted": moved.map(|moved| adjusted(moved, &self.alignment())),
            "error": error.map(|error| printable(&worded(&error.message))),
            "kind": error.map(|error| error.kind.name()),
            "next": next.map(|next| next.to_string()),
            "fd": file.handle.as_ref().filter(|_| markup == Markup::Xml),
        });
        arrange(SLICE, &alone, &words)
    }
}

fn adjusted((start, end): (i64, i64), reason: &str) -> String {
    let ends = [("start", start), ("end", end)];
    let moves: Vec<String> =
        ends.iter().filter(|(_, by)| *by != 0).map(|(what, by)| format!("{what} {by:+}")).collect();
    format!("{} ({reason})", moves.join(", "))
}
