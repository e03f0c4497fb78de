//! The receipt of a slice or a page: alone, as one of several, and for people.

use super::content::{ContentInfo, NextInfo};
use super::envelope::{Envelope, Markup};
use super::error::reason;
use super::facts::{Facts, Key, Receipt, keys, said};
use super::file::{DecodingInfo, EncodingInfo, FileDetails, FileInfo, NameInfo, SignMembers, TrafficInfo};
use super::page_of_document::SheetOfWorkbook;
use super::slice::{Actual, Adjustments, PageInfo, Requested, SliceMembers, SliceResult};
use crate::rows::{Row, rows};
use crate::wording::worded;
use rread_text::error::{Error, Result, printable};

rows! {
    /// The receipt of one range of several. What is the same for all of them stands in the receipt of the whole answer.
    pub(super) struct SegmentMembers<'a>: "slice_of_several" {
        flat name: &'a NameInfo,
        /// What was requested. Positions from the end are negative, open ends null. Left out if it is what actual_range says.
        requested_range?: Option<Requested> [worded no_tool],
        /// What was returned, without the lines of --header. Left out if nothing was returned.
        actual_range?: Option<Actual> [brief],
        flat page: Option<PageInfo>,
        /// How far rread moved the ends of a range of bytes to the edges of characters; left out if it moved none.
        boundary_adjustments?: Option<Adjustments> [worded no_tool],
        flat content: ContentInfo,
        /// Whether a budget left out anything that was requested (cut_by names it); for a page also whether it ends inside a
        /// line, which goes on in the next page.
        truncated: bool [brief no_tool],
        /// Lines of the start of the file that --header put before the slice; left out if there are none.
        header_lines?: Option<u64>,
        /// True if the slice ends where the file ends; otherwise left out.
        eof?: Option<bool>,
        /// How to go on; left out at the end of the file.
        next?: Option<NextInfo> [brief],
        flat signs: SignMembers,
    }
}

impl<'a> SegmentMembers<'a> {
    fn new(alone: SliceMembers<'a>, slice: &SliceResult) -> Self {
        let is_moved = slice.outcome.as_ref().is_ok_and(|returned| returned.moved != (0, 0));
        SegmentMembers {
            name: alone.name,
            requested_range: Some(alone.requested_range).filter(|asked| {
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

pub(super) const SLICE: &[Key] = keys![
    ..NameInfo [page] ..SheetOfWorkbook [pages on_pages continued lines = actual_range range = actual_range total = file_size total_lines
    requested = requested_range adjusted = boundary_adjustments error kind header_lines] ..DecodingInfo [damaged]
    ..EncodingInfo [invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines time version eof next]
    ..TrafficInfo [notices change fd = path]
];

/// The handle of a capture, in XML.
const FD: Row = Row::new("fd").brief().of_file();

impl Envelope for SliceResult {
    fn element(&self, file: &FileInfo) -> &'static str {
        if file.handle.is_some() { "fd_content" } else { "file_content" }
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(SliceMembers::new(self, file))
    }

    fn segment<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(SegmentMembers::new(SliceMembers::new(self, file), self))
    }

    fn follows_its_file(&self) -> bool {
        true
    }

    fn error(&self) -> Option<&Error> {
        self.outcome.as_ref().err()
    }

    fn facts(&self, file: &FileInfo, markup: Markup) -> Result<Facts> {
        let (returned, error) = (self.outcome.as_ref().ok(), self.outcome.as_ref().err());
        let mut alone = SliceMembers::new(self, file);
        if error.is_some() {
            alone.details = FileDetails::default();
            alone.truncated = false;
        }
        let mut facts = alone.facts()?;
        facts.0.extend(error.map(|error| reason(error).facts()).transpose()?.unwrap_or_default().0);
        let handle = file.handle.as_deref().filter(|_| markup == Markup::Xml);
        facts.0.push((FD, handle.into()));
        let lines = returned.and_then(|returned| returned.first_line.zip(returned.last_line()));
        let lines = lines.filter(|(first, last)| last >= first);
        let moved = returned.map(|returned| returned.moved).filter(|moved| *moved != (0, 0));
        let own = [
            ("continued", said(alone.page.is_some_and(|page| page.continued))),
            ("lines", lines.map(|(first, last)| format!("{first}-{last}")).into()),
            ("range", returned.map(|returned| format!("{}-{}", returned.start, returned.end)).into()),
            ("total", file.size.into()),
            ("on_pages", returned.and_then(|returned| returned.page_of_document.in_one_line()).into()),
            ("requested", (!self.is_exact() || moved.is_some()).then(|| self.request()).into()),
            ("adjusted", moved.map(|moved| adjusted(moved, &self.alignment())).into()),
            ("error", error.map(|error| printable(&worded(&error.message))).into()),
            ("truncated", said(alone.truncated)),
            ("eof", said(alone.eof)),
            (
                "next",
                returned
                    .and_then(|returned| returned.next)
                    .filter(|_| !alone.eof)
                    .map(|next| next.to_string())
                    .into(),
            ),
        ];
        Ok(facts.arranged(SLICE, own))
    }
}

fn adjusted((start, end): (i64, i64), reason: &str) -> String {
    let ends = [("start", start), ("end", end)];
    let moves: Vec<String> =
        ends.iter().filter(|(_, by)| *by != 0).map(|(what, by)| format!("{what} {by:+}")).collect();
    format!("{} ({reason})", moves.join(", "))
}
