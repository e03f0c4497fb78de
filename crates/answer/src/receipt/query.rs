//! The receipts of `select`: the query, its table, the rows and how to go on; and of `search`: how many lines match, and which are shown.

use serde::Serialize;
use serde_json::json;

use super::content::{ContentInfo, InvalidInfo, PageOfDocument, SearchInfo, SearchedBytes};
use super::envelope::{Envelope, Markup};
use super::file::{FileDetails, FileInfo, NameInfo, TrafficInfo, WholeFile};
use super::json::{Members, Receipt, arrange};
use crate::wording::{command_line, worded};
use rread_text::{Error, Result, call, printable};

/// The query, its table, and the returned rows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct QueryInfo {
    /// The query as it was given.
    pub query: String,
    /// Tables beside t, as --table named them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// The number of files that FILE means, if it means several.
    pub files: Option<u64>,
    /// How many of them the query read.
    pub files_read: Option<u64>,
    /// Files that a condition on _file or on a partition excludes; they were not opened.
    pub files_skipped: Option<u64>,
    /// Directories of a store that a condition on a partition excludes; their files were not listed and are not in files.
    pub directories_skipped: Option<u64>,
    /// Files without a record.
    pub files_empty: Option<u64>,
    /// Files that --skip-unreadable left out.
    pub files_unreadable: Option<u64>,
    /// What is wrong with the first of them.
    pub first_unreadable: Option<String>,
    /// Requests that listed objects; requests counts them, too.
    pub list_requests: Option<u64>,
    /// The kind of table in the file.
    pub input: &'static str,
    /// The sheet of the workbook that is the table t.
    pub sheet: Option<String>,
    /// Other visible sheets that have values, if neither --sheet nor the query names one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_sheets: Vec<String>,
    /// How the rows are written.
    pub output: &'static str,
    /// The columns of the rows, in order.
    pub columns: Vec<ColumnInfo>,
    /// With the notice header_assumed: the option that reads the first record as a row.
    pub header_hint: Option<&'static str>,
    /// The layout of a CSV, of several files that of the first: what the user said, or what the values show.
    pub dialect: Option<String>,
    /// Rows that --offset left out at the start.
    pub offset: Option<u64>,
    /// How many rows were returned; left out with --metadata-only, which runs no query.
    pub rows_returned: Option<u64>,
    /// The length of the content in bytes of UTF-8.
    pub content_bytes: Option<u64>,
    /// Whether there are more rows.
    pub truncated: bool,
    /// The budget that left them out.
    pub cut_by: Option<&'static str>,
    /// How to go on: the same query with --offset.
    pub next: Option<NextRows>,
    /// Sequences that are not valid in the encoding of the file.
    pub invalid_utf8: Option<InvalidInfo>,
    /// Records that --skip-bad left out.
    pub skipped_rows: Option<u64>,
    /// What is wrong with the first of them.
    pub first_skipped: Option<String>,
    /// Records that do not have the form of --parse: the values of it are NULL there.
    pub unparsed: Option<u64>,
    /// The first of them.
    pub first_unparsed: Option<String>,
    /// Values of JSON members that appear only after the first MiB, and so are not columns.
    pub unknown_members: Option<u64>,
    /// The first of them.
    pub first_unknown: Option<String>,
    /// Members that a JSON object has more than once; the last one counts.
    pub repeated_members: Option<u64>,
    /// The first of them.
    pub first_repeated: Option<String>,
    /// Bytes that the query wrote to temporary files.
    pub bytes_spilled: Option<u64>,
    /// With --workers: how many of them had a part of the query; 0 if it was too small to send, and ran here.
    pub workers: Option<u64>,
    /// The parts that the workers did.
    pub tasks: Option<u64>,
    /// How often the query was sent again, because a worker was lost.
    pub retried: Option<u64>,
}

/// A column.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "column"))]
pub struct ColumnInfo {
    /// The name of the column.
    pub name: String,
    /// The type of its values, as --schema names it, or as Arrow does.
    pub r#type: String,
}

/// How to go on: the rows after those that were returned.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next_rows"))]
pub struct NextRows {
    /// The command that takes the offset.
    pub command: &'static str,
    /// The value for --offset.
    pub offset: u64,
}

