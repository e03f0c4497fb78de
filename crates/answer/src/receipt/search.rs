//! The receipt of `search`: how many lines match, which are shown, and how to go on.

use serde::Serialize;

use super::content::{ContentInfo, PageOfDocument, SearchInfo, SearchedBytes};
use super::envelope::{Envelope, Markup};
use super::file::{FileInfo, NameInfo, WholeFile};
use super::json::{Members, Receipt, arrange, if_true};
use crate::wording::worded;
use rread_text::{Error, Result, printable};

/// The receipt of a search that is shown as one text; the file has what was found.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult;

/// The order for people.
pub(super) const SEARCH: &str = "NAME error kind page SHEET on_pages matches matched_lines matched_units shown searched total total_lines \
    DECODING damaged ENCODING invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines time version next \
    TRAFFIC notices guess_contradicted change";

/// The words of a search for people that are not those of JSON.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SearchWords {
    error: Option<String>,
    kind: Option<&'static str>,
    searched: Option<String>,
    total: Option<u64>,
    on_pages: Option<String>,
    truncated: Option<bool>,
    next: Option<String>,
}

impl Envelope for SearchResult {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(WholeFile::of(file, Some(file.search.as_ref().is_some_and(SearchInfo::is_truncated))))
    }

    fn people(&self, file: &FileInfo, _: Markup, _: bool) -> Result<Members> {
        let Some(info) = &file.search else { return Ok(Members::new()) };
        let SearchedBytes { start_byte, end_byte } = info.searched;
        let is_whole = start_byte == 0 && Some(end_byte) == file.size;
        let words = SearchWords {
            searched: (!is_whole).then(|| format!("{start_byte}-{end_byte}")),
            total: file.size,
            on_pages: info.page.in_one_line(),
            truncated: if_true(info.is_truncated()),
            next: info.next.as_ref().map(|next| next.line.clone()),
            ..SearchWords::default()
        };
        arrange(SEARCH, &WholeFile::of(file, None), &words)
    }
}

/// A group of lines that a search shows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "matched_lines"))]
pub struct MatchedLines {
    #[serde(flatten)]
    pub name: NameInfo,
    /// The lines of the group, context included.
    pub actual_range: MatchedRange,
    /// The matches in the lines, as far as the content shows them.
    pub matches: Vec<FoundMatch>,
    /// Lines of which the content has several parts, each on a line of its own: windows of a long line, or matches with -o.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<LineWindows>,
    #[serde(flatten)]
    pub content: ContentInfo,
    #[serde(flatten)]
    pub page: PageOfDocument,
    /// Whether --max-columns left out anything of these lines.
    pub truncated: bool,
}

/// A line of which the content has several parts.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "line_windows"))]
pub struct LineWindows {
    /// The number of the line.
    pub line: u64,
    /// How many lines of the content are parts of it.
    pub count: u64,
}

/// The lines and bytes of a group.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MatchedRange {
    /// The number of the first line.
    pub start_line: u64,
    /// The number of the last line.
    pub end_line: u64,
    /// The first byte.
    pub start_byte: u64,
    /// Past the last byte.
    pub end_byte: u64,
}

/// A match.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "match"))]
pub struct FoundMatch {
    /// The number of its line.
    pub line: u64,
    /// Its first byte.
    pub start_byte: u64,
    /// Past its last byte.
    pub end_byte: u64,
    /// Its first character in the line, from 1; null in a line of more than 1 MiB.
    pub column: Option<u64>,
}

impl Envelope for MatchedLines {
    fn element(&self, _: &FileInfo) -> &'static str {
        "matched_lines"
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn brief(&self) -> &'static str {
        "windows"
    }

    fn people(&self, _: &FileInfo, _: Markup, _: bool) -> Result<Members> {
        // Only JSON has parts for groups.
        Ok(Members::new())
    }
}

/// The file of a search that could not be read.
#[derive(Clone, Debug)]
pub struct RefusedSearch(pub Error);

impl Envelope for RefusedSearch {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(&file.name)
    }

    fn people(&self, file: &FileInfo, _: Markup, _: bool) -> Result<Members> {
        let error = Some(printable(&worded(&self.0.message)));
        let words = SearchWords { error, kind: Some(self.0.kind.name()), ..SearchWords::default() };
        arrange(SEARCH, &file.name, &words)
    }

    fn error(&self) -> Option<&Error> {
        Some(&self.0)
    }
}
