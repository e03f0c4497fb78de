//! The receipt of a slice or a page: alone, as one of several, and for people.

use serde::Serialize;
use serde_json::Value;

use super::content::{ContentInfo, NextInfo};
use super::envelope::{Envelope, Markup};
use super::facts::{Facts, json, said, value};
use super::file::{FileInfo, NameInfo, SignMembers};
use super::keys::{KEYS_OF_FILE, SLICE};
use super::slice::{Actual, Adjustments, PageInfo, Requested, SliceMembers, SliceResult};
use rread_text::error::{Error, Result, printable};

/// The receipt of one range of several. What is the same for all of them stands in the receipt of the whole answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "slice_of_several"))]
pub(super) struct SegmentMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// What was requested. Positions from the end are negative, open ends null. Left out if it is what actual_range says.
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_range: Option<Requested>,
    /// What was returned, without the lines of --header. Left out if nothing was returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_range: Option<Actual>,
    #[serde(flatten)]
    page: Option<PageInfo>,
    /// How far rread moved the ends of a range of bytes to the edges of characters; left out if it moved none.
    #[serde(skip_serializing_if = "Option::is_none")]
    boundary_adjustments: Option<Adjustments>,
    #[serde(flatten)]
    content: ContentInfo,
    /// Whether a budget left out anything that was requested (cut_by names it); for a page also whether it ends inside a
    /// line, which goes on in the next page.
    truncated: bool,
    /// Lines of the start of the file that --header put before the slice; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    header_lines: Option<u64>,
    /// True if the slice ends where the file ends; otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    eof: Option<bool>,
    /// How to go on; left out at the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextInfo>,
    #[serde(flatten)]
    signs: SignMembers,
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

impl Envelope for SliceResult {
    fn element(&self, file: &FileInfo) -> &'static str {
        if file.handle.is_some() { "fd_content" } else { "file_content" }
    }

    fn json(&self, file: &FileInfo) -> Result<String> {
        json(&SliceMembers::new(self, file))
    }

    fn segment_json(&self, file: &FileInfo) -> Result<String> {
        json(&SegmentMembers::new(SliceMembers::new(self, file), self))
    }

    fn keys_of_file(&self) -> &'static [&'static str] {
        KEYS_OF_FILE
    }

    fn error(&self) -> Option<&Error> {
        self.outcome.as_ref().err()
    }

    fn brief(&self, file: &FileInfo, markup: Markup) -> Result<Facts> {
        Ok(Facts::known(self.facts(file, markup)?))
    }
}

impl SliceResult {
    /// The value of every key, in the order of [`SLICE`]; written out, as there may be thousands of slices.
    fn facts(&self, file: &FileInfo, markup: Markup) -> Result<[(&'static str, Value); SLICE.len()]> {
        let (returned, error) = (self.outcome.as_ref().ok(), self.outcome.as_ref().err());
        let page = self.page.filter(|_| returned.is_some());
        let lines = returned.and_then(|returned| returned.first_line.zip(returned.last_line()));
        let lines = lines.filter(|(first, last)| last >= first);
        let moved = returned.map(|returned| returned.moved).filter(|moved| *moved != (0, 0));
        let content = returned.map(|returned| ContentInfo::from(&returned.stats)).unwrap_or_default();
        let details = returned.map(|returned| file.details.with(returned.checked)).unwrap_or_default();
        let (encoding, signs) = (details.encoding, SignMembers::from(details.signs));
        Ok([
            ("path", file.name.path.as_str().into()),
            ("path_base64", file.name.path_base64.as_deref().into()),
            ("page", page.map(|page| page.page.number).into()),
            ("pages", page.and_then(|page| page.pages).into()),
            ("continued", said(page.is_some_and(|page| page.page.continued))),
            ("lines", lines.map(|(first, last)| format!("{first}-{last}")).into()),
            ("range", returned.map(|returned| format!("{}-{}", returned.start, returned.end)).into()),
            ("total", file.size.into()),
            ("total_lines", file.total_lines.into()),
            ("requested", (!self.is_exact() || moved.is_some()).then(|| self.request()).into()),
            ("adjusted", moved.map(|moved| adjusted(moved, &self.alignment())).into()),
            ("error", error.map(|error| printable(&error.message)).into()),
            ("kind", error.map(|error| error.kind.name()).into()),
            (
                "header_lines",
                returned.map(|returned| returned.header_lines).filter(|lines| *lines > 0).into(),
            ),
            ("decoded", details.decoded.into()),
            ("picture_pages", details.picture_pages.into()),
            ("compression", details.compression.into()),
            ("compressed_size", details.compressed_size.into()),
            ("uncompressed_size", details.uncompressed_size.into()),
            ("damaged", value(&signs.damaged)?),
            ("encoding", encoding.encoding.into()),
            ("encoding_source", encoding.encoding_source.into()),
            ("encoding_guess", encoding.encoding_guess.into()),
            ("encoding_hint", encoding.encoding_hint.into()),
            ("encode", encoding.encode.into()),
            ("bom", encoding.bom.into()),
            ("invalid_utf8", value(&content.invalid_utf8)?),
            ("content_bytes", content.content_bytes.into()),
            ("estimated_tokens", content.estimated_tokens.into()),
            ("truncated", said(returned.is_some() && self.is_truncated())),
            ("cut_by", content.cut_by.into()),
            ("clipped_lines", content.clipped_lines.into()),
            ("time", value(&details.time)?),
            ("version", details.version.flatten().into()),
            ("eof", said(returned.is_some_and(|returned| Some(returned.end) == file.size))),
            ("next", returned.and_then(|returned| returned.next).map(|next| next.to_string()).into()),
            ("requests", details.requests.into()),
            ("bytes_fetched", details.bytes_fetched.into()),
            ("notices", Some(signs.notices).filter(|notices| !notices.is_empty()).into()),
            ("change", signs.change.into()),
            ("fd", file.handle.as_deref().filter(|_| markup == Markup::Xml).into()),
        ])
    }
}

fn adjusted((start, end): (i64, i64), reason: &str) -> String {
    let ends = [("start", start), ("end", end)];
    let moves: Vec<String> =
        ends.iter().filter(|(_, by)| *by != 0).map(|(what, by)| format!("{what} {by:+}")).collect();
    format!("{} ({reason})", moves.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::encoding::Encoding;
    use rread_text::range::{Range, Unit};

    #[test]
    fn the_keys_of_a_slice_are_in_the_order_of_their_table() {
        let asked = Range::after(Unit::Lines, 0, None);
        let outcome = Err(Error::usage(""));
        let slice = SliceResult { asked, page: None, aligned_to: Encoding::Utf8, outcome };
        let facts = slice.facts(&FileInfo::default(), Markup::Yaml).unwrap();
        assert_eq!(
            facts.map(|(key, _)| key).as_slice(),
            SLICE.iter().map(|key| key.brief).collect::<Vec<_>>()
        );
    }
}
