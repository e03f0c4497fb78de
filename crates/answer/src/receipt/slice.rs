//! A slice or a page: what was asked, what was returned, why they differ, and how to go on; and its members in JSON.

use serde::Serialize;

use super::content::{ContentInfo, NextInfo, cut_by, cut_note};
use super::file::{Checked, FileDetails, FileInfo, NameInfo};
use super::page_of_document::PageOfDocument;
use crate::content::ContentStats;
use crate::continuation::Next;
use crate::rows::rows;
use rread_reader::paging::Page;
use rread_text::encoding::Encoding;
use rread_text::error::Result;
use rread_text::range::{Place, Range, Unit};

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

    pub(super) fn last_line(&self) -> Option<u64> {
        Some((self.first_line? + self.lines?).saturating_sub(1))
    }
}

rows! {
    /// The receipt of a slice or a page: what was requested, what was returned, why they differ, and how to go on.
    pub(super) struct SliceMembers<'a>: "slice" {
        flat pub(super) name: &'a NameInfo,
        /// The size of the file in bytes when rread opened it; null while the size of a stream is unknown.
        pub(super) file_size: Option<u64> [of_file],
        /// The number of lines of the file, never an estimate; null if the answer did not need it and no line index has it.
        pub(super) total_lines: Option<u64> [brief of_file],
        /// What was requested. Positions from the end are negative, open ends null.
        pub(super) requested_range: Requested [worded no_tool],
        /// What was returned, without the lines of --header. Left out if nothing was returned.
        pub(super) actual_range?: Option<Actual> [brief worded],
        flat pub(super) page: Option<PageInfo>,
        flat pub(super) page_of_document: Option<&'a PageOfDocument>,
        /// How far rread moved the ends of a range of bytes to the edges of characters.
        pub(super) boundary_adjustments?: Option<Adjustments> [worded no_tool],
        /// Whether the slice is less than the whole file; null while the size of a stream is unknown.
        pub(super) is_partial: Option<bool> [worded no_tool],
        /// The share of the slice in the bytes of the file, to four decimals; null while the size of a stream is unknown.
        pub(super) percent_of_file: Option<f64> [worded no_tool],
        flat pub(super) content: ContentInfo,
        /// Whether a budget left out anything that was requested (cut_by names it); for a page also whether it ends inside a
        /// line, which goes on in the next page.
        pub(super) truncated: bool [brief no_tool],
        /// Lines of the start of the file that --header put before the slice; left out if there are none.
        pub(super) header_lines?: Option<u64>,
        /// Whether the slice ends where the file ends.
        pub(super) eof: bool,
        /// How to go on; left out at the end of the file.
        pub(super) next?: Option<NextInfo> [brief worded],
        flat pub(super) details: FileDetails,
    }
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

rows! {
    /// The bytes of a slice, and its lines.
    pub(super) struct Actual: "actual_range" {
        flat lines: Option<ActualLines>,
        /// The first byte.
        start_byte: u64,
        /// Past the last byte.
        end_byte: u64,
    }

    /// The lines of a slice. A range of bytes has them with --number, or if a line index has the numbers.
    struct ActualLines {
        /// The number of the first line; null if unknown, for example for lines counted from the end.
        start_line: Option<u64>,
        /// The number of the last line, even if it is incomplete; null if unknown, one less than start_line if there is no
        /// line.
        end_line: Option<u64>,
    }

    /// A page among the others.
    #[derive(Clone, Copy)]
    pub(super) struct PageInfo {
        /// The number of this page, from 1.
        page: u64,
        /// How many pages of this size the file has; null while the size of a stream is unknown.
        pages: Option<u64>,
        /// Whether this page starts inside a line, which began in an earlier page.
        pub(super) continued: bool [no_tool],
    }

    /// How far rread moved the ends of a range of bytes; reasons are null for an end that stayed.
    pub(super) struct Adjustments: "boundary_adjustments" {
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
}

impl<'a> SliceMembers<'a> {
    pub(super) fn new(slice: &'a SliceResult, file: &'a FileInfo) -> Self {
        let returned = slice.outcome.as_ref().ok();
        let bytes = returned.map(|returned| returned.end - returned.start);
        let aligned = returned.filter(|_| slice.asked.unit == Unit::Bytes && slice.page.is_none());
        // The size of compressed text may be known only now.
        let eof = returned.is_some_and(|returned| Some(returned.end) == file.size);
        let page = slice.page.filter(|_| returned.is_some()).map(|AskedPage { page, pages, .. }| PageInfo {
            page: page.number,
            pages,
            continued: page.continued,
        });
        SliceMembers {
            name: &file.name,
            file_size: file.size,
            total_lines: file.total_lines,
            requested_range: Requested::of(slice),
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
        if let Some(page) = &slice.page {
            return Requested::Page { page: page.asked.signed(), page_size: page.size };
        }
        let (start, end) = slice.asked.requested_ends();
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