/// The names of the files that a query would read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "select_files"))]
pub struct FilesListed {
    /// The number of files that FILE means.
    pub files: u64,
    /// The number of names in the content.
    pub listed: u64,
    /// Files that a condition on _file or on a partition excludes.
    pub files_skipped: Option<u64>,
    /// Directories of a store that a condition on a partition excludes; their files were not listed and are not in files.
    pub directories_skipped: Option<u64>,
    /// The stored bytes of the files that are not excluded, if they are listed objects.
    pub size: Option<u64>,
    /// Whether a budget left out names.
    pub truncated: bool,
    /// The --offset of the next name; left out unless names were left out.
    pub next_offset: Option<u64>,
    /// The length of the content in bytes.
    pub content_bytes: u64,
    /// Requests that listed objects; requests counts them, too.
    pub list_requests: Option<u64>,
    #[serde(flatten)]
    pub traffic: TrafficInfo,
}

/// The query, its table, and the returned rows.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "select"))]
pub(super) struct QueryMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    total: Option<u64>,
    #[serde(flatten)]
    query: &'a QueryInfo,
    #[serde(flatten)]
    details: &'a FileDetails,
}

/// The order for people.
pub(super) const QUERY: &str = "NAME query tables files files_read files_skipped directories_skipped files_empty \
    files_unreadable first_unreadable list_requests input sheet other_sheets output dialect columns header_hint offset rows_returned \
    content_bytes truncated cut_by next total DECODING encoding encoding_source encoding_hint invalid_utf8 skipped_rows \
    first_skipped unparsed first_unparsed unknown_members first_unknown repeated_members first_repeated bytes_spilled workers \
    tasks retried time bytes_scanned version TRAFFIC notices guess_contradicted change";

impl QueryInfo {
    fn members<'a>(&'a self, file: &'a FileInfo) -> QueryMembers<'a> {
        QueryMembers { name: &file.name, total: file.size, query: self, details: &file.details }
    }
}

impl Envelope for QueryInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "select_result"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file))
    }

    fn brief(&self) -> &'static str {
        "files_unreadable first_unreadable other_sheets header_hint rows_returned skipped_rows first_skipped unparsed \
            first_unparsed unknown_members first_unknown repeated_members first_repeated retried"
    }

    fn people(&self, file: &FileInfo, markup: Markup, _: bool) -> Result<Members> {
        let line = |column: &ColumnInfo| format!("{} {}", column.name, column.r#type);
        let next = self.next.map(|next| command_line(&call("select").with("offset", next.offset)));
        let mut words = json!({"next": next});
        if markup == Markup::Yaml {
            words["columns"] = self.columns.iter().map(line).collect();
        }
        arrange(QUERY, &self.members(file), &words)
    }
}

/// The receipt of a search that is shown as one text; the file has what was found.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult;

/// The order for people.
pub(super) const SEARCH: &str = "NAME error kind page SHEET on_pages matches matched_lines matched_units complete shown searched total total_lines \
    DECODING damaged ENCODING invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines time version next \
    TRAFFIC notices guess_contradicted change";

impl Envelope for SearchResult {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_search"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(WholeFile::of(file, Some(file.search.as_ref().is_some_and(SearchInfo::is_truncated))))
    }

    fn people(&self, file: &FileInfo, _: Markup, is_brief: bool) -> Result<Members> {
        let Some(info) = &file.search else { return Ok(Members::new()) };
        let SearchedBytes { start_byte, end_byte } = info.searched;
        let is_whole = start_byte == 0 && Some(end_byte) == file.size;
        let words = json!({
            // With --brief, `next` says it already.
            "complete": info.complete.filter(|_| !is_brief || info.next.is_none()),
            "searched": (!is_whole).then(|| format!("{start_byte}-{end_byte}")),
            "total": file.size,
            "on_pages": info.page.in_one_line(),
            "truncated": info.is_truncated(),
            "next": info.next.as_ref().map(|next| &next.line),
        });
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
    pub actual_range: ShownRange,
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

/// The lines and bytes of a part that is shown.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShownRange {
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
        let error = printable(&worded(&self.0.message));
        let words = json!({"error": error, "kind": self.0.kind.name()});
        arrange(SEARCH, &file.name, &words)
    }

    fn error(&self) -> Option<&Error> {
        Some(&self.0)
    }
}
