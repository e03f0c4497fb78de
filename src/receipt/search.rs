//! The receipt of `search`: how many lines match, which are shown, and how to go on.

use serde::Serialize;

use super::content::ContentInfo;
use super::envelope::{Envelope, Markup};
use super::facts::{Facts, arranged, json, members, said};
use super::file::{FileInfo, WholeFile, file_json};
use super::keys::SEARCH;
use super::search_in_file::{SearchInfo, SearchedBytes};
use rread_text::error::{Error, Result, printable};

/// The receipt of a search that is shown as one text; the file has what was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchResult;

impl Envelope for SearchResult {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn json(&self, file: &FileInfo) -> Result<String> {
        file_json(file, file.search.as_ref().is_some_and(SearchInfo::is_truncated))
    }

    fn brief(&self, file: &FileInfo, _: Markup) -> Result<Facts> {
        let Some(info) = &file.search else { return Ok(Facts::default()) };
        let SearchedBytes { start_byte, end_byte } = info.searched;
        let is_whole = start_byte == 0 && Some(end_byte) == file.size;
        let own = [
            ("searched", (!is_whole).then(|| format!("{start_byte}-{end_byte}")).into()),
            ("total", file.size.into()),
            ("truncated", said(info.is_truncated())),
            ("next", info.next.as_ref().map(|next| next.line.clone()).into()),
        ];
        Ok(arranged(SEARCH, members(&WholeFile::of(file, None))?, own))
    }
}

/// A group of lines that a search shows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "matched_lines"))]
pub(crate) struct MatchedLines {
    /// The file as it was named.
    pub(crate) path: String,
    /// The lines of the group, context included.
    pub(crate) actual_range: MatchedRange,
    /// The matches in the lines, as far as the content shows them.
    pub(crate) matches: Vec<FoundMatch>,
    #[serde(flatten)]
    pub(crate) content: ContentInfo,
    /// Whether --max-columns left out anything of these lines.
    pub(crate) truncated: bool,
}

/// The lines and bytes of a group.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MatchedRange {
    /// The number of the first line.
    pub(crate) start_line: u64,
    /// The number of the last line.
    pub(crate) end_line: u64,
    /// The first byte.
    pub(crate) start_byte: u64,
    /// Past the last byte.
    pub(crate) end_byte: u64,
}

/// A match.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "match"))]
pub(crate) struct FoundMatch {
    /// The number of its line.
    pub(crate) line: u64,
    /// Its first byte.
    pub(crate) start_byte: u64,
    /// Past its last byte.
    pub(crate) end_byte: u64,
    /// Its first character in the line, from 1; null in a line of more than 1 MiB.
    pub(crate) column: Option<u64>,
}

impl Envelope for MatchedLines {
    fn element(&self, _: &FileInfo) -> &'static str {
        "matched_lines"
    }

    fn json(&self, _: &FileInfo) -> Result<String> {
        json(self)
    }

    fn brief(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        // Only JSON has parts for groups.
        Ok(Facts::default())
    }
}

/// The file of a search that could not be read.
#[derive(Clone, Debug)]
pub(crate) struct RefusedSearch(pub(crate) Error);

impl Envelope for RefusedSearch {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn json(&self, file: &FileInfo) -> Result<String> {
        json(&file.name)
    }

    fn brief(&self, file: &FileInfo, _: Markup) -> Result<Facts> {
        let own = [("error", printable(&self.0.message).into()), ("kind", self.0.kind.name().into())];
        Ok(arranged(SEARCH, members(&file.name)?, own))
    }

    fn error(&self) -> Option<&Error> {
        Some(&self.0)
    }
}
