//! The facts of the content: its length, cuts, invalid sequences, its pages, and how to go on.

use serde::Serialize;

use crate::content::{ContentStats, THIRDS};
use crate::continuation::Next;

/// Invalid sequences in the part of the file that the content shows, or odd characters in all of it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "invalid"))]
pub struct InvalidInfo {
    /// How many there are.
    pub count: u64,
    /// The offset of the first one.
    pub first_byte: Option<u64>,
}

/// The content of an answer.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ContentInfo {
    /// The length of the content in bytes of UTF-8, before it is escaped for JSON.
    pub content_bytes: u64,
    /// The tokens of the content, estimated without a tokenizer: 3 bytes a token, 1 for each CJK character. With
    /// --metadata-only, of the content that the call would return without it; also with --max-tokens.
    pub estimated_tokens: Option<u64>,
    /// The budget that cut the content.
    pub cut_by: Option<&'static str>,
    /// Lines that --max-columns clipped; left out if there are none.
    pub clipped_lines: Option<u64>,
    /// Sequences that are not valid in the encoding of the file, UTF-8 or not; left out if there are none.
    pub invalid_utf8: Option<InvalidInfo>,
}

impl From<&ContentStats> for ContentInfo {
    fn from(stats: &ContentStats) -> Self {
        let invalid = InvalidInfo { count: stats.invalid.count, first_byte: stats.invalid.first_byte };
        ContentInfo {
            content_bytes: stats.content_bytes,
            estimated_tokens: stats.token_thirds.map(|thirds| thirds.div_ceil(THIRDS)),
            cut_by: cut_by(stats),
            clipped_lines: Some(stats.clipped_lines).filter(|lines| *lines > 0),
            invalid_utf8: Some(invalid).filter(|invalid| invalid.count > 0),
        }
    }
}

/// The budget that cut the content, in the words of receipts.
pub(super) fn cut_by(stats: &ContentStats) -> Option<&'static str> {
    match stats.cut {
        Some(cut) => Some(cut.key()),
        None if stats.clipped_lines > 0 => Some("max_columns"),
        None => None,
    }
}

/// A sentence about the budget that cut the content, and how to go on.
pub(super) fn cut_note(stats: &ContentStats, next: Option<String>) -> Option<String> {
    let option = cut_by(stats)?.replace('_', "-");
    let next = next.map_or(String::new(), |next| format!("; next: {next}"));
    let clipped = match stats.clipped_lines {
        0 => String::new(),
        lines => format!(" ({lines} clipped)"),
    };
    Some(format!("cut by --{option}{clipped}{next}"))
}

/// How to go on: the slice or page that follows, of the requested size.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next"))]
pub struct NextInfo {
    /// The command that takes the range.
    pub command: &'static str,
    /// The range in the form that the command takes, or the number of the page.
    pub range: String,
    /// The value for --align; left out if it is the default.
    pub align: Option<&'static str>,
    /// The value for --page-size; left out if it is the default.
    pub page_size: Option<u64>,
    /// Present if the command needs --bounded, because nothing follows after the range.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bounded: bool,
}

impl From<Next> for NextInfo {
    fn from(next: Next) -> Self {
        NextInfo {
            command: next.command(),
            range: next.argument(),
            align: next.align(),
            page_size: next.page_size(),
            bounded: next.is_bounded(),
        }
    }
}

/// The page that the content is on, in a document with pages of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct PageOfDocument {
    /// The page of the document that has the content, from 1; left out if several have it.
    pub page: Option<u64>,
    #[serde(flatten)]
    pub sheet: SheetOfWorkbook,
    /// The pages of content that several have, with the lines that are on each, at most 100.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_pages: Vec<PageLines>,
}

/// The sheet of a workbook, or the table of a database, that a page is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct SheetOfWorkbook {
    /// The name of the sheet or the table.
    pub sheet: Option<String>,
    /// The first row of the sheet, which has the names of its columns; left out if the content begins before the next row.
    pub header_row: Option<String>,
}

/// The lines of the content that are on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "page_lines"))]
pub struct PageLines {
    /// The number of the page, from 1.
    pub page: u64,
    #[serde(flatten)]
    pub sheet: SheetOfWorkbook,
    /// The first and the last line that the content has of the page; left out for ranges of bytes.
    pub lines: Option<String>,
}

impl PageOfDocument {
    /// The pages in one line: `2: 9-12; 3: 38`, with the names and the header rows of sheets.
    pub fn in_one_line(&self) -> Option<String> {
        let one = |page: &PageLines| {
            let name = page.sheet.sheet.as_ref().map_or(String::new(), |name| format!(" {name}"));
            let header = page.sheet.header_row.as_ref().map_or(String::new(), |row| format!(" ({row})"));
            let lines = page.lines.as_ref().map_or(String::new(), |lines| format!(": {lines}"));
            format!("{}{name}{header}{lines}", page.page)
        };
        let pages: Vec<String> = self.on_pages.iter().map(one).collect();
        (!pages.is_empty()).then(|| pages.join("; "))
    }
}

/// The result of a search in a file.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct SearchInfo {
    /// How many matches there are in the searched bytes; with -v, how many lines without one.
    pub matches: u64,
    /// How many lines have them.
    pub matched_lines: u64,
    /// With --unit: how many records or blocks have them; with -v, how many have none.
    pub matched_units: Option<u64>,
    /// false: -m, --last or a budget stopped the search, so there may be more matches. Left out if it came to its end.
    pub complete: Option<bool>,
    /// How many of these lines the content shows.
    pub shown: u64,
    /// The bytes that rread searched. If they are the whole file, matches and matched_lines are all there are.
    pub searched: SearchedBytes,
    /// How to go on; left out if nothing is left to search.
    pub next: Option<NextSearch>,
    #[serde(flatten)]
    pub content: ContentInfo,
    #[serde(flatten)]
    pub page: PageOfDocument,
    /// The counts of the content, for the budget of further files.
    #[serde(skip)]
    pub stats: ContentStats,
    /// A record is so long that only a part of it is known.
    #[serde(skip)]
    pub is_unit_cut: bool,
}

/// The bytes that rread searched.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "searched"))]
pub struct SearchedBytes {
    /// The first byte.
    pub start_byte: u64,
    /// Past the last byte.
    pub end_byte: u64,
}

/// How to go on after a search: the same search in the rest of the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next_search"))]
pub struct NextSearch {
    /// The command.
    pub command: &'static str,
    /// The value for --in.
    pub range: String,
    /// The command line, for people.
    #[serde(skip)]
    pub line: String,
}

impl SearchInfo {
    /// The number that -c prints.
    pub fn counted(&self) -> u64 {
        self.matched_units.unwrap_or(self.matched_lines)
    }

    pub fn is_truncated(&self) -> bool {
        cut_by(&self.stats).is_some() || self.is_unit_cut
    }

    /// A sentence about the budget that cut the content.
    pub fn cut_note(&self) -> Option<String> {
        cut_note(&self.stats, self.next.as_ref().map(|next| next.line.clone()))
    }
}
