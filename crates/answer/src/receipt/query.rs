//! The receipt of `select`: the query, its columns, and which rows are given.

use super::content::InvalidInfo;
use super::envelope::{Envelope, Markup};
use super::file::{FileDetails, FileInfo, NameInfo, TrafficInfo};
use super::json::{Members, Receipt, arrange, if_true};
use crate::wording::command_line;
use rread_text::{Result, call};
use serde::Serialize;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// How many of them the query read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_read: Option<u64>,
    /// Files that a condition on _file or on a partition excludes; they were not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_skipped: Option<u64>,
    /// Directories of a store that a condition on a partition excludes; their files were not listed and are not in files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directories_skipped: Option<u64>,
    /// Files without a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_empty: Option<u64>,
    /// Files that --skip-unreadable left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_unreadable: Option<u64>,
    /// What is wrong with the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_unreadable: Option<String>,
    /// Requests that listed objects; requests counts them, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_requests: Option<u64>,
    /// The kind of table in the file.
    pub input: &'static str,
    /// The sheet of the workbook that is the table t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Other visible sheets that have values, if neither --sheet nor the query names one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_sheets: Vec<String>,
    /// How the rows are written.
    pub output: &'static str,
    /// The columns of the rows, in order.
    pub columns: Vec<ColumnInfo>,
    /// With the notice header_assumed: the option that reads the first record as a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_hint: Option<&'static str>,
    /// The layout of a CSV, of several files that of the first: what the user said, or what the values show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Rows that --offset left out at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// How many rows were returned; left out with --metadata-only, which runs no query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_returned: Option<u64>,
    /// The length of the content in bytes of UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_bytes: Option<u64>,
    /// Whether there are more rows.
    pub truncated: bool,
    /// The budget that left them out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_by: Option<&'static str>,
    /// How to go on: the same query with --offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRows>,
    /// Sequences that are not valid in the encoding of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_utf8: Option<InvalidInfo>,
    /// Records that --skip-bad left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_rows: Option<u64>,
    /// What is wrong with the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_skipped: Option<String>,
    /// Records that do not have the form of --parse: the values of it are NULL there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unparsed: Option<u64>,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_unparsed: Option<String>,
    /// Values of JSON members that appear only after the first MiB, and so are not columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_members: Option<u64>,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_unknown: Option<String>,
    /// Members that a JSON object has more than once; the last one counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_members: Option<u64>,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_repeated: Option<String>,
    /// Bytes that the query wrote to temporary files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_spilled: Option<u64>,
    /// With --workers: how many of them had a part of the query; 0 if it was too small to send, and ran here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<u64>,
    /// The parts that the workers did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<u64>,
    /// How often the query was sent again, because a worker was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_skipped: Option<u64>,
    /// Directories of a store that a condition on a partition excludes; their files were not listed and are not in files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directories_skipped: Option<u64>,
    /// The stored bytes of the files that are not excluded, if they are listed objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Whether a budget left out names.
    pub truncated: bool,
    /// The --offset of the next name; left out unless names were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// The length of the content in bytes.
    pub content_bytes: u64,
    /// Requests that listed objects; requests counts them, too.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// The words of a query for people that are not those of JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct QueryWords {
    truncated: Option<bool>,
    next: Option<String>,
    /// For YAML, with one line for each column.
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<String>>,
}

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
        let words = QueryWords {
            truncated: if_true(self.truncated),
            next: self.next.map(|next| command_line(&call("select").with("offset", next.offset))),
            columns: (markup == Markup::Yaml).then(|| self.columns.iter().map(line).collect()),
        };
        arrange(QUERY, &self.members(file), &words)
    }
}
