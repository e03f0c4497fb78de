//! The receipt of `select`: the query, its columns, and which rows are given.

use super::content::InvalidInfo;
use super::envelope::{Envelope, Markup, plain};
use super::facts::{Facts, Key, Receipt, keys, said};
use super::file::{DecodingInfo, FileDetails, FileInfo, NameInfo, TrafficInfo};
use crate::rows::rows;
use rread_text::error::Result;

rows! {
    /// The query, its table, and the returned rows.
    #[derive(Clone, Debug)]
    pub struct QueryInfo {
        /// The query as it was given.
        pub query: String,
        /// Tables beside t, as --table named them.
        pub tables?: Vec<String>,
        /// The number of files that FILE means, if it means several.
        pub files?: Option<u64>,
        /// How many of them the query read.
        pub files_read?: Option<u64>,
        /// Files that a condition on _file or on a partition excludes; they were not opened.
        pub files_skipped?: Option<u64>,
        /// Directories of a store that a condition on a partition excludes; their files were not listed and are not in files.
        pub directories_skipped?: Option<u64>,
        /// Files without a record.
        pub files_empty?: Option<u64>,
        /// Files that --skip-unreadable left out.
        pub files_unreadable?: Option<u64> [brief],
        /// What is wrong with the first of them.
        pub first_unreadable?: Option<String> [brief],
        /// Requests that listed objects; requests counts them, too.
        pub list_requests?: Option<u64>,
        /// The kind of table in the file.
        pub input: &'static str = ["csv", "json", "jsonl", "parquet", "sheet", "sqlite", "lines", "log"],
        /// The sheet of the workbook that is the table t.
        pub sheet?: Option<String> [brief],
        /// Other visible sheets that have values, if neither --sheet nor the query names one.
        pub other_sheets?: Vec<String> [brief],
        /// How the rows are written.
        pub output: &'static str = ["csv", "jsonl", "json", "table"],
        /// The columns of the rows, in order.
        pub columns: Vec<ColumnInfo>,
        /// With the notice header_assumed: the option that reads the first record as a row.
        pub header_hint?: Option<&'static str> [brief],
        /// Rows that --offset left out at the start.
        pub offset?: Option<u64>,
        /// How many rows were returned; left out with --metadata-only, which runs no query.
        pub rows_returned?: Option<u64> [brief],
        /// The length of the content in bytes of UTF-8.
        pub content_bytes?: Option<u64>,
        /// Whether there are more rows.
        pub truncated: bool [brief],
        /// The budget that left them out.
        pub cut_by?: Option<&'static str> = ["max_rows", "max_bytes"] [brief],
        /// How to go on: the same query with --offset.
        pub next?: Option<NextRows> [brief],
        /// Sequences that are not valid in the encoding of the file.
        pub invalid_utf8?: Option<InvalidInfo> [brief],
        /// Records that --skip-bad left out.
        pub skipped_rows?: Option<u64> [brief],
        /// What is wrong with the first of them.
        pub first_skipped?: Option<String> [brief],
        /// Records that do not have the form of --parse: the values of it are NULL there.
        pub unparsed?: Option<u64> [brief],
        /// The first of them.
        pub first_unparsed?: Option<String> [brief],
        /// Values of JSON members that appear only after the first MiB, and so are not columns.
        pub unknown_members?: Option<u64> [brief],
        /// The first of them.
        pub first_unknown?: Option<String> [brief],
        /// Members that a JSON object has more than once; the last one counts.
        pub repeated_members?: Option<u64> [brief],
        /// The first of them.
        pub first_repeated?: Option<String> [brief],
        /// Bytes that the query wrote to temporary files.
        pub bytes_spilled?: Option<u64>,
        /// With --workers: how many of them had a part of the query; 0 if it was too small to send, and ran here.
        pub workers?: Option<u64>,
        /// The parts that the workers did.
        pub tasks?: Option<u64>,
        /// How often the query was sent again, because a worker was lost.
        pub retried?: Option<u64> [brief],
    }

    /// A column.
    #[derive(Clone, Debug)]
    pub struct ColumnInfo: "column" {
        /// The name of the column.
        pub name: String,
        /// The type of its values, as --schema names it, or as Arrow does.
        pub r#type as "type": String,
    }

    /// How to go on: the rows after those that were returned.
    #[derive(Clone, Copy, Debug)]
    pub struct NextRows: "next_rows" {
        /// The command that takes the offset.
        pub command: &'static str = "select",
        /// The value for --offset.
        pub offset: u64,
    }

    /// The names of the files that a query would read.
    #[derive(Clone, Debug)]
    pub struct FilesListed: "select_files" {
        /// The number of files that FILE means.
        pub files: u64,
        /// The number of names in the content.
        pub listed: u64 [brief],
        /// Files that a condition on _file or on a partition excludes.
        pub files_skipped?: Option<u64>,
        /// Directories of a store that a condition on a partition excludes; their files were not listed and are not in files.
        pub directories_skipped?: Option<u64>,
        /// The stored bytes of the files that are not excluded, if they are listed objects.
        pub size?: Option<u64>,
        /// Whether a budget left out names.
        pub truncated: bool [brief],
        /// The --offset of the next name; left out unless names were left out.
        pub next_offset?: Option<u64> [brief],
        /// The length of the content in bytes.
        pub content_bytes: u64,
        /// Requests that listed objects; requests counts them, too.
        pub list_requests?: Option<u64>,
        flat pub traffic: TrafficInfo,
    }

    /// The query, its table, and the returned rows.
    pub(super) struct QueryMembers<'a>: "select" {
        flat name: &'a NameInfo,
        /// The size of the file in bytes; left out while the size of a stream is unknown.
        total?: Option<u64>,
        flat query: &'a QueryInfo,
        flat details: &'a FileDetails,
    }
}

pub(super) const QUERY: &[Key] = keys![
    ..NameInfo [query tables files files_read files_skipped directories_skipped files_empty files_unreadable first_unreadable list_requests input sheet other_sheets output columns header_hint offset rows_returned content_bytes truncated cut_by next total]
    ..DecodingInfo [encoding encoding_source encoding_hint invalid_utf8 skipped_rows first_skipped unparsed first_unparsed unknown_members first_unknown repeated_members first_repeated bytes_spilled workers tasks retried
    time bytes_scanned version] ..TrafficInfo [notices change]
];

plain! { "select_files" FilesListed }

impl QueryInfo {
    fn members<'a>(&'a self, file: &'a FileInfo) -> QueryMembers<'a> {
        QueryMembers { name: &file.name, total: file.size, query: self, details: &file.details }
    }
}

impl Envelope for QueryInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "select_result"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file))
    }

    fn facts(&self, file: &FileInfo, markup: Markup) -> Result<Facts> {
        let line = |column: &ColumnInfo| format!("{} {}", column.name, column.r#type);
        let columns = match markup {
            Markup::Yaml => self.columns.iter().map(line).collect(),
            Markup::Xml => serde_json::json!(self.columns),
        };
        let next = self.next.map(|next| format!("select --offset {}", next.offset));
        let own = [("columns", columns), ("truncated", said(self.truncated)), ("next", next.into())];
        Ok(self.members(file).facts()?.arranged(QUERY, own))
    }
}
