//! The receipt of `search`: how many lines match, which are shown, and how to go on.

use super::content::ContentInfo;
use super::envelope::{Envelope, Markup};
use super::error::reason;
use super::facts::{Facts, Key, Receipt, keys, said};
use super::file::{DecodingInfo, EncodingInfo, FileInfo, NameInfo, TrafficInfo, WholeFile};
use super::page_of_document::{PageOfDocument, SheetOfWorkbook};
use super::search_in_file::{SearchInfo, SearchedBytes};
use crate::rows::rows;
use crate::wording::worded;
use rread_text::error::{Error, Result, printable};

/// The receipt of a search that is shown as one text; the file has what was found.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult;

pub(super) const SEARCH: &[Key] = keys![
    ..NameInfo [error kind page] ..SheetOfWorkbook [on_pages matches matched_lines shown searched total = file_size total_lines] ..DecodingInfo [damaged]
    ..EncodingInfo [invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines time version next]
    ..TrafficInfo [notices change]
];

impl Envelope for SearchResult {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(WholeFile::of(file, Some(file.search.as_ref().is_some_and(SearchInfo::is_truncated))))
    }

    fn facts(&self, file: &FileInfo, _: Markup) -> Result<Facts> {
        let Some(info) = &file.search else { return Ok(Facts::default()) };
        let SearchedBytes { start_byte, end_byte } = info.searched;
        let is_whole = start_byte == 0 && Some(end_byte) == file.size;
        let own = [
            ("searched", (!is_whole).then(|| format!("{start_byte}-{end_byte}")).into()),
            ("total", file.size.into()),
            ("on_pages", info.page.in_one_line().into()),
            ("truncated", said(info.is_truncated())),
            ("next", info.next.as_ref().map(|next| next.line.clone()).into()),
        ];
        Ok(self.receipt(file).facts()?.arranged(SEARCH, own))
    }
}

rows! {
    /// A group of lines that a search shows.
    #[derive(Clone, Debug)]
    pub struct MatchedLines: "matched_lines" {
        flat pub name: NameInfo,
        /// The lines of the group, context included.
        pub actual_range: MatchedRange [brief],
        /// The matches in the lines, as far as the content shows them.
        pub matches: Vec<FoundMatch> [brief],
        /// Lines of which the content has several parts, each on a line of its own: windows of a long line, or matches with -o.
        pub windows?: Vec<LineWindows> [brief],
        flat pub content: ContentInfo,
        flat pub page: PageOfDocument,
        /// Whether --max-columns left out anything of these lines.
        pub truncated: bool [brief no_tool],
    }

    /// A line of which the content has several parts.
    #[derive(Clone, Copy, Debug)]
    pub struct LineWindows: "line_windows" {
        /// The number of the line.
        pub line: u64,
        /// How many lines of the content are parts of it.
        pub count: u64,
    }

    /// The lines and bytes of a group.
    #[derive(Clone, Copy, Debug)]
    pub struct MatchedRange: "MatchedRange" {
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
    #[derive(Clone, Copy, Debug)]
    pub struct FoundMatch: "match" {
        /// The number of its line.
        pub line: u64,
        /// Its first byte.
        pub start_byte: u64,
        /// Past its last byte.
        pub end_byte: u64,
        /// Its first character in the line, from 1; null in a line of more than 1 MiB.
        pub column: Option<u64>,
    }
}

impl Envelope for MatchedLines {
    fn element(&self, _: &FileInfo) -> &'static str {
        "matched_lines"
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn facts(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        // Only JSON has parts for groups.
        Ok(Facts::default())
    }
}

/// The file of a search that could not be read.
#[derive(Clone, Debug)]
pub struct RefusedSearch(pub Error);

impl Envelope for RefusedSearch {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(&file.name)
    }

    fn facts(&self, file: &FileInfo, _: Markup) -> Result<Facts> {
        let mut facts = file.name.facts()?;
        facts.0.extend(reason(&self.0).facts()?.0);
        Ok(facts.arranged(SEARCH, [("error", printable(&worded(&self.0.message)).into())]))
    }

    fn error(&self) -> Option<&Error> {
        Some(&self.0)
    }
}
